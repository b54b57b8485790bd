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

mod document;
mod error;
mod fabric;
mod graph;
mod level;
mod rate;
mod topology;
mod tree;
mod validate;

pub use document::{
    AllowedSet, AttributeMatch, Document, Link, LinkType, Metadata, PartitionTemplate, Spec,
    Vertex, VertexKind,
};
pub use error::{Code, Error, Oddity, Warning};
pub use fabric::{Make, Wire};
pub use level::{Convention, Level};
pub use rate::Rate;
pub use topology::Topology;
pub use validate::{MAX_LINKS, MAX_VERTICES};

/// The example of README.md, compiled and run as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
