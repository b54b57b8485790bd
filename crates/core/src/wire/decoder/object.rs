//! Reads one object of a known kind and version.

use serde::Deserialize;

use crate::wire::json::{Decode, Failure};
use crate::wire::kind::{Kind, Version};
use crate::wire::{Object, v1beta1};

/// Reads an object as what it is.
pub(super) fn object(
    decode: &mut Decode<'_>,
    kind: Kind,
    version: Version,
) -> Result<Object, Failure> {
    match (kind, version) {
        (Kind::ResourceSlice, Version::V1Beta1) => {
            v1beta1::ResourceSlice::deserialize(&mut *decode)
                .map(|slice| Object::ResourceSlice(slice.into()))
        }
        (Kind::ResourceClaim, Version::V1Beta1) => {
            v1beta1::ResourceClaim::deserialize(&mut *decode)
                .map(|claim| Object::ResourceClaim(claim.into()))
        }
        (Kind::ResourceClaimTemplate, Version::V1Beta1) => {
            v1beta1::ResourceClaimTemplate::deserialize(&mut *decode)
                .map(|template| Object::ResourceClaimTemplate(template.into()))
        }
        (Kind::ResourceSlice, _) => {
            Deserialize::deserialize(&mut *decode).map(Object::ResourceSlice)
        }
        (Kind::ResourceClaim, _) => {
            Deserialize::deserialize(&mut *decode).map(Object::ResourceClaim)
        }
        (Kind::ResourceClaimTemplate, _) => {
            Deserialize::deserialize(&mut *decode).map(Object::ResourceClaimTemplate)
        }
        (Kind::DeviceClass, _) => Deserialize::deserialize(&mut *decode).map(Object::DeviceClass),
        (Kind::DeviceTaintRule, _) => {
            Deserialize::deserialize(&mut *decode).map(Object::DeviceTaintRule)
        }
        (Kind::Topology, _) => Deserialize::deserialize(&mut *decode).map(Object::Topology),
        (Kind::AttributeOverlay, _) => {
            Deserialize::deserialize(&mut *decode).map(Object::AttributeOverlay)
        }
        (Kind::DeviceHealth, _) => Deserialize::deserialize(&mut *decode).map(Object::DeviceHealth),
        (Kind::DeviceHold, _) => Deserialize::deserialize(&mut *decode).map(Object::DeviceHold),
        (Kind::Node, _) => Deserialize::deserialize(&mut *decode).map(Object::Node),
        (Kind::Pod, _) => Deserialize::deserialize(&mut *decode).map(Object::Pod),
    }
}
