//! [`Link`]: what joins two vertices.

use serde::{Deserialize, Serialize};

use super::LinkType;
use crate::rate::Rate;

/// Links two vertices.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// One end, a vertex.
    pub a: String,
    /// The other end, another vertex.
    pub b: String,
    /// What it is.
    #[serde(rename = "type")]
    pub link_type: LinkType,
    /// How many links are bonded; absent: one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<i64>,
    /// Rate per direction, summed over the bonded links; absent: not known.
    #[serde(
        default,
        rename = "bandwidthGBps",
        skip_serializing_if = "Option::is_none"
    )]
    pub bandwidth: Option<Rate>,
    /// Generation of the link's type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation: Option<i64>,
    /// How far up in the network, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<i64>,
}
