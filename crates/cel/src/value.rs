//! Attribute values that own their data: what a derived attribute evaluates to.

use crate::{Attribute, Semver};

/// An attribute value that owns its data.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An integer.
    Int(i64),
    /// A boolean.
    Bool(bool),
    /// A string.
    String(String),
    /// A semantic version.
    Version(Semver),
    /// A list of integers.
    Ints(Vec<i64>),
    /// A list of booleans.
    Bools(Vec<bool>),
    /// A list of strings.
    Strings(Vec<String>),
    /// A list of semantic versions.
    Versions(Vec<Semver>),
}

impl Value {
    /// Returns the value as a [`Row`](crate::Row) hands it out.
    pub fn as_attribute(&self) -> Attribute<'_> {
        match self {
            Self::Int(value) => Attribute::Int(*value),
            Self::Bool(value) => Attribute::Bool(*value),
            Self::String(value) => Attribute::String(value),
            Self::Version(value) => Attribute::Version(value),
            Self::Ints(values) => Attribute::Ints(values),
            Self::Bools(values) => Attribute::Bools(values),
            Self::Strings(values) => Attribute::Strings(values),
            Self::Versions(values) => Attribute::Versions(values),
        }
    }
}
