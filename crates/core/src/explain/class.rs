//! [`Class`]: whether waiting helps.

use std::fmt;

use serde::Serialize;

use crate::error::Error;
use crate::model::Str;

/// Says what has to happen before claims fit; the names are stable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Class {
    /// They do not fit even if nothing is held: the node needs other devices, or
    /// the claims other requests.
    NeverPossible,
    /// They fit once these have given back what they hold.
    ///
    /// None of them can be left out; another set may do as well. One holder is
    /// named wherever one is enough: of those the one with the fewest devices, then with
    /// the smallest amounts of counters and of shared devices, then the first by name.
    AfterRelease {
        /// By owner.
        holders: Vec<Holder>,
    },
    /// Something in the claims or in what the node publishes cannot be evaluated.
    BadInput {
        /// What is wrong, and where.
        error: Error,
    },
}

impl Class {
    /// Returns the stable name of the class.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::NeverPossible => "neverPossible",
            Self::AfterRelease { .. } => "afterRelease",
            Self::BadInput { .. } => "badInput",
        }
    }
}

/// Is somebody who holds devices, or amounts of a node.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Holder {
    /// The name under which the books know it: the uid of a claim, or else its
    /// `namespace/name`; `DeviceHold/name` for a hold; the owner of amounts; or
    /// empty for what is held without an owner.
    pub owner: Str,
    /// `namespace/name` of the claim, if an event told of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<Str>,
}

/// Prints what a reader knows it by, such as ``claim `default/training` ``.
impl fmt::Display for Holder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.name {
            return write!(formatter, "claim `{name}`");
        }
        match (&*self.owner, self.owner.split_once('/')) {
            ("", _) => formatter.write_str("whoever holds devices without an owner"),
            (_, Some(("DeviceHold", name))) => write!(formatter, "hold `{name}`"),
            (owner, Some(_)) => write!(formatter, "claim `{owner}`"),
            (owner, None) => write!(formatter, "owner `{owner}`"),
        }
    }
}
