//! How much is used: of cards that are divided or shared, and while features are off.

use crate::common::dralloc_with;
use crate::inventory;

/// A card of which claims share half, one that is divided and of which a third is taken, and
/// one as a whole, all of one node.
const CARDS: &str = "
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: shared}
spec:
  driver: shared.example.com
  nodeName: worker-1
  pool: {name: worker-1, generation: 1, resourceSliceCount: 1}
  devices:
  - name: gpu-0
    allowMultipleAllocations: true
    attributes: {productName: {string: 共有 S80}}
    capacity:
      memory: {value: 80Gi, requestPolicy: {default: 10Gi, validRange: {min: 10Gi}}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: counters}
spec:
  driver: gpu.example.com
  nodeName: worker-1
  pool: {name: worker-1, generation: 1, resourceSliceCount: 2}
  sharedCounters:
  - {name: card-0, counters: {slices: {value: '3'}}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: devices}
spec:
  driver: gpu.example.com
  nodeName: worker-1
  pool: {name: worker-1, generation: 1, resourceSliceCount: 2}
  devices:
  - name: card-0
    attributes: {productName: {string: 分割 G40}, type: {string: gpu}}
    consumesCounters: [{counterSet: card-0, counters: {slices: {value: '3'}}}]
  - name: card-0-0
    attributes: {productName: {string: 分割 G40}, type: {string: third}}
    consumesCounters: [{counterSet: card-0, counters: {slices: {value: '1'}}}]
  - name: card-0-1
    attributes: {productName: {string: 分割 G40}, type: {string: third}}
    consumesCounters: [{counterSet: card-0, counters: {slices: {value: '1'}}}]
  - name: card-0-2
    attributes: {productName: {string: 分割 G40}, type: {string: third}}
    consumesCounters: [{counterSet: card-0, counters: {slices: {value: '1'}}}]
  - name: card-1
    attributes: {productName: {string: Whole G80}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: a, uid: uid-a}
spec:
  devices:
    requests:
    - {name: r, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}
status:
  allocation:
    devices:
      results:
      - {request: r, driver: shared.example.com, pool: worker-1, device: gpu-0,
         shareID: 7d9d8f4c-6a0e-4a2f-9a5e-0c4e5a3b2d11, consumedCapacity: {memory: 40Gi}}
      - {request: r, driver: gpu.example.com, pool: worker-1, device: card-0-0}
";

fn usage(arguments: &[&str]) -> String {
    dralloc_with(&[&["inventory", "-f", "-"], arguments].concat(), CARDS).text()
}

/// Half of the shared card, a third of the one that is divided, and nothing of the third: of
/// three cards that is 27%.
#[test]
fn a_card_counts_once_with_what_is_taken_of_it() {
    insta::assert_snapshot!("usage.by-product", usage(&["--by", "product"]));
    let json: serde_json::Value =
        serde_json::from_str(&dralloc_with(&["inventory", "-f", "-", "-o", "json"], CARDS).output)
            .unwrap();
    assert_eq!(json["total"]["usedPercent"], 27);
    assert_eq!(json["gatesOff"], serde_json::json!([]));
}

#[test]
fn while_features_are_off_devices_count_as_a_scheduler_sees_them() {
    let off = "DRAPartitionableDevices=false,DRAConsumableCapacity=false";
    let arguments = ["--by", "product", "--feature-gates", off];
    insta::assert_snapshot!("usage.features-off", usage(&arguments));
    let text = inventory(&["-o", "json", "--kubernetes-version", "1.35"]);
    let json = text.strip_suffix("exit code 0").unwrap();
    let json: serde_json::Value = serde_json::from_str(json).unwrap();
    assert_eq!(
        json["gatesOff"],
        serde_json::json!([{"gate": "DRAPartitionableDevices", "devices": 6}])
    );
    // Taints count for nothing, and what is shared is held.
    assert_eq!(
        (&json["total"]["tainted"], &json["total"]["shared"]),
        (&0.into(), &0.into())
    );
}
