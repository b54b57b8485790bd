//! Arguments of calls, as lines hold them.

use serde::Deserialize;

use super::gang::GangForm;
use super::log::Line;
use super::options::OptionsForm;
use crate::amounts::NodeUse;
use crate::engine::form::{OfKind, object, read, read_any};
use crate::engine::{Change, Held, Relist, Removed, Twins};
use crate::error::{Code, Error};
use crate::model::{AllocationResult, Amounts, DeviceId, Json, ResourceClaim, Str};
use crate::wire::{Decoder, Encode};

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
    /// Claims by number, a member of a gang each.
    pub(super) members: Option<Vec<i64>>,
    pub(super) gang: Option<GangForm>,
    pub(super) savepoint: Option<i64>,
    pub(super) object: Option<Json>,
    pub(super) objects: Option<Vec<Json>>,
    pub(super) list: Option<Str>,
    pub(super) removed: Option<Removed>,
    pub(super) held: Option<Held>,
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
        Change::Removed(removed) => return line.with("removed", removed),
        Change::Held(held) => return line.with("held", held),
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
            return Ok(Change::Removed(removed));
        }
        if let Some(held) = self.held.take() {
            return Ok(Change::Held(held));
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
        Change::try_from(object).map_err(|error| error.under("object"))
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
