//! What makes one answer better than another: terms, one a file, and policies of them.
//!
//! A [`Policy`] is a list of terms, the most important first. The value of a
//! term is a whole number, lower is better, and lists of values are compared
//! one by one from the front. Of answers that are equal the first in canonical
//! order is the best.
//!
//! A search adds picks to a [`Tally`] and takes them back, and reads the values.
//! Each term also says what a pick adds at least, whatever else is picked; sums
//! of that are bounds. All values only grow with more picks. Terms know places of
//! devices, never names; they are written down once for a question.

mod affinity_level;
mod alternative_rank;
mod evenness;
mod health_penalty;
mod linked;
mod packing_potential;
mod parents;
mod parents_touched;
mod picks;
mod policy;
mod ppm;
mod scope;
mod tally;
mod term;
mod unit_level;
mod waste;
mod words;

pub(crate) use health_penalty::Health;
pub(crate) use linked::UsualQuestion;
pub use policy::Policy;
pub(crate) use scope::{Requests, Scope};
pub(crate) use tally::{Buffers, Choice, Tally};
pub use term::{Term, TermValue};
pub(crate) use unit_level::Units;
