//! Bounds: cheap proofs that what is left of a problem has no solution.
//!
//! Each relaxes the problem, so that what they refuse has no solution. They
//! never choose: the first solution in canonical order stays the first.
//!
//! After each pick the search asks for numbers (`count`), values of constraints
//! (`values`) and devices for all requests at once (`matching`); once it has
//! trouble also for what takes time to prepare (`closer`): values for constraints
//! that are alike (`bundles`), shares (`shares`), counters (`partwise`).

mod bundles;
mod closer;
mod count;
mod hopeless;
mod matching;
mod partwise;
mod shares;
mod values;
mod wanting;
mod whole;

pub(super) use closer::{Closer, DEAD_ENDS};
pub(super) use count::{available, has_enough, wanted_in_all};
pub(super) use matching::{is_unmatched, served};
pub(super) use values::Rest;
pub(super) use wanting::{Wanting, serving};
pub(super) use whole::refuse_all;
pub(crate) use whole::{is_short_together, short_requests};
