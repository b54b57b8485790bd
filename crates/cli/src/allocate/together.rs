//! What the devices of placement policies have in common, in words.

use dralloc::model::{DeviceId, Str};
use dralloc::{Allocation, Together, UnitTogether};

use crate::cluster::question::Question;

/// Returns a text for each policy with levels or units, such as
/// ``one `numaNode`; units gpu-0 with nic-0 (`pcieRoot`), gpu-1 with nic-3 (`numaNode`)``.
pub(super) fn describe(question: &Question, allocation: &Allocation) -> Vec<String> {
    let policies = allocation.placement().iter();
    let described = policies.filter_map(|together| {
        let text = text(together)?;
        let name = question.names.get(together.claim);
        let name = name.filter(|_| question.names.len() > 1);
        Some(match name {
            Some(name) => format!("claim `{}`: {text}", name.name),
            None => text,
        })
    });
    described.collect()
}

/// Returns nothing where a policy has neither levels nor units.
fn text(together: &Together) -> Option<String> {
    let levels = together.levels.iter();
    let levels = levels.map(|level| match level {
        Some(level) => format!("one `{level}`"),
        None => "no preferred level".to_owned(),
    });
    let mut parts: Vec<String> = levels.collect();
    let units: Vec<String> = together.units.iter().map(unit).collect();
    if !units.is_empty() {
        parts.push(format!("units {}", units.join(", ")));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn unit(unit: &UnitTogether) -> String {
    let name = |device: &DeviceId| device.device.to_string();
    let devices: Vec<String> = unit.devices.iter().map(name).collect();
    let level: Option<&Str> = unit.level.as_ref();
    let level = level.map_or_else(
        || "nothing in common".to_owned(),
        |level| format!("`{level}`"),
    );
    format!("{} ({level})", devices.join(" with "))
}
