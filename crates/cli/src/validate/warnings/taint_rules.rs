//! Warnings about taint rules.

use super::super::code::Code;
use super::super::finding::Object;
use super::super::findings::Findings;
use super::Context;
use crate::cluster::Cluster;
use crate::cluster::faults::taints_nothing;
use crate::words::finds_none;

/// Says which rules taint nothing whatever there is.
pub(super) fn without_selector<'c>(cluster: &'c Cluster, findings: &mut Findings<'c>) {
    for (name, given) in &cluster.device_taint_rules {
        if taints_nothing(&given.object) {
            let message = "there is no `deviceSelector`: it taints no device, as the API says, \
                           but some versions of Kubernetes taint all devices";
            let object = Object::of(name, given);
            findings.add(Code::TaintRuleWithoutSelector, object, "spec", message);
        }
    }
}

/// Says which rules taint none of the devices there are.
pub(super) fn without_device<'c>(context: &Context<'_, 'c>, findings: &mut Findings<'c>) {
    for (name, given) in &context.cluster.device_taint_rules {
        let rule = &given.object;
        let selects = |pool: &dralloc::PublishedPool<'_>| {
            let (driver, name) = (pool.driver(), pool.name());
            let is_device = |device: &str| rule.selects(driver, name, device);
            rule.selects_in(driver, name)
                && pool.devices().any(|found| is_device(&found.device.name))
        };
        if !taints_nothing(rule) && !context.published.pools.iter().any(selects) {
            let (verb, devices) = (("select", "selects"), context.published.devices);
            let message = finds_none(verb, devices, "published device");
            let object = Object::of(name, given);
            let path = "spec.deviceSelector";
            findings.add(Code::TaintRuleWithoutDevice, object, path, message);
        }
    }
}
