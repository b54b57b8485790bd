//! [`Change`]: one thing that is different now.

mod form;
mod object;

use serde::{Deserialize, Serialize};

use crate::amounts::NodeUse;
use crate::model::{
    AttributeOverlay, DeviceClass, DeviceHealth, DeviceHold, DeviceId, DeviceTaintRule, Map, Node,
    QualifiedName, Quantity, ResourceClaim, ResourceSlice, Str, Topology,
};

use form::{HeldForm, RemovedForm};

/// Is one difference to what an [`Engine`](super::Engine) knows.
///
/// Changes may come twice and in any order: an older `resourceVersion` never
/// replaces a newer one, and an object that was removed does not come back with
/// the same uid, except in a [`Relist`]. (The last 65,536 removed objects of a
/// kind are remembered.) Slices, classes and taint rules without a uid are
/// known by their place: each is one more entry of its list, and cannot be
/// replaced or removed, except by a [`Relist`]. What comes from an API server
/// has a uid; give one to what does not. All other objects have a name of their own.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Change {
    /// A slice is new or different.
    ResourceSlice(ResourceSlice),
    /// A node is new or different.
    Node(Node),
    /// A class is new or different; of two with one name the first counts.
    DeviceClass(DeviceClass),
    /// A taint rule is new or different.
    DeviceTaintRule(DeviceTaintRule),
    /// A claim is new or different; with an allocation it holds its devices.
    ResourceClaim(ResourceClaim),
    /// A topology is new or different.
    Topology(Topology),
    /// An overlay is new or different; devices get the attributes that it says.
    AttributeOverlay(AttributeOverlay),
    /// The health of a device is new or different.
    DeviceHealth(DeviceHealth),
    /// A hold is new or different; its devices are kept from claims.
    DeviceHold(DeviceHold),
    /// An object is gone.
    Removed(Removed),
    /// Replaces the records of what is held without an owner.
    Held(Held),
    /// An owner, such as a pod, uses exactly these amounts of a node. The last
    /// one counts: there is no version.
    NodeUse(NodeUse),
    /// Replaces the list of devices that are physically the same.
    Twins(Twins),
}

/// Names an object that is gone.
///
/// Its form in JSON is `kind` and one of `name`, `uid` and `owner`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "RemovedForm", into = "RemovedForm")]
#[non_exhaustive]
pub enum Removed {
    /// The slice with a uid.
    ResourceSlice(Str),
    /// The node with a name.
    Node(Str),
    /// The node with a uid: safe also if it comes before the node does.
    NodeUid(Str),
    /// The classes with a name.
    DeviceClass(Str),
    /// The class with a uid: safe also if it comes before the class does.
    DeviceClassUid(Str),
    /// The taint rule with a uid.
    DeviceTaintRule(Str),
    /// The claim with a uid, or else with `namespace/name`.
    ResourceClaim(Str),
    /// What an owner uses of the amounts of a node.
    NodeUse(Str),
    /// The topology with a uid, or else with a name.
    Topology(Str),
    /// The attribute overlay with a uid, or else with a name.
    AttributeOverlay(Str),
    /// The device health with a uid, or else with a name.
    DeviceHealth(Str),
    /// The device hold with a uid, or else with a name.
    DeviceHold(Str),
}

/// Lists what is held, for hosts that keep their own books.
///
/// Its form in JSON is `devices`, `shares` (`device` and `shareID`) and
/// `consumedCapacity` (`device` and `capacity`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "HeldForm", into = "HeldForm")]
pub struct Held {
    /// Devices that are held whole.
    pub devices: Vec<DeviceId>,
    /// Shares that are held, each with its id.
    pub shares: Vec<(DeviceId, Str)>,
    /// What is taken of the capacities of shared devices, summed over the shares.
    pub consumed_capacity: Vec<(DeviceId, Map<QualifiedName, Quantity>)>,
}

/// Lists devices that are physically the same, where drivers do not say so.
///
/// Two devices of different pools are twins if both name one node and publish
/// the same `resource.kubernetes.io/pciBusID` there, or if both publish the same
/// `uuid` (in the domain of their driver) and do not name different nodes; and
/// if they are in one entry of this list. While one of them is held, whole or in
/// part, no other is given, and never two of them together. Access for
/// administration holds nothing, and is given on any.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Twins {
    /// The names of each thing. Of one pool there may be several, such as
    /// partitions of a card: they are twins of the others, but not of each other.
    pub devices: Vec<Vec<DeviceId>>,
}

/// Is everything of one kind that there is.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Relist {
    /// All slices.
    ResourceSlices(Vec<ResourceSlice>),
    /// All nodes.
    Nodes(Vec<Node>),
    /// All classes.
    DeviceClasses(Vec<DeviceClass>),
    /// All taint rules.
    DeviceTaintRules(Vec<DeviceTaintRule>),
    /// All claims of all namespaces.
    ResourceClaims(Vec<ResourceClaim>),
    /// All that is used of the amounts of nodes.
    NodeUses(Vec<NodeUse>),
    /// All topologies.
    Topologies(Vec<Topology>),
    /// All attribute overlays.
    AttributeOverlays(Vec<AttributeOverlay>),
    /// The health of all devices that have failed.
    DeviceHealths(Vec<DeviceHealth>),
    /// All device holds.
    DeviceHolds(Vec<DeviceHold>),
}
