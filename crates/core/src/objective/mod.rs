//! What makes one answer better than another: terms, one a file, and policies of them.
//!
//! A [`Policy`] is a list of terms, the most important first. The value of a
//! term is a whole number, lower is better, and lists of values are compared
//! one by one from the front. Of answers that are equal the first in canonical
//! order is the best.

mod policy;
mod scope;
mod term;

pub use policy::Policy;
pub(crate) use scope::{Requests, Scope};
pub use term::{Term, TermValue};
