//! Amounts in questions over many nodes.

use super::*;

/// A node with a device of its own.
fn gpu(name: &str) -> Change {
    let Change::ResourceSlice(mut slice) = slice(name, 1, json!([{"name": "d0"}])) else {
        panic!("a slice")
    };
    slice.metadata.name = name.into();
    slice.spec.node_name = Some(name.into());
    slice.spec.pool.name = name.into();
    Change::ResourceSlice(slice)
}

#[test]
fn many_nodes_say_which_amount_is_short() {
    let mut engine = devices(json!([{"name": "d0"}]));
    for (name, cpu, memory, has_device) in [
        ("a", "1", "8Gi", true),
        ("b", "4", "1Gi", true),
        ("c", "4", "8Gi", false),
        ("d", "4", "8Gi", true),
        ("e", "2", "8Gi", true),
        ("f", "4", "8Gi", true),
    ] {
        engine
            .apply(node(name, json!({"cpu": cpu, "memory": memory})))
            .unwrap();
        if has_device {
            engine.apply(gpu(name)).unwrap();
        }
    }
    engine
        .apply(Change::NodeUse(used("p", "e", "500m")))
        .unwrap();
    let had = claim("had", 1, 1);
    let snapshot = engine.snapshot();
    let mut transaction = snapshot.transaction();
    let one = snapshot.prepare(std::slice::from_ref(&had)).unwrap();
    transaction
        .allocate("d", &one, &AllocateOptions::new(), &mut Workspace::new())
        .unwrap();
    let asked = amounts(json!({"cpu": "2", "memory": "2Gi"}));
    let claims = snapshot.prepare(&[claim("new", 1, 1)]).unwrap();
    let options = PlaceOptions::new()
        .find(Find::All)
        .amounts(&asked)
        .user("pod");
    let mut workspace = Workspace::new();
    let placement = transaction
        .place(&claims, &options, &mut workspace)
        .unwrap();
    let names = |placement: &dralloc::Placement| {
        let nodes = placement.nodes().iter();
        nodes.map(|node| node.name().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&placement), ["f"]);
    let reasons: Vec<String> = placement
        .reasons()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        reasons,
        [
            "3 nodes: too little `cpu` is left",
            "2 nodes: request `r` of claim 0 has too few devices",
            "1 node: too little `memory` is left",
        ]
    );
    assert_eq!(
        placement.reasons()[0].cause,
        NodeCause::Amount { name: "cpu".into() }
    );
    assert_eq!(placement.solved(), 3);
    // What is allocated on `d` is out of reach where there is enough.
    let both = snapshot.prepare(&[had, claim("new", 1, 1)]).unwrap();
    let placement = transaction.place(&both, &options, &mut workspace).unwrap();
    let reasons: Vec<String> = placement
        .reasons()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert_eq!(
        reasons,
        [
            "3 nodes: too little `cpu` is left",
            "2 nodes: claim 0 is allocated and out of reach",
            "1 node: too little `memory` is left",
            "1 node: request `r` of claim 1 has too few devices",
        ]
    );
    // Placed and allocated, it is in use; a second time there is no room.
    let first = PlaceOptions::new().amounts(&asked).user("pod");
    let placed = transaction
        .place_and_allocate(&claims, &first, &mut workspace)
        .unwrap();
    assert_eq!(names(&placed), ["f"]);
    assert_eq!(
        text(&transaction.amounts_in_use("f")),
        r#"{"cpu":"2","memory":"2147483648"}"#
    );
    transaction.commit(&mut engine).unwrap();
    let other = amounts(json!({"cpu": Quantity::from_units(3)}));
    let options = PlaceOptions::new().find(Find::Count).amounts(&other);
    let none = engine.snapshot().prepare(&[]).unwrap();
    let placement = engine
        .snapshot()
        .place(&none, &options, &mut workspace)
        .unwrap();
    assert_eq!((placement.feasible(), placement.asked()), (3, 7));
}
