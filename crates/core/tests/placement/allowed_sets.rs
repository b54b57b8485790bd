//! Sets that a machine allows: partitions of a Fabric Manager.

use super::*;

fn partitioned() -> World {
    let text = include_str!("../../../../testdata/topologies/hgx-h100-fm-shared-nvswitch.json");
    World::of_file(text)
}

#[test]
fn answers_are_partitions() {
    let world = partitioned();
    let found = |count| world.devices(&claim(&[("gpu", count)], &json!({"policy": "kubernetes"})));
    assert_eq!(found(1).unwrap(), ["gpu0"]);
    assert_eq!(found(2).unwrap(), ["gpu0", "gpu1"]);
    assert_eq!(found(3), None);
    assert_eq!(found(4).unwrap(), ["gpu0", "gpu1", "gpu2", "gpu3"]);
    assert_eq!(found(5), None);
    assert_eq!(found(8).unwrap().len(), 8);
}

#[test]
fn claims_of_a_question_make_one_set() {
    let world = partitioned();
    let one = claim(&[("gpu", 1)], &json!({"policy": "kubernetes"}));
    let mut other = one.clone();
    other.metadata.name = "d".into();
    let outcome = world.ask(&[one, other]);
    assert_eq!(
        super::devices(outcome.allocation().unwrap()),
        ["gpu0", "gpu1"]
    );
}

#[test]
fn partitions_are_taken_around_what_is_held() {
    let world = partitioned();
    let snapshot = world.engine.snapshot();
    let mut transaction = snapshot.transaction();
    let mut workspace = Workspace::new();
    let mut take = |name: &str, count: u32| {
        let mut claim = claim(&[("gpu", count)], &json!({"policy": "kubernetes"}));
        claim.metadata.name = name.into();
        let claims = snapshot.prepare(&[claim]).unwrap();
        let options = AllocateOptions::new();
        let outcome = transaction.allocate("n", &claims, &options, &mut workspace);
        outcome.unwrap().allocation().map(super::devices)
    };
    assert_eq!(take("a", 1).unwrap(), ["gpu0"]);
    assert_eq!(take("b", 2).unwrap(), ["gpu2", "gpu3"]);
    assert_eq!(take("c", 4).unwrap(), ["gpu4", "gpu5", "gpu6", "gpu7"]);
    assert_eq!(take("d", 2), None);
    assert_eq!(take("e", 1).unwrap(), ["gpu1"]);
}

#[test]
fn many_nodes_are_each_asked() {
    let world = partitioned();
    let snapshot = world.engine.snapshot();
    let three = claim(&[("gpu", 3)], &json!({"policy": "kubernetes"}));
    let claims = snapshot.prepare(&[three]).unwrap();
    let options = dralloc::PlaceOptions::new().find(dralloc::Find::Count);
    let placement = snapshot
        .place(&claims, &options, &mut Workspace::new())
        .unwrap();
    assert_eq!(placement.feasible(), 0);
}
