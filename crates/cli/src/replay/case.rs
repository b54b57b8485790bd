//! [`Case`]: one recorded question.

use dralloc::model::{DeviceClass, Map, Node, ResourceClaim, ResourceSlice};
use dralloc::{Features, Held};
use dralloc_forms::AllocatedState;
use serde::{Deserialize, Deserializer, de};

/// Is one line of a file of cases.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Case {
    pub(super) name: String,
    #[serde(default = "Features::none", deserialize_with = "features")]
    pub(super) features: Features,
    pub(super) node: Node,
    #[serde(default)]
    pub(super) device_classes: Vec<DeviceClass>,
    #[serde(default)]
    pub(super) resource_slices: Vec<ResourceSlice>,
    #[serde(default)]
    pub(super) claims: Vec<ResourceClaim>,
    #[serde(default, deserialize_with = "held")]
    pub(super) allocated: Held,
}

/// Names of features in cases, with the gates that they stand for.
const FEATURES: [(&str, &str); 11] = [
    ("adminAccess", "DRAAdminAccess"),
    ("compatibilityGroups", "DRADeviceCompatibilityGroups"),
    ("consumableCapacity", "DRAConsumableCapacity"),
    ("derivedAttributes", "DRADerivedAttributes"),
    ("deviceBindingAndStatus", "DRADeviceBindingConditions"),
    ("deviceTaints", "DRADeviceTaints"),
    ("fractionalCapacityRange", "DRAFractionalCapacityRange"),
    ("listTypeAttributes", "DRAListTypeAttributes"),
    ("optionalNodeOperations", "DRAOptionalNodeOperations"),
    ("partitionableDevices", "DRAPartitionableDevices"),
    ("prioritizedList", "DRAPrioritizedList"),
];

/// Reads features; what a case does not name is off.
fn features<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Features, D::Error> {
    let mut features = Features::none();
    for (name, on) in &Map::<String, bool>::deserialize(deserializer)? {
        let gate = FEATURES
            .iter()
            .find(|(feature, _)| feature == name)
            .map(|(_, gate)| gate);
        if !gate.is_some_and(|gate| features.set(gate, *on)) {
            let known: Vec<&str> = FEATURES.iter().map(|(feature, _)| *feature).collect();
            return Err(de::Error::custom(format_args!(
                "unknown feature `{name}`, expected one of {}",
                known.join(", ")
            )));
        }
    }
    Ok(features)
}

fn held<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Held, D::Error> {
    AllocatedState::deserialize(deserializer).map(Held::from)
}

#[cfg(test)]
mod tests {
    use dralloc::model::{DeviceId, Quantity};

    use super::*;

    #[test]
    fn what_is_in_use_is_read() {
        let line = r#"{"name":"a","node":{"metadata":{"name":"n"}},"features":{"adminAccess":true},
            "allocated":{"devices":[{"driver":"d","pool":"p","device":"x"}],
            "sharedDeviceIDs":[{"driver":"d","pool":"p","device":"y","shareID":"s"}],
            "consumedCapacity":[{"driver":"d","pool":"p","device":"y","capacity":{"bw":"1"}}]}}"#;
        let case = crate::input::line::<Case>(line.as_bytes()).unwrap();
        assert_eq!(case.features, {
            let mut features = Features::none();
            features.admin_access = true;
            features
        });
        assert_eq!(
            case.allocated,
            Held {
                devices: vec![DeviceId::new("d", "p", "x")],
                shares: vec![(DeviceId::new("d", "p", "y"), "s".into())],
                consumed_capacity: vec![(
                    DeviceId::new("d", "p", "y"),
                    [("bw".into(), Quantity::from_units(1))]
                        .into_iter()
                        .collect()
                )],
            }
        );
    }

    #[test]
    fn unknown_features_are_an_error() {
        let line = r#"{"name":"a","node":{"metadata":{"name":"n"}},"features":{"magic":true}}"#;
        let message = crate::input::line::<Case>(line.as_bytes()).unwrap_err();
        assert_eq!(
            message.split_once(", ").unwrap().0,
            "column 1: features: unknown feature `magic`"
        );
    }
}
