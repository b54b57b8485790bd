//! [`Demand`]: what a policy requires of an answer, whatever else is wanted.

use std::fmt;

use super::unit::Unit;
use crate::model::{PlacementPolicy, Quantity, Str};
use crate::topology::AffinityScope;

/// Is one rule of a policy that holds like a constraint of its claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Demand {
    /// None for all requests of the claim; otherwise as
    /// [`RequestName::is_among`](crate::rules::RequestName) reads them.
    pub(crate) requests: Vec<Str>,
    pub(crate) rule: Rule,
}

/// Says what holds between the devices that requests get, without those for administration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// They have something in common.
    Level(AffinityScope),
    /// The rings through the `GPU`s among them carry at least so much, in GB/s.
    Ring(Quantity),
    /// They can be cut into equal groups, each with something in common, or no two of them.
    Unit(Unit),
    /// They are all devices of one fabric partition, where devices publish partitions.
    Partition,
}

impl Demand {
    /// Returns what a document with these groups requires, with requests that are still
    /// to be named.
    pub(super) fn all_of(document: &PlacementPolicy, unit: Option<&Unit>) -> Vec<Self> {
        let levels = document.affinity.iter();
        let levels = levels.filter(|level| *level.mode == *"required");
        let levels = levels.filter_map(|level| AffinityScope::new(&level.scope).map(Rule::Level));
        let unit = unit.filter(|unit| unit.is_demand()).cloned();
        let ring = document.min_ring_gbps.clone();
        let rules = levels
            .chain(unit.map(Rule::Unit))
            .chain(ring.map(Rule::Ring))
            .chain(document.fabric_partition.as_ref().map(|_| Rule::Partition));
        let demand = |rule| Self {
            requests: Vec::new(),
            rule,
        };
        rules.map(demand).collect()
    }
}

impl Rule {
    /// Returns what it compares, in one word where there is one.
    pub(crate) fn name(&self) -> Str {
        match self {
            Self::Level(scope) => scope.as_str().into(),
            rule => rule.to_string().into(),
        }
    }
}

/// Prints what it asks for, such as ``one `numaNode` ``.
impl fmt::Display for Rule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Level(AffinityScope::NvLink) => {
                write!(formatter, "`nvLink` between each two devices")
            }
            Self::Level(scope) => write!(formatter, "one `{}`", scope.as_str()),
            Self::Ring(rate) => write!(formatter, "rings of at least {rate} GB/s"),
            Self::Unit(unit) => unit.fmt(formatter),
            Self::Partition => formatter.write_str("one fabric partition, all of it"),
        }
    }
}
