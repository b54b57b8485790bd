//! Which rules of the claims would have to go.

use dralloc_cel::unguarded_reads;

use super::{Question, Trial, refused, selector_place};
use crate::claims::ConstraintKind;
use crate::explain::{Remedy, SelectorPlace};
use crate::model::Str;
use crate::solver::Check;

impl Question<'_> {
    /// Tries to leave out one constraint.
    pub(super) fn constraints(&self, trial: &mut Trial<'_>) {
        for (claim, prepared) in self.claims.claims().iter().enumerate() {
            for (place, constraint) in prepared.constraints.iter().enumerate() {
                trial.add(Remedy::Constraint {
                    claim,
                    constraint: place,
                    attribute: constraint.attribute.clone(),
                    distinct: constraint.kind == ConstraintKind::Distinct,
                });
            }
        }
    }

    /// Tries to require one thing less of placement.
    pub(super) fn policies(&self, trial: &mut Trial<'_>) {
        for (claim, prepared) in self.claims.claims().iter().enumerate() {
            for (place, demand) in prepared.demands().iter().enumerate() {
                trial.add(Remedy::Policy {
                    claim,
                    place,
                    requires: demand.rule.to_string(),
                });
            }
        }
    }

    /// Returns selectors that fail on devices as they may ask first what these have.
    pub(super) fn guards(&self) -> Vec<Remedy> {
        let mut found = Vec::new();
        for (of, source) in self.suspects() {
            let options = self.claims.features().selector_options();
            let Ok(reads) = unguarded_reads(&source, &options) else {
                continue;
            };
            let mut guards: Vec<String> = Vec::new();
            for read in reads {
                let slot = read.slot;
                let map = match slot.kind {
                    dralloc_cel::Kind::Attribute => "attributes",
                    dralloc_cel::Kind::Capacity => "capacity",
                };
                let guard = format!("\"{}\" in device.{map}[\"{}\"]", slot.name, slot.domain);
                if !guards.contains(&guard) {
                    guards.push(guard);
                }
            }
            if guards.is_empty() {
                continue;
            }
            let guards = guards.join(" && ");
            let expression = if source.contains("||") || source.contains('?') {
                format!("{guards} && ({source})")
            } else {
                format!("{guards} && {source}")
            };
            let expression = expression.into();
            found.push(Remedy::Guard { of, expression });
        }
        found
    }

    /// Tries to leave out one selector.
    pub(super) fn selectors(&self, trial: &mut Trial<'_>) {
        for (of, expression) in self.suspects() {
            trial.add(Remedy::Selector { of, expression });
        }
    }

    /// Returns the selectors of alternatives for which selectors refuse devices, each once.
    pub(super) fn suspects(&self) -> Vec<(SelectorPlace, Str)> {
        let mut suspects: Vec<(SelectorPlace, Str)> = Vec::new();
        for plan in &self.problem.plans {
            if refused(plan, Check::Selector).next().is_none() {
                continue;
            }
            for place in 0..plan.alternative.selectors.len() {
                let of = selector_place(plan.claim, plan.alternative, place);
                if suspects.iter().all(|(known, _)| *known != of) {
                    let selector = plan.alternative.selectors[place];
                    suspects.push((of, self.claims.expression(selector).source.clone()));
                }
            }
        }
        suspects.sort_by(|(one, _), (other, _)| one.cmp(other).reverse());
        suspects
    }
}
