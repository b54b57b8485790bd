//! [`Builder`]: makes a problem, device by device.

use std::collections::BTreeMap;
use std::sync::Arc;

use dralloc_cel::Scratch;

use super::compared::Compared;
use super::judge::{Judge, Verdict};
use super::plan::{Check, Failing, Plan};
use super::rules::{self as demanded, Subject};
use super::{Constraint, ErrorMode, Halt, Problem, Propagator, conflict, entry_id, path};
use crate::bitmap::Bitmap;
use crate::budget::Meter;
use crate::claims::{Alternative, ConstraintKind, Needed, PreparedClaims};
use crate::constraint::{AttributeSets, DistinctAttribute, MatchAttribute};
use crate::eligible::{COST_OF_A_BRANCH, Row, Verdicts, derive};
use crate::error::{Code, Error};
use crate::outcome::StopCause;
use crate::rules::{self, AttributeSet, MAX_DEVICES};
use crate::state::Draft;
use crate::store::NodeView;
use crate::topology::Machine;

/// More failing devices are not listed.
const MAX_WARNINGS: usize = 1024;

/// Is what a problem is made from.
pub(in crate::solver) struct Builder<'a, 'b, 'c> {
    claims: &'a PreparedClaims,
    view: &'a NodeView,
    held: &'a Draft,
    judge: Judge<'a>,
    verdicts: &'b mut Verdicts,
    meter: &'b mut Meter<'c>,
    scratch: Scratch,
    mode: ErrorMode,
    /// Whether to note why devices are no candidates.
    notes: bool,
    /// Where the devices are, if policies require something of that.
    machine: Option<&'b Arc<Machine>>,
}

impl<'a, 'b, 'c> Builder<'a, 'b, 'c> {
    pub(in crate::solver) fn new(
        claims: &'a PreparedClaims,
        view: &'a NodeView,
        held: &'a Draft,
        verdicts: &'b mut Verdicts,
        (mode, notes, machine): (ErrorMode, bool, Option<&'b Arc<Machine>>),
        meter: &'b mut Meter<'c>,
    ) -> Self {
        let judge = Judge {
            features: claims.features(),
            view,
        };
        Self {
            claims,
            view,
            held,
            judge,
            verdicts,
            meter,
            scratch: Scratch::new(),
            mode,
            notes,
            machine,
        }
    }

    pub(in crate::solver) fn add_claim(
        &mut self,
        claim: usize,
        problem: &mut Problem<'a>,
    ) -> Result<(), Halt> {
        let prepared = &self.claims.claims()[claim];
        for constraint in &prepared.constraints {
            let propagator = match constraint.kind {
                ConstraintKind::Match => Propagator::Match(MatchAttribute::default()),
                ConstraintKind::Distinct => Propagator::Distinct(DistinctAttribute::default()),
            };
            problem.constraints.push(Constraint {
                subject: Subject::Attribute(constraint),
                claim,
                sets: AttributeSets::default(),
                propagator,
                last: None,
            });
        }
        if let Some(machine) = self.machine {
            problem.add_demands(claim, prepared.demands(), machine)?;
        }
        let mut least = 0;
        for (index, request) in prepared.requests.iter().enumerate() {
            let first = problem.plans.len();
            for (place, alternative) in request.alternatives.iter().enumerate() {
                let request = (claim, index, place);
                let plan = self.plan(request, alternative, problem);
                let path = path(claim, index, alternative, place);
                problem.plans.push(plan.map_err(|halt| halt.under(&path))?);
            }
            let plans = &problem.plans[first..];
            let needed = plans.iter().map(|plan| plan.needed).min().unwrap_or(0);
            if needed > MAX_DEVICES.saturating_sub(least) {
                let message = format!(
                    "{needed} devices beside {least} of other requests, expected at most \
                     {MAX_DEVICES} for a claim"
                );
                let path = format!("claims[{claim}].spec.devices.requests[{index}]");
                return Err(Error::new(Code::LimitExceeded, message).at(path).into());
            }
            least += needed;
            problem.requests.push(first..problem.plans.len());
        }
        Ok(())
    }

    fn plan(
        &mut self,
        (claim, request_of_claim, index): (usize, usize, usize),
        alternative: &'a Alternative,
        problem: &mut Problem<'a>,
    ) -> Result<Plan<'a>, Halt> {
        let all = alternative.needed == Needed::All;
        if all {
            self.check_pools()?;
        }
        let devices = self.view.devices.len();
        let mut plan = Plan {
            alternative,
            claim,
            request: problem.requests.len(),
            request_of_claim,
            index,
            needed: 0,
            all: all.then(Vec::new),
            possible: true,
            candidates: Bitmap::new(devices),
            failing: Vec::new(),
            constraints: Vec::new(),
            refused: if self.notes {
                vec![Some(Check::Selector); devices]
            } else {
                Vec::new()
            },
            amounts: BTreeMap::new(),
        };
        let applies = problem
            .constraints
            .iter()
            .enumerate()
            .filter(|(_, constraint)| constraint.is_for(claim, alternative));
        plan.constraints = applies
            .map(|(place, _)| Compared::new(place, devices))
            .collect();

        let meter = &mut *self.meter;
        let mut charge = |branches| meter.evaluation(branches);
        let selected =
            self.verdicts
                .select(self.claims, &alternative.selectors, self.view, &mut charge)?;
        let mut errors = selected.errors.iter().peekable();
        let mut asked = selected.matches;
        asked.unite(&selected.failing);
        for device in asked.iter() {
            self.meter.evaluation(0)?;
            let error = errors
                .next_if(|(failing, ..)| *failing == device)
                .map(|(_, selector, error)| (*selector, Error::clone(error)));
            if !all
                && self
                    .judge
                    .is_held(device, alternative.admin_access, self.held)
            {
                plan.refuse(device, Check::InUse);
                continue;
            }
            let verdict = self.judge.qualify(device, alternative, error);
            self.judge(device, verdict, &mut plan, problem)?;
        }
        if let Needed::Count(count) = alternative.needed {
            plan.needed = count;
        } else if plan.needed == 0 {
            plan.possible = false;
        }
        Ok(plan)
    }

    fn check_pools(&self) -> Result<(), Error> {
        for pool in &self.view.pools {
            let Some(state) = pool.status.fault() else {
                continue;
            };
            let message = format!(
                "all devices are asked for, but pool `{}/{}` is {state}; expected complete pools",
                pool.driver, pool.name
            );
            return Err(Error::new(Code::Pool, message).at("allocationMode"));
        }
        Ok(())
    }

    /// Puts a device where it belongs in a plan.
    fn judge(
        &mut self,
        device: usize,
        verdict: Verdict,
        plan: &mut Plan<'a>,
        problem: &mut Problem<'a>,
    ) -> Result<(), Halt> {
        let amounts = match verdict {
            Verdict::No(check) => {
                plan.refuse(device, check);
                return Ok(());
            }
            Verdict::Fails(check, error) if self.mode == ErrorMode::Skip => {
                plan.refuse(device, check);
                self.warn(error, plan, problem);
                // All but those that could not be judged are not all.
                plan.needed += usize::from(plan.all.is_some());
                plan.possible &= plan.all.is_none();
                return Ok(());
            }
            Verdict::Fails(_, error) if plan.all.is_some() => return Err(error.into()),
            Verdict::Fails(_, error) => {
                plan.failing.push(Failing {
                    device,
                    after_constraints: None,
                    error,
                    conflict: false,
                });
                return Ok(());
            }
            Verdict::Yes(amounts) => amounts,
        };
        if plan.all.is_some() {
            plan.needed += 1;
            if !plan.possible && !self.notes {
                return Ok(());
            }
        }
        let shareable = self.view.shareable.contains(device);
        if shareable && let Some(amounts) = amounts {
            plan.amounts.insert(device, amounts);
        }
        let refused = self.judge.refuse(device, plan, &problem.state, self.held);
        let shown = match refused {
            Some(check) => Ok(Some(check)),
            None => self.show(device, plan, problem)?,
        };
        plan.refuse(
            device,
            shown
                .as_ref()
                .ok()
                .copied()
                .flatten()
                .unwrap_or(Check::Constraint),
        );
        match (shown, &mut plan.all) {
            (Ok(None), all) => {
                plan.candidates.insert(device);
                if let Some(all) = all {
                    all.push(device);
                }
                if let Some(refused) = plan.refused.get_mut(device) {
                    *refused = None;
                }
            }
            (Ok(Some(_)), Some(_)) => plan.possible = false,
            (Ok(Some(_)), None) => {}
            (Err(failing), all) => {
                plan.possible &= all.is_none();
                if self.mode == ErrorMode::Abort {
                    plan.failing.push(failing);
                } else {
                    self.warn(failing.error, plan, problem);
                }
            }
        }
        Ok(())
    }

    /// Notes what failed on a device that is left out.
    fn warn(&self, error: Error, plan: &Plan<'_>, problem: &mut Problem<'a>) {
        if !self.notes && problem.warnings.len() < MAX_WARNINGS {
            let path = path(
                plan.claim,
                plan.request_of_claim,
                plan.alternative,
                plan.index,
            );
            problem.warnings.push(error.under(&path));
        }
    }

    /// Writes down what a device shows to the constraints; returns what it lacks of all
    /// that they compare.
    fn show(
        &mut self,
        device: usize,
        plan: &mut Plan<'a>,
        problem: &mut Problem<'a>,
    ) -> Result<Result<Option<Check>, Failing>, StopCause> {
        for place in 0..plan.constraints.len() {
            let constraint = &mut problem.constraints[plan.constraints[place].constraint];
            let name = match (constraint.subject, self.machine) {
                (Subject::Attribute(prepared), _) => &prepared.attribute,
                (_, None) => continue,
                (subject, Some(machine)) => {
                    let Some(set) = demanded::shown(subject, machine, device) else {
                        return Ok(Ok(Some(Check::Placement)));
                    };
                    plan.constraints[place].show(device, constraint.sets.add(set));
                    continue;
                }
            };
            let set = match self.attribute_set(device, plan.alternative, name)? {
                Ok(set) => set,
                Err(error) => {
                    return Ok(Err(Failing {
                        device,
                        after_constraints: Some(place),
                        error,
                        conflict: false,
                    }));
                }
            };
            let Some(set) = set else {
                if plan.all.is_some() && self.mode == ErrorMode::Abort {
                    plan.failing.push(Failing {
                        device,
                        // An earlier constraint that refuses it is a conflict as well.
                        after_constraints: Some(0),
                        error: conflict(&entry_id(self.view, device)),
                        conflict: true,
                    });
                }
                return Ok(Ok(Some(Check::Constraint)));
            };
            plan.constraints[place].show(device, constraint.sets.add(set));
        }
        Ok(Ok(None))
    }

    fn attribute_set(
        &mut self,
        device: usize,
        alternative: &Alternative,
        name: &str,
    ) -> Result<Result<Option<AttributeSet>, Error>, StopCause> {
        let entry = &self.view.devices[device];
        let lists = self.claims.features().list_type_attributes;
        // Of two derived attributes with one name the last counts, as in a map.
        let derived = alternative
            .derived_attributes
            .iter()
            .rfind(|(other, _)| **other == *name);
        let Some((_, expression)) = derived else {
            let attribute = rules::lookup(entry.device(), entry.driver(), name);
            return Ok(Ok(
                attribute.and_then(|attribute| AttributeSet::of(attribute, lists))
            ));
        };
        let failed = |code, reason: &dyn std::fmt::Display| {
            let message = format!(
                "device `{}`: derived attribute `{name}`: {reason}",
                entry.id()
            );
            Error::new(code, message).at("derivedAttributes")
        };
        let program = match &self.claims.expression(*expression).program {
            Ok(program) => program,
            Err(error) => return Ok(Err(failed(error.code(), &error.message()))),
        };
        let rows = entry.stored.rows();
        let row = match Row::new(entry.driver(), entry.device(), rows, entry.index()) {
            Ok(row) => row,
            Err(error) => return Ok(Err(failed(Code::CelEvaluation, error))),
        };
        let derived = derive(program, &row, &mut self.scratch);
        self.meter
            .evaluation(self.scratch.work() / COST_OF_A_BRANCH)?;
        Ok(match derived {
            Ok(attribute) => Ok(AttributeSet::of(&attribute, lists)),
            Err(error) => Err(failed(Code::CelEvaluation, &error)),
        })
    }
}
