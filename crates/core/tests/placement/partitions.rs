//! Fabric partitions that devices publish.

use super::*;

/// A box of eight GPUs with the partitions of NVIDIA's Fabric Manager: all, two halves,
/// four pairs and each alone. Halves and pairs do not follow the order of the devices.
fn board() -> World {
    let gpu = |number: usize, module: i64| {
        let half = i64::from(module > 4);
        let pair = [[0, 1, 0, 1], [2, 3, 2, 3]][usize::from(module > 4)]
            [usize::try_from((module - 1) % 4).unwrap()];
        json!({"name": format!("gpu{number}"), "attributes": {
            "gpuModuleID": {"int": module},
            "partition8": {"int": 0}, "partition4": {"int": 1 + half},
            "partition2": {"int": 3 + pair}, "partition1": {"int": 6 + module}}})
    };
    let modules = [5, 7, 6, 8, 1, 3, 2, 4];
    let gpus = modules.into_iter().enumerate();
    let gpus = gpus.map(|(number, module)| gpu(number, module)).collect();
    World::new(gpus, vec![json!({"name": "nic0"})])
}

fn whole(count: u32) -> ResourceClaim {
    claim(
        &[("gpu", count), ("nic", 1)],
        &json!({"fabricPartition": "required"}),
    )
}

#[test]
fn devices_are_one_partition_that_they_publish() {
    let mut world = board();
    assert_eq!(world.devices(&whole(2)).unwrap(), ["gpu0", "gpu1", "nic0"]);
    assert_eq!(world.devices(&whole(3)), None);
    world.hold(&["gpu0"]);
    assert_eq!(world.devices(&whole(2)).unwrap(), ["gpu2", "gpu3", "nic0"]);
    let half = ["gpu4", "gpu5", "gpu6", "gpu7", "nic0"];
    assert_eq!(world.devices(&whole(4)).unwrap(), half);
    assert_eq!(world.devices(&whole(8)), None);
    // Without the policy the answer is the first there is.
    let plain = claim(&[("gpu", 2)], &json!({"policy": "kubernetes"}));
    assert_eq!(world.devices(&plain).unwrap(), ["gpu1", "gpu2"]);
}

/// Each claim is prepared by itself, so each has a partition.
#[test]
fn each_claim_has_a_partition_of_its_own() {
    let world = board();
    let gpus = || claim(&[("gpu", 2)], &json!({"fabricPartition": "required"}));
    let mut other = gpus();
    other.metadata.name = "d".into();
    let outcome = world.ask(&[gpus(), other]);
    assert_eq!(
        devices(outcome.allocation().unwrap()),
        ["gpu0", "gpu1", "gpu2", "gpu3"]
    );
}

#[test]
fn a_partition_of_which_a_device_is_missing_is_none() {
    let gpu = |name: &str, attributes: Value| json!({"name": name, "attributes": attributes});
    let in_two = || json!({"partition3": {"int": 2}, "partition2": {"int": 1}});
    // The third device says nothing; a text and a size with a zero are no partition.
    let odd = json!({"partition2": {"string": "4"}, "partition02": {"int": 1}});
    let gpus = vec![
        gpu("gpu0", json!({})),
        gpu("gpu1", in_two()),
        gpu("gpu2", in_two()),
        gpu("gpu3", odd),
    ];
    let world = World::new(gpus, vec![json!({"name": "nic0"})]);
    assert_eq!(world.devices(&whole(3)), None);
    assert_eq!(world.devices(&whole(2)).unwrap(), ["gpu1", "gpu2", "nic0"]);
    assert_eq!(
        world.explain(&whole(3)),
        "request `gpu`: 3 devices needed, 2 can be had at once; wanted: one fabric partition, all \
         of it; no release would help"
    );
}

#[test]
fn where_nothing_is_published_any_devices_will_do() {
    let gpus = (0..3).map(|number| json!({"name": format!("gpu{number}")}));
    let world = World::new(gpus.collect(), vec![json!({"name": "nic0"})]);
    assert_eq!(
        world.devices(&whole(3)).unwrap(),
        ["gpu0", "gpu1", "gpu2", "nic0"]
    );
}
