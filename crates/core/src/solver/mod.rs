//! The search: from a view, what is held and prepared claims to an answer.
//!
//! `Problem` turns the question into dense numbers, `Search` walks it in
//! canonical order, `bounds` prunes what cannot lead anywhere, and `errors`
//! decides whether an error comes before the answer. `shortcut` gives the same
//! answer to usual questions without any of that.

mod alike;
mod arithmetic;
mod best;
mod bounds;
mod builder;
mod components;
mod judge;
mod later;
mod limit;
mod many;
mod obstacle;
mod parts;
mod plan;
mod problem;
mod prover;
mod search;
mod shortcut;
mod solution;
mod state;
mod statistics;
mod usual;

pub use arithmetic::Arithmetic;
pub(crate) use arithmetic::measure;
pub(crate) use best::{Best, Goal as BestGoal, Second, second_best, solve_best};
pub(crate) use bounds::{is_short_together, short_requests};
pub(crate) use many::{ManyCache, ManyQuestion, ManyWalk};
pub use obstacle::Obstacle;
pub use plan::Check;
pub use problem::ErrorMode;
pub(crate) use problem::{Halt, Problem};
pub(crate) use prover::{Proof, prove, prove_best};
pub(crate) use search::{Answer, fits, solve};
pub(crate) use shortcut::{Holdings, OneRequest, Short, Shortcut, Shortcuts, Walk};
pub(crate) use solution::Solution;
pub use statistics::Statistics;
