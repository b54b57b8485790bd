//! Typed facts about a device.

use std::fmt;

use serde::de::{Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{List, Str};

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
    Ints(List<i64>),
    /// `bools`
    Bools(List<bool>),
    /// `strings`
    Strings(List<Str>),
    /// `versions`
    Versions(List<Str>),
    /// No known type, or more than one: no selector can be evaluated on the device.
    Unknown,
}

#[derive(Default, Serialize)]
#[serde(rename = "DeviceAttribute")]
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
    ints: Option<List<i64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bools: Option<List<bool>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strings: Option<List<Str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    versions: Option<List<Str>>,
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

#[derive(Clone, Copy, Deserialize)]
#[serde(field_identifier, rename_all = "lowercase")]
enum Field {
    Int,
    Bool,
    String,
    Version,
    Ints,
    Bools,
    Strings,
    Versions,
    #[serde(other)]
    Unknown,
}

/// The fields in the order of [`Field`].
const FIELDS: &[&str] = &[
    "int", "bool", "string", "version", "ints", "bools", "strings", "versions",
];

/// By hand, since clusters have more attributes than anything else: the value
/// is read into its place.
impl<'de> Deserialize<'de> for DeviceAttribute {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Value;

        impl<'de> Visitor<'de> for Value {
            type Value = DeviceAttribute;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("struct DeviceAttribute")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
                use DeviceAttribute as Is;
                let mut found = None;
                let mut seen = 0_u16;
                while let Some(field) = access.next_key()? {
                    let value = match field {
                        Field::Int => access.next_value::<Option<_>>()?.map(Is::Int),
                        Field::Bool => access.next_value::<Option<_>>()?.map(Is::Bool),
                        Field::String => access.next_value::<Option<_>>()?.map(Is::String),
                        Field::Version => access.next_value::<Option<_>>()?.map(Is::Version),
                        Field::Ints => access.next_value::<Option<_>>()?.map(Is::Ints),
                        Field::Bools => access.next_value::<Option<_>>()?.map(Is::Bools),
                        Field::Strings => access.next_value::<Option<_>>()?.map(Is::Strings),
                        Field::Versions => access.next_value::<Option<_>>()?.map(Is::Versions),
                        Field::Unknown => {
                            access.next_value::<IgnoredAny>()?;
                            continue;
                        }
                    };
                    let place = field as usize;
                    if seen & 1 << place != 0 {
                        return Err(A::Error::duplicate_field(FIELDS[place]));
                    }
                    seen |= 1 << place;
                    if let Some(value) = value {
                        found = Some(match found {
                            None => value,
                            Some(_) => Is::Unknown,
                        });
                    }
                }
                Ok(found.unwrap_or(Is::Unknown))
            }
        }

        deserializer.deserialize_struct("DeviceAttribute", FIELDS, Value)
    }
}
