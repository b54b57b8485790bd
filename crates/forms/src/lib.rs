//! JSON of what [`dralloc`] is told, asked and answers, for languages other than Rust.
//!
//! Every binding reads and writes these forms, so that all of them say the same to
//! the byte. Objects are in Kubernetes' own form; the rest has the names of the
//! types of [`dralloc`] in Kubernetes' spelling. What is read is strict: a field
//! that is not known is an error with its path. [`recordable`] has the engine as
//! bindings hold it, whose calls can be written.
#![forbid(unsafe_code)]

mod allocated;
mod change;
mod claims;
mod features;
mod gang;
mod objects;
mod options;
mod outcome;
mod placement;
mod proof;
pub mod recordable;
mod relist;
mod statistics;
mod text;

pub use allocated::AllocatedState;
pub use change::{AppliedObjects, apply, apply_with, change};
pub use claims::{claim, claims};
pub use features::{features, features_on};
pub use gang::{GangRules, gang};
pub use objects::{defaulted, known, validate};
pub use options::{CallOptions, Until};
pub use outcome::{Kind, outcome, reason, results, runner_up};
pub use placement::{cause, placement};
pub use proof::{certificate, certified, optimality_certificate, violations};
pub use relist::relist;
pub use statistics::statistics;
pub use text::{allocation, allocations, amounts, error, names, text};
