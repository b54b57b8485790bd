//! Objects of every kind in every state, for tests of their order.

use dralloc::model::{
    AttributeOverlay, DeviceHealth, DeviceHold, DeviceTaintRule, Node, ResourceClaim,
    ResourceSlice, Topology,
};
use dralloc::{Change, Removed};
use serde_json::{Value, json};

pub(super) const NODES: u8 = 3;
pub(super) const SLICES: u8 = 8;
pub(super) const RULES: u8 = 10;
pub(super) const CLAIMS: u8 = 13;
pub(super) const OVERLAYS: u8 = 15;
pub(super) const HOLDS: u8 = 17;
pub(super) const HEALTHS: u8 = 18;
pub(super) const OBJECTS: u8 = 19;

/// Returns a state of an object; nodes, slices, rules, claims and documents by number.
pub(super) fn state(object: u8, state: u8, uid: &str, version: usize) -> Change {
    let metadata = |extra: Value| {
        let mut metadata = json!({"name": format!("o{object}"), "uid": uid,
            "resourceVersion": version.to_string()});
        for (name, value) in extra.as_object().unwrap() {
            metadata[name] = value.clone();
        }
        metadata
    };
    if object < NODES {
        let zone = json!({"labels": {"zone": (state % 2).to_string()}});
        let node = json!({"metadata": metadata(zone)});
        return Change::Node(serde_json::from_value::<Node>(node).unwrap());
    }
    if object < SLICES {
        let zone = |zone: u8| {
            json!({"nodeSelectorTerms": [{"matchExpressions": [
                {"key": "zone", "operator": "In", "values": [zone.to_string()]}]}]})
        };
        let device = |name: u8| json!({"name": format!("d{object}-{name}")});
        let mut spec = json!({"driver": "d", "devices": [device(0), device(1)], "pool": {
            "name": format!("p{}", object % 3),
            "generation": 1 + state / 6, "resourceSliceCount": 1 + state % 2}});
        match state % 6 {
            1 => spec["nodeName"] = json!("o0"),
            2 => spec["nodeName"] = json!("o1"),
            3 => spec["allNodes"] = json!(true),
            4 => spec["nodeSelector"] = zone(0),
            5 => spec["nodeSelector"] = zone(1),
            _ => {
                spec["perDeviceNodeSelection"] = json!(true);
                spec["devices"][0]["nodeName"] = json!("o2");
                spec["devices"][1]["nodeSelector"] = zone(1);
            }
        }
        let slice = json!({"metadata": metadata(json!({})), "spec": spec});
        return Change::ResourceSlice(serde_json::from_value::<ResourceSlice>(slice).unwrap());
    }
    if object < RULES {
        let selector = match state % 4 {
            0 => json!({"driver": "d"}),
            1 => json!({"pool": "p1"}),
            2 => json!({"device": "d3-0"}),
            _ => json!({"driver": "other"}),
        };
        let rule = json!({"metadata": metadata(json!({})), "spec": {"deviceSelector": selector,
            "taint": {"key": format!("k{object}"), "effect": "NoSchedule"}}});
        return Change::DeviceTaintRule(serde_json::from_value::<DeviceTaintRule>(rule).unwrap());
    }
    if object >= CLAIMS {
        return document(object, state, metadata(json!({})));
    }
    let slice = 3 + state % 5;
    let result = json!({"request": "r", "driver": "d", "pool": format!("p{}", slice % 3),
        "device": format!("d{slice}-0")});
    let status = if state.is_multiple_of(3) {
        json!({})
    } else {
        json!({"allocation": {"devices": {"results": [result]}}})
    };
    let claim = json!({"metadata": metadata(json!({"namespace": "x"})), "status": status});
    Change::ResourceClaim(serde_json::from_value::<ResourceClaim>(claim).unwrap())
}

/// Returns a state of an overlay, a hold, a health or a topology.
fn document(object: u8, state: u8, metadata: Value) -> Change {
    let device = json!({"driver": "d", "pool": format!("p{}", state % 3),
        "device": format!("d{}-0", 3 + state % 5)});
    let color = |color: &str| json!({"d/color": {"string": color}});
    if object < OVERLAYS {
        let zone = json!({"nodeSelectorTerms": [{"matchExpressions": [
            {"key": "zone", "operator": "In", "values": ["0"]}]}]});
        let spec = match state % 5 {
            0 => json!({"selector": {}, "attributes": {"color": {"string": "red"}}}),
            1 => json!({"selector": {"nodeSelector": zone}, "attributes": color("red")}),
            2 => json!({"selector": {"pool": "p1"}, "attributes": color("blue")}),
            3 => json!({"selector": {"attributes": color("red")},
                "rename": [{"from": "color", "to": "d/tint"}]}),
            _ => json!({"selector": {"driver": "other"}, "attributes": color("red")}),
        };
        let overlay = json!({"metadata": metadata, "spec": spec});
        let overlay = serde_json::from_value::<AttributeOverlay>(overlay);
        return Change::AttributeOverlay(overlay.unwrap());
    }
    if object < HOLDS {
        let node = format!("o{}", state % 3);
        let spec = match state % 4 {
            0 => json!({"nodeName": node, "devices": [device]}),
            1 => json!({"nodeName": node, "count": 1,
                "selector": {"attributes": color("red")}}),
            2 => json!({"nodeName": node, "count": 1, "disjointFrom": [{"pool": "p2"}]}),
            _ => json!({"nodeName": node, "count": 0}),
        };
        let hold = json!({"metadata": metadata, "spec": spec});
        return Change::DeviceHold(serde_json::from_value::<DeviceHold>(hold).unwrap());
    }
    if object < HEALTHS {
        let failures = json!([{"time": format!("2026-01-{:02}T12:00:00Z", state + 1),
            "reason": "fan"}]);
        let health = json!({"metadata": metadata,
            "spec": {"device": device, "failures": failures}});
        return Change::DeviceHealth(serde_json::from_value::<DeviceHealth>(health).unwrap());
    }
    let vertex = |id: u8| json!({"id": id.to_string(), "kind": "gpu"});
    let topology = json!({"metadata": metadata,
        "spec": {"vertices": (0..state).map(vertex).collect::<Vec<_>>()}});
    Change::Topology(serde_json::from_value::<Topology>(topology).unwrap())
}

pub(super) fn removed(object: u8, uid: &str) -> Change {
    let uid = uid.into();
    Change::Removed(match object {
        0..NODES => Removed::NodeUid(uid),
        NODES..SLICES => Removed::ResourceSlice(uid),
        SLICES..RULES => Removed::DeviceTaintRule(uid),
        RULES..CLAIMS => Removed::ResourceClaim(uid),
        CLAIMS..OVERLAYS => Removed::AttributeOverlay(uid),
        OVERLAYS..HOLDS => Removed::DeviceHold(uid),
        HOLDS..HEALTHS => Removed::DeviceHealth(uid),
        _ => Removed::Topology(uid),
    })
}
