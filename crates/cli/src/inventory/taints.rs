//! [`Taint`]: how many devices are kept away, by taint.

use std::collections::BTreeMap;

use dralloc::model::{DeviceTaint, Str};
use dralloc::{DeviceState, Stock};
use serde::Serialize;

/// Is a taint that devices have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Taint {
    pub(super) effect: Str,
    pub(super) key: Str,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) value: Str,
    /// How many devices have it.
    pub(super) devices: usize,
    /// How many of them could be had otherwise.
    pub(super) kept_away: usize,
}

/// Returns the taints of all devices, by effect, key and value.
pub(super) fn taints(stock: &Stock) -> Vec<Taint> {
    let mut taints: BTreeMap<(Str, Str, Str), Taint> = BTreeMap::new();
    for device in stock.devices() {
        for one in device.taints() {
            let DeviceTaint {
                key, value, effect, ..
            } = one;
            let id = (effect.clone(), key.clone(), value.clone());
            let taint = taints.entry(id).or_insert_with(|| Taint {
                effect: effect.clone(),
                key: key.clone(),
                value: value.clone(),
                devices: 0,
                kept_away: 0,
            });
            taint.devices += 1;
            let is_kept_away = one.keeps_away() && device.state() == DeviceState::Tainted;
            taint.kept_away += usize::from(is_kept_away);
        }
    }
    taints.into_values().collect()
}
