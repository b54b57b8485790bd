//! The short way to an answer, where a question is of the usual sort.
//!
//! A question is usual if its requests, or their alternatives, ask for a number
//! of devices that cannot be shared and have no twins, nothing fails on a device,
//! and the constraints are match constraints. All that can be said then without
//! looking at what is held is compiled once for claims and a node ([`Shortcut`]),
//! kept in a workspace ([`Shortcuts`]), and a call only looks at what is held and
//! walks ([`Walk`]).
//!
//! The walk finds the first solution in canonical order, or that there is none:
//! the same as the search. It takes the first devices that fit where that is
//! enough, and else it searches with bounds of its own. It counts the branches
//! that it takes itself, so that under a limit of branches one of both may end
//! where the other does not.

mod alike;
mod bundles;
mod cache;
mod cards;
mod compile;
mod counters;
mod descend;
mod hall;
mod narrow;
mod needs;
mod run;
mod search;
mod set;
#[cfg(test)]
mod tests;
mod values;
mod walk;

pub(crate) use cache::Shortcuts;
pub(crate) use walk::{Holdings, Short, Walk};

use counters::CounterTable;
use run::Run;
use set::Set;
use values::Values;

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
    /// Whether a claim may ask for more devices than it can have.
    is_large: bool,
    /// All requests, in order.
    asks: Box<[Ask]>,
    /// By choice: the first one that can have the same devices.
    classes: Box<[usize]>,
    /// By constraint: the place of its attribute.
    attributes: Box<[usize]>,
    /// By attribute.
    values: Box<[Values]>,
    bundles: Box<[Bundles]>,
    /// By device: the number of its kind.
    kind_of: Box<[u32]>,
    /// Devices that nothing tells apart.
    kinds: Box<[Set]>,
}

/// Is a request.
#[derive(Debug)]
struct Ask {
    /// Where its alternatives are among the choices.
    first: usize,
    end: usize,
    /// An earlier request after whose first pick this one begins.
    twin: Option<usize>,
}

/// Is constraints that nothing can tell apart: each wants its devices to have
/// a value in common.
#[derive(Debug)]
struct Bundles {
    attribute: usize,
    /// The constraints as bits.
    constraints: u64,
    /// What each of them wants: the class of the choice, and how many.
    members: Box<[(usize, usize)]>,
    /// By value: the counters of which each constraint takes something if its
    /// devices have that value, and how much at least.
    takes: Box<[Takes]>,
}

/// By counter: how much is taken of it.
type Takes = Box<[(u32, i128)]>;

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
    /// The same as bits.
    under: u64,
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
        let values: usize = self.values.iter().map(Values::weight).sum();
        let bundles = self.bundles.iter();
        let bundles: usize = bundles
            .map(|one| {
                let takes: usize = one.takes.iter().map(|takes| 2 + 4 * takes.len()).sum();
                6 + 2 * one.members.len() + takes
            })
            .sum();
        let constraints = self.attributes.len();
        let counters = self.counters.as_ref().map_or(0, |table| table.weight());
        let asks = 14 * self.choices.len() + 5 * self.asks.len();
        let kinds = self.kind_of.len() / 2 + 4 * self.kinds.len();
        24 + asks + constraints + kinds + 3 * self.runs.len() + values + bundles + counters
    }

    /// Returns the devices that nothing tells apart from one, with itself.
    fn same_as(&self, device: usize) -> &Set {
        &self.kinds[self.kind_of[device] as usize]
    }

    /// Returns what devices show to a constraint.
    fn shown_to(&self, constraint: usize) -> &Values {
        &self.values[self.attributes[constraint]]
    }
}
