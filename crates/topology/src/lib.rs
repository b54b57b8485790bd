//! How accelerators are linked, and which of them work best together.
//!
//! A [`Document`] (`dralloc.dev/v1alpha1 Topology`) lists devices, switches, NUMA nodes,
//! hosts and racks with the links between them; a [`Topology`] is that as a graph, and
//! answers what tools print: the [`Level`] of each pair.
//!
//! The crate knows devices by number: neither claims nor Kubernetes. All decisions are
//! made on integers; the same document gives the same answers, to the byte. Documents
//! may be hostile: what is too large is an error, nothing recurses, and no answer takes
//! more steps than its documentation says.

#![forbid(unsafe_code)]

mod bandwidth;
mod cost;
mod document;
mod domain;
mod error;
mod fabric;
mod graph;
mod hosts;
mod knapsack;
mod level;
mod measure;
mod nics;
mod rate;
mod ratio;
mod ring;
mod scores;
mod search;
mod select;
mod table;
mod topology;
mod tree;
mod unit;
mod validate;
mod watch;

pub use cost::{ASSUMED_LINK, NO_RING};
pub use document::{
    AllowedSet, AttributeMatch, Document, Link, LinkType, Metadata, PartitionTemplate, Spec,
    Vertex, VertexKind,
};
pub use domain::{Domain, DomainTree, Scope};
pub use error::{Code, Error, Oddity, Warning};
pub use fabric::{Make, Wire};
pub use hosts::{
    Host, LevelUse, MAX_HOST_DEVICES, MAX_HOST_LEVELS, MAX_HOSTS, MostHosts, Shortage, SliceRule,
    Spread, SpreadLimit, SpreadQuestion, Spreading, spread, spread_until,
};
pub use knapsack::Knapsack;
pub use level::{Convention, Level};
pub use measure::Bottleneck;
pub use nics::{ASSUMED_NIC, LARGEST_NICS, NO_NIC, Nics, Partial};
pub use rate::Rate;
pub use ratio::Ratio;
pub use ring::{Capacity, Exactness, LARGEST_PACKING, Ring, RingProof};
pub use scores::PairScores;
pub use select::{Choice, Criterion, Method, Question, Selector, Term};
pub use table::{LARGEST_TABLE, Shape, Table, USUAL_MIX};
pub use topology::Topology;
pub use unit::Unit;
pub use validate::{MAX_LINKS, MAX_PARTITIONS, MAX_VERTICES, quoted};
pub use watch::{Unwatched, Watch};

/// The example of README.md, compiled and run as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
