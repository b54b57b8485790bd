//! Hints: what was probably meant by a field that does not exist.

use super::json::Unknown;
use super::kind::Version;
use super::{Warning, WarningKind};

/// Fields of a request that stand under `exactly` since v1beta2.
const EXACTLY: [&str; 8] = [
    "deviceClassName",
    "selectors",
    "allocationMode",
    "count",
    "adminAccess",
    "tolerations",
    "capacity",
    "derivedAttributes",
];

/// Fields of a device that stand under `basic` in v1beta1.
const BASIC: [&str; 13] = [
    "attributes",
    "capacity",
    "consumesCounters",
    "nodeName",
    "nodeSelector",
    "allNodes",
    "taints",
    "bindsToNode",
    "bindingConditions",
    "bindingFailureConditions",
    "allowMultipleAllocations",
    "nodeAllocatableResources",
    "nodeAllocatableResourceMappings",
];

impl Warning {
    pub(super) fn new(unknown: Unknown, version: Version) -> Self {
        match unknown {
            Unknown::Field {
                of,
                fields,
                name,
                path,
                offset,
            } => {
                let form = form(of, &name, version);
                Self {
                    kind: match form {
                        Some(_) => WarningKind::OtherVersion,
                        None => WarningKind::UnknownField,
                    },
                    message: format!("unknown field `{name}`"),
                    hint: form.or_else(|| {
                        near(&name, fields).map(|name| format!("did you mean `{name}`"))
                    }),
                    path,
                    offset,
                }
            }
            Unknown::BareQuantity { text, path, offset } => Self {
                kind: WarningKind::OtherVersion,
                message: format!("bare quantity `{text}`, expected an object with `value`"),
                hint: Some(format!(
                    "this is the form of v1alpha3, write `value: {text}`"
                )),
                path,
                offset,
            },
        }
    }
}

/// Says in which version of the API a field is there, if it is in one.
fn form(of: &str, name: &str, version: Version) -> Option<String> {
    let this = version.as_str();
    let is_old = version == Version::V1Beta1;
    match (of, name) {
        ("Device", "basic") => Some(format!(
            "this is the form of v1beta1, in {this} its fields stand in the device"
        )),
        ("Device", _) if is_old && BASIC.contains(&name) => Some(format!(
            "this is the form of v1beta2 and v1, in {this} it stands under `basic`"
        )),
        ("DeviceRequest", "exactly") => Some(format!(
            "this is the form of v1beta2 and v1, in {this} its fields stand in the request"
        )),
        ("DeviceRequest", _) if !is_old && EXACTLY.contains(&name) => Some(format!(
            "this is the form of v1beta1, in {this} it stands under `exactly`"
        )),
        ("DeviceTaintSelector", "deviceClassName" | "selectors") => {
            Some("Kubernetes 1.35 dropped it, the rule holds without it".into())
        }
        _ => None,
    }
}

/// Returns the only name that differs in case or by a slip of typing.
pub(super) fn near<'a>(name: &str, names: &[&'a str]) -> Option<&'a str> {
    if let Some(same) = names.iter().find(|other| other.eq_ignore_ascii_case(name)) {
        return Some(same);
    }
    let slips = match name.len() {
        4..8 => 1,
        8..64 => 2,
        _ => 0,
    };
    let mut close = names
        .iter()
        .filter(|other| slips > 0 && distance(name, other) <= slips)
        .copied();
    close.next().filter(|_| close.next().is_none())
}

/// Counts the bytes to insert, delete or replace to get from one name to the other.
fn distance(one: &str, other: &str) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.bytes().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in other.bytes().enumerate() {
            let replaced = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[other.len()]
}
