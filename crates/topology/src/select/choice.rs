//! [`Choice`]: the best set.

use crate::domain::Scope;
use crate::ring::Ring;

/// Is the best set: none is better by the terms of the question, and among equals it is
/// the first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The devices, ascending.
    pub devices: Vec<usize>,
    /// Rings of the set.
    pub ring: Ring,
    /// Links of the set.
    pub links: u64,
    /// The nearest domain of the set.
    pub span: Scope,
    /// Potential of what stays free; none where the question did not ask.
    pub potential: Option<u64>,
    /// What proves that there is no better one.
    pub method: Method,
}

/// Says how a choice is known to be the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// All sets of that size among the free devices were compared, or ruled out by an
    /// upper bound of their rings.
    Sets,
    /// All numbers of devices for each domain were compared (dynamic program over the
    /// tree of domains).
    Tree,
    /// All sets were passed over that an upper bound ruled out, the others compared (branch
    /// and bound).
    Search,
}
