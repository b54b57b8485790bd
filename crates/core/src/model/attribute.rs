//! Typed facts about a device.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Str;

/// Is the value of a device's attribute (`resource/v1 DeviceAttribute`).
///
/// The API has one optional field per type, of which exactly one is to be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceAttribute {
    /// `int`
    Int(i64),
    /// `bool`
    Bool(bool),
    /// `string`
    String(Str),
    /// `version`: semantic version 2.0.0, kept as written.
    Version(Str),
    /// `ints`
    Ints(Box<[i64]>),
    /// `bools`
    Bools(Box<[bool]>),
    /// `strings`
    Strings(Box<[Str]>),
    /// `versions`
    Versions(Box<[Str]>),
    /// No known type, or more than one: no selector can be evaluated on the device.
    Unknown,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(rename = "DeviceAttribute", default)]
struct Fields {
    #[serde(skip_serializing_if = "Option::is_none")]
    int: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bool: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    string: Option<Str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<Str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ints: Option<Box<[i64]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bools: Option<Box<[bool]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strings: Option<Box<[Str]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    versions: Option<Box<[Str]>>,
}

impl From<Fields> for DeviceAttribute {
    fn from(fields: Fields) -> Self {
        let values = [
            fields.int.map(Self::Int),
            fields.bool.map(Self::Bool),
            fields.string.map(Self::String),
            fields.version.map(Self::Version),
            fields.ints.map(Self::Ints),
            fields.bools.map(Self::Bools),
            fields.strings.map(Self::Strings),
            fields.versions.map(Self::Versions),
        ];
        let mut set = values.into_iter().flatten();
        match (set.next(), set.next()) {
            (Some(value), None) => value,
            _ => Self::Unknown,
        }
    }
}

impl From<&DeviceAttribute> for Fields {
    fn from(attribute: &DeviceAttribute) -> Self {
        let mut fields = Self::default();
        match attribute.clone() {
            DeviceAttribute::Int(value) => fields.int = Some(value),
            DeviceAttribute::Bool(value) => fields.bool = Some(value),
            DeviceAttribute::String(value) => fields.string = Some(value),
            DeviceAttribute::Version(value) => fields.version = Some(value),
            DeviceAttribute::Ints(values) => fields.ints = Some(values),
            DeviceAttribute::Bools(values) => fields.bools = Some(values),
            DeviceAttribute::Strings(values) => fields.strings = Some(values),
            DeviceAttribute::Versions(values) => fields.versions = Some(values),
            DeviceAttribute::Unknown => {}
        }
        fields
    }
}

impl Serialize for DeviceAttribute {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Fields::from(self).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for DeviceAttribute {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Fields::deserialize(deserializer).map(Self::from)
    }
}
