//! Warnings about configuration for drivers.

use std::collections::BTreeSet;

use dralloc::PublishedPool;
use dralloc::model::OpaqueDeviceConfiguration;

use super::super::code::Code;
use super::super::finding::Object;
use super::super::findings::Findings;
use super::Context;

/// The name under which configuration is for dralloc itself.
const OWN: &str = "dralloc.dev";

/// Says which configuration no driver will read.
pub(super) fn check<'c>(context: &Context<'_, 'c>, findings: &mut Findings<'c>) {
    let pools = context.published.pools.iter();
    let drivers: BTreeSet<&str> = pools.map(PublishedPool::driver).collect();
    let mut check = |object: Object<'c>, path: String, opaque: &OpaqueDeviceConfiguration| {
        let driver = &*opaque.driver;
        if driver.is_empty() || driver == OWN || drivers.contains(driver) {
            return;
        }
        let known = drivers.iter().map(|driver| format!("`{driver}`"));
        let known = known.collect::<Vec<_>>().join(", ");
        let message = format!("no device is of driver `{driver}`; devices are of {known}");
        findings.add(Code::ConfigForUnknownDriver, object, path, message);
    };
    for (name, given) in &context.cluster.device_classes {
        for (place, config) in given.object.spec.config.iter().enumerate() {
            if let Some(opaque) = &config.opaque {
                let path = format!("spec.config[{place}].opaque.driver");
                check(Object::of(name, given), path, opaque);
            }
        }
    }
    for asked in context.asked {
        for (place, config) in asked.spec.devices.config.iter().enumerate() {
            if let Some(opaque) = &config.opaque {
                let path = asked.path(&format!("config[{place}].opaque.driver"));
                check(asked.object, path, opaque);
            }
        }
    }
}
