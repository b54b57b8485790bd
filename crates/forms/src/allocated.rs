//! What is held, as Kubernetes' allocator is told it.

use dralloc::Held;
use dralloc::model::{DeviceId, Map, QualifiedName, Quantity, Str};
use serde::Deserialize;

/// Lists what is held as Kubernetes' allocator has it: `devices`, `sharedDeviceIDs`
/// (with `shareID`) and `consumedCapacity` (with `capacity`), each of them with
/// `driver`, `pool` and `device`.
///
/// # Examples
///
/// ```
/// use dralloc::Held;
///
/// let allocated: dralloc_forms::AllocatedState = dralloc::wire::from_json(
///     r#"{"sharedDeviceIDs": [{"driver": "d", "pool": "p", "device": "x", "shareID": "s"}]}"#,
/// )?;
/// assert_eq!(Held::from(allocated).shares.len(), 1);
/// # Ok::<(), dralloc::wire::Fault>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AllocatedState {
    devices: Vec<DeviceId>,
    #[serde(rename = "sharedDeviceIDs")]
    shared_device_ids: Vec<Share>,
    consumed_capacity: Vec<Consumption>,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Share {
    driver: Str,
    pool: Str,
    device: Str,
    #[serde(rename = "shareID")]
    id: Str,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
struct Consumption {
    driver: Str,
    pool: Str,
    device: Str,
    #[serde(default)]
    capacity: Map<QualifiedName, Quantity>,
}

impl From<AllocatedState> for Held {
    fn from(allocated: AllocatedState) -> Self {
        let shares = allocated.shared_device_ids.into_iter();
        let consumed = allocated.consumed_capacity.into_iter();
        Self {
            devices: allocated.devices,
            shares: shares
                .map(|one| (DeviceId::new(one.driver, one.pool, one.device), one.id))
                .collect(),
            consumed_capacity: consumed
                .map(|one| {
                    (
                        DeviceId::new(one.driver, one.pool, one.device),
                        one.capacity,
                    )
                })
                .collect(),
        }
    }
}
