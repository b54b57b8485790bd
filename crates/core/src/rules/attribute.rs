//! Attributes as constraints see them.

use crate::model::{Device, DeviceAttribute, Str};

/// Is a value that constraints compare: of the same type and equal.
///
/// Versions compare as text: the API requires them in their shortest form.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum AttributeValue {
    Int(i64),
    Bool(bool),
    String(Str),
    Version(Str),
}

/// Is what a device shows to a constraint.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum AttributeSet {
    /// One value, or the values of a list: sorted, without repetition, not empty.
    Values(Vec<AttributeValue>),
    /// A value that can only be compared with list-typed attributes, while they
    /// are switched off: it is taken where nothing came before, and equals nothing.
    Incomparable,
}

/// Returns the attribute of a device by its full name.
///
/// An exact name counts first, then the bare id where the domain is the
/// driver's. Both sorts of name never match anything else.
pub(crate) fn lookup<'a>(
    device: &'a Device,
    driver: &str,
    name: &str,
) -> Option<&'a DeviceAttribute> {
    device.attributes.get(name).or_else(|| {
        let (domain, id) = name.split_once('/')?;
        if domain == driver {
            device.attributes.get(id)
        } else {
            None
        }
    })
}

/// Returns the name under which a device publishes an attribute, or would.
pub(crate) fn name_on(device: &Device, driver: &str, name: &Str) -> Str {
    match name.split_once('/') {
        Some((domain, id)) if domain == driver && !device.attributes.contains_key(&**name) => {
            id.into()
        }
        _ => name.clone(),
    }
}

impl Device {
    /// Returns the attribute that a constraint reads under a full name, such as
    /// `gpu.example.com/model`; `driver` is that of the device.
    pub fn attribute(&self, driver: &str, name: &str) -> Option<&DeviceAttribute> {
        lookup(self, driver, name)
    }
}

/// Returns the text of an attribute in the domain of the driver, by its bare id.
pub(crate) fn own_text<'a>(device: &'a Device, driver: &str, id: &str) -> Option<&'a Str> {
    let is_in_full = |name: &str| {
        let domain = name
            .strip_suffix(id)
            .and_then(|rest| rest.strip_suffix('/'));
        domain == Some(driver)
    };
    let in_full = device.attributes.iter().find(|(name, _)| is_in_full(name));
    let found = match in_full {
        Some((_, attribute)) => Some(attribute),
        None => device.attributes.get(id),
    };
    match found {
        Some(DeviceAttribute::String(text)) => Some(text),
        _ => None,
    }
}

/// Returns the text of an attribute, by its full name.
pub(crate) fn lookup_text<'a>(device: &'a Device, driver: &str, name: &str) -> Option<&'a Str> {
    match lookup(device, driver, name) {
        Some(DeviceAttribute::String(text)) => Some(text),
        _ => None,
    }
}

/// Returns whether a device has an attribute, by its full name, with a text.
pub(crate) fn shows_text(device: &Device, driver: &str, name: &str, text: &str) -> bool {
    lookup_text(device, driver, name).is_some_and(|shown| **shown == *text)
}

impl AttributeSet {
    /// Returns what a device with an attribute shows to a constraint; nothing
    /// if the value cannot satisfy any.
    pub(crate) fn of(attribute: &DeviceAttribute, lists: bool) -> Option<Self> {
        use AttributeValue::{Bool, Int, String, Version};
        let mut values: Vec<AttributeValue> = match attribute {
            DeviceAttribute::Int(value) => vec![Int(*value)],
            DeviceAttribute::Bool(value) => vec![Bool(*value)],
            DeviceAttribute::String(value) => vec![String(value.clone())],
            DeviceAttribute::Version(value) => vec![Version(value.clone())],
            _ if !lists => return Some(Self::Incomparable),
            DeviceAttribute::Ints(values) => values.iter().map(|value| Int(*value)).collect(),
            DeviceAttribute::Bools(values) => values.iter().map(|value| Bool(*value)).collect(),
            DeviceAttribute::Strings(values) => values.iter().cloned().map(String).collect(),
            DeviceAttribute::Versions(values) => values.iter().cloned().map(Version).collect(),
            DeviceAttribute::Unknown => return None,
        };
        values.sort();
        values.dedup();
        if values.is_empty() {
            None
        } else {
            Some(Self::Values(values))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exact_name_counts_before_the_bare_id() {
        let device = Device {
            attributes: [
                ("gpu.example.com/model".into(), DeviceAttribute::Int(1)),
                ("model".into(), DeviceAttribute::Int(2)),
                ("index".into(), DeviceAttribute::Int(3)),
            ]
            .into_iter()
            .collect(),
            ..Device::default()
        };
        let int = |driver, name| match lookup(&device, driver, name) {
            Some(DeviceAttribute::Int(value)) => Some(*value),
            _ => None,
        };
        assert_eq!(int("gpu.example.com", "gpu.example.com/model"), Some(1));
        assert_eq!(int("gpu.example.com", "gpu.example.com/index"), Some(3));
        assert_eq!(int("nic.example.com", "gpu.example.com/index"), None);
        assert_eq!(int("nic.example.com", "index"), Some(3));
        assert_eq!(int("nic.example.com", "/index"), None);
    }

    #[test]
    fn lists_are_sets_and_an_empty_one_is_no_value() {
        let ints = |values: &[i64]| DeviceAttribute::Ints(values.into());
        let values = |values: &[i64]| {
            Some(AttributeSet::Values(
                values
                    .iter()
                    .map(|value| AttributeValue::Int(*value))
                    .collect(),
            ))
        };
        assert_eq!(AttributeSet::of(&ints(&[2, 1, 2]), true), values(&[1, 2]));
        assert_eq!(AttributeSet::of(&ints(&[]), true), None);
        assert_eq!(
            AttributeSet::of(&ints(&[1]), false),
            Some(AttributeSet::Incomparable)
        );
        assert_eq!(
            AttributeSet::of(&DeviceAttribute::Int(1), false),
            values(&[1])
        );
        assert_eq!(AttributeSet::of(&DeviceAttribute::Unknown, true), None);
    }
}
