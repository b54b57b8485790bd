//! What went wrong with devices.

use super::super::super::pools::Offer;
use super::super::question::Question;
use crate::model::{DeviceFailure, DeviceHealth, DeviceId};
use crate::rules;

/// What a new failure of weight 1 counts.
const FAILURE: i128 = 1_000;
/// What a device counts at most.
pub(super) const MOST_PENALTY: i128 = 1_000_000;
/// A failure counts half after so many seconds.
const HALF_LIFE: i128 = 24 * 60 * 60;

/// Returns what a failure counts.
pub(super) fn penalty(failure: &DeviceFailure, now: Option<i64>) -> i128 {
    let mut left = FAILURE * i128::from(failure.weight.unwrap_or(1).max(0));
    if let Some((now, then)) = now.zip(rules::seconds_of(&failure.time)) {
        let mut elapsed = i128::from(now) - i128::from(then);
        while elapsed >= HALF_LIFE && left > 0 {
            left /= 2;
            elapsed -= HALF_LIFE;
        }
    }
    left
}

/// Returns whether something is said of a device.
pub(super) fn is_of(
    health: &DeviceHealth,
    question: &Question<'_, '_>,
    id: &DeviceId,
    offer: &Offer<'_>,
) -> bool {
    let spec = &health.spec;
    if let Some(device) = &spec.device {
        return device == id;
    }
    let node = &question.world.node.metadata.name;
    let is_here = spec.node_name.as_ref().is_none_or(|name| name == node);
    let shows = spec.matches.as_ref().is_some_and(|matches| {
        rules::shows_text(
            offer.device,
            &offer.spec.driver,
            &matches.attribute,
            &matches.value,
        )
    });
    is_here && shows
}
