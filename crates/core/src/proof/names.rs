//! How certificates name the parts of a question.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::model::{DeviceAttribute, DeviceId, QualifiedName, Str};

/// Names a request of a claim; prints as `claim/request`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RequestId {
    /// Place of the claim in the question.
    pub claim: usize,
    /// Name of the request in the claim.
    pub request: Str,
    /// How many requests of the claim before it have the same name. An API
    /// server refuses claims where that is not 0.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub repetition: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(number: &usize) -> bool {
    *number == 0
}

impl RequestId {
    /// Returns the name of a request, the first of that name.
    pub fn new(claim: usize, request: impl Into<Str>) -> Self {
        Self {
            claim,
            request: request.into(),
            repetition: 0,
        }
    }

    /// Returns the same name for one more request than those that have it.
    pub(crate) fn after<'a>(mut self, others: impl Iterator<Item = &'a Self>) -> Self {
        let same = |other: &&Self| other.claim == self.claim && other.request == self.request;
        self.repetition = others.filter(same).count();
        self
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.claim, self.request)?;
        if self.repetition > 0 {
            write!(formatter, "#{}", self.repetition)?;
        }
        Ok(())
    }
}

/// Names a constraint of a claim, or what its placement policies require.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConstraintId {
    /// Place of the claim in the question.
    pub claim: usize,
    /// Place of the constraint in the claim. After all of them come, in this order, the
    /// policies of its configurations, then those of classes in the order of the requests
    /// that they are for; of each policy the levels that are `required`, then such a unit,
    /// then `minRingGBps` where the node has linked devices.
    pub constraint: usize,
}

/// Says how many constraints can have a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GroupValue {
    /// The value.
    pub value: DeviceAttribute,
    /// A request of each of the constraints that can have the value, in order:
    /// they need a device with the value each, and the same for the same request.
    pub requests: Vec<RequestId>,
    /// How many of them can have as many as they need at most.
    pub available: usize,
}

/// Says how much a counter of a pool counts in a sum.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CounterWeight {
    /// Driver of the pool.
    pub driver: Str,
    /// Name of the pool.
    pub pool: Str,
    /// Name of the counter set.
    pub counter_set: Str,
    /// Name of the counter.
    pub counter: Str,
    /// What the amount is multiplied by.
    pub weight: u32,
}

/// Says how much a capacity of a shared device counts in a sum.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CapacityWeight {
    /// The device.
    pub device: DeviceId,
    /// Name of the capacity.
    pub capacity: QualifiedName,
    /// What the amount is multiplied by.
    pub weight: u32,
}
