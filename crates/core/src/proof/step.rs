//! [`Step`]: one step of a certificate.

use serde::{Deserialize, Serialize};

use super::{CapacityWeight, ConstraintId, CounterWeight, GroupValue, RequestId};
use crate::model::{DeviceAttribute, DeviceId, Quantity, Str};

/// Is one step of a certificate.
///
/// The steps down to [`Step::Releasing`] end a case; the others split it.
///
/// In a case, a request has the alternatives and the devices that its splits
/// leave it; devices that it is sure to get count as got. Where a request has
/// several alternatives left, it needs what the one needs that needs least.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
#[non_exhaustive]
pub enum Step {
    /// Requests need more devices than there are for them.
    ///
    /// A shared device counts as often as the requests can have it together. Of
    /// devices that are physically the same one counts.
    Count {
        /// The requests.
        requests: Vec<RequestId>,
        /// All devices that any of them can have, in order.
        devices: Vec<DeviceId>,
        /// How many devices they need together.
        needed: usize,
        /// How many they can have together at most.
        available: usize,
    },
    /// Requests of a `distinctAttribute` constraint need more devices than
    /// there are values.
    Distinct {
        /// The constraint.
        constraint: ConstraintId,
        /// The requests.
        requests: Vec<RequestId>,
        /// All values of devices that any of them can have, in order.
        values: Vec<DeviceAttribute>,
        /// How many devices they need together.
        needed: usize,
        /// How many devices there are at most with a value of their own.
        available: usize,
    },
    /// There are more `matchAttribute` constraints than values for them: all
    /// devices of each have one in common, and no value is there so often.
    Groups {
        /// The constraints, each of which is sure to have a device.
        constraints: Vec<ConstraintId>,
        /// The values that any of them can have, in order.
        values: Vec<GroupValue>,
        /// How many of the constraints can have a value at most.
        available: usize,
    },
    /// Requests take more of some counters than is left.
    Counters {
        /// The requests.
        requests: Vec<RequestId>,
        /// Which counters, and how much each counts.
        counters: Vec<CounterWeight>,
        /// What the requests take at least, summed with the weights.
        needed: Quantity,
        /// What is left, summed with the weights.
        left: Quantity,
    },
    /// Requests take more of some capacities than is left.
    Capacities {
        /// The requests.
        requests: Vec<RequestId>,
        /// Which capacities, and how much each counts.
        capacities: Vec<CapacityWeight>,
        /// What the requests take at least, summed with the weights.
        needed: Quantity,
        /// What is left, summed with the weights.
        left: Quantity,
    },
    /// Parts of the node that share no counter give too little together.
    ///
    /// Whoever checks it finds out what each part can give.
    Parts {
        /// The requests.
        requests: Vec<RequestId>,
        /// The devices that any of them can have, by part, in order.
        parts: Vec<Vec<DeviceId>>,
    },
    /// No answer is better in this case, by the terms that an
    /// [`OptimalityCertificate`](super::OptimalityCertificate) looks at up to
    /// the one that is proved.
    ///
    /// The parts share neither counters nor what terms count together. Whoever
    /// checks it finds out what each part can give, and how good that is at best.
    Least {
        /// The requests.
        requests: Vec<RequestId>,
        /// The devices that any of them can have or has, by part, in order.
        parts: Vec<Vec<DeviceId>>,
    },
    /// The requests of a claim need more devices than a claim may have.
    Limit {
        /// Place of the claim in the question.
        claim: usize,
        /// How many devices they need together.
        needed: usize,
    },
    /// A claim is allocated already, and what it has cannot be used on the node.
    Allocated {
        /// Place of the claim in the question.
        claim: usize,
    },
    /// A claim is being deleted, or what it has is about to be given back.
    Releasing {
        /// Place of the claim in the question.
        claim: usize,
    },
    /// Devices that requests get are not what a placement policy or the machine requires.
    ///
    /// All requests that this is about have one alternative left and all their devices.
    Placement {
        /// What is required; if it is absent, that devices are one of the sets that the
        /// machine allows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        constraint: Option<ConstraintId>,
    },
    /// Splits by the alternatives that a request has left: a case for each.
    Alternatives {
        /// The request.
        request: RequestId,
        /// The alternatives, as `request/subrequest`.
        alternatives: Vec<Str>,
    },
    /// Splits by the value that all devices of a `matchAttribute` constraint
    /// have in common: a case for each, in which they have no others.
    ///
    /// A level that is required is such a constraint. Its values are domains, by numbers
    /// that whoever checks it finds out.
    Values {
        /// The constraint.
        constraint: ConstraintId,
        /// All values that every request of the constraint can have, in order.
        values: Vec<DeviceAttribute>,
    },
    /// Splits by a device of a request: a case for each that it gets and the
    /// ones before it does not, and a last one in which it gets none of them.
    ///
    /// Devices that nothing tells apart are one case: the first of them. In proofs that
    /// an answer is the best they count alike, too.
    Devices {
        /// The request.
        request: RequestId,
        /// The devices, by groups that nothing tells apart.
        devices: Vec<Vec<DeviceId>>,
    },
}
