//! Small cases in which the best answer is not the first, and a bound of values is
//! as high as it may be.

use dralloc::Term;
use dralloc::model::DeviceId;
use serde_json::{Value, json};

use crate::ask::{DRIVER, World, admin, claim, device, either, of_kind, world};

const PARENTS: Term = Term::ParentsTouched { attribute: None };

fn parents_by_a() -> Term {
    Term::ParentsTouched {
        attribute: Some(format!("{DRIVER}/a").into()),
    }
}

fn evenness_by_a() -> Term {
    Term::Evenness {
        attribute: Some(format!("{DRIVER}/a").into()),
    }
}

/// A device of a kind with a value, and what it takes of a counter set, if anything.
fn part(name: &str, kind: u32, a: u32, takes: Option<(&str, u32)>) -> Value {
    let mut device = device(name, &json!({"k": {"int": kind}, "a": {"int": a}}));
    if let Some((set, amount)) = takes {
        device["consumesCounters"] = json!([{"counterSet": set,
            "counters": {"m": {"value": amount.to_string()}}}]);
    }
    device
}

fn plain(name: &str, kind: u32, a: u32) -> Value {
    part(name, kind, a, None)
}

/// Devices with counter sets, and how much those have.
fn cards(devices: Vec<Value>, sets: &[(&str, u32)]) -> World {
    let mut world = world(devices);
    let sets = sets
        .iter()
        .map(|(name, all)| json!({"name": name, "counters": {"m": {"value": all.to_string()}}}));
    world.counters = sets.collect();
    world
}

/// Requests for so many devices of a kind each.
fn want(wanted: &[(u32, usize)]) -> [Value; 1] {
    let wanted = wanted.iter().enumerate();
    let requests =
        wanted.map(|(place, (kind, count))| of_kind(&format!("r{place}"), *kind, *count));
    [claim("c", &requests.collect::<Vec<_>>(), &[])]
}

/// So many devices that nobody asks for.
fn others(count: u32, a: u32, takes: Option<(&str, u32)>) -> Vec<Value> {
    (0..count)
        .map(|place| part(&format!("x{place}"), 7, a, takes))
        .collect()
}

fn starts(answer: &str, start: &str) {
    assert!(answer.starts_with(start), "{answer}");
}

#[test]
fn a_claim_of_as_many_devices_as_it_may_have_is_improved() {
    // 31 of one value, and one more: of another, if possible.
    let mut devices = vec![plain("d0", 0, 0), plain("d1", 0, 1)];
    devices.extend((0..31).map(|place| plain(&format!("e{place}"), 1, 0)));
    let world = world(devices);
    starts(
        &world.best(&want(&[(0, 1), (1, 31)]), &[evenness_by_a()]),
        "d1 e0 ",
    );
    // Two of one value, if what comes later is content with 30.
    let mut devices = vec![plain("d0", 0, 1), plain("d1", 0, 0), plain("d2", 0, 0)];
    devices.extend((0..31).map(|place| plain(&format!("e{place}"), 1, 0)));
    devices.push(plain("f", 2, 2));
    let requests = [
        either("r0", &[(0, 2), (2, 1)]),
        either("r1", &[(1, 31), (1, 30)]),
    ];
    let claims = [claim("c", &requests, &[])];
    let answer = crate::ask::world(devices).best(&claims, &[parents_by_a()]);
    starts(&answer, "d1 d2 e0 ");
    assert_eq!(answer.split(' ').count(), 32);
}

/// The first device leaves nothing of the counter, the second as much as is wanted.
/// So many devices take of it that they are no part.
#[test]
fn devices_that_take_more_of_what_all_share_are_not_alike() {
    let all = |amount| Some(("all", amount));
    let mut devices = vec![
        part("d0", 0, 1, all(5)),
        part("d1", 0, 2, all(1)),
        part("d2", 1, 2, all(1)),
        part("d3", 1, 1, all(1)),
    ];
    devices.extend(others(64, 3, all(1)));
    let world = cards(devices, &[("all", 5)]);
    assert_eq!(
        world.best(&want(&[(0, 1), (1, 1)]), &[evenness_by_a()]),
        "d1 d3"
    );
}

/// Two devices of the first card are too much for it; those of the other take less,
/// or there is more. The first answer has one of each.
#[test]
fn cards_that_are_built_or_filled_otherwise_are_not_alike() {
    for (takes, total) in [(2, 4), (3, 6)] {
        let devices = vec![
            part("a0", 0, 0, Some(("a", 3))),
            part("a1", 0, 0, Some(("a", 3))),
            part("b0", 0, 0, Some(("b", takes))),
            part("b1", 0, 0, Some(("b", takes))),
        ];
        let world = cards(devices, &[("a", 4), ("b", total)]);
        let claims = want(&[(0, 2)]);
        assert_eq!(world.first(&claims), "a0 b0");
        assert_eq!(world.best(&claims, &[PARENTS]), "b0 b1");
    }
}

/// Two cards leave the same, but the second device of one of them is gone already.
#[test]
fn cards_of_which_something_is_held_are_not_like_others() {
    let devices = vec![
        part("b0", 0, 0, Some(("b", 2))),
        part("b1", 1, 0, Some(("b", 1))),
        part("a0", 0, 0, Some(("a", 2))),
        part("a1", 1, 0, Some(("a", 1))),
    ];
    let mut world = cards(devices, &[("b", 2), ("a", 3)]);
    world.held.devices.push(DeviceId::new(DRIVER, "p00", "a1"));
    assert_eq!(
        world.best(&want(&[(0, 1)]), &[Term::PackingPotential]),
        "a0"
    );
}

/// The second and third device of the first card have one parent, on the other card
/// the first and third.
#[test]
fn cards_with_other_parents_are_not_alike() {
    let card = |set: &'static str, first: u32, parents: [u32; 3]| {
        let parents = (0..3).zip(parents);
        parents
            .map(|(place, parent)| {
                let name = format!("{set}{place}");
                part(&name, place, first + parent, Some((set, 1)))
            })
            .collect::<Vec<_>>()
    };
    let devices = [card("b", 0, [0, 1, 1]), card("a", 2, [0, 1, 0])].concat();
    let world = cards(devices, &[("b", 3), ("a", 3)]);
    let claims = want(&[(0, 1), (2, 1)]);
    assert_eq!(world.best(&claims, &[parents_by_a()]), "a0 a2");
}

/// More devices have one parent than a part can be looked at with.
#[test]
fn a_parent_of_many_devices_is_touched_once() {
    let mut devices = vec![plain("d0", 0, 1), plain("d1", 0, 0), plain("d2", 0, 0)];
    devices.extend(others(64, 0, None));
    let world = world(devices);
    assert_eq!(world.best(&want(&[(0, 2)]), &[parents_by_a()]), "d1 d2");
}

/// What is picked of such a parent elsewhere makes a card dearer, as long as it is
/// picked.
#[test]
fn what_is_picked_elsewhere_counts_while_it_is() {
    let mut devices = vec![
        plain("d0", 0, 0),
        plain("d1", 0, 1),
        part("d2", 1, 0, Some(("a", 1))),
        part("d3", 1, 0, Some(("a", 1))),
    ];
    devices.extend(others(64, 0, None));
    let world = cards(devices, &[("a", 2)]);
    assert_eq!(
        world.best(&want(&[(0, 1), (1, 1)]), &[evenness_by_a()]),
        "d1 d2"
    );
}

/// A card with `s`, of which somebody has six of ten, so that its counters are paid.
fn with_a_share(total: u32, mut devices: Vec<Value>) -> World {
    let mut shared = part("s", 0, 0, Some(("a", 1)));
    shared["allowMultipleAllocations"] = json!(true);
    devices.extend([shared, part("a", 2, 0, Some(("a", 1)))]);
    for device in &mut devices {
        device["capacity"] = json!({"c": {"value": "10"}});
    }
    let mut world = cards(devices, &[("a", total)]);
    let id = || DeviceId::new(DRIVER, "p00", "s");
    let amounts = serde_json::from_value(json!({"c": "6"})).unwrap();
    world.held.shares.push((id(), "share".into()));
    world.held.consumed_capacity.push((id(), amounts));
    world
}

/// What somebody wants of a share that is left.
fn want_three(mut claims: [Value; 1]) -> [Value; 1] {
    claims[0]["spec"]["devices"]["requests"][0]["exactly"]["capacity"] =
        json!({"requests": {"c": "3"}});
    claims
}

#[test]
fn counters_of_a_device_that_is_shared_already_are_paid() {
    let world = with_a_share(1, vec![plain("d0", 1, 0), plain("d1", 1, 1)]);
    let claims = want_three(want(&[(0, 1), (1, 1)]));
    assert_eq!(world.best(&claims, &[evenness_by_a()]), "s d1");
    // So another share takes nothing from others.
    let world = with_a_share(2, vec![plain("d0", 0, 0)]);
    let claims = want_three(want(&[(0, 1)]));
    assert_eq!(world.best(&claims, &[Term::PackingPotential]), "s");
}

/// The same where all of them are looked at as one part, because of their parent.
#[test]
fn what_is_paid_already_takes_nothing_within_its_part() {
    let world = with_a_share(2, vec![plain("d0", 0, 0)]);
    let claims = want_three(want(&[(0, 1)]));
    assert_eq!(world.first(&claims), "d0");
    let terms = [Term::PackingPotential, parents_by_a()];
    assert_eq!(world.best(&claims, &terms), "s");
}

/// An administrator has something of the first card, which no one has touched for it.
#[test]
fn administrators_touch_no_card() {
    let devices = vec![
        part("x0", 5, 0, Some(("x", 1))),
        part("x1", 1, 0, Some(("x", 1))),
        part("y0", 0, 0, Some(("y", 1))),
        part("y1", 1, 0, Some(("y", 1))),
    ];
    let world = cards(devices, &[("x", 2), ("y", 3)]);
    let [user] = want(&[(0, 1), (1, 1)]);
    let claims = [claim("a", &[admin("r", 5, 1)], &[]), user];
    assert_eq!(world.best(&claims, &[PARENTS]), "x0 y0 y1");
}
