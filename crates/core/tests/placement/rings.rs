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
