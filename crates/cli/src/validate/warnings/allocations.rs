//! Warnings about what claims have.

use std::collections::{BTreeMap, BTreeSet};

use super::super::code::Code;
use super::super::finding::Object;
use super::super::findings::Findings;
use super::Context;

/// Says which claims have devices that nobody publishes any more.
pub(super) fn check<'c>(context: &Context<'_, 'c>, findings: &mut Findings<'c>) {
    let mut published: BTreeMap<(&str, &str), BTreeSet<&str>> = BTreeMap::new();
    let mut incomplete = BTreeSet::new();
    for pool in context.published.pools {
        let name = (pool.driver(), pool.name());
        let devices = published.entry(name).or_default();
        devices.extend(pool.devices().map(|found| &*found.device.name));
        if pool.fault().is_some() {
            incomplete.insert(name);
        }
    }
    for (name, given) in &context.cluster.claims {
        let Some(allocation) = &given.object.status.allocation else {
            continue;
        };
        for (place, result) in allocation.devices.results.iter().enumerate() {
            let pool = (&*result.driver, &*result.pool);
            let devices = published.get(&pool);
            let is_known = devices.is_some_and(|devices| devices.contains(&*result.device));
            // The rest of such a pool may be on its way.
            if is_known || incomplete.contains(&pool) {
                continue;
            }
            let path = format!("status.allocation.devices.results[{place}].device");
            let message = format!(
                "has `{}/{}/{}`, which no slice publishes",
                result.driver, result.pool, result.device
            );
            let object = Object::of(name, given);
            findings.add(Code::AllocatedDeviceMissing, object, path, message);
        }
    }
}
