//! GPUs, NICs and CPUs together, of three drivers that know different places.

use super::*;

const NUMA: &str = "resource.kubernetes.io/numaNode";
const ROOT: &str = "resource.kubernetes.io/pcieRoot";

fn names(kind: &str, numbers: impl Iterator<Item = u32>) -> Vec<String> {
    numbers.map(|number| format!("{kind}{number:02}")).collect()
}

/// Three CPUs of the first NUMA node and five of the second, which hang on no root.
fn cpus() -> Vec<Value> {
    let cpu = |number: u32| {
        json!({"name": format!("cpu{number:02}"),
            "attributes": {NUMA: {"int": i64::from(number >= 3)}}})
    };
    (0..8).map(cpu).collect()
}

/// Two GPUs and a NIC on each of two NUMA nodes, on a root of their own.
fn attributes() -> World {
    let on = |name: &str, numa: i64| {
        json!({"name": name, "attributes": {NUMA: {"int": numa},
            ROOT: {"string": format!("pci{numa}")}}})
    };
    let gpus = vec![on("gpu0", 0), on("gpu1", 0), on("gpu2", 1), on("gpu3", 1)];
    let mut world = World::new(gpus, vec![on("nic0", 0), on("nic1", 1)]);
    world.publish("cpu", &cpus());
    world
}

/// The same by a document, which has no CPUs and no devices of a root: their driver alone
/// says where they are.
fn document() -> World {
    let device = |name: &str| json!({"name": name});
    let gpus = ["gpu0", "gpu1", "gpu2", "gpu3"].map(device).to_vec();
    let mut world = World::new(gpus, ["nic0", "nic1"].map(device).to_vec());
    let vertex = |id: &str, numa: i64| json!({"id": id, "kind": &id[..3], "numaNode": numa});
    world.topology(json!({"vertices": [
        vertex("gpu0", 0), vertex("gpu1", 0), vertex("gpu2", 1), vertex("gpu3", 1),
        vertex("nic0", 0), vertex("nic1", 1)]}));
    world.publish("cpu", &cpus());
    world
}

/// Two units of a GPU, a NIC and two CPUs each.
fn two(mode: &str, levels: &[&str]) -> ResourceClaim {
    let unit = json!({"requests": {"gpu": 1, "nic": 1, "cpu": 2}, "mode": mode,
        "scope": levels[0], "fallback": levels[1..]});
    let mut policy = json!({"unit": unit});
    if mode == "required" {
        policy["unit"].as_object_mut().unwrap().remove("fallback");
    }
    claim(&[("gpu", 2), ("nic", 2), ("cpu", 4)], &policy)
}

/// Each unit by its level and its devices.
fn units(outcome: &Outcome) -> Vec<(Option<String>, Vec<String>)> {
    let [together] = outcome.allocation().unwrap().placement() else {
        panic!("expected one policy");
    };
    let units = together.units.iter().map(|unit| {
        let devices = unit.devices.iter().map(|id| id.device.to_string());
        (
            unit.level.as_ref().map(ToString::to_string),
            devices.collect(),
        )
    });
    units.collect()
}

fn unit(
    level: &str,
    gpu: &str,
    nic: &str,
    cpus: impl Iterator<Item = u32>,
) -> (Option<String>, Vec<String>) {
    let devices = [names("cpu", cpus), vec![gpu.to_owned(), nic.to_owned()]];
    (Some(level.to_owned()), devices.concat())
}

#[test]
fn units_of_three_drivers_are_as_near_as_all_of_them_can_be() {
    // CPUs are on no root, so no unit is.
    let levels = ["pcieRoot", "numaNode", "host"];
    let mut world = attributes();
    let outcome = world.ask(&[two("preferred", &levels)]);
    assert_eq!(values(&outcome), [2 * 9]);
    let mut found = units(&outcome);
    found.sort();
    let expected = [
        unit("numaNode", "gpu0", "nic0", 0..2),
        unit("numaNode", "gpu2", "nic1", 3..5),
    ];
    assert_eq!(found, expected);
    assert!(world.devices(&two("required", &["numaNode"])).is_some());

    // A CPU is left there, which is too few for a unit of one NUMA node.
    world.hold(&["cpu00", "cpu01"]);
    let outcome = world.ask(&[two("preferred", &levels)]);
    assert_eq!(values(&outcome), [2 * 9 + 3]);
    let reached: Vec<Option<String>> = units(&outcome).into_iter().map(|unit| unit.0).collect();
    assert_eq!(
        reached,
        ["numaNode", "host"].map(|level| Some(level.to_owned()))
    );
    assert_eq!(world.devices(&two("required", &["numaNode"])), None);
}

/// A document says which NUMA node a device is in by the number that the kernel counts, so
/// it is the one that a driver of CPUs publishes.
#[test]
fn numbers_of_numa_nodes_are_those_that_devices_publish() {
    let mut world = document();
    let outcome = world.ask(&[two("preferred", &["numaNode", "host"])]);
    assert_eq!(values(&outcome), [0]);
    let mut found = units(&outcome);
    found.sort();
    let expected = [
        unit("numaNode", "gpu0", "nic0", 0..2),
        unit("numaNode", "gpu2", "nic1", 3..5),
    ];
    assert_eq!(found, expected);
    world.hold(&["nic1"]);
    assert_eq!(world.devices(&two("required", &["numaNode"])), None);
}

/// Each GPU of the tray and each NIC is on a root of its own, so that a root in common can
/// never be had; what is nearest of the rest is told.
#[test]
fn levels_fall_back_where_no_root_is_shared() {
    let text = include_str!("../../../../testdata/topologies/gb200-tray.json");
    let mut world = World::of_file(text);
    let nic = json!({"name": "rdma0", "attributes": {NUMA: {"int": 1},
        ROOT: {"string": "pci0016:00"}}});
    world.publish("rdma", &[nic]);
    let pair = [("gpu", 1), ("rdma", 1)];
    assert_eq!(world.devices(&claim(&pair, &required("pcieRoot"))), None);
    let levels = ["pcieRoot", "numaNode", "host"];
    let outcome = world.ask(&[claim(&pair, &preferred(levels[0], &levels[1..]))]);
    assert_eq!(values(&outcome), [1]);
    let allocation = outcome.allocation().unwrap();
    assert_eq!(devices(allocation), ["gpu2", "rdma0"]);
    assert_eq!(allocation.placement()[0].levels, [Some("numaNode".into())]);
}

/// A machine may count its NUMA nodes in another way than the document, as a virtual one
/// does. Does one device of the document show where it is, that joins both.
#[test]
fn what_devices_show_counts_before_the_numbers_of_a_document() {
    let gpu = json!({"name": "gpu0", "attributes": {NUMA: {"int": 0}}});
    let mut world = World::new(
        vec![gpu, json!({"name": "gpu1"})],
        vec![json!({"name": "nic0"})],
    );
    world.topology(json!({"vertices": [
        {"id": "gpu0", "kind": "gpu", "numaNode": 1},
        {"id": "gpu1", "kind": "gpu", "numaNode": 0},
        {"id": "nic0", "kind": "nic", "numaNode": 1}]}));
    let cpu = |name: &str, numa: i64| json!({"name": name, "attributes": {NUMA: {"int": numa}}});
    world.publish("cpu", &[cpu("cpu0", 0), cpu("cpu1", 1)]);
    let one = |kinds: &[&str]| {
        let requests: Vec<(&str, u32)> = kinds.iter().map(|kind| (*kind, 1)).collect();
        world.devices(&claim(&requests, &required("numaNode")))
    };
    assert_eq!(one(&["nic", "cpu"]).unwrap(), ["nic0", "cpu0"]);
    assert_eq!(one(&["gpu", "cpu"]).unwrap(), ["gpu0", "cpu0"]);
    let both = claim(&[("gpu", 2), ("cpu", 1)], &required("numaNode"));
    assert_eq!(world.devices(&both), None);
}

/// Four NUMA nodes with a GPU, a NIC and eight CPUs each; a unit of a NUMA node has them all.
#[test]
fn cpus_of_a_numa_node_are_counted() {
    let numa = |name: String, numa: u32| json!({"name": name, "attributes": {NUMA: {"int": i64::from(numa)}}});
    let of = |kind: &str| {
        (0..4)
            .map(|number| numa(format!("{kind}{number}"), number))
            .collect()
    };
    let mut world = World::new(of("gpu"), of("nic"));
    // One after the other in turn, so that those of a node are not beside each other.
    let cpus: Vec<Value> = (0..32)
        .map(|one| numa(format!("cpu{one:02}"), one % 4))
        .collect();
    world.publish("cpu", &cpus);
    let ask = |world: &World, counts: [u32; 3], levels: &[&str]| {
        let unit = json!({"requests": {"gpu": 1, "nic": 1, "cpu": 8}, "mode": "preferred",
            "scope": levels[0], "fallback": levels[1..]});
        let counts = [("gpu", counts[0]), ("nic", counts[1]), ("cpu", counts[2])];
        let outcome = world.ask(&[claim(&counts, &json!({"unit": unit}))]);
        (
            values(&outcome),
            units(&outcome)
                .into_iter()
                .map(|unit| unit.0)
                .collect::<Vec<_>>(),
        )
    };
    let reached = |levels: &[&str]| -> Vec<Option<String>> {
        levels
            .iter()
            .map(|level| Some((*level).to_owned()))
            .collect()
    };
    let levels = ["pcieRoot", "numaNode", "host"];
    let two = ask(&world, [2, 2, 16], &levels);
    assert_eq!(two, (vec![2 * 9], reached(&["numaNode", "numaNode"])));
    // Three nodes have no CPU less, but only one of them has a NIC left.
    world.hold(&["cpu00", "nic1", "nic2"]);
    let two = ask(&world, [2, 2, 16], &levels);
    assert_eq!(two, (vec![2 * 9 + 3], reached(&["numaNode", "host"])));
    world.hold(&["cpu00", "cpu03", "nic1", "nic2"]);
    let two = ask(&world, [2, 2, 16], &levels);
    assert_eq!(two, (vec![2 * 9 + 2 * 3], reached(&["host", "host"])));
}
