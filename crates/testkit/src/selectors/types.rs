//! [`Type`]: the types that expressions are written for.

use crate::generate::Random;

/// A type of the language, or of Kubernetes' libraries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Bool,
    Int,
    Uint,
    Double,
    String,
    Bytes,
    Null,
    Duration,
    Timestamp,
    Quantity,
    Version,
    Address,
    Network,
    Url,
    Format,
    /// The type of types.
    Kind,
    Dyn,
    List(Box<Type>),
    Map(Box<Type>, Box<Type>),
    Optional(Box<Type>),
}

impl Type {
    pub(super) fn list(element: Type) -> Self {
        Self::List(Box::new(element))
    }

    pub(super) fn map(key: Type, value: Type) -> Self {
        Self::Map(Box::new(key), Box::new(value))
    }

    pub(super) fn optional(value: Type) -> Self {
        Self::Optional(Box::new(value))
    }

    /// Returns a type without parts, usual ones more often.
    pub(super) fn simple(random: &mut Random) -> Self {
        match random.below(40) {
            0..=7 => Self::Int,
            8..=17 => Self::String,
            18..=20 => Self::Bool,
            21..=22 => Self::Uint,
            23..=25 => Self::Double,
            26 => Self::Bytes,
            27 => Self::Null,
            28..=29 => Self::Duration,
            30 => Self::Timestamp,
            31..=33 => Self::Quantity,
            34..=35 => Self::Version,
            36 => Self::Address,
            37 => Self::Network,
            38 => Self::Url,
            _ => Self::Kind,
        }
    }

    /// Returns a type that orders its values, usual ones more often.
    pub(super) fn ordered(random: &mut Random) -> Self {
        match random.below(12) {
            0..=3 => Self::Int,
            4..=7 => Self::String,
            8 => Self::Double,
            9 => Self::Uint,
            10 => Self::Duration,
            _ => Self::Bool,
        }
    }

    /// Returns any type, at most `depth` lists, maps and optionals deep.
    pub(super) fn any(depth: usize, random: &mut Random) -> Self {
        if depth == 0 || random.chance(65) {
            return Self::simple(random);
        }
        match random.below(10) {
            0..=4 => Self::list(Self::any(depth - 1, random)),
            5..=6 => Self::map(Self::key(random), Self::any(depth - 1, random)),
            7..=8 => Self::optional(Self::any(depth - 1, random)),
            _ => Self::Dyn,
        }
    }

    /// Returns a type of keys.
    pub(super) fn key(random: &mut Random) -> Self {
        match random.below(8) {
            0..=4 => Self::String,
            5..=6 => Self::Int,
            _ if random.chance(50) => Self::Bool,
            _ => Self::Uint,
        }
    }
}
