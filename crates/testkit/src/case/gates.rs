//! Features as the data write them: lowerCamelCase keys, absent means off.

use std::collections::BTreeMap;

use dralloc::Features;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One feature: its key and its field.
type Gate = (&'static str, fn(&mut Features) -> &mut bool);

const GATES: [Gate; 11] = [
    ("adminAccess", |features| &mut features.admin_access),
    ("compatibilityGroups", |features| {
        &mut features.compatibility_groups
    }),
    ("consumableCapacity", |features| {
        &mut features.consumable_capacity
    }),
    ("derivedAttributes", |features| {
        &mut features.derived_attributes
    }),
    ("deviceBindingAndStatus", |features| {
        &mut features.device_binding_and_status
    }),
    ("deviceTaints", |features| &mut features.device_taints),
    ("fractionalCapacityRange", |features| {
        &mut features.fractional_capacity_range
    }),
    ("listTypeAttributes", |features| {
        &mut features.list_type_attributes
    }),
    ("optionalNodeOperations", |features| {
        &mut features.optional_node_operations
    }),
    ("partitionableDevices", |features| {
        &mut features.partitionable_devices
    }),
    ("prioritizedList", |features| &mut features.prioritized_list),
];

pub(super) fn serialize<S: Serializer>(
    features: &Features,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut features = *features;
    let on: BTreeMap<&str, bool> = GATES
        .iter()
        .filter_map(|(key, field)| (*field(&mut features)).then_some((*key, true)))
        .collect();
    on.serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Features, D::Error> {
    let given = BTreeMap::<String, bool>::deserialize(deserializer)?;
    let mut features = Features::none();
    for (name, on) in given {
        let Some((_, field)) = GATES.iter().find(|(key, _)| *key == name) else {
            return Err(D::Error::custom(format_args!("unknown feature `{name}`")));
        };
        *field(&mut features) = on;
    }
    Ok(features)
}
