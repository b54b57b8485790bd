//! The JSON of what is gone and of what is held, in traces and bindings.

use serde::{Deserialize, Serialize};

use super::{Held, Removed};
use crate::model::{DeviceId, Map, QualifiedName, Quantity, Str};

/// Names an object that is gone, by one of the three.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct RemovedForm {
    kind: Str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<Str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uid: Option<Str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<Str>,
}

/// Lists what is held without an owner.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct HeldForm {
    devices: Vec<DeviceId>,
    shares: Vec<ShareForm>,
    consumed_capacity: Vec<ConsumedForm>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ShareForm {
    device: DeviceId,
    #[serde(rename = "shareID")]
    share_id: Str,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ConsumedForm {
    device: DeviceId,
    capacity: Map<QualifiedName, Quantity>,
}

impl From<Removed> for RemovedForm {
    fn from(removed: Removed) -> Self {
        let mut form = Self::default();
        let (kind, place, text) = match removed {
            Removed::ResourceSlice(uid) => ("ResourceSlice", &mut form.uid, uid),
            Removed::Node(name) => ("Node", &mut form.name, name),
            Removed::NodeUid(uid) => ("Node", &mut form.uid, uid),
            Removed::DeviceClass(name) => ("DeviceClass", &mut form.name, name),
            Removed::DeviceClassUid(uid) => ("DeviceClass", &mut form.uid, uid),
            Removed::DeviceTaintRule(uid) => ("DeviceTaintRule", &mut form.uid, uid),
            Removed::ResourceClaim(owner) => ("ResourceClaim", &mut form.owner, owner),
            Removed::NodeUse(owner) => ("NodeUse", &mut form.owner, owner),
            Removed::Topology(which) => ("Topology", &mut form.owner, which),
            Removed::AttributeOverlay(which) => ("AttributeOverlay", &mut form.owner, which),
            Removed::DeviceHealth(which) => ("DeviceHealth", &mut form.owner, which),
            Removed::DeviceHold(which) => ("DeviceHold", &mut form.owner, which),
        };
        *place = Some(text);
        form.kind = kind.into();
        form
    }
}

impl TryFrom<RemovedForm> for Removed {
    type Error = &'static str;

    fn try_from(form: RemovedForm) -> Result<Self, Self::Error> {
        match (&*form.kind, form.name, form.uid, form.owner) {
            ("ResourceSlice", None, Some(uid), None) => Ok(Self::ResourceSlice(uid)),
            ("Node", Some(name), None, None) => Ok(Self::Node(name)),
            ("Node", None, Some(uid), None) => Ok(Self::NodeUid(uid)),
            ("DeviceClass", Some(name), None, None) => Ok(Self::DeviceClass(name)),
            ("DeviceClass", None, Some(uid), None) => Ok(Self::DeviceClassUid(uid)),
            ("DeviceTaintRule", None, Some(uid), None) => Ok(Self::DeviceTaintRule(uid)),
            ("ResourceClaim", None, None, Some(owner)) => Ok(Self::ResourceClaim(owner)),
            ("NodeUse", None, None, Some(owner)) => Ok(Self::NodeUse(owner)),
            ("Topology", None, None, Some(which)) => Ok(Self::Topology(which)),
            ("AttributeOverlay", None, None, Some(which)) => Ok(Self::AttributeOverlay(which)),
            ("DeviceHealth", None, None, Some(which)) => Ok(Self::DeviceHealth(which)),
            ("DeviceHold", None, None, Some(which)) => Ok(Self::DeviceHold(which)),
            _ => Err("expected a kind and the name, uid or owner of one object"),
        }
    }
}

impl From<Held> for HeldForm {
    fn from(held: Held) -> Self {
        let shares = held.shares.into_iter();
        let consumed = held.consumed_capacity.into_iter();
        Self {
            devices: held.devices,
            shares: shares
                .map(|(device, share_id)| ShareForm { device, share_id })
                .collect(),
            consumed_capacity: consumed
                .map(|(device, capacity)| ConsumedForm { device, capacity })
                .collect(),
        }
    }
}

impl From<HeldForm> for Held {
    fn from(form: HeldForm) -> Self {
        let shares = form.shares.into_iter();
        let consumed = form.consumed_capacity.into_iter();
        Self {
            devices: form.devices,
            shares: shares.map(|one| (one.device, one.share_id)).collect(),
            consumed_capacity: consumed.map(|one| (one.device, one.capacity)).collect(),
        }
    }
}
