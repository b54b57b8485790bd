//! A device-allocation engine with the semantics of Kubernetes dynamic resource allocation.
//!
//! An [`Engine`] takes [`Change`]s: slices, classes, nodes, taint rules, claims, and
//! what `dralloc.dev` says beside them, such as [`model::AttributeOverlay`].
//! A [`Snapshot`] of it never changes, and any number of threads may ask it. A
//! [`Transaction`] on a snapshot allocates [`PreparedClaims`] on a node, can be
//! rolled back to a [`Savepoint`], and is committed or dropped. The answer is an
//! [`Outcome`]; its [`Allocation`] becomes what Kubernetes stores on demand.
//!
//! Same input, same bytes: there is no clock, no randomness and no global state.
//! What Kubernetes means is told in [`model`]'s terms; [`wire`] reads and writes
//! the versions of its API, and [`validate`] is what an API server would refuse.
#![forbid(unsafe_code)]

mod amounts;
mod bitmap;
mod budget;
mod claims;
mod constraint;
mod disjoint_sets;
mod eligible;
pub mod embed;
mod engine;
mod error;
mod explain;
mod features;
mod hash;
pub mod model;
mod number;
mod objective;
mod outcome;
mod proof;
mod rules;
mod solver;
mod state;
mod store;
mod topology;
pub mod validate;
mod verify;
pub mod wire;

pub use amounts::NodeUse;
pub use budget::{Budget, Deadline};
pub use claims::PreparedClaims;
pub use dralloc_topology::{SliceRule, SpreadLimit};
pub use eligible::DeviceRow;
pub use engine::{
    AllocateOptions, AllocatedDevice, Allocation, Applied, CarriedPolicies, Change, DeviceState,
    Difference, Engine, ErrorMode, ExtendedResource, ExtendedResources, ExtendedResourcesOnNode,
    Find, Gang, GangLevel, GangNode, GangOptions, GangOutcome, GangShortage, Held, NodeCause,
    NodeList, NodeReason, NodeScore, NumberedDevice, Outcome, PlaceOptions, PlacedNode,
    PlacedNodes, PlacedNodesIter, Placement, PublishedDevice, PublishedPool, RecordedClaims,
    RecordedSavepoint, RecordedSnapshot, RecordedTransaction, Recorder, Releasing, Relist, Removed,
    Replay, Replayed, RunnerUp, Savepoint, Snapshot, Stock, StockedCapacity, StockedCounter,
    StockedDevice, StockedPool, Together, Transaction, Twins, UnitTogether, Workspace, replay,
};
pub use error::{Code, Error, Scope};
pub use explain::{
    Class, Conflict, ConflictConstraint, ConflictPolicy, ConflictRequest, Explanation, Holder,
    NamePlace, NodeGroup, NodeVerdict, Remedy, RequestExplanation, SelectorPlace, TaintedDevice,
    UnusablePool, WholeFailure, meant_name,
};
pub use features::Features;
pub use objective::{Policy, Term, TermValue};
pub use outcome::{Gap, Reason, StopCause};
pub use proof::{
    CapacityWeight, Certificate, Certified, ConstraintId, CounterWeight, GroupValue,
    OptimalityCertificate, RequestId, Step, TermBound, Unrecorded,
};
pub use rules::DomainScope;
pub use solver::{Arithmetic, Check, Obstacle, Statistics};
pub use store::PoolFault;
pub use verify::{Violation, ViolationCode};

/// The examples of `docs/rust.md`, compiled and run as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/rust.md")]
struct GuideExamples;
