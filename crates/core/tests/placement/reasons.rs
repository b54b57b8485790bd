//! Why nothing fits.

use super::*;

#[test]
fn a_level_that_nothing_publishes_is_the_reason() {
    let root = |name: &str| {
        json!({"name": name, "attributes":
            {"resource.kubernetes.io/pcieRoot": {"string": "pci0000:01"}}})
    };
    let world = World::new(vec![root("a")], vec![json!({"name": "d"})]);
    let both = claim(&[("gpu", 1), ("nic", 1)], &required("pcieRoot"));
    assert_eq!(
        world.explain(&both),
        "request `nic`: 1 device needed, 0 can serve (1 refused by a selector, 1 in no place \
         that a policy compares); no release would help"
    );
}

#[test]
fn the_best_ring_is_told_beside_the_one_that_is_wanted() {
    let text = include_str!("../../../../testdata/topologies/dgx1-v100.json");
    let mut world = World::of_file(text);
    let ring = |count, rate: &str| claim(&[("gpu", count)], &json!({"minRingGBps": rate}));
    assert_eq!(
        world.explain(&ring(8, "150500m")),
        "request `gpu`: rings of at least 150.5 GB/s needed; the best of 8 devices have 150 GB/s; \
         no release would help"
    );
    world.hold(&["gpu2", "gpu3", "gpu4", "gpu5", "gpu6", "gpu7"]);
    assert_eq!(
        world.explain(&ring(2, "40")),
        "request `gpu`: rings of at least 40 GB/s needed; the best of 2 devices that are free have \
         25 GB/s; if claim `x/holder` were released the best rings would have 50 GB/s"
    );
}

#[test]
fn levels_are_named_with_what_they_have() {
    let world = pairs();
    for (policy, text) in [
        (
            required("pcieSwitch"),
            "request `gpu`: 3 devices need `pcieSwitch` equal; the largest group has 2; \
             no release would help",
        ),
        (
            json!({"unit": {"requests": {"gpu": 3, "nic": 1}, "scope": "pcieSwitch",
                "mode": "required"}}),
            "request `gpu`: 3 devices needed, 0 can be had at once; wanted: units of 3 `gpu` and \
             1 `nic` in one `pcieSwitch` each; no release would help",
        ),
    ] {
        let both = claim(&[("gpu", 3), ("nic", 1)], &policy);
        assert_eq!(world.explain(&both), text);
    }
}

#[test]
fn sets_that_a_machine_allows_are_a_reason() {
    let text = include_str!("../../../../testdata/topologies/hgx-h100-fm-shared-nvswitch.json");
    let world = World::of_file(text);
    let three = claim(&[("gpu", 3)], &json!({"policy": "kubernetes"}));
    assert_eq!(
        world.explain(&three),
        "request `gpu`: 3 devices needed, 2 can be had at once; the machine allows only some \
         sets of devices; no release would help"
    );
}

#[test]
fn links_are_a_reason() {
    let text = include_str!("../../../../testdata/topologies/a100-pcie-x8-bridge-pairs.json");
    let world = World::of_file(text);
    let three = claim(&[("gpu", 3)], &required("nvLink"));
    assert_eq!(
        world.explain(&three),
        "request `gpu`: 3 devices needed, 2 can be had at once; wanted: `nvLink` between each \
         two devices; no release would help"
    );
}
