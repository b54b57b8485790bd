//! Taints and what tolerates them.

use dralloc::model::{DeviceTaint, DeviceToleration};

use super::requests::Alternative;
use super::world::{Offer, World};

/// Returns whether every taint of a device that repels is tolerated.
pub(super) fn allow(world: &World<'_>, alternative: &Alternative<'_>, offer: &Offer<'_>) -> bool {
    if !world.case.features.device_taints {
        return true;
    }
    offer
        .device
        .taints
        .iter()
        .filter(|taint| matches!(&*taint.effect, "NoSchedule" | "NoExecute"))
        .all(|taint| {
            alternative
                .tolerations
                .iter()
                .any(|toleration| tolerates(toleration, taint))
        })
}

fn tolerates(toleration: &DeviceToleration, taint: &DeviceTaint) -> bool {
    let is_for_effect = toleration.effect.is_empty() || toleration.effect == taint.effect;
    let is_for_key = toleration.key.is_empty() || toleration.key == taint.key;
    let is_for_value = match &*toleration.operator {
        "" | "Equal" => toleration.value == taint.value,
        "Exists" => true,
        _ => false,
    };
    is_for_effect && is_for_key && is_for_value
}
