//! The search: from a view, what is held and prepared claims to an answer.
//!
//! - `problem` turns the question into dense numbers.
//! - `search` walks it in canonical order, to the first solution or to an error that
//!   comes before.
//! - `bounds` say that nothing comes of what is picked. They use `parts`: what devices
//!   that share counters can give together.
//! - `best` searches on, for the best solution under terms.
//! - `shortcut` and `many` answer usual questions without any of that, on nodes with
//!   few devices and with many. Both are compiled from what `usual` reads.
//! - `arithmetic` measures what is short where there is no solution, and `prover` makes
//!   a proof of it. Both are asked after the search.

mod arithmetic;
mod best;
mod bounds;
mod many;
mod parts;
mod problem;
mod prover;
mod search;
mod shortcut;
mod usual;

pub use arithmetic::Arithmetic;
pub(crate) use arithmetic::measure;
pub(crate) use best::{Best, Goal as BestGoal, Second, second_best, solve_best};
pub(crate) use bounds::{is_short_together, short_requests};
pub(crate) use many::{ManyCache, ManyQuestion, ManyWalk};
pub(crate) use parts::{PartScratch, PartTable};
pub use problem::{Check, ErrorMode, Obstacle, Statistics};
pub(crate) use problem::{Halt, Plan, Problem, Requirement, Solution};
pub(crate) use prover::{Proof, prove, prove_best};
pub(crate) use search::{Answer, fits, solve};
pub(crate) use shortcut::{Holdings, OneRequest, Short, Shortcut, Shortcuts, Walk};
