//! [`Term`]: what is counted of an answer.

use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::linked::Linkage;
use crate::error::{Code, Error};
use crate::model::{Map, Str};
use crate::topology::AffinityScope;

/// Says what is counted of an answer; less of it is better.
///
/// Its form in JSON is its name, or an object with the name as `term` and the
/// attribute: `{"term": "parentsTouched", "attribute": "gpu.example.com/island"}`.
///
/// The *parents* of a device are the counter sets from which it consumes, which
/// are a physical card mostly; of a device without counters its attribute
/// `parentUUID`, and without that the device itself. Terms over parents can be
/// asked for another attribute instead. What is picked with access for
/// administration takes nothing away and counts in the first two terms only.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Term {
    /// How far down the lists of `firstAvailable` the answer is, summed over requests.
    AlternativeRank,
    /// How much went wrong with the devices, as [`DeviceHealth`](crate::model::DeviceHealth) tells.
    HealthPenalty,
    /// How much more the devices are than the smallest that would do, in parts
    /// per million of a card.
    Waste,
    /// How many devices, partitions among them, can be had no more afterwards.
    PackingPotential,
    /// How many parents are broken into of which nothing was held.
    ParentsTouched {
        /// Attribute of which each value is a parent.
        attribute: Option<Str>,
    },
    /// How long a terabyte takes around the rings of the linked devices, in nanoseconds,
    /// rounded up: 0 for fewer than two of them, 2 * 10^15 where there is no ring.
    ///
    /// Needs a topology, as all terms from here to [`Term::LinkPotential`] do. *Linked
    /// devices* are those that a [`Topology`](crate::model::Topology) lists as such; other
    /// devices of their drivers count as devices without links, those of other drivers
    /// not at all. Partitions of one card are one of them.
    Ring,
    /// How many links the pairs of linked devices lack, if each had as many as the best
    /// pair of the node.
    Links,
    /// The level of the worst pair of linked devices: `NV#` 10^10 less its links, `XGMI#`
    /// 2 * 10^10 less its links, `PIX` 2 * 10^10, `PXB` 3, `PHB` 4, `NODE` 5, `SYS` 6,
    /// `NET` 7 * 10^10.
    Bottleneck,
    /// How far linked devices are from the NICs beside them: 1,000,000 times the worst
    /// level of the best assignment, and the sum of levels; `PIX` 0, `PXB` 1, `PHB` 2,
    /// `NODE` 3, `SYS` 4, `NET` 5. 6,000,000 without a NIC.
    NicAlignment,
    /// What all devices have in common: the same device 0, a `PCIe` switch 1, root 2,
    /// NUMA node 3, host 4, `NVLink` domain 5, rack 6, block 7, nothing of these 8.
    Span,
    /// How long a terabyte takes over all NICs together that are nearest to one of the
    /// linked devices, in nanoseconds, rounded up; 2 * 10^15 where there are none.
    HostUplink,
    /// What the linked devices that are left lose of what they are good for: rings of
    /// usual sizes, in thousandths of the best.
    LinkPotential,
    /// How uneven parents are used: the growth of the sum of squares of what is
    /// held of each.
    Evenness {
        /// Attribute of which each value is a parent.
        attribute: Option<Str>,
    },
    /// How far down a list of levels the first is that all picks have in common; the
    /// length of the list where none is. Only placement policies ask for it.
    AffinityLevel {
        /// The scopes, the best first.
        levels: Vec<Str>,
    },
    /// How far the units of a placement policy are from their best level: with `n` units
    /// and `L` levels the sum of those that are not within level `i`, times
    /// `(n + 1)^(L - 1 - i)`. Only placement policies ask for it.
    UnitLevel {
        /// How many devices of each request a unit has.
        requests: Vec<(Str, i64)>,
        /// The scopes, the best first.
        levels: Vec<Str>,
        /// The scope over which units must be apart, if there is one.
        apart: Option<Str>,
    },
}

/// Is a term with its value; lower is better.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TermValue {
    /// What is counted.
    pub term: Term,
    /// How much of it there is.
    pub value: i64,
}

impl Term {
    /// Returns the stable name of the term.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::AlternativeRank => "alternativeRank",
            Self::HealthPenalty => "healthPenalty",
            Self::Waste => "waste",
            Self::PackingPotential => "packingPotential",
            Self::ParentsTouched { .. } => "parentsTouched",
            Self::Evenness { .. } => "evenness",
            Self::AffinityLevel { .. } => "affinityLevel",
            Self::UnitLevel { .. } => "unitLevel",
            Self::Ring => "ring",
            Self::Links => "links",
            Self::Bottleneck => "bottleneck",
            Self::NicAlignment => "nicAlignment",
            Self::Span => "span",
            Self::HostUplink => "hostUplink",
            Self::LinkPotential => "linkPotential",
        }
    }

    /// Returns whether it compares levels of a placement policy.
    pub(crate) fn is_of_levels(&self) -> bool {
        matches!(self, Self::AffinityLevel { .. } | Self::UnitLevel { .. })
    }

    /// Returns the levels that it compares, the best first; none if it compares none.
    pub fn levels(&self) -> &[Str] {
        match self {
            Self::AffinityLevel { levels } | Self::UnitLevel { levels, .. } => levels,
            _ => &[],
        }
    }

    /// Returns the attribute whose values are the parents, if it is not the card.
    pub fn attribute(&self) -> Option<&str> {
        match self {
            Self::ParentsTouched { attribute } | Self::Evenness { attribute } => {
                attribute.as_deref()
            }
            _ => None,
        }
    }

    /// Says whether the term counts how devices are linked, or where they are.
    pub(crate) fn needs_topology(&self) -> bool {
        self.is_of_levels() || Linkage::of(self).is_some()
    }

    /// Says whether the term counts sets of linked devices, of which there are only so many.
    pub(crate) fn needs_table(&self) -> bool {
        Linkage::of(self).is_some_and(|linkage| linkage.of_table().is_some())
    }

    /// Says whether the term counts how near NICs are, of which there are only so many.
    pub(crate) fn needs_alignment(&self) -> bool {
        matches!(self, Self::NicAlignment | Self::HostUplink)
    }

    /// Returns the term of a name.
    ///
    /// # Errors
    ///
    /// [`Code::Unsupported`] for a name that no term has; [`Code::Invalid`] for an
    /// attribute where a term has none.
    pub fn new(name: &str, attribute: Option<Str>) -> Result<Self, Error> {
        let term = match name {
            "parentsTouched" => return Ok(Self::ParentsTouched { attribute }),
            "evenness" => return Ok(Self::Evenness { attribute }),
            name => PLAIN.iter().find(|term| term.as_str() == name),
        };
        let Some(term) = term else {
            let message = format!(
                "unknown term `{}`, expected alternativeRank, healthPenalty, waste, \
                 packingPotential, parentsTouched, evenness, ring, links, bottleneck, \
                 nicAlignment, span, hostUplink or linkPotential",
                name.escape_debug()
            );
            return Err(Error::new(Code::Unsupported, message));
        };
        if attribute.is_some() {
            let message = format!("term `{name}` has an attribute, expected none");
            return Err(Error::new(Code::Invalid, message).at("attribute"));
        }
        Ok(term.clone())
    }
}

/// Are the terms without an attribute.
const PLAIN: [Term; 11] = [
    Term::AlternativeRank,
    Term::HealthPenalty,
    Term::Waste,
    Term::PackingPotential,
    Term::Ring,
    Term::Links,
    Term::Bottleneck,
    Term::NicAlignment,
    Term::Span,
    Term::HostUplink,
    Term::LinkPotential,
];

impl fmt::Display for Term {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.attribute() {
            Some(attribute) => write!(formatter, "{} by {attribute}", self.as_str()),
            None if self.is_of_levels() => {
                write!(
                    formatter,
                    "{} of {}",
                    self.as_str(),
                    self.levels().join(", ")
                )
            }
            None => formatter.write_str(self.as_str()),
        }
    }
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected the name of a term, or an object of `term` and `attribute`"
)]
enum Form {
    Name(String),
    WithAttribute(WithAttribute),
    WithLevels(WithLevels),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WithLevels {
    term: String,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    requests: Map<Str, i64>,
    levels: Vec<Str>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    apart_over: Option<Str>,
}

impl WithLevels {
    fn of(term: &Term) -> Option<Self> {
        let (requests, apart_over) = match term {
            Term::AffinityLevel { .. } => (Map::default(), None),
            Term::UnitLevel {
                requests, apart, ..
            } => (requests.iter().cloned().collect(), apart.clone()),
            _ => return None,
        };
        Some(Self {
            term: term.as_str().to_owned(),
            requests,
            levels: term.levels().to_vec(),
            apart_over,
        })
    }

    fn into_term(self) -> Option<Term> {
        let Self {
            term,
            requests,
            levels,
            apart_over: apart,
        } = self;
        let is_scope = |word: &Str| AffinityScope::new(word).is_some();
        let is_place = |word: &Str| AffinityScope::place(word).is_some();
        if !levels.iter().all(is_scope) || !apart.iter().all(is_place) {
            return None;
        }
        match &*term {
            "affinityLevel" if requests.is_empty() && apart.is_none() => {
                Some(Term::AffinityLevel { levels })
            }
            "unitLevel" if requests.iter().all(|(_, count)| *count > 0) => {
                let requests = requests.iter();
                let requests = requests.map(|(name, count)| (name.clone(), *count));
                Some(Term::UnitLevel {
                    requests: requests.collect(),
                    levels,
                    apart,
                })
            }
            _ => None,
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WithAttribute {
    term: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    attribute: Option<Str>,
}

impl Serialize for Term {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(form) = WithLevels::of(self) {
            return form.serialize(serializer);
        }
        match self.attribute() {
            None => serializer.serialize_str(self.as_str()),
            Some(attribute) => WithAttribute {
                term: self.as_str().to_owned(),
                attribute: Some(attribute.into()),
            }
            .serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Term {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (name, attribute) = match Form::deserialize(deserializer)? {
            Form::Name(name) => (name, None),
            Form::WithAttribute(form) => (form.term, form.attribute),
            Form::WithLevels(form) => {
                let unknown = "unknown levels, expected those of affinityLevel or unitLevel";
                return form.into_term().ok_or_else(|| D::Error::custom(unknown));
            }
        };
        Self::new(&name, attribute).map_err(|error| D::Error::custom(error.message()))
    }
}
