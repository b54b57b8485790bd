//! [`Health`]: what went wrong with devices, as far as it counts still.
//!
//! The health penalty of an answer is the sum over its picks, those with access
//! for administration too, of the penalty of the device.
//!
//! Bound: the penalty itself. Admissible: it is what the pick adds, whatever
//! else is picked.

use std::sync::Arc;

use crate::budget::Meter;
use crate::model::{DeviceFailure, DeviceHealth, Str};
use crate::outcome::StopCause;
use crate::rules;
use crate::store::NodeView;
use imbl::OrdMap;

/// What a failure of weight 1 counts when it is new.
const FAILURE: i128 = 1000;

/// After so many seconds a failure counts half.
const HALF_LIFE: i64 = 24 * 60 * 60;

/// No device counts more.
const MOST: i64 = 1_000_000;

/// Is what is known of failures, and when it is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Health<'a> {
    pub(crate) documents: &'a OrdMap<Str, Arc<DeviceHealth>>,
    /// Seconds since the epoch; none: nothing is forgotten.
    pub(crate) now: Option<i64>,
}

impl Health<'_> {
    /// Returns the penalty of each device of a view.
    pub(super) fn penalties(
        &self,
        view: &NodeView,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<i64>, StopCause> {
        let mut penalties = vec![0_i64; view.devices.len()];
        if self.documents.is_empty() {
            return Ok(penalties);
        }
        let mut pools: Vec<(&str, &str, usize)> = view
            .pools
            .iter()
            .enumerate()
            .map(|(place, pool)| (&*pool.driver, &*pool.name, place))
            .collect();
        pools.sort_unstable();
        for health in self.documents.values() {
            let spec = &health.spec;
            let mut add = |device: usize| {
                let sum = spec.failures.iter().map(|failure| self.penalty(failure));
                let sum = sum.fold(penalties[device], i64::saturating_add);
                penalties[device] = sum.min(MOST);
            };
            if let Some(id) = &spec.device {
                let pool = pools.binary_search_by(|(driver, name, _)| {
                    (*driver, *name).cmp(&(&*id.driver, &*id.pool))
                });
                let Ok(pool) = pool else { continue };
                let mut devices = view.of_pool(pools[pool].2);
                if let Some(device) =
                    devices.find(|device| view.devices[*device].device().name == id.device)
                {
                    add(device);
                }
            } else if let Some(matches) = &spec.matches {
                let is_elsewhere = |node: &Str| *node != view.node.metadata.name;
                if spec.node_name.as_ref().is_some_and(is_elsewhere) {
                    continue;
                }
                for (device, entry) in view.devices.iter().enumerate() {
                    meter.effort(1)?;
                    if rules::shows_text(
                        entry.device(),
                        entry.driver(),
                        &matches.attribute,
                        &matches.value,
                    ) {
                        add(device);
                    }
                }
            }
        }
        Ok(penalties)
    }

    fn penalty(&self, failure: &DeviceFailure) -> i64 {
        let weight = i128::from(failure.weight.unwrap_or(1).max(0));
        let elapsed = self.now.zip(rules::seconds_of(&failure.time));
        let elapsed = elapsed.map_or(0, |(now, time)| now.saturating_sub(time));
        let half_lives = u32::try_from(elapsed.max(0) / HALF_LIFE).unwrap_or(u32::MAX);
        let left = (weight * FAILURE).checked_shr(half_lives).unwrap_or(0);
        i64::try_from(left).unwrap_or(MOST).min(MOST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_count_half_after_each_day() {
        let failure = |time: &str, weight| DeviceFailure {
            time: time.into(),
            reason: "xid-79".into(),
            weight,
        };
        let documents = OrdMap::new();
        let at = |now| Health {
            documents: &documents,
            now,
        };
        let noon = rules::seconds_of("2026-01-31T12:00:00Z").unwrap();
        let one = failure("2026-01-31T12:00:00Z", None);
        assert_eq!(at(None).penalty(&one), 1000);
        for (later, penalty) in [
            (-5 * HALF_LIFE, 1000),
            (0, 1000),
            (HALF_LIFE - 1, 1000),
            (HALF_LIFE, 500),
            (3 * HALF_LIFE, 125),
            (4 * HALF_LIFE, 62),
            (9 * HALF_LIFE, 1),
            (10 * HALF_LIFE, 0),
            (i64::MAX - noon, 0),
        ] {
            assert_eq!(at(Some(noon + later)).penalty(&one), penalty, "{later}");
        }
        let heavy = failure("2026-01-31T12:00:00Z", Some(i64::MAX));
        assert_eq!(at(Some(noon)).penalty(&heavy), MOST);
        // It is halved before it is cut off.
        assert_eq!(at(Some(noon + 61 * HALF_LIFE)).penalty(&heavy), 3999);
    }
}
