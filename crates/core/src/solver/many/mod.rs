//! The short way to an answer where a node sees many devices.
//!
//! It is for the questions of [`shortcut`](super::shortcut), and for devices
//! that several claims share, on any number of devices. What claims say of
//! devices is compiled once for all nodes that see the same ([`Many`]), each of
//! the parts of what a node sees for itself. A call
//! looks at candidates in canonical order and at nothing beyond the last one
//! that it needs ([`ManyWalk`]): neither what is held nor what is left of
//! counters is looked up for pools that it does not come to.
//!
//! As there, the walk makes the same picks in the same order as the search and
//! counts the same branches, or gives up.

mod cache;
mod compile;
mod fits;
mod left;
mod one_domain;
mod question;
mod search;
#[cfg(test)]
mod tests;
mod values;
mod walk;

pub(crate) use cache::ManyCache;
pub(crate) use question::ManyQuestion;
pub(crate) use walk::ManyWalk;

use std::cell::RefCell;
use std::sync::Arc;

use self::fits::{Fits, Run};
use self::question::Part;
use self::values::Values;
use crate::bitmap::Bitmap;
use crate::model::Quantity;

/// Is what claims say of devices without what is held, if the question is usual.
#[derive(Debug)]
pub(crate) struct Many {
    /// What evaluating the selectors is worth.
    branches: u64,
    invalid_pools: Vec<usize>,
    requests: Box<[Request]>,
    constraints: Box<[Values]>,
    /// What is taken of the capacities of shared devices, each list once.
    amounts: Vec<Arc<[Quantity]>>,
    /// Devices that draw on counters.
    drawing: Bitmap,
    runs: Box<[Run]>,
    /// What fits beside what is held, as far as it was looked at.
    fits: RefCell<Fits>,
}

/// Is one request; of all claims, in order.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) claim: usize,
    /// Place in its claim.
    pub(crate) place: usize,
    needed: usize,
    candidates: Bitmap,
    /// Requests of one class have the same candidates and take the same of them.
    class: usize,
    /// Places of the constraints for it.
    constraints: Box<[usize]>,
    /// What it takes of shared devices: by device, the place of the amounts.
    amounts: Box<[Option<u32>]>,
}

impl Many {
    /// Returns what a request takes of the capacities of a shared device.
    fn amounts(&self, request: usize, device: usize) -> Option<&Arc<[Quantity]>> {
        let amounts = &self.requests[request].amounts;
        let place = amounts.get(device).copied().flatten();
        self.amounts.get(place? as usize)
    }

    /// Returns the memory that it takes, in words of 8 bytes and roughly.
    fn weight(&self) -> usize {
        let requests = self.requests.iter();
        let requests: usize = requests
            .map(|request| 16 + request.candidates.weight() + request.amounts.len())
            .sum();
        let values: usize = self.constraints.iter().map(Values::weight).sum();
        16 + requests + values + 16 * self.amounts.len() + Fits::weight(self)
    }
}
