//! A node with pools of a few devices, of which something is asked in each way.

use std::fmt::Debug;

use dralloc::model::{DeviceClass, Node, ResourceSlice};
use dralloc::{AllocateOptions, Change, Engine, Features, Policy};
use serde_json::{Value, json};

/// Who publishes the devices.
pub(crate) const DRIVER: &str = "d.example.com";

/// Returns an engine with a class `any` and a node `node`, which has pools `p00` and so
/// on of some devices each, all with the same counter sets, if there are any.
pub(crate) fn with_pools(features: Features, pools: &[Vec<Value>], counters: &Value) -> Engine {
    let mut engine = Engine::new(features);
    let mut class = DeviceClass::default();
    class.metadata.name = "any".into();
    engine.apply(Change::DeviceClass(class)).unwrap();
    engine.apply(Change::Node(Node::new("node", []))).unwrap();
    for (place, devices) in pools.iter().enumerate() {
        let pool = format!("p{place:02}");
        let parts = [
            ("devices", json!(devices)),
            ("sharedCounters", counters.clone()),
        ];
        let count = 1 + usize::from(!counters.is_null());
        for (part, content) in parts.into_iter().take(count) {
            let mut slice = json!({"metadata": {"name": format!("{pool}-{part}")},
                "spec": {"driver": DRIVER, "nodeName": "node", "pool": {
                    "name": pool, "generation": 1, "resourceSliceCount": count}}});
            slice["spec"][part] = content;
            let slice: ResourceSlice = serde_json::from_value(slice).unwrap();
            engine.apply(Change::ResourceSlice(slice)).unwrap();
        }
    }
    engine
}

/// Asks in each way that there is, and returns what all of them say.
pub(crate) fn in_each_way<T: PartialEq + Debug>(ask: impl Fn(&AllocateOptions<'_>) -> T) -> T {
    let usual = AllocateOptions::new().policy(&Policy::Kubernetes);
    let answer = ask(&usual.shortcuts(false));
    assert_eq!(ask(&usual), answer, "the short way");
    assert_eq!(ask(&usual.many(true)), answer, "the way for many devices");
    answer
}
