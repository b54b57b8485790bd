//! The short way to an answer, where a question is of the usual sort.
//!
//! A question is usual if its requests, or their alternatives, ask for a number
//! of devices that cannot be shared and have no twins, nothing fails on a device,
//! and the constraints are match constraints. All that can be said then without
//! looking at what is held is compiled once for claims and a node ([`Shortcut`]),
//! kept in a workspace ([`Shortcuts`]), and a call only looks at what is held and
//! walks ([`Walk`]).
//!
//! The walk makes the same picks in the same order as the search, and counts
//! the same branches. Where it cannot be sure of that it gives up, and the
//! search begins anew: nothing depends on whether the short way was tried.

mod cache;
mod compile;
mod counters;
mod run;
mod set;
#[cfg(test)]
mod tests;
mod walk;

pub(crate) use cache::Shortcuts;
pub(crate) use walk::{Holdings, Short, Walk};

use counters::CounterTable;
use run::Run;
use set::Set;

use crate::number::number;

/// Is what claims and a node say without what is held, if the question is usual.
#[derive(Debug)]
pub(crate) struct Shortcut {
    /// What evaluating the selectors is worth.
    branches: u64,
    /// Whether the node sees an invalid pool, which makes "no" an error.
    has_invalid_pool: bool,
    /// The alternatives of all requests, in order.
    choices: Box<[Choice]>,
    /// Where the state says which devices are held; all that a request can have
    /// are among them.
    runs: Box<[Run]>,
    counters: Option<Box<CounterTable>>,
    constraints: Box<[Values]>,
}

/// Is one alternative of a request; the only one mostly.
#[derive(Debug)]
pub(crate) struct Choice {
    pub(crate) claim: usize,
    /// Place of the request in its claim.
    pub(crate) request: usize,
    /// Place in its request.
    pub(crate) alternative: usize,
    needed: usize,
    candidates: Set,
    /// Places of the constraints for it.
    constraints: Box<[usize]>,
}

/// Is what devices show to a match constraint.
#[derive(Debug)]
struct Values {
    /// By device: its values as bits.
    shown: Box<[u64]>,
    /// By value: the devices that have it.
    devices: Box<[Set]>,
}

/// Is the only request of claims where nothing but what is held bears on its devices.
#[derive(Debug)]
pub(crate) struct OneRequest {
    pub(crate) claim: usize,
    /// Place in its claim.
    pub(crate) place: usize,
    pub(crate) needed: usize,
    /// The devices that it can have, in order.
    pub(crate) devices: Box<[u32]>,
}

impl Shortcut {
    /// Returns the request if there is only one, and the first devices of it
    /// that nobody holds are the answer, or else there is none.
    pub(crate) fn one_request(&self) -> Option<OneRequest> {
        let [choice] = &*self.choices else {
            return None;
        };
        let is_simple = self.counters.is_none() && choice.constraints.is_empty();
        if !is_simple || self.has_invalid_pool {
            return None;
        }
        Some(OneRequest {
            claim: choice.claim,
            place: choice.request,
            needed: choice.needed,
            devices: choice.candidates.iter().map(number).collect(),
        })
    }

    /// Nodes with more devices than this have no shortcut.
    pub(crate) const BOUND: usize = Set::BOUND;

    pub(crate) fn choice(&self, place: usize) -> &Choice {
        &self.choices[place]
    }

    /// Returns the memory that it takes, in words of 8 bytes and roughly.
    fn weight(&self) -> usize {
        let constraints = self.constraints.iter();
        let values: usize = constraints
            .map(|values| 8 + values.shown.len() + 4 * values.devices.len())
            .sum();
        let counters = self.counters.as_ref().map_or(0, |table| table.weight());
        16 + 12 * self.choices.len() + 3 * self.runs.len() + values + counters
    }
}
