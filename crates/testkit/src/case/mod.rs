//! The files of the conformance data: cases, expectations and answers.
//!
//! Each file is JSON Lines; the lines of a case, its expectation and an answer
//! to it carry the same `name`.

mod allocated;
mod answer;
mod expectation;
mod gates;

use dralloc::Features;
use dralloc::model::{DeviceClass, Node, ResourceClaim, ResourceSlice};
use serde::{Deserialize, Serialize};

pub use allocated::{Allocated, ConsumedCapacity, SharedDeviceId};
pub use answer::{Answer, AnswerError, OutcomeKind};
pub use expectation::{BruteForce, Expectation, Observed, Right, RightDevice};

/// Is one call of the allocator: claims to allocate on one node.
///
/// Identity is the place in a list: names of slices and devices may repeat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Case {
    /// `<group>-<seed>`; the group is the feature that the case is about.
    pub name: String,
    /// What is switched on; what the data leave out is off.
    #[serde(with = "gates")]
    pub features: Features,
    /// The node to allocate for.
    pub node: Node,
    /// All classes; the first of a name counts.
    #[serde(default)]
    pub device_classes: Vec<DeviceClass>,
    /// All slices of the cluster.
    #[serde(default)]
    pub resource_slices: Vec<ResourceSlice>,
    /// The claims to allocate, in this order.
    #[serde(default)]
    pub claims: Vec<ResourceClaim>,
    /// What is in use already.
    #[serde(default)]
    pub allocated: Allocated,
}

impl Case {
    /// Returns the group in the name: what comes before the last hyphen.
    pub fn group(&self) -> &str {
        self.name
            .rsplit_once('-')
            .map_or(&self.name, |(group, _)| group)
    }

    /// Reads one line.
    ///
    /// # Errors
    ///
    /// If the line is no case.
    pub fn from_line(line: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(line)
    }
}

/// Reads JSON Lines; empty lines are skipped.
///
/// # Errors
///
/// If a line is not what is expected; the message says which.
pub fn read_lines<T: for<'de> Deserialize<'de>>(text: &str) -> Result<Vec<T>, String> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(index, line)| {
            serde_json::from_str(line).map_err(|error| format!("line {}: {error}", index + 1))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = r#"{"name":"basic-1","features":{"deviceTaints":true},
        "node":{"metadata":{"name":"n","labels":{"zone":"a"}}},
        "deviceClasses":[{"metadata":{"name":"gpu"}}],"resourceSlices":[],"claims":[],
        "allocated":{"devices":[{"driver":"d","pool":"p","device":"x"}],
            "sharedDeviceIDs":[{"driver":"d","pool":"p","device":"y","shareID":"s"}],
            "consumedCapacity":[{"driver":"d","pool":"p","device":"y","capacity":{"bw":"1"}}]}}"#;

    #[test]
    fn a_case_is_read_and_written() {
        let case = Case::from_line(LINE).unwrap();
        assert_eq!(case.group(), "basic");
        let mut features = Features::none();
        features.device_taints = true;
        assert_eq!(case.features, features);
        assert_eq!(case.allocated.devices[0].to_string(), "d/p/x");
        assert_eq!(&*case.allocated.shared_device_ids[0].share_id, "s");
        assert_eq!(&*case.allocated.consumed_capacity[0].device.device, "y");
        let text = serde_json::to_string(&case).unwrap();
        assert_eq!(Case::from_line(&text).unwrap(), case);
    }

    #[test]
    fn unknown_features_and_fields_are_refused() {
        let features = LINE.replace("deviceTaints", "deviceTaint");
        let error = Case::from_line(&features).unwrap_err().to_string();
        assert!(error.contains("unknown feature `deviceTaint`"), "{error}");
        assert!(Case::from_line(&LINE.replace("\"allocated\"", "\"held\"")).is_err());
    }

    #[test]
    fn a_bad_line_is_named() {
        let error = read_lines::<Case>("\n{}\n").unwrap_err();
        assert!(error.starts_with("line 2: missing field"), "{error}");
    }
}
