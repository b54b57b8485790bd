//! [`PlacementPolicy`]: which of several answers a claim wants.

use std::fmt;

use dralloc_quantity::Quantity;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{FullyQualifiedName, Map, Str};

/// Says which of several answers is wanted (`dralloc.dev/v1alpha1 PlacementPolicy`).
///
/// It is no object of a cluster: it stands in the configuration of a claim, for
/// the requests that the configuration names, or in that of a class, for requests
/// of which the claim says nothing.
///
/// ```yaml
/// config:
/// - requests: [gpus]
///   opaque:
///     driver: dralloc.dev
///     parameters:
///       apiVersion: dralloc.dev/v1alpha1
///       kind: PlacementPolicy
///       policy: pack
/// ```
///
/// Own terms stand in the place of the name:
/// `objective: [waste, {term: evenness, attribute: gpu.example.com/numa}]`.
///
/// What is `required` of places and links (`affinity`, `unit` and its `apartOver`,
/// `minRingGBps`, `fabricPartition`) holds
/// between the devices of the requests, without those for administration, under each
/// policy. What is `preferred` counts before the terms of the policy, and not at all in
/// `kubernetes`; without `policy` and `objective` the first of the answers that are best
/// by it counts. Where nothing is known of a device, it has nothing in common with others.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PlacementPolicy {
    /// Name of a [`Policy`](crate::Policy); goes without `objective`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy: Option<Str>,
    /// Own terms instead, the most important first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub objective: Vec<ObjectiveTerm>,
    /// How near to each other the devices are to be, the most important level first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub affinity: Vec<AffinityLevel>,
    /// Equal groups that the devices of several requests are to make.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<PlacementUnit>,
    /// What a ring through the devices must carry at least, in GB/s.
    #[serde(rename = "minRingGBps", skip_serializing_if = "Option::is_none")]
    pub min_ring_gbps: Option<Quantity>,
    /// `required`: the devices are all of one fabric partition, as drivers publish them
    /// (`gpu.nvidia.com/partition4: 2` on each of the four devices of partition 2). Devices of
    /// drivers that publish none are not looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fabric_partition: Option<Str>,
}

/// Names a [`Term`](crate::Term), as its name alone or with an attribute
/// (`dralloc.dev/v1alpha1 ObjectiveTerm`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectiveTerm {
    /// Name of the term.
    pub term: Str,
    /// Attribute whose values are the parents that it counts.
    pub attribute: Option<FullyQualifiedName>,
}

/// Asks for devices near each other (`dralloc.dev/v1alpha1 AffinityLevel`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AffinityLevel {
    /// What they are to have in common: `nvLink`, `nvLinkDomain`, `pcieSwitch`,
    /// `pcieRoot`, `numaNode`, `host`, `rack` or `block`.
    pub scope: Str,
    /// `required` or `preferred`.
    pub mode: Str,
    /// What is next best, where it is preferred; scopes again, the best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fallback: Vec<Str>,
}

/// Asks for equal groups, such as a GPU with a NIC beside it
/// (`dralloc.dev/v1alpha1 PlacementUnit`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PlacementUnit {
    /// How many devices of each request a group has.
    pub requests: Map<Str, i64>,
    /// What the devices of a group are to have in common, as in [`AffinityLevel`].
    pub scope: Str,
    /// `required` or `preferred`.
    pub mode: Str,
    /// What is next best, where it is preferred.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fallback: Vec<Str>,
    /// What groups are apart over, whatever `mode` is: no domain of this scope has devices
    /// of two of them. Absent: they may be together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub apart_over: Option<Str>,
}

/// Is the form of a term that is no bare name.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Form {
    term: Str,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    attribute: Option<Str>,
}

impl Serialize for ObjectiveTerm {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.attribute.is_none() {
            return self.term.serialize(serializer);
        }
        let form = Form {
            term: self.term.clone(),
            attribute: self.attribute.clone(),
        };
        form.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ObjectiveTerm {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TermVisitor)
    }
}

struct TermVisitor;

impl<'de> Visitor<'de> for TermVisitor {
    type Value = ObjectiveTerm;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the name of a term, or an object with `term` and `attribute`")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<ObjectiveTerm, E> {
        Ok(ObjectiveTerm {
            term: name.into(),
            attribute: None,
        })
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ObjectiveTerm, A::Error> {
        let form = Form::deserialize(MapAccessDeserializer::new(map))?;
        Ok(ObjectiveTerm {
            term: form.term,
            attribute: form.attribute,
        })
    }
}
