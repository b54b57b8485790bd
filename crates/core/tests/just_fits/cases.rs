//! One small case for each bound, and for each way in which two requests are
//! thought alike.
//!
//! Most begin with a claim for devices that make trouble: what comes after it is
//! looked at closely from its first pick on.

use dralloc::{Features, Reason};
use serde_json::{Value, json};

use crate::ask::{
    World, admin, claim, device, different, either, of_kind, pairs, request, same, trouble,
    troubled, world,
};

/// Answers claims after the one that makes trouble.
fn closely(devices: Vec<Value>, claims: &[Value]) -> String {
    after_trouble(&mut world(devices), claims)
}

fn after_trouble(world: &mut World, claims: &[Value]) -> String {
    world.pools.push(trouble());
    let claims: Vec<Value> = std::iter::once(troubled())
        .chain(claims.iter().cloned())
        .collect();
    world.first(&claims)
}

fn plain(count: usize) -> Vec<Value> {
    pairs(&vec![(0, 0); count])
}

fn only(requests: &[Value]) -> [Value; 1] {
    [claim("c", requests, &[])]
}

/// A claim has 32 devices at most: alternatives before the last leave it room.
#[test]
fn a_claim_has_just_as_many_devices_as_it_may() {
    let world = world(plain(40));
    let counts = |requests: [Value; 2]| {
        let answer = world.first(&only(&requests));
        match answer.strip_prefix('!') {
            Some(_) => answer,
            None => answer.split(' ').count().to_string(),
        }
    };
    let some = |name, count| of_kind(name, 0, count);
    assert_eq!(counts([some("a", 16), some("b", 16)]), "32");
    assert_eq!(
        counts([either("a", &[(0, 17), (0, 16)]), some("b", 16)]),
        "32"
    );
    assert_eq!(
        counts([either("a", &[(0, 17), (0, 15)]), some("b", 16)]),
        "31"
    );
    // What comes later may be less, and so what comes first may be as much as that leaves.
    assert_eq!(
        counts([some("a", 16), either("b", &[(0, 17), (0, 16)])]),
        "32"
    );
    let both = [
        either("a", &[(0, 31), (0, 30)]),
        either("b", &[(0, 3), (0, 2)]),
    ];
    assert_eq!(counts(both), "32");
    let none = [some("a", 16), either("b", &[(0, 18), (0, 17)])];
    assert_eq!(counts(none), "! too many");
}

/// What a request would have without an alternative that cannot be had is what it wants.
#[test]
fn alternatives_that_cannot_be_had_are_not_wanted() {
    let world = world(plain(2));
    let requests = [either("a", &[(0, 2), (7, 1)]), of_kind("b", 0, 1)];
    assert_eq!(world.reason(&only(&requests)), Reason::Count);
}

#[test]
fn all_devices_are_enough() {
    let world = world(plain(5));
    let some = |name, count| of_kind(name, 0, count);
    assert_eq!(
        world.first(&only(&[some("a", 2), some("b", 3)])),
        "d0 d1 d2 d3 d4"
    );
    assert_eq!(world.first(&only(&[some("a", 5)])), "d0 d1 d2 d3 d4");
    let choice = [
        either("a", &[(0, 6), (0, 2)]),
        either("b", &[(0, 4), (0, 3)]),
    ];
    assert_eq!(world.first(&only(&choice)), "d0 d1 d2 d3 d4");
    let more = [some("a", 3), either("b", &[(0, 4), (0, 3)])];
    assert_eq!(world.first(&only(&more)), "! nothing fits");
    assert_eq!(world.first(&only(&[some("a", 6)])), "! nothing fits");
}

#[test]
fn administrators_take_no_devices_from_other_claims() {
    let (one, other) = (admin("a", 0, 2), of_kind("b", 0, 2));
    let claims = [claim("c", &[one], &[]), claim("e", &[other], &[])];
    assert_eq!(world(plain(2)).first(&claims), "d0 d1 d0 d1");
    // Nor are their pairs fewer for what others took.
    let requests = [admin("r0", 0, 2), admin("r1", 0, 2)];
    let pairs_of = [same("a", &["r0"]), same("a", &["r1"])];
    let claims = [
        claim("c", &[of_kind("x", 0, 2)], &[]),
        claim("e", &requests, &pairs_of),
    ];
    let devices = pairs(&[(0, 0), (0, 0), (1, 0), (1, 0)]);
    assert_eq!(closely(devices, &claims), "d0 d1 d0 d1 d2 d3");
}

/// A list, where lists cannot be compared: it goes with others only if it is the
/// first of those that must differ.
fn with_a_list(lists: &[usize], count: usize) -> World {
    let devices = (0..count).map(|place| {
        let a = if lists.contains(&place) {
            json!({"ints": [7, 8]})
        } else {
            json!({"int": place})
        };
        device(&format!("d{place}"), &json!({"k": {"int": 0}, "a": a}))
    });
    let mut world = world(devices.collect());
    let mut features = Features::all();
    features.list_type_attributes = false;
    world.features = features;
    world
}

#[test]
fn what_cannot_be_compared_takes_no_value() {
    let claims = [claim("c", &[of_kind("r", 0, 2)], &[different("a", &["r"])])];
    assert_eq!(with_a_list(&[0], 2).first(&claims), "d0 d1");
    assert_eq!(with_a_list(&[1], 2).first(&claims), "! nothing fits");
    // A device by itself need not have a value that it could share.
    let single = |name: &str| claim(name, &[of_kind("r", 0, 1)], &[same("a", &["r"])]);
    let mut world = with_a_list(&[0, 1], 2);
    assert_eq!(
        after_trouble(&mut world, &[single("c"), single("e")]),
        "d0 d1"
    );
}

#[test]
fn what_cannot_be_compared_is_not_exchanged() {
    let requests = [of_kind("r0", 0, 1), of_kind("r1", 0, 1)];
    let claims = [claim("c", &requests, &[different("a", &["r0", "r1"])])];
    assert_eq!(after_trouble(&mut with_a_list(&[1], 2), &claims), "d1 d0");
}

#[test]
fn bundles_that_are_begun_keep_what_they_need_and_no_more() {
    let lists = [vec![0, 1], vec![0], vec![1], vec![1]];
    let devices = lists.iter().enumerate().map(|(place, values)| {
        let attributes = json!({"k": {"int": 0}, "a": {"ints": values}});
        device(&format!("d{place}"), &attributes)
    });
    let requests = [of_kind("r0", 0, 2), of_kind("r1", 0, 2)];
    let constraints = [same("a", &["r0"]), same("a", &["r1"])];
    let claims = [claim("c", &requests, &constraints)];
    assert_eq!(closely(devices.collect(), &claims), "d0 d1 d2 d3");
    // What a request has it needs no more.
    let requests = ["r0", "r1", "r2", "r3"].iter().zip([2, 1, 2, 1]);
    let requests: Vec<Value> = requests
        .map(|(name, count)| of_kind(name, 0, count))
        .collect();
    let constraints = [same("a", &["r0", "r1"]), same("a", &["r2", "r3"])];
    let claims = [claim("c", &requests, &constraints)];
    assert_eq!(closely(plain(6), &claims), "d0 d1 d2 d3 d4 d5");
    assert_eq!(closely(plain(5), &claims), "! nothing fits");
}

#[test]
fn shares_are_enough_to_the_last_of_them() {
    let devices = (0..2).map(|place| {
        let mut device = device(&format!("d{place}"), &json!({"k": {"int": 0}}));
        device["allowMultipleAllocations"] = json!(true);
        device["capacity"] = json!({"rate": {"value": "10"}});
        device
    });
    let devices: Vec<Value> = devices.collect();
    let shares = |rates: &[&str]| {
        let requests = rates.iter().enumerate().map(|(place, rate)| {
            let mut wanted = crate::ask::wanted(0, 1);
            wanted["capacity"] = json!({"requests": {"rate": rate}});
            request(&format!("r{place}"), &wanted)
        });
        only(&requests.collect::<Vec<_>>())
    };
    let ask = |rates: &[&str]| closely(devices.clone(), &shares(rates));
    assert_eq!(ask(&["5", "5", "5", "5"]), "d0 d0 d1 d1");
    assert_eq!(ask(&["5", "5", "5", "6"]), "! nothing fits");
    assert_eq!(ask(&["7", "6", "3", "4"]), "d0 d1 d0 d1");
    // Administrators take no share.
    let mut claims = shares(&["5", "10", "5"]);
    claims[0]["spec"]["devices"]["requests"][1]["exactly"]["adminAccess"] = json!(true);
    assert_eq!(closely(devices[..1].to_vec(), &claims), "d0 d0 d0");
}

/// Requests `r0` and so on, for one device each.
fn singles(count: usize) -> Vec<Value> {
    let names = (0..count).map(|place| format!("r{place}"));
    names.map(|name| of_kind(&name, 0, 1)).collect()
}

#[test]
fn requests_under_other_constraints_are_not_alike() {
    let claims = [claim(
        "c",
        &singles(3),
        &[same("a", &["r0", "r2"]), same("b", &["r1", "r2"])],
    )];
    assert_eq!(
        closely(pairs(&[(0, 1), (1, 0), (1, 1)]), &claims),
        "d1 d0 d2"
    );
}

#[test]
fn requests_for_other_numbers_are_not_alike() {
    let requests = [of_kind("r0", 0, 2), of_kind("r1", 0, 1)];
    let constraints = [same("a", &["r0"]), same("a", &["r1"])];
    let claims = [claim("c", &requests, &constraints)];
    assert_eq!(
        closely(pairs(&[(0, 0), (1, 0), (1, 0)]), &claims),
        "d1 d2 d0"
    );
}

#[test]
fn constraints_of_another_kind_are_not_alike() {
    let constraints = [same("a", &["r0", "r1"]), different("a", &["r2", "r3"])];
    let claims = [claim("c", &singles(4), &constraints)];
    let devices = pairs(&[(0, 0), (1, 0), (1, 0), (2, 0)]);
    assert_eq!(closely(devices, &claims), "d1 d2 d0 d3");
}

#[test]
fn constraints_by_other_values_are_not_alike() {
    let constraints = [same("a", &["r0", "r1"]), same("b", &["r2", "r3"])];
    let claims = [claim("c", &singles(4), &constraints)];
    let devices = pairs(&[(0, 0), (1, 1), (1, 2), (2, 0)]);
    assert_eq!(closely(devices, &claims), "d1 d2 d0 d3");
}

/// Of the first three requests two may have one value, of the last three none.
#[test]
fn requests_under_constraints_in_other_places_are_not_alike() {
    let constraints = [
        different("a", &["r0", "r1"]),
        different("a", &["r1", "r2"]),
        different("a", &["r3", "r4", "r5"]),
        different("a", &["r4"]),
    ];
    let claims = [claim("c", &singles(6), &constraints)];
    let devices = pairs(&[(2, 0), (0, 0), (1, 0), (0, 0), (1, 0), (0, 0)]);
    assert_eq!(closely(devices, &claims), "d1 d2 d3 d0 d4 d5");
}

#[test]
fn requests_under_more_constraints_are_not_alike() {
    let constraints = [
        same("a", &["r0", "r1"]),
        same("b", &["r1"]),
        same("a", &["r2", "r3"]),
        same("b", &["r2", "r3"]),
    ];
    let claims = [claim("c", &singles(4), &constraints)];
    let devices = pairs(&[(0, 0), (1, 1), (1, 2), (0, 0)]);
    assert_eq!(closely(devices, &claims), "d1 d2 d0 d3");
}

#[test]
fn blocks_of_fewer_requests_are_not_alike() {
    let constraints = [same("a", &["r0", "r1"]), same("a", &["r2"])];
    let claims = [claim("c", &singles(3), &constraints)];
    assert_eq!(
        closely(pairs(&[(0, 0), (1, 0), (1, 0)]), &claims),
        "d1 d2 d0"
    );
}

/// An administrator can have `d0`, a user cannot: another claim has its counters.
#[test]
fn administrators_are_not_like_users() {
    let mut devices = kinds(&[(0, 0, 0), (0, 0, 0), (1, 0, 0)]);
    for place in [0, 2] {
        devices[place]["consumesCounters"] =
            json!([{"counterSet": "s", "counters": {"m": {"value": "1"}}}]);
    }
    let mut world = world(devices);
    world.counters = json!([{"name": "s", "counters": {"m": {"value": "1"}}}]);
    let requests = [of_kind("r0", 0, 1), admin("r1", 0, 1)];
    let claims = [only(&[of_kind("x", 1, 1)]), only(&requests)].concat();
    assert_eq!(world.first(&claims), "d2 d1 d0");
    assert_eq!(after_trouble(&mut world, &claims), "d2 d1 d0");
}

/// An administrator cannot have what its own claim has.
#[test]
fn requests_beside_administrators_are_not_like_those_of_other_claims() {
    let mut seen = of_kind("r2", 0, 1);
    seen["exactly"]["adminAccess"] = json!(true);
    seen["exactly"]["selectors"][0]["cel"]["expression"] = json!(format!(
        "device.attributes['{}'].a == 1",
        crate::ask::DRIVER
    ));
    let claims = [
        claim("c", &[of_kind("r0", 0, 1)], &[]),
        claim("e", &[of_kind("r1", 0, 1), seen.clone()], &[]),
    ];
    let mut devices = pairs(&[(0, 0), (1, 0)]);
    devices.extend(trouble());
    let mut world = world(devices);
    // All devices show `a`.
    for device in &mut world.pools[0] {
        let attributes = device["attributes"].as_object_mut().unwrap();
        attributes.entry("a").or_insert(json!({"int": 0}));
    }
    let claims: Vec<Value> = std::iter::once(troubled()).chain(claims).collect();
    assert_eq!(world.first(&claims), "d1 d0 d1");
    // What it has its claim can still have after it, but not before.
    seen["name"] = json!("r1");
    let requests = [of_kind("r0", 0, 1), seen, of_kind("r2", 0, 1)];
    let claims = [troubled(), claim("c", &requests, &[])];
    // The one that it needs is the first now.
    world.pools[0].swap(0, 1);
    assert_eq!(world.first(&claims), "d0 d1 d1");
}

/// Devices `d0` and so on with `k`, `a` and `b`.
fn kinds(numbers: &[(u32, u32, u32)]) -> Vec<Value> {
    let numbers = numbers.iter().enumerate();
    let numbers = numbers.map(|(place, (k, a, b))| {
        let attributes = json!({"k": {"int": k}, "a": {"int": a}, "b": {"int": b}});
        device(&format!("d{place}"), &attributes)
    });
    numbers.collect()
}

/// The second request comes to nothing with the first device of the first, which
/// only constraints tie it to.
#[test]
fn constraints_connect_requests() {
    let devices = kinds(&[(0, 0, 0), (0, 2, 2), (1, 0, 1), (1, 1, 0), (1, 2, 2)]);
    let requests = [of_kind("r0", 0, 1), of_kind("r1", 1, 1)];
    let constraints = [same("a", &["r0", "r1"]), same("b", &["r0", "r1"])];
    let claims = [claim("c", &requests, &constraints)];
    assert_eq!(closely(devices, &claims), "d1 d4");
}

/// The second request can have what it wants first only if the first is content
/// with less; what else it may have has no two that go together.
#[test]
fn choices_connect_requests() {
    let mut numbers = vec![(0, 0, 0); 20];
    numbers.extend(vec![(1, 0, 0); 13]);
    numbers.extend([(2, 0, 0), (2, 0, 1), (2, 1, 0)]);
    let requests = [
        either("r0", &[(0, 20), (0, 10)]),
        either("r1", &[(1, 13), (2, 2)]),
    ];
    let constraints = [same("a", &["r1/s1"]), same("b", &["r1/s1"])];
    let claims = [claim("c", &requests, &constraints)];
    let answer = closely(kinds(&numbers), &claims);
    assert_eq!(answer.split(' ').count(), 23, "{answer}");
    assert!(answer.ends_with("d8 d9 d20 d21 d22 d23 d24 d25 d26 d27 d28 d29 d30 d31 d32"));
}

/// Two devices of each pool are one, and the second request needs the first of them.
#[test]
fn twins_connect_requests() {
    let mut devices = kinds(&[
        (0, 0, 0),
        (0, 0, 0),
        (1, 0, 0),
        (1, 0, 0),
        (1, 0, 1),
        (1, 1, 0),
    ]);
    for place in [0, 2] {
        devices[place]["attributes"]["resource.kubernetes.io/pciBusID"] =
            json!({"string": "0000:01:00.0"});
    }
    let others = devices.split_off(2);
    let requests = [of_kind("r0", 0, 1), of_kind("r1", 1, 2)];
    let constraints = [same("a", &["r1"]), same("b", &["r1"])];
    let claims = [claim("c", &requests, &constraints)];
    let mut world = world(devices);
    world.pools.push(others);
    assert_eq!(after_trouble(&mut world, &claims), "d1 d2 d3");
}

/// The second request fails on a device that the first had at first, and meets it
/// once the first had to give it back.
#[test]
fn devices_that_fail_connect_requests() {
    let mut devices = kinds(&[(0, 0, 0), (0, 0, 0), (1, 0, 0), (1, 0, 1), (1, 1, 0)]);
    for (place, device) in devices.iter_mut().enumerate().skip(1) {
        device["attributes"]["z"] = json!({"int": i32::from(place > 1)});
    }
    let mut wanted = crate::ask::wanted(0, 2);
    wanted["selectors"][0]["cel"]["expression"] = json!(format!(
        "device.attributes['{}'].z == 1",
        crate::ask::DRIVER
    ));
    let requests = [of_kind("r0", 0, 1), request("r1", &wanted)];
    let constraints = [same("a", &["r1"]), same("b", &["r1"])];
    let claims = [claim("c", &requests, &constraints)];
    let usual = dralloc::AllocateOptions::new();
    for options in [usual.shortcuts(false), usual, usual.many(true)] {
        assert_eq!(
            world(devices.clone()).answer(&claims, &options),
            "! an error"
        );
    }
}

/// Two devices that several share have one value, and serve two requests that want
/// two each, as if there were four.
#[test]
fn shared_devices_serve_several_requests_of_a_value() {
    let shared = |name: &str| {
        let mut device = device(name, &json!({"k": {"int": 0}, "a": {"int": 1}}));
        device["allowMultipleAllocations"] = json!(true);
        device["capacity"] = json!({"size": {"value": "10"}});
        device
    };
    let some = |name: &str| {
        let mut request = of_kind(name, 0, 2);
        request["exactly"]["capacity"] = json!({"requests": {"size": "5"}});
        request
    };
    let constraints = [same("a", &["a"]), same("a", &["b"])];
    let claims = [claim("c", &[some("a"), some("b")], &constraints)];
    let devices = vec![shared("d0"), shared("d1")];
    assert_eq!(closely(devices, &claims), "d0 d1 d0 d1");
}
