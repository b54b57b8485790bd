//! Units: equal groups, each in one place.

use super::*;

fn unit(scope: &str, mode: &str, fields: Value) -> Value {
    let mut unit = json!({"requests": {"gpu": 1, "nic": 1}, "scope": scope, "mode": mode});
    if let Value::Object(fields) = fields {
        unit.as_object_mut().unwrap().extend(fields);
    }
    json!({"unit": unit})
}

#[test]
fn units_are_balanced_by_switch() {
    let world = pairs();
    let policy = unit("pcieSwitch", "required", Value::Null);
    let found = world.devices(&claim(&[("gpu", 4), ("nic", 4)], &policy));
    let expected = [
        "gpu0", "gpu1", "gpu2", "gpu3", "nic0", "nic1", "nic2", "nic3",
    ];
    assert_eq!(found.unwrap(), expected);
    let all = world.devices(&claim(&[("gpu", 8), ("nic", 8)], &policy));
    assert_eq!(all.unwrap().len(), 16);
}

#[test]
fn units_can_be_apart() {
    let world = pairs();
    let apart = |scope: &str| unit("pcieSwitch", "required", json!({"apartOver": scope}));
    let found = |count, scope: &str| {
        world.devices(&claim(&[("gpu", count), ("nic", count)], &apart(scope)))
    };
    assert_eq!(
        found(2, "numaNode").unwrap(),
        ["gpu0", "gpu4", "nic0", "nic4"]
    );
    assert_eq!(found(3, "numaNode"), None);
    let switches = found(4, "pcieSwitch").unwrap();
    assert_eq!(
        switches,
        [
            "gpu0", "gpu2", "gpu4", "gpu6", "nic0", "nic2", "nic4", "nic6"
        ]
    );
    assert_eq!(found(5, "pcieSwitch"), None);
}

#[test]
fn preferred_units_are_as_near_as_they_can_be() {
    let world = pairs();
    let policy = unit(
        "pcieSwitch",
        "preferred",
        json!({"fallback": ["numaNode", "host"]}),
    );
    let snapshot = world.engine.snapshot();
    let mut transaction = snapshot.transaction();
    let mut workspace = Workspace::new();
    let mut nics = claim(&[("nic", 3)], &json!({"policy": "kubernetes"}));
    nics.metadata.name = "nics".into();
    let nics = snapshot.prepare(&[nics]).unwrap();
    let options = AllocateOptions::new();
    transaction
        .allocate("n", &nics, &options, &mut workspace)
        .unwrap();
    // Of six units five are within a switch and one within a socket.
    let six = claim(&[("gpu", 5), ("nic", 5)], &policy);
    let claims = snapshot.prepare(&[six]).unwrap();
    let outcome = transaction
        .consider("n", &claims, &options, &mut workspace)
        .unwrap();
    assert_eq!(values(&outcome), [0]);
    let six = claim(
        &[("gpu", 5), ("nic", 5)],
        &unit("pcieSwitch", "required", Value::Null),
    );
    let claims = snapshot.prepare(&[six]).unwrap();
    let outcome = transaction
        .consider("n", &claims, &options, &mut workspace)
        .unwrap();
    assert_eq!(
        super::devices(outcome.allocation().unwrap()),
        [
            "gpu2", "gpu4", "gpu5", "gpu6", "gpu7", "nic3", "nic4", "nic5", "nic6", "nic7"
        ]
    );
}

#[test]
fn counts_that_make_no_units_are_errors() {
    let world = pairs();
    let snapshot = world.engine.snapshot();
    let error = |requests: &[(&str, u32)], units: Value| {
        let policy = json!({"unit": {"requests": units, "scope": "numaNode", "mode": "required"}});
        snapshot
            .prepare(&[claim(requests, &policy)])
            .unwrap_err()
            .to_string()
    };
    let path = "claims[0].spec.devices.config[0].opaque.parameters.unit.requests";
    assert_eq!(
        error(&[("gpu", 3), ("nic", 2)], json!({"gpu": 2, "nic": 1})),
        format!("{path}[gpu]: expected a request for a multiple of 2 devices, found 3")
    );
    assert_eq!(
        error(&[("gpu", 4), ("nic", 3)], json!({"gpu": 2, "nic": 1})),
        format!("{path}[nic]: expected 2 groups, as of request `gpu`, found 3")
    );
    assert_eq!(
        error(&[("gpu", 4)], json!({"gpu": 2, "cpu": 1})),
        format!("{path}[cpu]: expected the name of a request of this policy")
    );
}
