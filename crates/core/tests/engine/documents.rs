//! Objects of `dralloc.dev`: what is kept of them, and what is refused.

use dralloc::model::{DeviceHealth, Topology};
use dralloc::wire::{Decoder, Object};
use dralloc::{Applied, Change, Code, Engine, Features, Relist, Removed};
use serde_json::{Value, json};

use super::{claim, commit, engine, names};

/// Reads an object of `dralloc.dev`; what is not known in it is a fault.
pub(super) fn document(kind: &str, name: &str, spec: Value) -> Change {
    let object = json!({"apiVersion": "dralloc.dev/v1alpha1", "kind": kind,
        "metadata": {"name": name}, "spec": spec});
    change(&object.to_string())
}

fn change(text: &str) -> Change {
    let mut objects = Vec::new();
    let decoded = Decoder::new().strict(true).decode(text, &mut |decoded| {
        objects.push(decoded.object);
        Ok(())
    });
    decoded.unwrap();
    match objects.remove(0) {
        Object::Topology(object) => Change::Topology(object),
        Object::AttributeOverlay(object) => Change::AttributeOverlay(object),
        Object::DeviceHealth(object) => Change::DeviceHealth(object),
        Object::DeviceHold(object) => Change::DeviceHold(object),
        other => panic!("{other:?}"),
    }
}

pub(super) fn hold(name: &str, spec: Value) -> Change {
    document("DeviceHold", name, spec)
}

pub(super) fn id(device: &str) -> Value {
    json!({"driver": "d", "pool": "p", "device": device})
}

pub(super) fn nodes(applied: &Applied) -> Vec<&str> {
    applied.nodes().iter().map(|name| &**name).collect()
}

/// Returns how a change is refused, and checks that nothing is changed.
pub(super) fn refused(engine: &mut Engine, change: Change) -> String {
    let before = engine.snapshot().revision();
    let error = engine.apply(change).unwrap_err();
    assert_eq!(engine.snapshot().revision(), before);
    format!("{}: {error}", error.code())
}

#[test]
fn topologies_and_health_are_kept_as_they_are() {
    let mut engine = engine(json!([{"name": "d0"}]));
    let topology = document(
        "Topology",
        "t",
        json!({"vertices": [{"id": "a", "kind": "gpu", "device": "d/p/d0"}]}),
    );
    let applied = engine.apply(topology.clone()).unwrap();
    assert!(applied.is_changed() && !applied.is_any_node());
    assert_eq!(nodes(&applied), ["n"]);
    assert_eq!(engine.apply(topology).unwrap(), Applied::default());
    let by_bus = json!({"attribute": "resource.kubernetes.io/pciBusID", "value": "0000:01:00.0"});
    let vertex = json!({"id": "a", "kind": "gpu", "match": by_bus});
    let applied = engine.apply(document("Topology", "t", json!({"vertices": [vertex]})));
    let applied = applied.unwrap();
    assert_eq!((nodes(&applied), applied.is_any_node()), (vec!["n"], true));
    let failures = json!([{"time": "2026-01-31T12:00:00Z", "reason": "xid-79", "weight": 4}]);
    for (name, spec, expected) in [
        (
            "b",
            json!({"device": id("d0"), "failures": failures}),
            (vec!["n"], false),
        ),
        (
            "a",
            json!({"match": by_bus, "nodeName": "m"}),
            (vec!["m"], false),
        ),
        ("c", json!({"match": by_bus}), (vec![], true)),
    ] {
        let applied = engine.apply(document("DeviceHealth", name, spec)).unwrap();
        assert_eq!((nodes(&applied), applied.is_any_node()), expected);
    }

    let snapshot = engine.snapshot();
    let spec = |topology: &Topology| serde_json::to_value(&topology.spec).unwrap();
    let found: Vec<_> = snapshot.topologies().map(spec).collect();
    assert_eq!(found, [json!({"vertices": [vertex]})]);
    let name = |health: &DeviceHealth| health.metadata.name.to_string();
    let found: Vec<_> = snapshot.device_healths().map(name).collect();
    assert_eq!(found, ["a", "b", "c"]);
    let weight = snapshot.device_healths().nth(1).unwrap().spec.failures[0].weight;
    assert_eq!(weight, Some(4));

    // Health never refuses a device.
    assert_eq!(commit(&mut engine, &claim("a", 1, 1)), names(&["d0"]));
    let removed = Change::Removed(Removed::Topology("t".into()));
    assert!(engine.apply(removed.clone()).unwrap().is_changed());
    assert_eq!(engine.apply(removed).unwrap(), Applied::default());
    assert_eq!(engine.snapshot().topologies().count(), 0);
    assert_eq!(snapshot.topologies().count(), 1);
}

#[test]
fn machines_that_exist_are_read() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/topologies");
    let mut engine = Engine::new(Features::all());
    let mut files: Vec<_> = std::fs::read_dir(directory).unwrap().collect();
    files.sort_by_key(|file| file.as_ref().unwrap().path());
    for file in files {
        let path = file.unwrap().path();
        // Some of what is known of machines is no document.
        let others = [
            "golden-optima.json",
            "link-classes.json",
            "mig-a100-40gb.json",
        ];
        let is_json = path
            .extension()
            .is_some_and(|extension| extension == "json");
        if !is_json || others.iter().any(|name| path.ends_with(name)) {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        Decoder::new()
            .decode(&text, &mut |decoded| {
                for warning in &decoded.warnings {
                    assert_eq!(warning.path, "expectedLevels", "{path:?}");
                }
                let Object::Topology(topology) = decoded.object else {
                    panic!("{path:?}")
                };
                // What is written reads as the same.
                let written = dralloc::wire::encode(&topology)?;
                let Change::Topology(read) = change(&written) else {
                    panic!("{path:?}")
                };
                assert_eq!(read, topology);
                assert!(engine.apply(Change::Topology(topology))?.is_changed());
                Ok(())
            })
            .unwrap();
    }
    let snapshot = engine.snapshot();
    assert_eq!(snapshot.topologies().count(), 26);
    let named = ["aws-p4d-a100", "hgx-h100-fm-shared-nvswitch", "mi300a-4"];
    let mut known = snapshot.topologies();
    let known = named.map(|name| known.find(|one| *one.metadata.name == *name).unwrap());
    let sizes = known.iter().map(|topology| {
        let spec = &topology.spec;
        let name = topology.metadata.name.to_string();
        (
            name,
            spec.vertices.len(),
            spec.links.len(),
            spec.allowed_sets.len(),
        )
    });
    let sizes: Vec<_> = sizes.collect();
    assert_eq!(
        sizes,
        [
            ("aws-p4d-a100".to_owned(), 24, 65, 0),
            ("hgx-h100-fm-shared-nvswitch".to_owned(), 14, 41, 15),
            ("mi300a-4".to_owned(), 12, 20, 0),
        ]
    );
    let rate = |place: usize| known[1].spec.links[place].bandwidth;
    assert_eq!(rate(0).map(|rate| rate.to_string()).as_deref(), Some("125"));
}

#[test]
#[expect(
    clippy::too_many_lines,
    reason = "a table of faults is read from top to bottom"
)]
fn malformed_documents_are_refused_whole() {
    let mut engine = engine(json!([{"name": "d0"}]));
    let gpu = |id: &str| json!({"id": id, "kind": "gpu"});
    let link = |extra: Value| {
        let mut link = json!({"a": "a", "b": "b", "type": "NVLink"});
        for (name, value) in extra.as_object().unwrap() {
            link[name] = value.clone();
        }
        json!({"vertices": [gpu("a"), gpu("b")], "links": [link]})
    };
    let vertex = |extra: Value| {
        let mut vertex = gpu("a");
        for (name, value) in extra.as_object().unwrap() {
            vertex[name] = value.clone();
        }
        json!({"vertices": [vertex]})
    };
    let selector = json!({"driver": "d"});
    let by_bus = json!({"attribute": "resource.kubernetes.io/pciBusID", "value": "0000:01:00.0"});
    let failure =
        |time: &str| json!({"device": id("d0"), "failures": [{"time": time, "reason": "x"}]});
    let time =
        "invalid: spec.failures[0].time: expected a time such as `2026-01-31T12:00:00Z`, found";
    for (kind, spec, expected) in [
        (
            "Topology",
            link(json!({"b": "c"})),
            "not-found: spec.links[0].b: no vertex `c`, expected the id of one",
        ),
        (
            "Topology",
            link(json!({"b": "a"})),
            "invalid: spec.links[0].b: expected another vertex than `a` at the other end",
        ),
        (
            "Topology",
            link(json!({"count": 0})),
            "invalid: spec.links[0].count: expected 1 to 1000000, found 0",
        ),
        (
            "Topology",
            json!({"vertices": [gpu("a"), gpu("b"), gpu("a")]}),
            "duplicate: spec.vertices[2].id: vertex `a` is at `spec.vertices[0]` already, expected each \
          id once",
        ),
        (
            "Topology",
            vertex(json!({"device": "d0"})),
            "invalid: spec.vertices[0].device: expected driver/pool/device, found `d0`",
        ),
        (
            "Topology",
            vertex(json!({"device": "d/p/d0", "match": by_bus})),
            "invalid: spec.vertices[0].device: expected either `device` or `match`, found both",
        ),
        (
            "Topology",
            vertex(json!({"match": {"attribute": "uuid", "value": "x"}})),
            "invalid: spec.vertices[0].match.attribute: expected a domain and a name separated \
          by `/`, found `uuid`",
        ),
        (
            "Topology",
            json!({"vertices": [gpu("a")], "allowedSets": [{"vertices": ["a", "b"]}]}),
            "not-found: spec.allowedSets[0].vertices[1]: no vertex `b`, expected the id of one",
        ),
        (
            "AttributeOverlay",
            json!({"attributes": {"a": {"int": 1}}}),
            "invalid: spec.selector: expected a selector, `{}` for all devices, found none",
        ),
        (
            "AttributeOverlay",
            json!({"selector": selector, "attributes": {"0a": {"int": 1}}}),
            "invalid: spec.attributes: expected a C identifier of letters, digits and `_`, found `0a`",
        ),
        (
            "AttributeOverlay",
            json!({"selector": selector, "attributes": {"a": {"version": "1"}}}),
            "invalid: spec.attributes[a].version: expected a semantic version such as `1.2.3`, found `1`",
        ),
        (
            "AttributeOverlay",
            json!({"selector": selector, "attributes": {"a": {}}}),
            "invalid: spec.attributes[a]: expected exactly one of the types of attributes",
        ),
        (
            "AttributeOverlay",
            json!({"selector": selector, "rename": [{"from": "a", "to": "b"},
            {"from": "c", "to": "b"}]}),
            "duplicate: spec.rename[1]: duplicate `b`, expected each name once",
        ),
        (
            "AttributeOverlay",
            json!({"selector": {"nodeSelector": {"nodeSelectorTerms": [
            {"matchExpressions": [{"key": "k", "operator": "Gt", "values": ["x"]}]}]}}}),
            "invalid: spec.selector.nodeSelector.nodeSelectorTerms[0].matchExpressions[0].values: \
          expected an integer, found `x`",
        ),
        (
            "DeviceHealth",
            json!({"failures": []}),
            "invalid: spec: expected `device` or `match`, found none",
        ),
        (
            "DeviceHealth",
            failure("2026-02-29T12:00:00Z"),
            &format!("{time} `2026-02-29T12:00:00Z`"),
        ),
        (
            "DeviceHealth",
            failure("2026-01-31 12:00:00Z"),
            &format!("{time} `2026-01-31 12:00:00Z`"),
        ),
        (
            "DeviceHealth",
            failure("2026-01-31T12:00:00"),
            &format!("{time} `2026-01-31T12:00:00`"),
        ),
        ("DeviceHealth", failure(""), &format!("{time} ``")),
        (
            "DeviceHold",
            json!({"nodeName": "n", "count": -1}),
            "invalid: spec.count: expected 0 or more, found -1",
        ),
        (
            "DeviceHold",
            json!({"nodeName": "n", "count": 1, "devices": [id("d0")]}),
            "invalid: spec.count: expected either `devices` or `count`, found both",
        ),
        (
            "DeviceHold",
            json!({"nodeName": "n", "selector": selector}),
            "invalid: spec.selector: expected `count` beside it",
        ),
        (
            "DeviceHold",
            json!({"nodeName": "n", "devices": [id("d0"), id("d0")]}),
            "duplicate: spec.devices[1]: duplicate `d/p/d0`, expected each device once",
        ),
        (
            "DeviceHold",
            json!({"nodeName": "n", "count": 1, "disjointFrom": [{}]}),
            "invalid: spec.disjointFrom[0]: expected something to select devices by, found none",
        ),
        (
            "DeviceHold",
            json!({"devices": [id("d0")]}),
            "invalid: spec.nodeName: expected a DNS name of lower-case letters, digits, `-` and `.`, \
          found ``",
        ),
    ] {
        assert_eq!(
            refused(&mut engine, document(kind, "x", spec.clone())),
            expected,
            "{spec}"
        );
    }
    for time in ["2024-02-29T23:59:59.25+05:30", "2026-01-31T12:00:00Z"] {
        let known = document("DeviceHealth", "x", failure(time));
        assert!(engine.apply(known).unwrap().is_changed(), "{time}");
    }
    let nameless = document("DeviceHold", "", json!({"nodeName": "n"}));
    let expected = "invalid: metadata.name: no name, expected one";
    assert_eq!(refused(&mut engine, nameless), expected);
}

#[test]
fn a_list_with_one_fault_changes_nothing() {
    let mut engine = engine(json!([{"name": "d0"}]));
    let Change::DeviceHold(good) = hold("a", json!({"nodeName": "n", "devices": [id("d0")]}))
    else {
        panic!("a hold")
    };
    let mut bad = good.clone();
    (bad.metadata.name, bad.spec.count) = ("b".into(), Some(-1));
    let error = engine
        .replace(Relist::DeviceHolds(vec![good.clone(), bad]))
        .unwrap_err();
    assert_eq!(error.path(), "[1].spec.count");
    let error = engine
        .replace(Relist::DeviceHolds(vec![good.clone(), good]))
        .unwrap_err();
    assert_eq!(
        (error.code(), error.path()),
        (Code::Duplicate, "[1].metadata")
    );
    assert_eq!(commit(&mut engine, &claim("a", 1, 1)), names(&["d0"]));
}
