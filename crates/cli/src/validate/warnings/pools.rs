//! Warnings about pools.

use std::collections::BTreeSet;

use dralloc::model::ResourceSlice;
use dralloc::{PoolFault, PublishedPool};

use super::super::code::Code;
use super::super::finding::Object;
use super::super::findings::Findings;
use super::Context;
use crate::cluster::{Cluster, ObjectName, meant};
use crate::words::{counted, listed};

/// Says which pools cannot be used, and which slices do not count.
pub(super) fn check<'c>(context: &Context<'_, 'c>, findings: &mut Findings<'c>) {
    let cluster = context.cluster;
    for pool in context.published.pools {
        whole(pool, cluster, findings);
        let newest = pool.slices().next();
        for slice in pool.older() {
            let (Some(object), Some(newest)) = (object_of(cluster, slice), newest) else {
                continue;
            };
            let message = format!(
                "does not count: pool `{}/{}` has generation {} by now",
                pool.driver(),
                pool.name(),
                newest.spec.pool.generation
            );
            findings.add(Code::OldGeneration, object, "spec.pool.generation", message);
        }
    }
    if cluster.nodes.is_empty() {
        return;
    }
    for (name, given) in &cluster.resource_slices {
        let Some(node) = &given.object.spec.node_name else {
            continue;
        };
        let node = ObjectName::new("", node);
        if !node.name.is_empty() && !cluster.nodes.contains_key(&node) {
            let message = meant::absent("node", &node, &cluster.nodes);
            let object = Object::of(name, given);
            findings.add(Code::SliceOfUnknownNode, object, "spec.nodeName", message);
        }
    }
}

/// Says why no device of a pool can be had.
fn whole<'c>(pool: &PublishedPool<'_>, cluster: &'c Cluster, findings: &mut Findings<'c>) {
    let Some(fault) = pool.fault() else { return };
    let Some(first) = pool.slices().next() else {
        return;
    };
    let Some(object) = object_of(cluster, first) else {
        return;
    };
    let name = format!("pool `{}/{}`", pool.driver(), pool.name());
    let counts: BTreeSet<i64> = pool
        .slices()
        .map(|slice| slice.spec.pool.resource_slice_count)
        .collect();
    let found = pool.slices().count();
    let none = "none of its devices can be allocated";
    match fault {
        _ if counts.len() > 1 => {
            let counts: Vec<String> = counts.iter().map(ToString::to_string).collect();
            let counts = listed(&counts, "and");
            let message = format!("slices of {name} say that it has {counts} slices: {none}");
            let path = "spec.pool.resourceSliceCount";
            findings.add(Code::PoolContradiction, object, path, message);
        }
        PoolFault::Incomplete => {
            let pool = &first.spec.pool;
            let message = format!(
                "{name} is to have {} of generation {}, and {} given: {none}",
                counted(pool.resource_slice_count, "slice"),
                pool.generation,
                if found == 1 {
                    "1 is".to_owned()
                } else {
                    format!("{found} are")
                }
            );
            let path = "spec.pool.resourceSliceCount";
            findings.add(Code::PoolIncomplete, object, path, message);
        }
        PoolFault::Invalid(reason) => {
            let message = format!("{name}: {reason}: {none}");
            findings.add(Code::PoolContradiction, object, "spec.pool", message);
        }
    }
}

/// Returns a slice as it was given.
pub(super) fn object_of<'c>(cluster: &'c Cluster, slice: &ResourceSlice) -> Option<Object<'c>> {
    let name = ObjectName::new("", &slice.metadata.name);
    let (name, given) = cluster.resource_slices.get_key_value(&name)?;
    Some(Object::of(name, given))
}
