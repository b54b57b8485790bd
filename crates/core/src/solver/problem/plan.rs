//! [`Plan`]: one alternative of a request over the devices of one node.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::compared::Compared;
use crate::bitmap::Bitmap;
use crate::claims::Alternative;
use crate::error::Error;
use crate::model::Quantity;

/// Is an alternative with what can be said of every device before anything is picked.
#[derive(Debug)]
pub(crate) struct Plan<'a> {
    pub(crate) alternative: &'a Alternative,
    pub(crate) claim: usize,
    /// Place of the request among those of all claims.
    pub(crate) request: usize,
    /// Place of the request in its claim.
    pub(crate) request_of_claim: usize,
    /// Place among the alternatives of its request.
    pub(crate) index: usize,
    /// Number of devices needed.
    pub(crate) needed: usize,
    /// The devices of an `All` request, in order; up to the first that cannot be had.
    pub(crate) all: Option<Vec<usize>>,
    /// Whether it can be satisfied at all.
    pub(crate) possible: bool,
    /// Devices that nothing but other picks can keep away.
    pub(crate) candidates: Bitmap,
    /// Devices on which evaluation fails, in order.
    pub(crate) failing: Vec<Failing>,
    /// The constraints for it, in the order of the claim.
    pub(crate) constraints: Vec<Compared>,
    /// Why devices are no candidates; empty unless that is asked for.
    pub(crate) refused: Vec<Option<Check>>,
    /// What it takes of the capacities of shared devices.
    pub(crate) amounts: BTreeMap<usize, Vec<Quantity>>,
}

impl Plan<'_> {
    /// Notes why a device is no candidate, if that is asked for.
    pub(in crate::solver) fn refuse(&mut self, device: usize, check: Check) {
        if let Some(refused) = self.refused.get_mut(device) {
            *refused = Some(check);
        }
    }

    /// Returns a constraint with what devices show to it, if it is for the plan.
    pub(in crate::solver) fn compared(&self, constraint: usize) -> Option<&Compared> {
        let mut constraints = self.constraints.iter();
        constraints.find(|compared| compared.constraint == constraint)
    }

    /// Returns the first device that fails from `start` on and before a candidate, by
    /// its place among those that fail.
    pub(in crate::solver) fn first_failing(
        &self,
        start: usize,
        candidate: Option<usize>,
    ) -> Option<usize> {
        let place = self
            .failing
            .partition_point(|failing| failing.device < start);
        let failing = self.failing.get(place)?;
        candidate
            .is_none_or(|candidate| failing.device < candidate)
            .then_some(place)
    }
}

/// Is a device on which evaluation fails if the search comes to it.
#[derive(Debug)]
pub(crate) struct Failing {
    pub(crate) device: usize,
    /// How many constraints of the plan are checked before; none if evaluation
    /// fails before any check but whether the device is in use.
    pub(crate) after_constraints: Option<usize>,
    pub(crate) error: Error,
    /// Whether a constraint refuses the device, where all devices are asked for.
    ///
    /// Such a conflict lets the search go on with its next choice. If there is
    /// none left, it is an error: a claim like that makes no sense.
    pub(crate) conflict: bool,
}

/// Is a reason why a device is not a candidate, in the order of the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Check {
    /// It is held.
    InUse,
    /// It has binding conditions, and they are switched off.
    BindingConditions,
    /// A selector does not match, or fails.
    Selector,
    /// It is not on the node.
    Node,
    /// A capacity is missing, too small or not to be had in such an amount.
    Capacity,
    /// The node does not know how to skip operations.
    NodeOperations,
    /// It is a partition, and partitions are switched off.
    Partition,
    /// Devices that use its counters are of other groups.
    CompatibilityGroups,
    /// Too little is left of a counter.
    Counters,
    /// A taint is not tolerated.
    Taint,
    /// An attribute that a constraint compares is missing.
    Constraint,
    /// It is in no place that a placement policy compares.
    Placement,
}

impl Serialize for Check {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Check {
    /// Returns the stable name of the check.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InUse => "in use",
            Self::BindingConditions => "binding conditions",
            Self::Selector => "selector",
            Self::Node => "node",
            Self::Capacity => "capacity",
            Self::NodeOperations => "node operations",
            Self::Partition => "partition",
            Self::CompatibilityGroups => "compatibility groups",
            Self::Counters => "counters",
            Self::Taint => "taint",
            Self::Constraint => "constraint",
            Self::Placement => "placement",
        }
    }

    /// Returns what a device is that fails the check, in words that follow a number.
    pub fn as_phrase(self) -> &'static str {
        match self {
            Self::InUse => "in use",
            Self::BindingConditions => "with binding conditions, which are off",
            Self::Selector => "refused by a selector",
            Self::Node => "on other nodes",
            Self::Capacity => "unable to give that capacity",
            Self::NodeOperations => "with operations that the node cannot skip",
            Self::Partition => "partitions, which are off",
            Self::CompatibilityGroups => "in other compatibility groups",
            Self::Counters => "with a counter used up",
            Self::Taint => "tainted",
            Self::Constraint => "without an attribute to compare",
            Self::Placement => "in no place that a policy compares",
        }
    }
}
