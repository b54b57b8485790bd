//! [`Change`]: one thing that is different now.

use crate::model::{
    DeviceClass, DeviceId, DeviceTaintRule, Map, Node, QualifiedName, Quantity, ResourceClaim,
    ResourceSlice, Str,
};

/// Is one difference to what an [`Engine`](super::Engine) knows.
///
/// Changes may come twice and in any order: an older `resourceVersion` never
/// replaces a newer one, and an object that was removed does not come back with
/// the same uid, except in a [`Relist`]. (The last 65,536 removed objects of a
/// kind are remembered.) Objects without a uid, but for nodes and claims, are
/// known by their place: each is one more entry of its list, and cannot be
/// replaced or removed, except by a [`Relist`]. What comes from an API server
/// has a uid; give one to what does not.
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
    /// An object is gone.
    Removed(Removed),
    /// Replaces the records of what is held without an owner.
    Held(Held),
    /// Replaces the list of devices that are physically the same.
    Twins(Twins),
}

/// Names an object that is gone.
#[derive(Clone, Debug, PartialEq, Eq)]
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
}

/// Lists what is held, for hosts that keep their own books.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
}
