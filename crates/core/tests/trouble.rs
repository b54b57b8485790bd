//! What the search does where the first picks lead nowhere.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests end where they fail"
)]

use dralloc::model::{DeviceClass, Node, ResourceClaim, ResourceSlice};
use dralloc::wire::from_json;
use dralloc::{
    AllocateOptions, Change, Code, Engine, Error, Features, Outcome, Reason, Snapshot, Statistics,
    Workspace,
};

/// Six cards, each a whole or two halves; eight `nic` on roots of 3, 3 and 2;
/// `fpga` of which no two have root and zone in common; three `link` to share.
fn slices() -> [ResourceSlice; 2] {
    let (mut devices, mut sets) = (Vec::new(), Vec::new());
    for card in 0..6 {
        sets.push(format!(
            r#"{{"name":"card-{card}","counters":{{"memory":{{"value":"80Gi"}}}}}}"#
        ));
        for (name, kind, memory) in [("", "whole", 80), ("-a", "half", 40), ("-b", "half", 40)] {
            devices.push(format!(
                r#"{{"name":"card-{card}{name}","attributes":{{"kind":{{"string":"{kind}"}}}},
                "consumesCounters":[{{"counterSet":"card-{card}",
                "counters":{{"memory":{{"value":"{memory}Gi"}}}}}}]}}"#
            ));
        }
    }
    for nic in 0..8 {
        devices.push(format!(
            r#"{{"name":"nic-{nic}","attributes":{{"kind":{{"string":"nic"}},
            "root":{{"int":{}}}}}}}"#,
            nic / 3
        ));
    }
    for fpga in 0..4 {
        devices.push(format!(
            r#"{{"name":"fpga-{fpga}","attributes":{{"kind":{{"string":"fpga"}},
            "root":{{"int":{}}},"zone":{{"int":{}}}}}}}"#,
            fpga / 2,
            fpga % 2
        ));
    }
    for link in 0..3 {
        devices.push(format!(
            r#"{{"name":"link-{link}","allowMultipleAllocations":true,
            "attributes":{{"kind":{{"string":"link"}}}},
            "capacity":{{"rate":{{"value":"10"}}}}}}"#
        ));
    }
    let slice = |name: &str, content: String| {
        from_json(&format!(
            r#"{{"metadata":{{"name":"{name}"}},"spec":{{"driver":"d.example.com",
            "nodeName":"node","pool":{{"name":"node","generation":1,"resourceSliceCount":2}},
            {content}}}}}"#
        ))
        .unwrap()
    };
    [
        slice("devices", format!(r#""devices":[{}]"#, devices.join(","))),
        slice(
            "counters",
            format!(r#""sharedCounters":[{}]"#, sets.join(",")),
        ),
    ]
}

fn snapshot() -> Snapshot {
    snapshot_of(slices())
}

fn snapshot_of(slices: impl IntoIterator<Item = ResourceSlice>) -> Snapshot {
    let mut engine = Engine::new(Features::all());
    let mut class = DeviceClass::default();
    class.metadata.name = "any".into();
    engine.apply(Change::DeviceClass(class)).unwrap();
    engine.apply(Change::Node(Node::new("node", []))).unwrap();
    for slice in slices {
        engine.apply(Change::ResourceSlice(slice)).unwrap();
    }
    engine.snapshot()
}

fn request(name: &str, kind: &str, count: usize) -> String {
    format!(
        r#"{{"name":"{name}","exactly":{{"deviceClassName":"any","allocationMode":"ExactCount",
        "count":{count},"selectors":[{{"cel":{{"expression":
        "device.attributes['d.example.com'].kind == '{kind}'"}}}}]}}}}"#
    )
}

fn same(attribute: &str, requests: &str) -> String {
    format!(r#"{{"matchAttribute":"d.example.com/{attribute}","requests":[{requests}]}}"#)
}

fn claim(name: &str, requests: &[String], constraints: &[String]) -> ResourceClaim {
    from_json(&format!(
        r#"{{"metadata":{{"name":"{name}","namespace":"n"}},
        "spec":{{"devices":{{"requests":[{}],"constraints":[{}]}}}}}}"#,
        requests.join(","),
        constraints.join(",")
    ))
    .unwrap()
}

/// The names of the devices, or why there are none; and what the search did.
fn search(claims: &[ResourceClaim]) -> (Result<Vec<String>, Reason>, Statistics) {
    let snapshot = snapshot();
    let (outcome, statistics) = ask(&snapshot, claims);
    let answer = match outcome.unwrap() {
        Outcome::Optimal(allocation) => {
            let results = allocation.results();
            let devices = results.iter().flat_map(|result| &result.devices.results);
            Ok(devices.map(|one| one.device.to_string()).collect())
        }
        Outcome::Infeasible(reason) => Err(reason),
        other => panic!("{other:?}"),
    };
    (answer, statistics)
}

fn ask(snapshot: &Snapshot, claims: &[ResourceClaim]) -> (Result<Outcome, Error>, Statistics) {
    let claims = snapshot.prepare(claims).unwrap();
    let options = AllocateOptions::new().shortcuts(false);
    let mut workspace = Workspace::new();
    let mut transaction = snapshot.transaction();
    let outcome = transaction.allocate("node", &claims, &options, &mut workspace);
    (outcome, workspace.statistics())
}

#[test]
fn cards_are_counted_with_what_their_parts_leave() {
    // Four wholes leave two cards, so four halves.
    let ask = |wholes, halves| {
        let requests = [request("w", "whole", wholes), request("h", "half", halves)];
        search(&[claim("c", &requests, &[])])
    };
    let (answer, statistics) = ask(4, 5);
    assert_eq!(answer, Err(Reason::Exhausted));
    let seen = (statistics.branches, statistics.dead_ends);
    assert_eq!((seen, statistics.short_of_parts), ((12, 7), 4));
    let (answer, _) = ask(4, 4);
    let devices = "card-0 card-1 card-2 card-3 card-4-a card-4-b card-5-a card-5-b";
    assert_eq!(answer.unwrap().join(" "), devices);
    // Halves first: they are taken from two cards, which the wholes leave alone.
    let requests = [request("h", "half", 3), request("w", "whole", 4)];
    let (answer, _) = search(&[claim("c", &requests, &[])]);
    let devices = "card-0-a card-0-b card-1-a card-2 card-3 card-4 card-5";
    assert_eq!(answer.unwrap().join(" "), devices);
}

#[test]
fn constraints_that_are_alike_compete_for_values() {
    // Roots of 3, 3 and 2 have a pair each, although there are eight devices.
    let pairs = |count: usize| {
        let requests: Vec<String> = (0..count)
            .map(|pair| request(&format!("p{pair}"), "nic", 2))
            .collect();
        let constraints: Vec<String> = (0..count)
            .map(|pair| same("root", &format!(r#""p{pair}""#)))
            .collect();
        search(&[claim("c", &requests, &constraints)])
    };
    let (answer, statistics) = pairs(4);
    assert_eq!(answer, Err(Reason::Exhausted));
    let seen = (statistics.branches, statistics.dead_ends);
    assert_eq!((seen, statistics.short_of_bundles), ((7, 6), 5));
    let (answer, _) = pairs(3);
    assert_eq!(
        answer.unwrap().join(" "),
        "nic-0 nic-1 nic-3 nic-4 nic-6 nic-7"
    );
}

#[test]
fn shares_are_counted() {
    // Shares of 4, 4 and 5 fit twice into each of three links.
    let shares = |rates: &[usize]| {
        let requests = rates.iter().enumerate().map(|(place, rate)| {
            request(&format!("s{place}"), "link", 1).replace(
                r#""count":1,"#,
                &format!(r#""count":1,"capacity":{{"requests":{{"rate":"{rate}"}}}},"#),
            )
        });
        search(&[claim("c", &requests.collect::<Vec<_>>(), &[])])
    };
    let (answer, statistics) = shares(&[4, 5, 4, 5, 4, 5, 4]);
    assert_eq!(answer, Err(Reason::Exhausted));
    let seen = (statistics.branches, statistics.dead_ends);
    assert_eq!((seen, statistics.short_of_shares), ((15, 14), 6));
    let (answer, _) = shares(&[4, 5, 4, 5, 4, 5]);
    let devices = "link-0 link-0 link-1 link-1 link-2 link-2";
    assert_eq!(answer.unwrap().join(" "), devices);
    // The first picks that fit leave no link to the last.
    let (answer, statistics) = shares(&[4, 4, 6, 6, 10]);
    let devices = "link-0 link-1 link-0 link-1 link-2";
    assert_eq!(answer.unwrap().join(" "), devices);
    assert!(statistics.dead_ends > 0);
}

/// Two `fpga` that have root and zone in common; each for itself has a pair.
fn impossible() -> ResourceClaim {
    let requests = [request("f", "fpga", 2)];
    claim(
        "f",
        &requests,
        &[same("root", r#""f""#), same("zone", r#""f""#)],
    )
}

#[test]
fn what_is_unrelated_is_not_tried_again() {
    let before = claim("n", &[request("n", "nic", 4)], &[]);
    let (answer, alone) = search(&[impossible()]);
    assert_eq!(answer, Err(Reason::Exhausted));
    let (answer, both) = search(&[before, impossible()]);
    assert_eq!(answer, Err(Reason::Exhausted));
    assert_eq!((alone.branches, alone.jumps), (4, 0));
    assert_eq!((both.branches, both.jumps), (4 + 4, 5));
}

#[test]
fn requests_that_are_alike_are_not_exchanged() {
    let mut requests: Vec<String> = (0..5)
        .map(|place| request(&format!("n{place}"), "nic", 1))
        .collect();
    requests.push(request("w", "whole", 1));
    // Two that have the root in common, of those that are left, and no zone.
    let (answer, _) = search(&[claim("c", &requests, &[])]);
    assert_eq!(
        answer.unwrap().join(" "),
        "nic-0 nic-1 nic-2 nic-3 nic-4 card-0"
    );
    let many: Vec<String> = (0..4)
        .map(|place| request(&format!("f{place}"), "fpga", 1))
        .collect();
    let roots = [same("root", r#""f0","f1""#), same("root", r#""f2","f3""#)];
    let (answer, _) = search(&[claim("c", &many, &roots)]);
    assert_eq!(answer.unwrap().join(" "), "fpga-0 fpga-1 fpga-2 fpga-3");
    let zones = [same("root", r#""f0","f1""#), same("zone", r#""f0","f1""#)];
    let (answer, statistics) = search(&[claim("c", &many, &zones)]);
    assert_eq!(answer, Err(Reason::Exhausted));
    assert_eq!((statistics.branches, statistics.dead_ends), (5, 10));
}

/// The first pair of `root` and `leaf` is like the second, but the error is met
/// before the second is whole: what is picked cannot be exchanged there.
#[test]
fn an_error_is_met_between_requests_that_are_alike() {
    let device = |name: &str, kind: &str, root: u32| {
        format!(
            r#"{{"name":"{name}","attributes":{{"kind":{{"string":"{kind}"}},
            "root":{{"int":{root}}}}}}}"#
        )
    };
    let devices = [
        device("root-0", "root", 0),
        device("root-1", "root", 1),
        device("leaf-0", "leaf", 1),
        device("leaf-1", "leaf", 1),
        r#"{"name":"level","attributes":{"level":{"int":1}}}"#.to_owned(),
    ];
    let slice = from_json(&format!(
        r#"{{"metadata":{{"name":"devices"}},"spec":{{"driver":"d.example.com",
        "nodeName":"node","pool":{{"name":"node","generation":1,"resourceSliceCount":1}},
        "devices":[{}]}}}}"#,
        devices.join(",")
    ));
    let is = |kind| format!("has(device.attributes['d.example.com'].kind) && {kind}");
    let wants = |name: &str, selector: &str| {
        format!(
            r#"{{"name":"{name}","exactly":{{"deviceClassName":"any",
            "allocationMode":"ExactCount","count":1,
            "selectors":[{{"cel":{{"expression":"{selector}"}}}}]}}}}"#
        )
    };
    let root = is("device.attributes['d.example.com'].kind == 'root'");
    let leaf = is("device.attributes['d.example.com'].kind == 'leaf'");
    let requests = [
        wants("r0", &root),
        wants("r1", &root),
        wants("l0", &leaf),
        wants("x", "device.attributes['d.example.com'].level == 1"),
        wants("l1", &leaf),
    ];
    let pairs = [same("root", r#""r0","l0""#), same("root", r#""r1","l1""#)];
    let snapshot = snapshot_of(slice);
    let (outcome, _) = ask(&snapshot, &[claim("c", &requests, &pairs)]);
    let error = outcome.unwrap_err();
    assert_eq!(error.code(), Code::CelEvaluation);
    assert!(
        error
            .path()
            .starts_with("claims[0].spec.devices.requests[3].exactly"),
        "{error}"
    );
}
