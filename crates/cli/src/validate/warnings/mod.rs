//! What is allowed and cannot work, or will surprise; a file for each subject.

mod allocations;
mod bus_ids;
mod classes;
mod configuration;
mod constraints;
mod extended_resources;
mod features;
mod pods;
mod pools;
mod quantities;
mod requests;
mod taint_rules;
mod topologies;

use dralloc::{Change, Engine, Features};

use super::asked::Asked;
use super::findings::Findings;
use super::matches::{Matches, Programs};
use super::published::{Interest, Published};
use crate::cluster::Cluster;
use crate::gates::Gates;
use crate::progress::Progress;

/// Is all that warnings look at.
struct Context<'a, 'c> {
    cluster: &'c Cluster,
    features: &'c Features,
    asked: &'a [Asked<'c>],
    published: &'a Published<'a>,
}

/// Looks at objects one by one.
pub(super) fn by_itself<'c>(
    cluster: &'c Cluster,
    asked: &[Asked<'c>],
    gates: &Gates,
    findings: &mut Findings<'c>,
) {
    features::check(cluster, asked, gates, findings);
    taint_rules::without_selector(cluster, findings);
    topologies::without_match(cluster, findings);
}

/// Looks at what objects are to each other, which needs all of them.
///
/// A kind of which there is no object was not asked for: what lacks there says nothing.
pub(super) fn together<'c>(
    cluster: &'c Cluster,
    asked: &[Asked<'c>],
    features: &'c Features,
    findings: &mut Findings<'c>,
) {
    let mut interest = Interest::default();
    let mut programs = Programs::default();
    for given in cluster.device_classes.values() {
        programs.add(&given.object.spec.selectors, features, &mut interest);
    }
    for one in asked {
        for place in 0..one.requests().len() {
            for alternative in one.alternatives(place) {
                programs.add(alternative.selectors, features, &mut interest);
                let capacity = alternative.capacity.iter();
                let names = capacity.flat_map(|capacity| capacity.requests.keys());
                names.for_each(|name| interest.add_capacity(name));
            }
        }
        for constraint in &one.spec.devices.constraints {
            let names = constraint.match_attribute.iter();
            let names = names.chain(&constraint.distinct_attribute);
            names.for_each(|name| interest.add_attribute(name));
        }
    }
    let engine = engine(cluster, features);
    let snapshot = engine.snapshot();
    let pools = snapshot.published_pools();
    let published = Published::new(&pools, &interest);
    let context = Context {
        cluster,
        features,
        asked,
        published: &published,
    };
    let mut matches = Matches::new(cluster, &programs, &published);
    let vertices = topologies::Vertices::new(&context);
    pods::check(cluster, findings);
    extended_resources::check(cluster, features, findings);
    classes::same_extended_resource(cluster, findings);
    if !cluster.resource_slices.is_empty() {
        pools::check(&context, findings);
        bus_ids::check(&context, findings);
        taint_rules::without_device(&context, findings);
        topologies::without_device(&context, &vertices, findings);
        allocations::check(&context, findings);
        configuration::check(&context, findings);
        classes::check(&context, &mut matches, findings);
    }
    let mut progress = Progress::new("checking", asked.len());
    let units = quantities::Units::new(&context);
    for one in asked {
        requests::unknown_class(&context, one, findings);
        quantities::check(&units, one, findings);
        constraints::by_themselves(one, findings);
        if !cluster.resource_slices.is_empty() && !cluster.device_classes.is_empty() {
            requests::check(&context, one, &mut matches, findings);
            constraints::check(&context, one, &mut matches, findings);
            topologies::check_partitions(&context, &vertices, one, &mut matches, findings);
        }
        progress.advance();
    }
    progress.finish();
}

/// Returns an engine that knows what is published. What it refuses is a fault of the
/// object, which was told.
fn engine(cluster: &Cluster, features: &Features) -> Engine {
    let mut engine = Engine::new(*features);
    for given in cluster.attribute_overlays.values() {
        let _ = engine.apply(Change::AttributeOverlay(given.object.clone()));
    }
    for given in cluster.resource_slices.values() {
        let _ = engine.apply(Change::ResourceSlice(given.object.clone()));
    }
    engine
}
