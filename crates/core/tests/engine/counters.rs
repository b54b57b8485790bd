//! Counters that devices of a pool share, also of devices that left it.

use dralloc::model::{AllocationResult, DeviceId, ResourceClaim, ResourceSlice};
use dralloc::{AllocateOptions, Change, Code, Engine, Features, Held, Outcome, Policy, Workspace};
use serde_json::{Value, json};

use super::{allocate, claim, class, names, node, slice};

/// Two counter units for two partitions, and a device that uses none.
pub(super) fn partitions() -> Vec<Change> {
    let uses = json!([{"counterSet": "c", "counters": {"x": {"value": "1"}}}]);
    let pool = json!({"name": "p", "generation": 1, "resourceSliceCount": 2});
    let counters = json!({
        "metadata": {"name": "c", "uid": "c", "resourceVersion": "1"},
        "spec": {"driver": "d", "nodeName": "n", "pool": pool,
                 "sharedCounters": [{"name": "c", "counters": {"x": {"value": "2"}}}]},
    });
    let devices = json!({
        "metadata": {"name": "s", "uid": "u", "resourceVersion": "1"},
        "spec": {"driver": "d", "nodeName": "n", "pool": pool, "devices": [
            {"name": "m0", "consumesCounters": uses}, {"name": "m1", "consumesCounters": uses},
            {"name": "plain"}]},
    });
    [counters, devices]
        .into_iter()
        .map(|slice| Change::ResourceSlice(serde_json::from_value(slice).unwrap()))
        .collect()
}

/// The same pool, without a device.
pub(super) fn without(device: &str) -> Change {
    let [_, Change::ResourceSlice(mut slice)] = <[Change; 2]>::try_from(partitions()).unwrap()
    else {
        panic!("two slices")
    };
    slice.metadata.resource_version = Some("2".into());
    slice.spec.devices.retain(|other| *other.name != *device);
    Change::ResourceSlice(slice)
}

fn held(devices: &[&str]) -> Change {
    Change::Held(Held {
        devices: devices
            .iter()
            .map(|name| DeviceId::new("d", "p", *name))
            .collect(),
        ..Held::default()
    })
}

#[test]
fn a_held_device_that_left_its_pool_takes_what_it_took_last() {
    let mut engine = Engine::new(Features::all());
    let changes = [node("n"), class()].into_iter().chain(partitions());
    for change in changes.chain([held(&["m0"]), without("m0")]) {
        engine.apply(change).unwrap();
    }
    // One of two units is left, for the other partition.
    let start = engine.snapshot();
    assert_eq!(
        allocate(&mut start.transaction(), &claim("a", 1, 2)),
        names(&["m1", "plain"])
    );
    // That more is held does not make what is known of it unknown.
    engine.apply(held(&["m0", "plain"])).unwrap();
    let snapshot = engine.snapshot();
    assert_eq!(
        allocate(&mut snapshot.transaction(), &claim("a", 1, 1)),
        names(&["m1"])
    );
}

#[test]
fn a_held_device_without_counters_that_left_its_pool_blocks_nothing() {
    let mut engine = Engine::new(Features::all());
    let changes = [node("n"), class()].into_iter().chain(partitions());
    for change in changes.chain([held(&["plain"]), without("plain")]) {
        engine.apply(change).unwrap();
    }
    let snapshot = engine.snapshot();
    assert_eq!(
        allocate(&mut snapshot.transaction(), &claim("a", 1, 2)),
        names(&["m0", "m1"])
    );
}

#[test]
fn a_held_device_that_nobody_published_blocks_the_counters_of_its_pool() {
    let mut engine = Engine::new(Features::all());
    for change in [node("n"), class()].into_iter().chain(partitions()) {
        engine.apply(change).unwrap();
    }
    let mut transaction = engine.snapshot().transaction();
    let unknown = json!({"devices": {"results": [
        {"request": "r", "driver": "d", "pool": "p", "device": "unknown"}]}});
    let unknown: AllocationResult = serde_json::from_value(unknown).unwrap();
    let start = transaction.savepoint();
    transaction.hold(&claim("other", 1, 1), &unknown);
    assert_eq!(
        allocate(&mut transaction, &claim("a", 1, 1)),
        names(&["plain"])
    );
    transaction.rollback(&start).unwrap();
    assert_eq!(
        allocate(&mut transaction, &claim("a", 1, 1)),
        names(&["m0"])
    );
}

/// The pool with a partition that takes less than nothing, maybe on another node.
fn giving(node_name: &str, version: u32) -> Vec<Change> {
    let mut changes = partitions();
    let pool = json!({"name": "p", "generation": 1, "resourceSliceCount": 3});
    for change in &mut changes {
        let Change::ResourceSlice(slice) = change else {
            continue;
        };
        slice.spec.pool = serde_json::from_value(pool.clone()).unwrap();
    }
    let gives = json!({
        "metadata": {"name": "g", "uid": "g", "resourceVersion": version.to_string()},
        "spec": {"driver": "d", "nodeName": node_name, "pool": pool, "devices": [
            {"name": "gives", "consumesCounters":
                [{"counterSet": "c", "counters": {"x": {"value": if version == 1 { "-1" } else { "0" }}}}]}]},
    });
    let gives: ResourceSlice = serde_json::from_value(gives).unwrap();
    changes.push(Change::ResourceSlice(gives));
    changes
}

/// The devices that each way gives, which must be the same.
fn in_each_way(engine: &Engine, claim: &ResourceClaim) -> Result<Option<Vec<String>>, Code> {
    let snapshot = engine.snapshot();
    let claims = snapshot.prepare(std::slice::from_ref(claim)).unwrap();
    let ask = |options: &AllocateOptions<'_>| {
        let mut transaction = snapshot.transaction();
        match transaction.allocate("n", &claims, options, &mut Workspace::new()) {
            Ok(Outcome::Optimal(allocation)) => {
                let devices = allocation.devices();
                Ok(Some(
                    devices.map(|it| it.device.device.to_string()).collect(),
                ))
            }
            Ok(Outcome::Infeasible(_)) => Ok(None),
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error.code()),
        }
    };
    let usual = AllocateOptions::new();
    let answer = ask(&usual);
    let ways = [usual.shortcuts(false), usual.many(true)];
    let policies = [Policy::Pack, Policy::Spread];
    let better = policies.iter().map(|policy| usual.policy(policy));
    for way in ways.into_iter().chain(better) {
        assert_eq!(ask(&way), answer);
    }
    answer
}

#[test]
fn a_device_that_would_give_counters_back_makes_its_pool_invalid() {
    let mut all = claim("all", 1, 1);
    let exactly = all.spec.devices.requests[0].exactly.as_mut().unwrap();
    let wanted: Value = json!({"deviceClassName": "gpu", "allocationMode": "All"});
    *exactly = serde_json::from_value(wanted).unwrap();
    for node_name in ["n", "other"] {
        let mut engine = Engine::new(Features::all());
        let changes = [node("n"), class()].into_iter();
        for change in changes.chain(giving(node_name, 1)) {
            engine.apply(change).unwrap();
        }
        assert_eq!(in_each_way(&engine, &claim("a", 1, 1)), Err(Code::Pool));
        assert_eq!(in_each_way(&engine, &all), Err(Code::Pool));
        // Another pool does not mind.
        let mut spare = slice("spare", 1, json!([{"name": "spare"}]));
        if let Change::ResourceSlice(slice) = &mut spare {
            slice.metadata.name = "q".into();
            slice.spec.pool.name = "q".into();
        }
        engine.apply(spare).unwrap();
        assert_eq!(
            in_each_way(&engine, &claim("a", 1, 1)),
            Ok(names(&["spare"]))
        );
        for change in giving(node_name, 2) {
            engine.apply(change).unwrap();
        }
        let everything = ["gives", "m0", "m1", "plain", "spare"];
        let seen = &everything[usize::from(node_name != "n")..];
        assert_eq!(in_each_way(&engine, &all), Ok(names(seen)));
    }
}

#[test]
fn what_a_device_gave_back_says_nothing_of_what_it_takes() {
    let mut engine = Engine::new(Features::all());
    let [counters, mut devices] = <[Change; 2]>::try_from(partitions()).unwrap();
    if let Change::ResourceSlice(slice) = &mut devices {
        let mut text = serde_json::to_value(&*slice).unwrap();
        text["spec"]["devices"][0]["consumesCounters"][0]["counters"]["x"]["value"] = "-1".into();
        *slice = serde_json::from_value(text).unwrap();
    }
    let changes = [node("n"), class(), counters, devices, held(&["m0"])];
    for change in changes.into_iter().chain([without("m0")]) {
        engine.apply(change).unwrap();
    }
    assert_eq!(
        in_each_way(&engine, &claim("a", 1, 1)),
        Ok(names(&["plain"]))
    );
    assert_eq!(in_each_way(&engine, &claim("a", 1, 2)), Ok(None));
}
