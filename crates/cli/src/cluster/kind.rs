//! [`Kind`]: what all objects of a cluster have.

use dralloc::model::{
    AttributeOverlay, DeviceClass, DeviceHealth, DeviceHold, DeviceTaintRule, Node, ObjectMeta,
    Pod, ResourceClaim, ResourceClaimTemplate, ResourceSlice, Topology,
};

/// Is an object of a cluster, of whatever kind.
pub(crate) trait Kind {
    /// What the kind is called.
    const KIND: &'static str;

    /// Whether its objects are in namespaces.
    const IS_NAMESPACED: bool;

    /// Returns name and identity.
    fn metadata(&self) -> &ObjectMeta;
}

macro_rules! kinds {
    ($is_namespaced:literal: $($kind:ident),*) => {
        $(impl Kind for $kind {
            const KIND: &'static str = stringify!($kind);
            const IS_NAMESPACED: bool = $is_namespaced;

            fn metadata(&self) -> &ObjectMeta {
                &self.metadata
            }
        })*
    };
}

/// Returns whether the objects of a kind are in namespaces, by what it is called.
pub(super) fn is_namespaced(kind: &str) -> bool {
    [Pod::KIND, ResourceClaim::KIND, ResourceClaimTemplate::KIND].contains(&kind)
}

kinds!(true: Pod, ResourceClaim, ResourceClaimTemplate);
kinds!(
    false: AttributeOverlay, DeviceClass, DeviceHealth, DeviceHold, DeviceTaintRule, Node,
    ResourceSlice, Topology
);
