//! What rings must carry.

use super::*;

#[test]
fn a_broken_device_is_never_in_a_ring() {
    let text = include_str!("../../../../testdata/topologies/hgx-b200-gpu2-nvlink-down.json");
    let world = World::of_file(text);
    let found = |count| world.devices(&claim(&[("gpu", count)], &json!({"minRingGBps": 200})));
    for count in 2..=7 {
        let devices = found(count).unwrap();
        assert_eq!(devices.len(), count as usize);
        assert!(!devices.contains(&"gpu2".to_owned()), "{devices:?}");
    }
    assert_eq!(found(1).unwrap(), ["gpu0"]);
    assert_eq!(found(8), None);
}

#[test]
fn rates_are_compared_exactly() {
    let text = include_str!("../../../../testdata/topologies/dgx1-v100.json");
    let world = World::of_file(text);
    let found = |rate: &str| world.devices(&claim(&[("gpu", 8)], &json!({"minRingGBps": rate})));
    assert!(found("150").is_some());
    assert_eq!(found("150.000000001"), None);
}

#[test]
fn a_part_of_an_allowed_set_may_have_a_ring() {
    let text = include_str!("../../../../testdata/topologies/hgx-h100-fm-shared-nvswitch.json");
    let world = World::of_file(text);
    let request = |name: &str, count: u32| {
        json!({"name": name, "exactly":
            {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": count}})
    };
    let parameters = json!({"apiVersion": "dralloc.dev/v1alpha1", "kind": "PlacementPolicy",
        "minRingGBps": 1});
    let claim = json!({"metadata": {"name": "c", "namespace": "x"}, "spec": {"devices": {
        "requests": [request("a", 3), request("b", 1)],
        "config": [{"requests": ["a"],
            "opaque": {"driver": "dralloc.dev", "parameters": parameters}}]}}});
    let claim: ResourceClaim = serde_json::from_value(claim).unwrap();
    assert_eq!(
        world.devices(&claim).unwrap(),
        ["gpu0", "gpu1", "gpu2", "gpu3"]
    );
}
