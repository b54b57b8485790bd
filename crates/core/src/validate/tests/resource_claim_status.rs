//! What was given for claims.

use serde_json::{Value, json};

use super::{all, list, resource_claim, table};
use crate::error::Code::{Duplicate, Invalid, LimitExceeded, Unsupported};
use crate::model::ResourceClaim;

fn base() -> Value {
    let mut base = resource_claim::base();
    base["status"] = json!({
        "reservedFor": [{"resource": "pods", "name": "p", "uid": "u"}],
        "allocation": {
            "devices": {
                "results": [
                    {"request": "gpu", "driver": "gpu.example.com", "pool": "node-1", "device": "gpu-0"},
                    {"request": "nic/fast", "driver": "nic.example.com", "pool": "node-1", "device": "nic-0"},
                ],
                "config": [{"source": "FromClass", "requests": ["gpu"],
                    "opaque": {"driver": "gpu.example.com", "parameters": {}}}],
            },
            "nodeSelector": {"nodeSelectorTerms": [{"matchFields":
                [{"key": "metadata.name", "operator": "In", "values": ["node-1"]}]}]},
        },
    });
    base
}

#[test]
fn of_claims() {
    let result = "/status/allocation/devices/results/0";
    let at = |field: &str, value: Value| json!({ format!("{result}/{field}"): value });
    let share = |index: usize| {
        json!({"request": "gpu", "driver": "gpu.example.com", "pool": "node-1", "device": "gpu-0",
            "shareID": format!("00000000-0000-4000-8000-0000000000{index:02}")})
    };
    let user = |index: usize| json!({"resource": "pods", "name": "p", "uid": format!("u{index}")});
    let mut config = base()["status"]["allocation"]["devices"]["config"][0].clone();
    config["source"] = json!("FromClaim");
    table(
        &base(),
        |claim: &ResourceClaim| crate::validate::resource_claim(claim, &all()),
        &[
            (
                json!({"/status/reservedFor": list(256, user)}),
                json!({"/status/reservedFor": list(257, user)}),
                "status.reservedFor",
                LimitExceeded,
                "expected at most 256 users, found 257",
            ),
            (
                json!({"/status/reservedFor": [user(0), user(1)]}),
                json!({"/status/reservedFor": [user(0), user(0)]}),
                "status.reservedFor[1]",
                Duplicate,
                "duplicate `u0`, expected each uid once",
            ),
            (
                json!({}),
                json!({"/status/reservedFor/0/name": ""}),
                "status.reservedFor[0].name",
                Invalid,
                "expected the name of the user, found none",
            ),
            (
                json!({"/status/allocation": null, "/status/reservedFor": null}),
                json!({"/status/allocation": null}),
                "status.reservedFor",
                Invalid,
                "expected no users of a claim that is not allocated",
            ),
            (
                json!({"/status/allocation/devices/results": list(32, share)}),
                json!({"/status/allocation/devices/results": list(33, share)}),
                "status.allocation.devices.results",
                LimitExceeded,
                "expected at most 32 results, found 33",
            ),
            (
                at("request", json!("nic")),
                at("request", json!("gpu/fast")),
                "status.allocation.devices.results[0].request",
                Invalid,
                "expected the name of a request of the claim or `request/subrequest`, found `gpu/fast`",
            ),
            (
                at("driver", json!("GPU")),
                at("driver", json!("")),
                "status.allocation.devices.results[0].driver",
                Invalid,
                "expected a DNS name of letters, digits, `-` and `.`, found ``",
            ),
            (
                at("pool", json!("a/b")),
                at("pool", json!("a/")),
                "status.allocation.devices.results[0].pool",
                Invalid,
                "expected DNS names separated by `/`, found `a/`",
            ),
            (
                at("device", json!("x")),
                at("device", json!("x.y")),
                "status.allocation.devices.results[0].device",
                Invalid,
                "expected a DNS label of lower-case letters, digits and `-`, found `x.y`",
            ),
            (
                json!({"/status/allocation/devices/results": [share(1), share(2)]}),
                json!({"/status/allocation/devices/results": [share(1), share(1)]}),
                "status.allocation.devices.results[1]",
                Duplicate,
                "duplicate device `gpu-0`, expected each share once",
            ),
            (
                at("shareID", json!("00000000-0000-4000-8000-00000000000a")),
                at("shareID", json!("00000000-0000-4000-8000-00000000000A")),
                "status.allocation.devices.results[0].shareID",
                Invalid,
                "expected a UUID in lower case, found `00000000-0000-4000-8000-00000000000A`",
            ),
            (
                at("tolerations", json!([{"operator": "Exists"}])),
                at("tolerations", json!([{"operator": ""}])),
                "status.allocation.devices.results[0].tolerations[0].operator",
                Unsupported,
                "expected `Equal` or `Exists`, found ``",
            ),
            (
                at("skipNodeOperations", json!(["*"])),
                at("skipNodeOperations", json!(["NodePrepareResources"])),
                "status.allocation.devices.results[0].skipNodeOperations",
                Invalid,
                "expected `NodeUnprepareResources` beside `NodePrepareResources`",
            ),
            (
                json!({"/status/allocation/devices/config": list(64, |_| config.clone())}),
                json!({"/status/allocation/devices/config": list(65, |_| config.clone())}),
                "status.allocation.devices.config",
                LimitExceeded,
                "expected at most 64 configurations, found 65",
            ),
            (
                json!({"/status/allocation/devices/config/0/source": "FromClaim"}),
                json!({"/status/allocation/devices/config/0/source": "FromPod"}),
                "status.allocation.devices.config[0].source",
                Unsupported,
                "expected `FromClass` or `FromClaim`, found `FromPod`",
            ),
            (
                json!({"/status/allocation/nodeSelector": null}),
                json!({"/status/allocation/nodeSelector/nodeSelectorTerms": []}),
                "status.allocation.nodeSelector.nodeSelectorTerms",
                Invalid,
                "expected at least one term, found none",
            ),
        ],
    );
}
