//! `dralloc dump`, and `dralloc replay` of traces.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::sync::{Arc, Mutex};

use common::{dralloc, dralloc_with};
use dralloc::model::Node;
use dralloc::{Change, Engine, Features, Recorder};

const CLUSTER: &str = r"
apiVersion: v1
kind: Node
metadata: {name: node-1, labels: {zone: a}}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: d
  nodeName: node-1
  pool: {name: p, generation: 1, resourceSliceCount: 1}
  devices: [{name: d0}, {name: d1}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: a, uid: uid-a, resourceVersion: '7'}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}
status:
  allocation: {devices: {results: [{request: r, driver: d, pool: p, device: d0}]}}
  reservedFor: [{resource: pods, name: pod, uid: uid-pod}]
";

#[test]
fn objects_are_dumped() {
    let arguments = ["dump", "--kubernetes-version", "1.36", "-f", "-"];
    let run = dralloc_with(&arguments, CLUSTER);
    insta::assert_snapshot!(run.text(), @r#"
    {
      "apiVersion": "dralloc.dev/v1alpha1",
      "kind": "Dump",
      "revision": 4,
      "features": {"kubernetesMinor":36,"relaxedSelectors":false,"gates":{"DRAAdminAccess":true,"DRAConsumableCapacity":true,"DRADerivedAttributes":false,"DRADeviceBindingConditions":true,"DRADeviceCompatibilityGroups":false,"DRADeviceTaints":true,"DRAExtendedResource":true,"DRAFractionalCapacityRange":false,"DRAListTypeAttributes":false,"DRAOptionalNodeOperations":false,"DRAPartitionableDevices":true,"DRAPrioritizedList":true}},
      "nodes": [
        {"apiVersion":"v1","kind":"Node","metadata":{"name":"node-1","labels":{"zone":"a"}},"spec":{},"status":{}}
      ],
      "deviceClasses": [
        {"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"gpu"},"spec":{}}
      ],
      "resourceSlices": [
        {"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"s"},"spec":{"driver":"d","pool":{"name":"p","generation":1,"resourceSliceCount":1},"nodeName":"node-1","devices":[{"name":"d0"},{"name":"d1"}]}}
      ],
      "holdings": [
        {"owner":"uid-a","has":{"devices":[{"driver":"d","pool":"p","device":"d0"}],"reservedFor":["uid-pod"],"allocation":{"devices":{"results":[{"request":"r","driver":"d","pool":"p","device":"d0"}]}}}}
      ],
      "claims": [
        {"name":"default/a","uid":"uid-a","resourceVersion":"7"}
      ]
    }
    exit code 0
    "#);
    let engine = Engine::load(&run.output).unwrap();
    assert_eq!(engine.dump() + "\n", run.output);
}

#[test]
fn what_cannot_be_dumped_is_said() {
    insta::assert_snapshot!(dralloc_with(&["dump", "-f", "-"], "kind: [").text(), @r#"
    stderr: error: <stdin>:1:7: not valid YAML: unclosed bracket '['
    exit code 2
    "#);
    insta::assert_snapshot!(dralloc(&["dump", "-f", "missing.yaml"]).text(), @r#"
    stderr: error: missing.yaml: cannot be read: No such file or directory (os error 2)
    exit code 2
    "#);
}

/// The trace of a host that knows one node and asks for another.
fn trace() -> String {
    let lines = Arc::new(Mutex::new(String::new()));
    let sink = Arc::clone(&lines);
    let mut recorder = Recorder::new(Engine::new(Features::all()), move |line| {
        let mut lines = sink.lock().unwrap();
        lines.push_str(line);
        lines.push('\n');
    });
    recorder.apply(Change::Node(Node::new("n", []))).unwrap();
    let mut transaction = recorder.snapshot().transaction();
    transaction.remove_node("m").unwrap_err();
    drop(transaction);
    drop(recorder);
    let lines = lines.lock().unwrap();
    lines.clone()
}

#[test]
fn traces_are_replayed() {
    let trace = trace();
    insta::assert_snapshot!(dralloc_with(&["replay", "-"], &format!("\n{trace}")).text(), @r#"
    {"lines":8,"stopped":0}
    exit code 0
    "#);
    let tampered = trace.replace("no node", "some node");
    insta::assert_snapshot!(dralloc_with(&["replay", "-"], &tampered).text(), @r#"
    {"line":6,"call":"removeNode","recorded":{"error":{"code":"not-found","message":"some node `m`, expected the name of one that exists","path":"node","scope":"node"}},"replayed":{"error":{"code":"not-found","message":"no node `m`, expected the name of one that exists","path":"node","scope":"node"}}}
    exit code 1
    "#);
    let unknown = trace.replace("removeNode", "dropNode");
    insta::assert_snapshot!(dralloc_with(&["replay", "-"], &unknown).text(), @r#"
    stderr: error: line 6.call: unknown call `dropNode`, expected one of a trace
    exit code 2
    "#);
}
