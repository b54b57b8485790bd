//! How many documents are asked, and what stays as it is when one changes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dralloc_topology::Unwatched;
use serde_json::{Value, json};

use super::Topologies;
use crate::budget::Budget;
use crate::engine::{Change, Engine, Snapshot};
use crate::features::Features;
use crate::model::{Node, Str};
use crate::outcome::StopCause;
use crate::store::NodeView;
use crate::topology::{Graph, Machine, Machines};

fn read<T: serde::de::DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap()
}

/// Returns nodes `n-0` and so on, of two devices each, which have the same addresses on
/// all of them.
fn nodes(count: usize) -> Snapshot {
    let mut engine = Engine::new(Features::all());
    for node in 0..count {
        let name = format!("n-{node}");
        let devices: Vec<Value> = (0..2)
            .map(|device| {
                json!({"name": format!("gpu-{device}"), "attributes": {
                    "uuid": {"string": format!("GPU-{node}-{device}")},
                    "resource.kubernetes.io/pciBusID": {"string": format!("0000:0{device}:00.0")},
                }})
            })
            .collect();
        engine.apply(Change::Node(Node::new(&name, []))).unwrap();
        let pool = json!({"name": name, "generation": 1, "resourceSliceCount": 1});
        engine
            .apply(Change::ResourceSlice(read(&json!({
                "metadata": {"name": name},
                "spec": {"driver": "gpu.example.com", "nodeName": name, "pool": pool,
                         "devices": devices},
            }))))
            .unwrap();
    }
    engine.snapshot()
}

fn view(snapshot: &Snapshot, node: usize) -> &NodeView {
    snapshot.inventory.view(&format!("n-{node}")).unwrap()
}

/// Returns a document of a node, whose devices are named, show a value that no other
/// shows, or have an address on a host with the name of the node.
fn document(node: usize, way: usize) -> Graph {
    let vertices = (0..2).map(|device| {
        let mut vertex = json!({"id": format!("g{device}"), "kind": "gpu"});
        match way % 3 {
            0 => vertex["device"] = json!(format!("gpu.example.com/n-{node}/gpu-{device}")),
            1 => {
                vertex["match"] = json!({"attribute": "uuid",
                    "value": format!("GPU-{node}-{device}")});
            }
            _ => {
                vertex["match"] = json!({"attribute": "resource.kubernetes.io/pciBusID",
                    "value": format!("0000:0{device}:00.0")});
            }
        }
        vertex
    });
    let mut vertices: Vec<Value> = vertices.collect();
    vertices.push(json!({"id": "host", "kind": "host", "name": format!("n-{node}")}));
    let link = |device: usize| json!({"a": format!("g{device}"), "b": "host", "type": "PCIe"});
    let links = [link(0), link(1)];
    Graph::new(&read(&json!({"vertices": vertices, "links": links}))).unwrap()
}

fn name(node: usize) -> Str {
    format!("t-{node:04}").into()
}

/// Returns a document for each node, in all ways.
fn documents(count: usize) -> Topologies {
    let mut topologies = Topologies::default();
    for node in 0..count {
        topologies.exchange(&name(node), Some(document(node, node)));
    }
    topologies
}

/// Asks all documents, the first by name before others.
fn first_of_all(topologies: &Topologies, view: &NodeView) -> Option<Arc<Graph>> {
    let mut graphs = topologies.graphs.values();
    let first = graphs.find(|graph| graph.bind(view).iter().any(Option::is_some));
    first.cloned()
}

fn found(topologies: &Topologies, view: &NodeView) -> Option<Arc<Graph>> {
    let Ok(found) = topologies.document(view, &mut Unwatched);
    found.map(|found| found.graph)
}

#[test]
fn a_node_asks_no_document_but_its_own() {
    let count = 600;
    let snapshot = nodes(count);
    let topologies = documents(count);
    for node in 0..count {
        let view = view(&snapshot, node);
        let asked = topologies.index.documents(view);
        assert_eq!(asked.into_iter().collect::<Vec<_>>(), [&name(node)]);
    }
}

#[test]
fn it_is_the_first_document_that_knows_a_device() {
    let snapshot = nodes(12);
    let mut state = 1_u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(state >> 33).unwrap() % below
    };
    let mut topologies = Topologies::default();
    let mut known = 0;
    for _ in 0..400 {
        let graph = (random(3) > 0).then(|| document(random(12), random(3)));
        topologies.exchange(&name(random(20)), graph);
        for node in 0..12 {
            let view = view(&snapshot, node);
            let found = found(&topologies, view);
            known += usize::from(found.is_some());
            let expected = first_of_all(&topologies, view);
            assert_eq!(
                found.as_ref().map(Arc::as_ptr),
                expected.as_ref().map(Arc::as_ptr)
            );
        }
    }
    assert!(known > 1000, "{known}");
    for document in 0..20 {
        topologies.exchange(&name(document), None);
    }
    // Nothing is left of what was taken away.
    for node in 0..12 {
        assert!(topologies.index.documents(view(&snapshot, node)).is_empty());
    }
}

#[test]
fn a_change_makes_those_machines_anew_that_it_concerns() {
    let snapshot = nodes(30);
    let mut topologies = documents(20);
    let mut machines = Machines::default();
    let all = |machines: &mut Machines, topologies: &Topologies| {
        let machine = |node: usize| {
            let view = view(&snapshot, node);
            let Ok(machine) = machines.get(view, topologies, &mut Unwatched);
            machine
        };
        (0..30).map(machine).collect::<Vec<Arc<Machine>>>()
    };
    let mut before = all(&mut machines, &topologies);
    let mut changed = |topologies: &Topologies| {
        let now = all(&mut machines, topologies);
        let pairs = before.iter().zip(&now).enumerate();
        let others = pairs.filter(|(_, (before, now))| !Arc::ptr_eq(before, now));
        let others: Vec<usize> = others.map(|(node, _)| node).collect();
        before = now;
        others
    };
    assert_eq!(changed(&topologies), [0; 0]);
    // Another document in the place of one.
    topologies.exchange(&name(7), Some(document(7, 0)));
    assert_eq!(changed(&topologies), [7]);
    // One that knows two nodes, of which one had none and one has an earlier one.
    topologies.exchange(&name(9), Some(document(25, 0)));
    assert_eq!(changed(&topologies), [9, 25]);
    topologies.exchange(&name(25), Some(document(3, 1)));
    assert_eq!(changed(&topologies), [0; 0]);
    topologies.exchange(&"before".into(), Some(document(3, 2)));
    assert_eq!(changed(&topologies), [3]);
    topologies.exchange(&"before".into(), None);
    assert_eq!(changed(&topologies), [3]);
    // Who asks other topologies in between gets those, and then the same again.
    let before = topologies.clone();
    topologies.exchange(&name(11), None);
    assert_eq!(changed(&topologies), [11]);
    assert_eq!(changed(&before), [11]);
}

#[test]
fn a_machine_that_is_stopped_is_not_kept() {
    let snapshot = nodes(1);
    let topologies = documents(1);
    let mut machines = Machines::default();
    let cancel = AtomicBool::new(true);
    let budget = Budget::new().cancel(&cancel);
    let mut get = || machines.get(view(&snapshot, 0), &topologies, &mut budget.meter());
    assert_eq!(get().unwrap_err(), StopCause::Cancelled);
    cancel.store(false, Ordering::Relaxed);
    assert!(get().unwrap().topology().is_some());
}
