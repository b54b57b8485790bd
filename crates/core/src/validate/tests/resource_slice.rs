//! Slices: pool, counters, types of partitions.

use serde_json::{Value, json};

use super::{all, list, map, table};
use crate::error::Code::{Duplicate, Invalid, LimitExceeded, Unsupported};
use crate::model::ResourceSlice;
use crate::validate::resource_slice;

/// A slice of one node with one device.
pub(super) fn base() -> Value {
    json!({
        "metadata": {"name": "node-1-gpus"},
        "spec": {
            "driver": "gpu.example.com",
            "pool": {"name": "node-1", "generation": 1, "resourceSliceCount": 1},
            "nodeName": "node-1",
            "devices": [{"name": "gpu-0"}],
        },
    })
}

pub(super) fn check(base: &Value, rows: &[super::Row]) {
    table(
        base,
        |item: &ResourceSlice| resource_slice(item, &all()),
        rows,
    );
}

#[test]
fn pools() {
    check(
        &base(),
        &[
            (
                json!({"/spec/driver": "GPU.example.com"}),
                json!({"/spec/driver": "d".repeat(64)}),
                "spec.driver",
                LimitExceeded,
                "expected at most 63 bytes, found 64",
            ),
            (
                json!({"/spec/pool/name": "a/b"}),
                json!({"/spec/pool/name": ""}),
                "spec.pool.name",
                Invalid,
                "expected DNS names separated by `/`, found ``",
            ),
            (
                json!({"/spec/pool/generation": 0}),
                json!({"/spec/pool/generation": -1}),
                "spec.pool.generation",
                Invalid,
                "expected 0 or more, found -1",
            ),
            (
                json!({"/spec/pool/resourceSliceCount": 2}),
                json!({"/spec/pool/resourceSliceCount": 0}),
                "spec.pool.resourceSliceCount",
                Invalid,
                "expected 1 or more, found 0",
            ),
            (
                json!({"/spec/skipNodeOperations": ["NodePrepareResources", "NodeUnprepareResources"]}),
                json!({"/spec/skipNodeOperations": ["NodeUnprepareResources", "Reboot"]}),
                "spec.skipNodeOperations[1]",
                Unsupported,
                "expected `NodePrepareResources`, `NodeUnprepareResources` or `*`, found `Reboot`",
            ),
            (
                json!({"/spec/skipNodeOperations": ["NodePrepareResources", "*"]}),
                json!({"/spec/skipNodeOperations": ["*", "*"]}),
                "spec.skipNodeOperations[1]",
                Duplicate,
                "duplicate `*`, expected each operation once",
            ),
        ],
    );
}

#[test]
fn shared_counters() {
    let mut base = base();
    base["spec"]["devices"] = json!([]);
    base["spec"]["sharedCounters"] =
        json!([{"name": "gpu-0", "counters": {"memory": {"value": "80Gi"}}}]);
    let set =
        |index: usize| json!({"name": format!("s{index}"), "counters": {"a": {"value": "1"}}});
    let counters = |length| map(length, |index| (format!("c{index}"), json!({"value": "1"})));
    check(
        &base,
        &[
            (
                json!({"/spec/sharedCounters": null}),
                json!({"/spec/devices": [{"name": "gpu-0"}]}),
                "spec",
                Invalid,
                "expected at most one of `sharedCounters` and `devices`, found both",
            ),
            (
                json!({"/spec/sharedCounters": list(8, set)}),
                json!({"/spec/sharedCounters": list(9, set)}),
                "spec.sharedCounters",
                LimitExceeded,
                "expected at most 8 counter sets, found 9",
            ),
            (
                json!({"/spec/sharedCounters": [set(0), set(1)]}),
                json!({"/spec/sharedCounters": [set(0), set(0)]}),
                "spec.sharedCounters[1]",
                Duplicate,
                "duplicate `s0`, expected each counter set once",
            ),
            (
                json!({"/spec/sharedCounters/0/name": "a"}),
                json!({"/spec/sharedCounters/0/name": "a.b"}),
                "spec.sharedCounters[0].name",
                Invalid,
                "expected a DNS label of lower-case letters, digits and `-`, found `a.b`",
            ),
            (
                json!({}),
                json!({"/spec/sharedCounters/0/counters": {}}),
                "spec.sharedCounters[0].counters",
                Invalid,
                "expected at least one counter, found none",
            ),
            (
                json!({"/spec/sharedCounters/0/counters": counters(32)}),
                json!({"/spec/sharedCounters/0/counters": counters(33)}),
                "spec.sharedCounters[0].counters",
                LimitExceeded,
                "expected at most 32 counters, found 33",
            ),
            (
                json!({"/spec/sharedCounters/0/counters/a-b": {"value": "1"}}),
                json!({"/spec/sharedCounters/0/counters/a_b": {"value": "1"}}),
                "spec.sharedCounters[0].counters",
                Invalid,
                "expected a DNS label of lower-case letters, digits and `-`, found `a_b`",
            ),
            (
                json!({"/spec/sharedCounters/0/counters/memory": {"value": "0"}}),
                json!({"/spec/sharedCounters/0/counters/memory": {"value": "-1"}}),
                "spec.sharedCounters[0].counters[memory].value",
                Invalid,
                "expected 0 or more, found `-1`",
            ),
        ],
    );
}

#[test]
fn numbers_of_devices() {
    let plain = |index: usize| json!({"name": format!("d{index}")});
    let with = |length, field: &'static str, value: Value| {
        let mut devices = list(length, plain);
        devices[3][field] = value;
        json!({"/spec/devices": devices})
    };
    let advanced = "expected at most 64 devices where some have taints, consume counters or have \
        lists as attributes, found 65";
    let taint = || json!([{"key": "a", "effect": "None"}]);
    let consumed = || json!([{"counterSet": "s", "counters": {"c": {"value": "1"}}}]);
    let attributes = || json!({"a": {"ints": [1]}});
    check(
        &base(),
        &[
            (
                json!({"/spec/devices": list(128, plain)}),
                json!({"/spec/devices": list(129, plain)}),
                "spec.devices",
                LimitExceeded,
                "expected at most 128 devices, found 129",
            ),
            (
                with(64, "taints", taint()),
                with(65, "taints", taint()),
                "spec.devices",
                LimitExceeded,
                advanced,
            ),
            (
                with(64, "consumesCounters", consumed()),
                with(65, "consumesCounters", consumed()),
                "spec.devices",
                LimitExceeded,
                advanced,
            ),
            (
                with(64, "attributes", attributes()),
                with(65, "attributes", attributes()),
                "spec.devices",
                LimitExceeded,
                advanced,
            ),
            (
                json!({"/spec/devices/-": {"name": "gpu-1"}}),
                json!({"/spec/devices/-": {"name": "gpu-0"}}),
                "spec.devices[1]",
                Duplicate,
                "duplicate `gpu-0`, expected each device once",
            ),
        ],
    );
}

#[test]
fn types_of_partitions() {
    let consumer = |attributes: Value| {
        json!({"/spec/partitionTypeAttribute": "gpu.example.com/profile", "/spec/devices/-": {
            "name": "part-0",
            "attributes": attributes,
            "consumesCounters": [{"counterSet": "s", "counters": {"c": {"value": "1"}}}],
        }})
    };
    let missing = "expected the string that `partitionTypeAttribute` names, found none";
    let place = "spec.devices[1].attributes[gpu.example.com/profile]";
    let mut malformed = consumer(json!({}));
    malformed["/spec/partitionTypeAttribute"] = json!("profile");
    check(
        &base(),
        &[
            (
                consumer(json!({"profile": {"string": "1g"}})),
                consumer(json!({})),
                place,
                Invalid,
                missing,
            ),
            (
                consumer(json!({"gpu.example.com/profile": {"string": "1g"}})),
                consumer(json!({"gpu.example.com/profile": {"int": 1}})),
                place,
                Invalid,
                missing,
            ),
            (
                json!({}),
                json!({"/spec/partitionTypeAttribute": "gpu.example.com/profile"}),
                "spec.partitionTypeAttribute",
                Invalid,
                "expected no type of partition where no device consumes counters",
            ),
            (
                json!({}),
                malformed,
                "spec.partitionTypeAttribute",
                Invalid,
                "expected a domain and a name separated by `/`, found `profile`",
            ),
        ],
    );
}
