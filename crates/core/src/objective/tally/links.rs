//! What terms over links and levels need of a tally.

use std::sync::Arc;

use super::{Choice, Counted, Measure, Tally};
use crate::budget::Meter;
use crate::objective::affinity_level::AffinityLevel;
use crate::objective::linked::{Candidates, Known, Linked};
use crate::objective::unit_level::Units;
use crate::objective::{Scope, Term};
use crate::outcome::StopCause;
use crate::topology::{AffinityScope, Machine};

impl Tally {
    /// Writes down what terms over links read of a question.
    pub(super) fn link(
        &mut self,
        scopes: &[Scope],
        choices: &[Choice<'_>],
        meter: &mut Meter<'_>,
    ) -> Result<(), StopCause> {
        let Some(known) = &self.known else {
            return Ok(());
        };
        for (number, (scope, counted)) in scopes.iter().zip(&mut self.scopes).enumerate() {
            for choice in choices {
                meter.effort(4)?;
                meter.look_at(4 * choice.candidates.len())?;
            }
            let alternatives = choices.iter().zip(&self.alternatives);
            let candidates = alternatives.map(|(choice, alternative)| {
                let counts = alternative.scopes[number] && !choice.admin_access;
                counts.then_some(Candidates {
                    request: (choice.claim, choice.request),
                    devices: choice.candidates,
                    needed: choice.needed,
                    possible: choice.possible,
                })
            });
            let linked = Linked::new(known, &scope.terms, candidates);
            counted.linked = linked.map(Box::new);
            counted.write(known, &mut self.values, meter);
        }
        Ok(())
    }

    /// Lets terms over links count for nothing until all picks that they count are made.
    pub(crate) fn count_when_whole(&mut self, meter: &mut Meter<'_>) {
        for scope in &mut self.scopes {
            if let Some(linked) = &mut scope.linked {
                linked.count_when_whole();
            }
            if let Some(known) = &self.known {
                scope.write(known, &mut self.values, meter);
            }
        }
    }

    /// Returns what a pick takes, in branches, where terms look at all that may come.
    pub(crate) fn effort(&self) -> u64 {
        let linked = self.scopes.iter().filter_map(|scope| scope.linked.as_ref());
        let pairs = linked.zip(std::iter::repeat(&self.known));
        let efforts = pairs.filter_map(|(linked, known)| Some(linked.effort(known.as_ref()?)));
        efforts.sum()
    }

    /// Returns sets of devices that terms over links count together, one for each scope
    /// with such terms.
    pub(crate) fn linked_groups(&self) -> Vec<Vec<u32>> {
        let linked = self.scopes.iter().filter_map(|scope| scope.linked.as_ref());
        let pairs = linked.zip(std::iter::repeat(&self.known));
        let groups = pairs.filter_map(|(linked, known)| Some(linked.group(known.as_ref()?)));
        groups.collect()
    }

    /// Says whether picks of the same devices for two alternatives are the same to terms
    /// over links.
    pub(crate) fn are_linked_alike(&self, one: usize, other: usize) -> bool {
        let mut linked = self.scopes.iter().filter_map(|scope| scope.linked.as_ref());
        let mut terms = self.scopes.iter().flat_map(|scope| &scope.terms);
        linked.all(|linked| linked.are_alike(one, other))
            && terms.all(|term| match term {
                Measure::UnitLevel(units) => units.are_alike(one, other),
                _ => true,
            })
    }
}

impl Counted {
    /// Writes the values of terms over links.
    ///
    /// If it is stopped they stay what they were, which no completion is below; what is
    /// counted next ends the search.
    pub(super) fn write(&self, known: &Known, values: &mut [i64], meter: &mut Meter<'_>) {
        let places = self.first..self.first + self.terms.len();
        if let Some((linked, values)) = self.linked.as_ref().zip(values.get_mut(places)) {
            linked.write(known, values, meter);
        }
    }
}

/// Makes ready what compares levels; without a machine they tell nothing apart.
pub(super) fn levels(
    scope: &Scope,
    term: &Term,
    choices: &[Choice<'_>],
    machine: Option<&Arc<Machine>>,
) -> Measure {
    let Some(machine) = machine else {
        return Measure::Unknown;
    };
    let words = term.levels().iter();
    let levels: Vec<AffinityScope> = words.filter_map(|word| AffinityScope::new(word)).collect();
    let Term::UnitLevel {
        requests, apart, ..
    } = term
    else {
        let level = AffinityLevel::new(Arc::clone(machine), levels);
        return Measure::AffinityLevel(Box::new(level));
    };
    let counted = choices.iter().map(|choice| {
        let counts = scope.requests.contains(choice.claim, choice.request) && !choice.admin_access;
        counts.then_some((choice.name, choice.needed, choice.candidates))
    });
    let counted: Vec<_> = counted.collect();
    let apart = apart.as_ref().and_then(|word| AffinityScope::place(word));
    // What cannot be counted was refused before.
    match Units::new(machine, requests, (&levels, apart), &counted) {
        Ok(units) => Measure::UnitLevel(Box::new(units)),
        Err(_) => Measure::Unknown,
    }
}
