//! How the devices of a node are linked, and what they have in common.
//!
//! A [`Topology`](crate::model::Topology) document is a [`Graph`] whose vertices are
//! found among the devices of nodes. What a node has of it, with what devices publish of
//! their place, is a [`Machine`]: it knows devices by their place on the node, and is all
//! that terms and placement policies read of topology.

mod affinity_scope;
mod domains;
mod graph;
mod grouping;
mod limits;
mod machine;
mod machines;
mod nested;
mod partitions;
mod topologies;

pub(crate) use affinity_scope::AffinityScope;
pub(crate) use domains::{Domains, SCOPES};
pub(crate) use graph::Graph;
pub(crate) use grouping::{Grouping, Groups, LARGEST_GROUPING, best_cut};
pub(crate) use limits::Limits;
pub(crate) use machine::Machine;
pub(crate) use machines::Machines;
pub(crate) use nested::{Crossing, nested};
pub(crate) use topologies::Topologies;

use graph::Bound;
