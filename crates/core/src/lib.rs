//! A device-allocation engine with the semantics of Kubernetes dynamic resource allocation.
#![forbid(unsafe_code)]

mod bitmap;
mod claims;
mod constraint;
mod eligible;
mod engine;
mod error;
mod explain;
mod features;
pub mod model;
mod outcome;
mod rules;
mod solver;
mod state;
mod store;
pub mod validate;
mod verify;
pub mod wire;

pub use claims::PreparedClaims;
pub use engine::{
    AllocateOptions, AllocatedDevice, Allocation, Applied, Change, Engine, ErrorMode, Held, Policy,
    Removed, Savepoint, Snapshot, Transaction, Workspace,
};
pub use error::{Code, Error, Scope};
pub use explain::{Explanation, RequestExplanation, WholeFailure};
pub use features::Features;
pub use outcome::{Gap, Outcome, Reason, StopCause};
pub use solver::{Budget, Check, Deadline};
pub use verify::{Violation, ViolationCode};
