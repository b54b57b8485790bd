//! Arguments of calls, as lines hold them.

use serde::{Deserialize, Serialize};

use super::log::Line;
use super::options::OptionsForm;
use crate::amounts::NodeUse;
use crate::engine::form::{OfKind, object, read, read_any};
use crate::engine::{Change, Held, Relist, Removed, Twins};
use crate::error::{Code, Error};
use crate::model::{
    AllocationResult, Amounts, DeviceId, Json, Map, QualifiedName, Quantity, ResourceClaim, Str,
};
use crate::wire::{Decoder, Encode, Object};

/// Is a line as it is read.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Arguments {
    pub(super) api_version: Str,
    pub(super) kind: Str,
    pub(super) dump: Option<Json>,
    pub(super) call: Str,
    /// The number of what the call makes.
    pub(super) id: Option<i64>,
    pub(super) snapshot: Option<i64>,
    pub(super) transaction: Option<i64>,
    pub(super) claims: Option<i64>,
    pub(super) savepoint: Option<i64>,
    pub(super) object: Option<Json>,
    pub(super) objects: Option<Vec<Json>>,
    pub(super) list: Option<Str>,
    pub(super) removed: Option<RemovedForm>,
    pub(super) held: Option<HeldForm>,
    #[serde(rename = "use")]
    pub(super) used: Option<NodeUse>,
    pub(super) uses: Option<Vec<NodeUse>>,
    pub(super) twins: Option<Vec<Vec<DeviceId>>>,
    pub(super) allocation: Option<AllocationResult>,
    pub(super) node: Option<Str>,
    pub(super) like: Option<Str>,
    pub(super) owner: Option<Str>,
    pub(super) user: Option<Str>,
    pub(super) releasing: Option<bool>,
    pub(super) amounts: Option<Amounts>,
    pub(super) options: Option<OptionsForm>,
    pub(super) holds: Option<bool>,
    pub(super) result: Option<Json>,
}

/// Returns an argument that a call needs.
pub(super) fn needed<T>(argument: Option<T>, name: &str) -> Result<T, Error> {
    argument.ok_or_else(|| {
        let message = format!("field `{name}` is missing, expected it in this call");
        Error::new(Code::Malformed, message).at(name)
    })
}

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

pub(super) fn objects<'a, T: Encode + 'a>(list: impl IntoIterator<Item = &'a T>) -> String {
    let objects: Vec<String> = list.into_iter().map(object).collect();
    format!("[{}]", objects.join(","))
}

pub(super) fn with_change(line: Line, change: &Change) -> Line {
    let json = match change {
        Change::ResourceSlice(slice) => object(slice),
        Change::Node(node) => object(node),
        Change::DeviceClass(class) => object(class),
        Change::DeviceTaintRule(rule) => object(rule),
        Change::ResourceClaim(claim) => object(claim),
        Change::Topology(topology) => object(topology),
        Change::AttributeOverlay(overlay) => object(overlay),
        Change::DeviceHealth(health) => object(health),
        Change::DeviceHold(hold) => object(hold),
        Change::Removed(removed) => return line.with("removed", &RemovedForm::from(removed)),
        Change::Held(held) => return line.with("held", &HeldForm::from(held)),
        Change::NodeUse(used) => return line.with("use", used),
        Change::Twins(twins) => return line.with("twins", &twins.devices),
    };
    line.raw("object", &json)
}

pub(super) fn with_list(line: Line, list: &Relist) -> Line {
    let (kind, objects) = match list {
        Relist::ResourceSlices(list) => ("ResourceSlice", objects(list)),
        Relist::Nodes(list) => ("Node", objects(list)),
        Relist::DeviceClasses(list) => ("DeviceClass", objects(list)),
        Relist::DeviceTaintRules(list) => ("DeviceTaintRule", objects(list)),
        Relist::ResourceClaims(list) => ("ResourceClaim", objects(list)),
        Relist::Topologies(list) => ("Topology", objects(list)),
        Relist::AttributeOverlays(list) => ("AttributeOverlay", objects(list)),
        Relist::DeviceHealths(list) => ("DeviceHealth", objects(list)),
        Relist::DeviceHolds(list) => ("DeviceHold", objects(list)),
        Relist::NodeUses(list) => {
            return line.with("list", &"NodeUse").with("uses", list);
        }
    };
    line.with("list", &kind).raw("objects", &objects)
}

impl Arguments {
    /// Reads the change of a call.
    pub(super) fn change(&mut self, decoder: &mut Decoder) -> Result<Change, Error> {
        if let Some(removed) = self.removed.take() {
            return removed.read().map(Change::Removed);
        }
        if let Some(held) = self.held.take() {
            return Ok(Change::Held(held.into()));
        }
        if let Some(devices) = self.twins.take() {
            return Ok(Change::Twins(Twins { devices }));
        }
        if let Some(used) = self.used.take() {
            return Ok(Change::NodeUse(used));
        }
        let json = needed(self.object.take(), "object")?;
        let object = read_any(decoder, &json).map_err(|error| error.under("object"))?;
        let Some(object) = object else {
            return Err(unexpected("one object").at("object"));
        };
        match object {
            Object::ResourceSlice(slice) => Ok(Change::ResourceSlice(slice)),
            Object::Node(node) => Ok(Change::Node(node)),
            Object::DeviceClass(class) => Ok(Change::DeviceClass(class)),
            Object::DeviceTaintRule(rule) => Ok(Change::DeviceTaintRule(rule)),
            Object::ResourceClaim(claim) => Ok(Change::ResourceClaim(claim)),
            Object::Topology(topology) => Ok(Change::Topology(topology)),
            Object::AttributeOverlay(overlay) => Ok(Change::AttributeOverlay(overlay)),
            Object::DeviceHealth(health) => Ok(Change::DeviceHealth(health)),
            Object::DeviceHold(hold) => Ok(Change::DeviceHold(hold)),
            _ => Err(unexpected("an object that an engine knows").at("object")),
        }
    }

    /// Reads the list of a call.
    pub(super) fn relist(&mut self, decoder: &mut Decoder) -> Result<Relist, Error> {
        let kind = needed(self.list.take(), "list")?;
        Ok(match &*kind {
            "ResourceSlice" => Relist::ResourceSlices(self.all(decoder)?),
            "Node" => Relist::Nodes(self.all(decoder)?),
            "DeviceClass" => Relist::DeviceClasses(self.all(decoder)?),
            "DeviceTaintRule" => Relist::DeviceTaintRules(self.all(decoder)?),
            "ResourceClaim" => Relist::ResourceClaims(self.all(decoder)?),
            "Topology" => Relist::Topologies(self.all(decoder)?),
            "AttributeOverlay" => Relist::AttributeOverlays(self.all(decoder)?),
            "DeviceHealth" => Relist::DeviceHealths(self.all(decoder)?),
            "DeviceHold" => Relist::DeviceHolds(self.all(decoder)?),
            "NodeUse" => {
                let uses = needed(self.uses.take(), "uses")?;
                Relist::NodeUses(uses)
            }
            _ => return Err(unexpected("the kind of a list").at("list")),
        })
    }

    /// Reads the claim of a call.
    pub(super) fn claim(&mut self, decoder: &mut Decoder) -> Result<ResourceClaim, Error> {
        let json = needed(self.object.take(), "object")?;
        read(decoder, &json).map_err(|error| error.under("object"))
    }

    /// Reads the objects of a call.
    pub(super) fn all<T: OfKind>(&mut self, decoder: &mut Decoder) -> Result<Vec<T>, Error> {
        let list = needed(self.objects.take(), "objects")?;
        let list = list.iter().enumerate().map(|(place, json)| {
            read(decoder, json).map_err(|error| error.under(&format!("objects[{place}]")))
        });
        list.collect()
    }
}

pub(super) fn unexpected(expected: &str) -> Error {
    Error::new(Code::Malformed, format!("expected {expected}"))
}

impl From<&Removed> for RemovedForm {
    fn from(removed: &Removed) -> Self {
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
        *place = Some(text.clone());
        form.kind = kind.into();
        form
    }
}

impl RemovedForm {
    fn read(self) -> Result<Removed, Error> {
        match (&*self.kind, self.name, self.uid, self.owner) {
            ("ResourceSlice", None, Some(uid), None) => Ok(Removed::ResourceSlice(uid)),
            ("Node", Some(name), None, None) => Ok(Removed::Node(name)),
            ("Node", None, Some(uid), None) => Ok(Removed::NodeUid(uid)),
            ("DeviceClass", Some(name), None, None) => Ok(Removed::DeviceClass(name)),
            ("DeviceClass", None, Some(uid), None) => Ok(Removed::DeviceClassUid(uid)),
            ("DeviceTaintRule", None, Some(uid), None) => Ok(Removed::DeviceTaintRule(uid)),
            ("ResourceClaim", None, None, Some(owner)) => Ok(Removed::ResourceClaim(owner)),
            ("NodeUse", None, None, Some(owner)) => Ok(Removed::NodeUse(owner)),
            ("Topology", None, None, Some(which)) => Ok(Removed::Topology(which)),
            ("AttributeOverlay", None, None, Some(which)) => Ok(Removed::AttributeOverlay(which)),
            ("DeviceHealth", None, None, Some(which)) => Ok(Removed::DeviceHealth(which)),
            ("DeviceHold", None, None, Some(which)) => Ok(Removed::DeviceHold(which)),
            _ => Err(unexpected("a kind and the name, uid or owner of one object").at("removed")),
        }
    }
}

impl From<&Held> for HeldForm {
    fn from(held: &Held) -> Self {
        let shares = held.shares.iter().cloned();
        let consumed = held.consumed_capacity.iter().cloned();
        Self {
            devices: held.devices.clone(),
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
