use std::collections::BTreeMap;
use std::sync::Arc;

use super::{ManyCache, ManyWalk};
use crate::budget::Budget;
use crate::claims::PreparedClaims;
use crate::eligible::Verdicts;
use crate::engine::{AllocateOptions, Change, Engine, Outcome, Workspace};
use crate::features::Features;
use crate::model::{
    AllocationResult, DeviceClass, DeviceRequestAllocationResult, Node, ResourceClaim,
    ResourceSlice,
};
use crate::solver::shortcut::Short;
use crate::state::Draft;
use crate::store::{NodeView, Segment};
use crate::wire::from_json;

/// Nodes with 4 devices each in pool `m`, and pools `a` and `z` of 40 devices
/// that all of them see; each half of a pool has a root.
fn engine(nodes: usize) -> Engine {
    let mut engine = Engine::new(Features::all());
    let class: DeviceClass = from_json(r#"{"metadata":{"name":"gpu"}}"#).unwrap();
    engine.apply(Change::DeviceClass(class)).unwrap();
    let mut add = |name: &str, place: &str, count: usize| {
        let devices: Vec<String> = (0..count)
            .map(|device| {
                let root = 2 * device / count;
                format!(
                    r#"{{"name":"{device}","attributes":{{"d/root":{{"string":"{name}-{root}"}}}}}}"#
                )
            })
            .collect();
        let slice: ResourceSlice = from_json(&format!(
            r#"{{"metadata":{{"name":"{name}"}},"spec":{{"driver":"d",{place},
            "pool":{{"name":"{name}","generation":1,"resourceSliceCount":1}},"devices":[{}]}}}}"#,
            devices.join(",")
        ))
        .unwrap();
        engine.apply(Change::ResourceSlice(slice)).unwrap();
    };
    add("a", r#""allNodes":true"#, 40);
    add("z", r#""allNodes":true"#, 40);
    for number in 0..nodes {
        let node = format!("node-{number}");
        add(
            &format!("m-{number}"),
            &format!(r#""nodeName":"{node}""#),
            4,
        );
    }
    for number in 0..nodes {
        let node = Node::new(&format!("node-{number}"), []);
        engine.apply(Change::Node(node)).unwrap();
    }
    engine.apply(Change::Node(Node::new("bare", []))).unwrap();
    engine
}

fn claims(engine: &Engine, count: usize, selector: &str, constraints: &str) -> PreparedClaims {
    let claim: ResourceClaim = from_json(&format!(
        r#"{{"metadata":{{"name":"c","namespace":"n"}},"spec":{{"devices":{{
        "requests":[{{"name":"r","exactly":{{"deviceClassName":"gpu","allocationMode":"ExactCount",
        "count":{count},"selectors":[{{"cel":{{"expression":"{selector}"}}}}]}}}}],
        "constraints":[{constraints}]}}}}}}"#
    ))
    .unwrap();
    engine.snapshot().prepare(&[claim]).unwrap()
}

fn view(engine: &Engine, node: &str) -> Arc<NodeView> {
    Arc::clone(engine.snapshot().inventory.view(node).unwrap())
}

/// The devices that are picked, a reason, or what else became of it.
fn answer(
    cache: &mut ManyCache,
    claims: &PreparedClaims,
    view: &NodeView,
) -> Result<Vec<usize>, String> {
    let (mut verdicts, mut meter) = (Verdicts::default(), Budget::new().meter());
    let held = Draft::new(Arc::default());
    let question = cache.ask(claims, view, &held, &mut verdicts, &mut meter);
    let question = question.unwrap().ok_or("not usual")?;
    let mut walk = ManyWalk::default();
    match walk.answer(&question, &mut meter) {
        Short::First => Ok(walk.picks().iter().map(|(_, device)| *device).collect()),
        Short::Infeasible(reason) => Err(format!("{reason:?}")),
        Short::Stopped(_) => Err("stopped".to_owned()),
        Short::Unsure => Err("unsure".to_owned()),
    }
}

#[test]
fn parts_lie_in_canonical_order() {
    let engine = engine(2);
    let (node, other, bare) = (
        view(&engine, "node-0"),
        view(&engine, "node-1"),
        view(&engine, "bare"),
    );
    let segment = |part, pool: usize, devices, first| Segment {
        part,
        pools: pool..pool + 1,
        devices,
        first,
    };
    let expected = [
        segment(1, 0, 0..40, 0),
        segment(0, 0, 0..4, 40),
        segment(1, 1, 40..80, 44),
    ];
    assert_eq!(node.segments(), expected);
    assert!(Arc::ptr_eq(&node.parts()[1], &other.parts()[1]));
    assert!(Arc::ptr_eq(&node.parts()[1], bare.whole()));
    assert_eq!((node.device_count(), bare.device_count()), (84, 80));
    for (place, entry) in node.whole().devices.iter().enumerate() {
        assert_eq!(node.entry(place).key, entry.key);
        let pool = &node.pools[entry.pool()];
        assert_eq!(pool.key, entry.stored.pool);
    }
}

#[test]
fn walks_go_over_parts() {
    let engine = engine(2);
    let mut cache = ManyCache::default();
    let mut ask = |node: &str, count, selector: &str, constraints: &str| {
        let claims = claims(&engine, count, selector, constraints);
        answer(&mut cache, &claims, &view(&engine, node))
    };
    let last = "device.attributes['d'].root.endsWith('-1')";
    let root = r#"{"matchAttribute":"d/root"}"#;
    assert_eq!(ask("node-1", 2, last, ""), Ok(vec![20, 21]));
    let all: Vec<usize> = (20..40).chain(42..44).chain(64..74).collect();
    assert_eq!(ask("node-1", 32, last, ""), Ok(all));
    let short = "Request { claim: 0, request: 0 }".to_owned();
    assert_eq!(
        ask(
            "node-0",
            5,
            "device.attributes['d'].root.startsWith('m')",
            ""
        ),
        Err(short)
    );
    let shared = "!device.attributes['d'].root.startsWith('m')";
    assert_eq!(ask("bare", 3, last, root), Ok(vec![20, 21, 22]));
    assert_eq!(ask("bare", 21, shared, root), Err("Exhausted".to_owned()));
    let later = "device.attributes['d'].root.startsWith('z')";
    assert_eq!(ask("node-0", 3, later, root), Ok(vec![44, 45, 46]));
    assert_eq!(ask("node-0", 21, later, root), Err("Exhausted".to_owned()));
    // Values of two parts are not compared.
    assert_eq!(ask("node-0", 3, "true", root), Err("not usual".to_owned()));
}

#[test]
fn memory_is_bounded() {
    let engine = engine(40);
    let (mut cache, mut heaviest) = (ManyCache::default(), 0);
    for round in 0..20 {
        let claims = claims(&engine, 1, &format!("{round} < 20"), "");
        for number in 0..40 {
            let view = view(&engine, &format!("node-{number}"));
            assert_eq!(answer(&mut cache, &claims, &view), Ok(vec![0]));
            heaviest = heaviest.max(cache.size().1);
        }
    }
    assert!(heaviest > 1 << 13 && heaviest <= 1 << 14, "{heaviest}");
    assert!(cache.size().0 > 0);
}

/// Pools with budgets fill up and empty again; a warm workspace, where what was
/// left of pools is kept, gives the answers of the search.
#[test]
fn what_is_kept_of_pools_is_true() {
    let mut engine = engine(1);
    for pool in 0..3 {
        for (name, part) in [
            (
                "counters",
                r#""sharedCounters":[{"name":"s","counters":{"c":{"value":"4"}}}]"#.to_owned(),
            ),
            ("devices", {
                let device = |size: usize| {
                    let shared = if size == 3 {
                        r#""allowMultipleAllocations":true,"#
                    } else {
                        ""
                    };
                    format!(
                        r#"{{"name":"{size}",{shared}"attributes":{{"d/root":{{"string":"a-{pool}"}}}},
                        "consumesCounters":[{{"counterSet":"s","counters":{{"c":{{"value":"{size}"}}}}}}]}}"#
                    )
                };
                format!(r#""devices":[{},{},{}]"#, device(1), device(2), device(3))
            }),
        ] {
            let slice: ResourceSlice = from_json(&format!(
                r#"{{"metadata":{{"name":"{name}-{pool}"}},"spec":{{"driver":"b","allNodes":true,{part},
                "pool":{{"name":"p{pool}","generation":1,"resourceSliceCount":2}}}}}}"#
            ))
            .unwrap();
            engine.apply(Change::ResourceSlice(slice)).unwrap();
        }
    }
    let snapshot = engine.snapshot();
    let (mut many, mut long) = (snapshot.transaction(), snapshot.transaction());
    let (mut warm, options) = (Workspace::new(), AllocateOptions::new());
    let mut held: Vec<ResourceClaim> = Vec::new();
    let mut seen = BTreeMap::new();
    for round in 0..200_usize {
        let count = 1 + round % 3;
        let constraint = [r#"{"matchAttribute":"d/root"}"#, ""][round / 3 % 2];
        let claim: ResourceClaim = from_json(&format!(
            r#"{{"metadata":{{"name":"c{round}","namespace":"n"}},"spec":{{"devices":{{
            "requests":[{{"name":"r","exactly":{{"deviceClassName":"gpu","allocationMode":"ExactCount",
            "count":{count},"selectors":[{{"cel":{{"expression":"device.driver == 'b'"}}}}]}}}}],
            "constraints":[{constraint}]}}}}}}"#
        ))
        .unwrap();
        let claims = snapshot.prepare(std::slice::from_ref(&claim)).unwrap();
        let node = ["node-0", "bare"][round % 2];
        let mut answers = Vec::new();
        for (transaction, options, workspace) in [
            (&mut many, options.many(true), &mut warm),
            (&mut long, options.shortcuts(false), &mut Workspace::new()),
        ] {
            let answer = transaction
                .allocate(node, &claims, &options, workspace)
                .unwrap();
            answers.push(match answer {
                Outcome::Optimal(allocation) => format!("{:?}", allocation.results()),
                other => format!("{other:?}"),
            });
        }
        assert_eq!(answers[0], answers[1], "round {round}");
        let fits = !answers[0].contains("Infeasible");
        *seen.entry(fits).or_insert(0) += 1;
        if fits {
            held.push(claim);
        }
        if (!fits && round % 4 == 0 || held.len() > 9) && !held.is_empty() {
            let released = held.remove(round % held.len());
            assert!(many.release(&released) && long.release(&released));
        }
        if round % 50 == 40 {
            // What nobody publishes is held: nothing can be known of the pool.
            let mut gone = AllocationResult::default();
            gone.devices.results.push(DeviceRequestAllocationResult {
                driver: "b".into(),
                pool: format!("p{}", round / 50 % 3).into(),
                device: "gone".into(),
                ..Default::default()
            });
            held.push(claim_named(&format!("gone-{round}")));
            for transaction in [&mut many, &mut long] {
                transaction.hold(&claim_named(&format!("gone-{round}")), &gone);
            }
        }
    }
    assert!(seen[&true] > 40 && seen[&false] > 40, "{seen:?}");
}

fn claim_named(name: &str) -> ResourceClaim {
    let mut claim = ResourceClaim::default();
    claim.metadata.name = name.into();
    claim
}

/// Returns a claim for shares: requests of so many devices each, and of how much.
fn shares(name: &str, requests: &[(usize, &str)]) -> ResourceClaim {
    let requests: Vec<String> = requests
        .iter()
        .enumerate()
        .map(|(place, (count, amount))| {
            format!(
                r#"{{"name":"r{place}","exactly":{{"deviceClassName":"gpu",
                "allocationMode":"ExactCount","count":{count},
                "capacity":{{"requests":{{"memory":"{amount}"}}}},
                "selectors":[{{"cel":{{"expression":"device.driver == 'c'"}}}}]}}}}"#
            )
        })
        .collect();
    let requests = requests.join(",");
    let claim = format!(
        r#"{{"metadata":{{"name":"{name}"}},"spec":{{"devices":{{"requests":[{requests}]}}}}}}"#
    );
    from_json(&claim).unwrap()
}

/// Devices fill up and empty again in the books and in drafts over them, also over
/// those of earlier; what a warm workspace knows of them gives the answers of the
/// search.
#[test]
fn what_is_kept_of_shares_is_true() {
    let mut engine = engine(1);
    // Of two slices the one that comes first has the higher numbers.
    for (slice, first) in [("y", 0), ("x", 70)] {
        let device = |number: usize| {
            let shared = number % 7 != 3;
            let memory = 4 + 4 * (number % 2);
            format!(
                r#"{{"name":"{number}","allowMultipleAllocations":{shared},
                "capacity":{{"memory":{{"value":"{memory}"}}}}}}"#
            )
        };
        let devices: Vec<String> = (first..first + 70).map(device).collect();
        let slice: ResourceSlice = from_json(&format!(
            r#"{{"metadata":{{"name":"{slice}"}},"spec":{{"driver":"c","allNodes":true,
            "pool":{{"name":"c","generation":1,"resourceSliceCount":2}},"devices":[{}]}}}}"#,
            devices.join(",")
        ))
        .unwrap();
        engine.apply(Change::ResourceSlice(slice)).unwrap();
    }
    let asked: [&[(usize, &str)]; 6] = [
        &[(1, "2"), (1, "2"), (1, "2")],
        &[(30, "3")],
        &[(2, "3"), (1, "1"), (2, "3")],
        &[(1, "5"), (4, "2"), (1, "5")],
        &[(20, "4"), (12, "2")],
        &[(1, "8"), (1, "2000m"), (1, "2")],
    ];
    let mut warm = Workspace::new();
    let mut held: Vec<ResourceClaim> = Vec::new();
    let mut earlier = engine.snapshot();
    let mut seen = BTreeMap::new();
    for round in 0..240_usize {
        let claim = shares(&format!("claim-{round}"), asked[round * 5 / 3 % 6]);
        let mut ask = |snapshot: &crate::engine::Snapshot| {
            let claims = snapshot.prepare(std::slice::from_ref(&claim)).unwrap();
            let mut transaction = snapshot.transaction();
            let mut long = snapshot.transaction();
            // The second time there is a draft over the books.
            let again = shares("again", asked[round % 6]);
            let again = snapshot.prepare(std::slice::from_ref(&again)).unwrap();
            let mut fits = false;
            for (claims, is_first) in [(&again, false), (&claims, true)] {
                let options = AllocateOptions::new();
                let before = transaction.savepoint();
                let short = transaction
                    .allocate("bare", claims, &options.many(true), &mut warm)
                    .unwrap();
                let expected = long
                    .allocate(
                        "bare",
                        claims,
                        &options.shortcuts(false),
                        &mut Workspace::new(),
                    )
                    .unwrap();
                let text = |answer: &Outcome| match answer {
                    Outcome::Optimal(allocation) => format!("{:?}", allocation.results()),
                    other => format!("{other:?}"),
                };
                assert_eq!(text(&short), text(&expected), "round {round}");
                fits = matches!(short, Outcome::Optimal(_));
                if !is_first && round % 3 == 0 {
                    // What the draft had goes again.
                    transaction.rollback(&before).unwrap();
                    long = snapshot.transaction();
                }
            }
            (fits, transaction)
        };
        if round % 4 == 1 {
            ask(&earlier);
        }
        let (fits, mut transaction) = ask(&engine.snapshot());
        *seen.entry(fits).or_insert(0) += 1;
        transaction.release(&shares("again", &[]));
        transaction.commit(&mut engine).unwrap();
        if fits {
            held.push(claim);
        }
        if (!fits || held.len() > 14) && !held.is_empty() {
            let released = held.remove(round % held.len());
            let mut transaction = engine.snapshot().transaction();
            assert!(transaction.release(&released));
            transaction.commit(&mut engine).unwrap();
        }
        if round % 10 == 0 {
            earlier = engine.snapshot();
        }
    }
    assert!(seen[&true] > 40 && seen[&false] > 20, "{seen:?}");
}
