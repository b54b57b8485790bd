//! What a call takes from the heap, once a workspace is warm.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests end where they fail"
)]

use dralloc::model::{DeviceClass, Node, ResourceClaim, ResourceSlice};
use dralloc::wire::from_json;
use dralloc::{AllocateOptions, Change, Engine, Features, Outcome, Snapshot, Workspace};

#[global_allocator]
static COUNTER: dralloc_testkit::heap::Counter = dralloc_testkit::heap::Counter;

/// Eight GPUs on two roots, of which each is a whole and two halves.
fn slices(node: &str) -> [ResourceSlice; 2] {
    let mut devices = Vec::new();
    let mut sets = Vec::new();
    for gpu in 0..8 {
        sets.push(format!(
            r#"{{"name":"gpu-{gpu}","counters":{{"memory":{{"value":"80Gi"}}}}}}"#
        ));
        for (name, kind, memory) in [("", "gpu", 80), ("-a", "half", 40), ("-b", "half", 40)] {
            devices.push(format!(
                r#"{{"name":"gpu-{gpu}{name}","attributes":{{"type":{{"string":"{kind}"}},
                "root":{{"string":"pci-{}"}},"uuid":{{"string":"{node}-{gpu}{name}"}}}},
                "consumesCounters":[{{"counterSet":"gpu-{gpu}",
                "counters":{{"memory":{{"value":"{memory}Gi"}}}}}}]}}"#,
                gpu / 4
            ));
        }
    }
    let slice = |kind: &str, content: String| {
        from_json(&format!(
            r#"{{"metadata":{{"name":"{node}-{kind}"}},"spec":{{"driver":"gpu.example.com",
            "nodeName":"{node}",
            "pool":{{"name":"{node}","generation":1,"resourceSliceCount":2}},{content}}}}}"#
        ))
        .unwrap()
    };
    [
        slice("devices", format!(r#""devices":[{}]"#, devices.join(","))),
        slice(
            "counters",
            format!(r#""sharedCounters":[{}]"#, sets.join(",")),
        ),
    ]
}

fn snapshot() -> Snapshot {
    let mut engine = Engine::new(Features::all());
    let mut class = DeviceClass::default();
    class.metadata.name = "gpu".into();
    engine.apply(Change::DeviceClass(class)).unwrap();
    engine.apply(Change::Node(Node::new("node", []))).unwrap();
    for slice in slices("node") {
        engine.apply(Change::ResourceSlice(slice)).unwrap();
    }
    engine.snapshot()
}

fn request(name: &str, kind: &str, count: usize) -> String {
    format!(
        r#"{{"name":"{name}","exactly":{{"deviceClassName":"gpu","allocationMode":"ExactCount",
        "count":{count},"selectors":[{{"cel":{{"expression":
        "device.attributes['gpu.example.com'].type == '{kind}'"}}}}]}}}}"#
    )
}

/// Names of the devices, and how often the warm call took memory.
fn call(requests: &[String], constraints: &str) -> (Option<Vec<String>>, usize) {
    let snapshot = snapshot();
    let claim: ResourceClaim = from_json(&format!(
        r#"{{"metadata":{{"name":"c","namespace":"n"}},
        "spec":{{"devices":{{"requests":[{}],"constraints":[{constraints}]}}}}}}"#,
        requests.join(",")
    ))
    .unwrap();
    let claims = snapshot.prepare(&[claim]).unwrap();
    let (transaction, mut workspace) = (snapshot.transaction(), Workspace::new());
    let options = AllocateOptions::new();
    let mut ask = || transaction.consider("node", &claims, &options, &mut workspace);
    drop(ask());
    let (answer, usage) = dralloc_testkit::heap::measured(ask);
    let devices = match answer {
        Ok(Outcome::Optimal(allocation)) => {
            let devices = allocation.devices();
            Some(devices.map(|one| one.device.device.to_string()).collect())
        }
        Ok(Outcome::Infeasible(_)) => None,
        other => panic!("{other:?}"),
    };
    (devices, usage.allocations)
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// An answer is one piece of memory, which its host and the books share: copies of it
/// would have threads count the same names. Nothing else is taken, and a "no" takes nothing.
#[test]
fn usual_questions_take_memory_for_the_answer_only() {
    let gpu = |count| request("gpu", "gpu", count);
    let root = r#"{"matchAttribute":"gpu.example.com/root"}"#;
    assert_eq!(call(&[gpu(1)], ""), (Some(names(&["gpu-0"])), 1));
    let (all, allocations) = call(&[gpu(8)], "");
    assert_eq!((all.map(|all| all.len()), allocations), (Some(8), 1));
    assert_eq!(call(&[gpu(2)], root), (Some(names(&["gpu-0", "gpu-1"])), 1));
    assert_eq!(call(&[gpu(9)], ""), (None, 0));
    let mix = [gpu(1), request("half", "half", 3)];
    let expected = names(&["gpu-0", "gpu-1-a", "gpu-1-b", "gpu-2-a"]);
    assert_eq!(call(&mix, root), (Some(expected), 1));
}
