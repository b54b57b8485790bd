//! The members of a gang over several nodes.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on fails"
)]

use std::cmp::Reverse;
use std::sync::atomic::AtomicBool;

use dralloc::model::{DeviceClass, Node, ResourceClaim, ResourceSlice};
use dralloc::{
    AllocateOptions, Budget, Change, Code, DomainScope, Engine, Features, GangLevel, GangOptions,
    GangOutcome, GangShortage, Outcome, PreparedClaims, SliceRule, Snapshot, SpreadLimit,
    StopCause, Transaction, Workspace,
};
use serde_json::json;

const RACK: &str = "fabric.topograph.run/tier-0";
const CLIQUE: &str = "nvidia.com/gpu.clique";

/// A name, labels and the number of devices.
type Labelled<'a> = (&'a str, Vec<(&'a str, &'a str)>, usize);

/// Returns an engine with nodes of so many devices, in racks.
fn engine(nodes: &[(&str, &str, usize)]) -> Engine {
    let labelled: Vec<Labelled<'_>> = nodes
        .iter()
        .map(|(name, rack, devices)| (*name, vec![(RACK, *rack)], *devices))
        .collect();
    labelled_engine(&labelled)
}

fn labelled_engine(nodes: &[Labelled<'_>]) -> Engine {
    let mut engine = Engine::new(Features::all());
    let class = json!({"metadata": {"name": "gpu"}});
    let class: DeviceClass = serde_json::from_value(class).unwrap();
    engine.apply(Change::DeviceClass(class)).unwrap();
    for (name, labels, devices) in nodes {
        let devices: Vec<_> = (0..*devices)
            .map(|gpu| json!({"name": format!("gpu-{gpu}")}))
            .collect();
        let slice = json!({
            "metadata": {"name": name},
            "spec": {"driver": "gpu.example.com", "nodeName": name, "devices": devices,
                     "pool": {"name": name, "generation": 1, "resourceSliceCount": 1}},
        });
        let slice: ResourceSlice = serde_json::from_value(slice).unwrap();
        let node = Node::new(name, labels.iter().copied());
        engine.apply(Change::Node(node)).unwrap();
        engine.apply(Change::ResourceSlice(slice)).unwrap();
    }
    engine
}

fn claim(name: &str, devices: usize) -> ResourceClaim {
    let claim = json!({
        "metadata": {"namespace": "default", "name": name},
        "spec": {"devices": {"requests": [{"name": "gpu", "exactly":
            {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": devices}}]}},
    });
    serde_json::from_value(claim).unwrap()
}

/// Returns pods with one claim of so many devices each.
fn members(snapshot: &Snapshot, count: usize, devices: usize) -> Vec<PreparedClaims> {
    let claims = (0..count).map(|pod| claim(&format!("pod-{pod}"), devices));
    claims
        .map(|claim| snapshot.prepare(&[claim]).unwrap())
        .collect()
}

fn ask(
    transaction: &mut Transaction,
    count: usize,
    devices: usize,
    options: &GangOptions<'_>,
) -> GangOutcome {
    let members = members(transaction.snapshot(), count, devices);
    let outcome = transaction.gang(&members, options, &mut Workspace::new());
    outcome.unwrap()
}

/// Returns how many members each node has.
fn counts(outcome: &GangOutcome) -> Vec<(&str, usize)> {
    let gang = outcome.gang().unwrap_or_else(|| panic!("{outcome:?}"));
    assert!(gang.is_proved);
    let nodes = gang.nodes.iter();
    nodes
        .map(|node| (&*node.name, node.members.len()))
        .collect()
}

fn shortage(outcome: GangOutcome) -> GangShortage {
    match outcome {
        GangOutcome::Infeasible(shortage) => shortage,
        other => panic!("{other:?}"),
    }
}

/// Returns what devices members got, by member.
fn devices(outcome: &GangOutcome) -> Vec<(usize, String)> {
    let nodes = outcome.gang().unwrap().nodes.iter();
    let members = nodes.flat_map(|node| &node.members);
    let devices = members.flat_map(|(member, allocation)| {
        let devices = allocation.devices();
        devices.map(move |device| {
            let id = device.device;
            (*member, format!("{}/{}", id.pool, id.device))
        })
    });
    devices.collect()
}

#[test]
fn one_node_is_nearer_than_one_rack() {
    let nodes = [
        ("a", "r1", 3),
        ("b", "r1", 3),
        ("c", "r2", 5),
        ("d", "r2", 2),
    ];
    let mut engine = engine(&nodes);
    let mut transaction = engine.snapshot().transaction();
    let start = transaction.savepoint();
    let outcome = ask(&mut transaction, 5, 1, &GangOptions::new());
    assert_eq!(counts(&outcome), [("c", 5)]);
    let level = GangLevel {
        scope: DomainScope::Rack,
        domains: 1,
        smallest: 5,
    };
    assert_eq!(outcome.gang().unwrap().levels, [level]);
    let expected: Vec<(usize, String)> = (0..5).map(|one| (one, format!("c/gpu-{one}"))).collect();
    assert_eq!(devices(&outcome), expected);

    // It is held: the next gang goes elsewhere, and has it after a rollback.
    transaction.rollback(&start).unwrap();
    let again = ask(&mut transaction, 5, 1, &GangOptions::new());
    assert_eq!(devices(&again), expected);
    transaction.commit(&mut engine).unwrap();
    let mut transaction = engine.snapshot().transaction();
    let others: Vec<PreparedClaims> = (0..5)
        .map(|pod| {
            transaction
                .snapshot()
                .prepare(&[claim(&format!("next-{pod}"), 1)])
                .unwrap()
        })
        .collect();
    let outcome = transaction.gang(&others, &GangOptions::new(), &mut Workspace::new());
    assert_eq!(counts(&outcome.unwrap()), [("a", 3), ("b", 2)]);
}

#[test]
fn slices_are_equal() {
    let engine = engine(&[("a", "r1", 7), ("b", "r1", 7), ("c", "r2", 4)]);
    let mut transaction = engine.snapshot().transaction();
    let outcome = ask(&mut transaction, 8, 1, &GangOptions::new());
    assert_eq!(counts(&outcome), [("a", 4), ("b", 4)]);
    assert_eq!(outcome.gang().unwrap().smallest, 4);
}

/// 128 of racks of 18 are sixteen of each of eight, and not eighteen of seven and a rest.
#[test]
fn racks_give_equal_slices() {
    let racks: Vec<String> = (0..20).map(|rack| format!("r{rack:02}")).collect();
    let names: Vec<(&str, String)> = racks
        .iter()
        .flat_map(|rack| (0..18).map(move |node| (&**rack, format!("{rack}-n{node:02}"))))
        .collect();
    let nodes: Vec<Labelled<'_>> = names
        .iter()
        .map(|(rack, name)| (&**name, vec![(CLIQUE, *rack)], 1))
        .collect();
    let engine = labelled_engine(&nodes);
    let mut transaction = engine.snapshot().transaction();
    let outcome = ask(&mut transaction, 128, 1, &GangOptions::new());
    let level = GangLevel {
        scope: DomainScope::NvLinkDomain,
        domains: 8,
        smallest: 16,
    };
    assert_eq!(outcome.gang().unwrap().levels, [level]);
    let counts = counts(&outcome);
    assert_eq!(counts.len(), 128);
    for rack in &racks[..8] {
        let of_rack = counts.iter().filter(|(name, _)| name.starts_with(&**rack));
        assert_eq!(of_rack.count(), 16, "{rack}");
    }
}

#[test]
fn members_take_several_devices() {
    // A node that lost a device takes three members of two.
    let engine = engine(&[("a", "r1", 8), ("b", "r1", 7), ("c", "r1", 8)]);
    let ask = |count, rule| {
        let mut transaction = engine.snapshot().transaction();
        ask(&mut transaction, count, 2, &GangOptions::new().slices(rule))
    };
    assert_eq!(counts(&ask(3, SliceRule::Any)), [("b", 3)]);
    assert_eq!(counts(&ask(4, SliceRule::Any)), [("a", 4)]);
    assert_eq!(
        counts(&ask(9, SliceRule::Same)),
        [("a", 3), ("b", 3), ("c", 3)]
    );
    assert_eq!(counts(&ask(8, SliceRule::WholeHosts)), [("a", 4), ("c", 4)]);
    let shortage = shortage(ask(12, SliceRule::Any));
    assert_eq!((shortage.most, shortage.limit), (11, SpreadLimit::Free));
    assert_eq!(shortage.reasons, []);
    assert_eq!(
        shortage.to_string(),
        "11 of 12 members fit, there are too few devices"
    );
}

#[test]
fn what_is_broken_is_used_first() {
    let mut engine = engine(&[
        ("a", "r1", 4),
        ("b", "r1", 4),
        ("c", "r2", 4),
        ("d", "r2", 4),
    ]);
    let snapshot = engine.snapshot();
    let mut transaction = snapshot.transaction();
    let held = snapshot.prepare(&[claim("held", 2)]).unwrap();
    let options = AllocateOptions::new();
    let outcome = transaction.allocate("d", &held, &options, &mut Workspace::new());
    assert!(matches!(outcome, Ok(Outcome::Optimal(_))));
    transaction.commit(&mut engine).unwrap();
    let counted = |count| {
        let mut transaction = engine.snapshot().transaction();
        let outcome = ask(&mut transaction, count, 1, &GangOptions::new());
        let counts = counts(&outcome).into_iter();
        let counts = counts.map(|(name, count)| (name.to_owned(), count));
        counts.collect::<Vec<_>>()
    };
    let pairs = |pairs: &[(&str, usize)]| -> Vec<(String, usize)> {
        pairs
            .iter()
            .map(|(name, count)| ((*name).to_owned(), *count))
            .collect()
    };
    assert_eq!(counted(2), pairs(&[("d", 2)]));
    // A whole node of the rack that is broken already.
    assert_eq!(counted(3), pairs(&[("c", 3)]));
    assert_eq!(counted(8), pairs(&[("a", 4), ("b", 4)]));
}

#[test]
fn a_clique_is_a_hard_limit() {
    let names: Vec<String> = (0..24).map(|node| format!("n{node:02}")).collect();
    let nodes: Vec<Labelled<'_>> = names
        .iter()
        .enumerate()
        .map(|(place, name)| {
            let clique = if place < 20 { "uuid.0" } else { "uuid.1" };
            (
                &**name,
                vec![(CLIQUE, clique), ("topology.kubernetes.io/zone", "z")],
                4,
            )
        })
        .collect();
    let engine = labelled_engine(&nodes);
    let options = GangOptions::new()
        .within(DomainScope::NvLinkDomain)
        .most_nodes(DomainScope::NvLinkDomain, 18);
    let mut transaction = engine.snapshot().transaction();
    let outcome = ask(&mut transaction, 72, 1, &options);
    let expected: Vec<(&str, usize)> = names[..18].iter().map(|name| (&**name, 4)).collect();
    assert_eq!(counts(&outcome), expected);
    let levels = &outcome.gang().unwrap().levels;
    let scopes: Vec<DomainScope> = levels.iter().map(|level| level.scope).collect();
    assert_eq!(scopes, [DomainScope::Zone, DomainScope::NvLinkDomain]);

    let mut transaction = engine.snapshot().transaction();
    let shortage = shortage(ask(&mut transaction, 73, 1, &options));
    let within = Some((DomainScope::NvLinkDomain, Some("uuid.0".to_owned())));
    assert_eq!((shortage.most, &shortage.within), (72, &within));
    assert_eq!(
        shortage.to_string(),
        "72 of 73 members fit within nvLinkDomain `uuid.0`, elsewhere there are enough"
    );
    // Nothing is held.
    let outcome = ask(&mut transaction, 96, 1, &GangOptions::new());
    assert_eq!(counts(&outcome).len(), 24);
}

#[test]
fn nothing_cuts_through_a_clique() {
    // The clique hangs on two leaf switches; the other nodes on one of them.
    let node = |name, clique, leaf| (name, vec![(CLIQUE, clique), (RACK, leaf)], 2);
    let engine = labelled_engine(&[
        node("a", "x", "l1"),
        node("b", "y", "l1"),
        node("c", "x", "l2"),
        node("d", "y", "l1"),
    ]);
    let ask = |options| ask(&mut engine.snapshot().transaction(), 4, 1, &options);
    assert_eq!(counts(&ask(GangOptions::new())), [("a", 2), ("c", 2)]);
    let scopes = |outcome: &GangOutcome| {
        let levels = outcome.gang().unwrap().levels.iter();
        levels.map(|level| level.scope).collect::<Vec<_>>()
    };
    assert_eq!(
        scopes(&ask(GangOptions::new())),
        [DomainScope::NvLinkDomain]
    );
    // Unless the caller says so.
    let named = ask(GangOptions::new().within(DomainScope::Rack));
    assert_eq!(counts(&named), [("b", 2), ("d", 2)]);
    let own = [
        (DomainScope::NvLinkDomain, "none"),
        (DomainScope::Block, RACK),
    ];
    let named = ask(GangOptions::new().labels(&own).within(DomainScope::Block));
    assert_eq!(counts(&named), [("b", 2), ("d", 2)]);
    let nodes = ["d", "c", "a", "nowhere", "d"];
    let some = ask(GangOptions::new().nodes(&nodes));
    assert_eq!(counts(&some), [("c", 2), ("a", 2)]);
}

#[test]
fn a_label_that_some_nodes_lack_cuts_no_clique() {
    let engine = labelled_engine(&[
        ("a", vec![(CLIQUE, "x"), (RACK, "l1")], 2),
        ("b", vec![(CLIQUE, "x")], 2),
        ("c", vec![(CLIQUE, "y"), (RACK, "l1")], 1),
    ]);
    let ask = |options| ask(&mut engine.snapshot().transaction(), 4, 1, &options);
    let within = GangOptions::new().within(DomainScope::NvLinkDomain);
    assert_eq!(counts(&ask(within)), [("a", 2), ("b", 2)]);
    let limited = within.most_nodes(DomainScope::NvLinkDomain, 1);
    assert_eq!(shortage(ask(limited)).most, 2);
}

#[test]
fn what_is_no_gang_is_an_error() {
    let mut engine = engine(&[("a", "r1", 4)]);
    let snapshot = engine.snapshot();
    let mut transaction = snapshot.transaction();
    let prepare = |name, devices| snapshot.prepare(&[claim(name, devices)]).unwrap();
    let mut ask = |members: &[PreparedClaims]| {
        let outcome = transaction.gang(members, &GangOptions::new(), &mut Workspace::new());
        outcome.map_err(|error| (error.code(), error.to_string()))
    };
    assert_eq!(counts(&ask(&[]).unwrap()), []);
    let (code, text) = ask(&[prepare("a", 1), prepare("b", 2)]).unwrap_err();
    assert_eq!(code, Code::Invalid);
    assert_eq!(
        text,
        "members[1]: the claims ask for something else, expected those of one template"
    );
    let (code, text) = ask(&[prepare("a", 1), prepare("a", 1)]).unwrap_err();
    assert_eq!(code, Code::Duplicate);
    assert_eq!(
        text,
        "members[1]: claim `default/a` is there twice, expected each claim once"
    );
    assert!(ask(&[prepare("a", 1)]).unwrap().gang().is_some());
    let (code, text) = ask(&[prepare("b", 1), prepare("a", 1)]).unwrap_err();
    assert_eq!(code, Code::Invalid);
    assert_eq!(
        text,
        "members[1]: a claim has something or is to go, expected claims without devices"
    );
    transaction.commit(&mut engine).unwrap();
}

#[test]
fn a_stopped_call_holds_nothing() {
    let engine = engine(&[("a", "r1", 4), ("b", "r1", 4)]);
    let mut transaction = engine.snapshot().transaction();
    let flag = AtomicBool::new(true);
    let options = GangOptions::new().budget(Budget::new().cancel(&flag));
    let outcome = ask(&mut transaction, 6, 1, &options);
    assert!(
        matches!(outcome, GangOutcome::Unknown(StopCause::Cancelled)),
        "{outcome:?}"
    );
    // No branch is enough for nothing: neither a yes nor a no is known.
    let options = GangOptions::new().budget(Budget::new().branches(0));
    let outcome = ask(&mut transaction, 6, 1, &options);
    assert!(
        matches!(outcome, GangOutcome::Unknown(StopCause::Branches)),
        "{outcome:?}"
    );
    let outcome = ask(&mut transaction, 8, 1, &GangOptions::new());
    assert_eq!(counts(&outcome), [("a", 4), ("b", 4)]);
}

#[test]
fn nodes_that_share_devices_are_found_out() {
    let mut engine = engine(&[("a", "r1", 0), ("b", "r1", 0)]);
    let devices: Vec<_> = (0..3)
        .map(|one| json!({"name": format!("net-{one}")}))
        .collect();
    let slice = json!({
        "metadata": {"name": "net"},
        "spec": {"driver": "net.example.com", "allNodes": true, "devices": devices,
                 "pool": {"name": "net", "generation": 1, "resourceSliceCount": 1}},
    });
    let slice: ResourceSlice = serde_json::from_value(slice).unwrap();
    engine.apply(Change::ResourceSlice(slice)).unwrap();
    let mut transaction = engine.snapshot().transaction();
    assert_eq!(
        counts(&ask(&mut transaction.clone(), 3, 1, &GangOptions::new())),
        [("a", 3)]
    );
    let members = members(transaction.snapshot(), 4, 1);
    let error = transaction.gang(&members, &GangOptions::new(), &mut Workspace::new());
    let error = error.unwrap_err();
    assert_eq!(error.code(), Code::Unsupported);
    assert_eq!(
        error.to_string(),
        "nodes: node `b` has less room beside others, expected nodes that do not share devices"
    );
    assert_eq!(
        counts(&ask(&mut transaction, 3, 1, &GangOptions::new())),
        [("a", 3)]
    );
}

/// Returns the least of (racks, slices of them, nodes, slices of them) by trying all.
fn best(free: &[(usize, usize)], count: usize) -> Option<[(usize, Reverse<usize>); 2]> {
    let mut best = None;
    let mut given = vec![0; free.len()];
    loop {
        if given.iter().sum::<usize>() == count {
            let racks = free.iter().map(|(rack, _)| *rack).max().unwrap();
            let of_rack = |rack| {
                let nodes = free.iter().zip(&given).filter(|(node, _)| node.0 == rack);
                nodes.map(|(_, given)| *given).sum::<usize>()
            };
            let key = |sums: Vec<usize>| {
                let used = sums.iter().copied().filter(|&sum| sum > 0);
                (used.clone().count(), Reverse(used.min().unwrap_or(0)))
            };
            let key = [key((0..=racks).map(of_rack).collect()), key(given.clone())];
            if best.is_none_or(|best| key < best) {
                best = Some(key);
            }
        }
        let Some(next) = (0..free.len()).find(|&node| given[node] < free[node].1) else {
            return best;
        };
        given[next] += 1;
        given[..next].fill(0);
    }
}

#[test]
fn small_clusters_give_the_best() {
    let mut state = 5_u64;
    let mut below = |end: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % end
    };
    let mut workspace = Workspace::new();
    let mut found = 0;
    for _ in 0..400 {
        let names: Vec<String> = (0..=below(5)).map(|node| format!("n{node}")).collect();
        let free: Vec<(usize, usize)> = names.iter().map(|_| (below(3), below(5))).collect();
        let racks = ["r0", "r1", "r2"];
        let nodes: Vec<(&str, &str, usize)> = names
            .iter()
            .zip(&free)
            .map(|(name, (rack, free))| (&**name, racks[*rack], *free))
            .collect();
        let engine = engine(&nodes);
        let all: usize = free.iter().map(|(_, free)| free).sum();
        let count = 1 + below(all + 1);
        let mut transaction = engine.snapshot().transaction();
        let members = members(transaction.snapshot(), count, 1);
        let outcome = transaction
            .gang(&members, &GangOptions::new(), &mut workspace)
            .unwrap();
        let expected = best(&free, count);
        match &outcome {
            GangOutcome::Placed(gang) => {
                let rack = gang.levels[0];
                let smallest = gang.nodes.iter().map(|node| node.members.len()).min();
                assert_eq!(smallest, Some(gang.smallest));
                let key = [
                    (rack.domains, Reverse(rack.smallest)),
                    (gang.nodes.len(), Reverse(gang.smallest)),
                ];
                assert_eq!(Some(key), expected, "{free:?} {count}");
                let mut devices = devices(&outcome);
                assert_eq!(
                    devices
                        .iter()
                        .map(|(member, _)| *member)
                        .collect::<Vec<_>>(),
                    (0..count).collect::<Vec<_>>()
                );
                devices.sort_by(|left, right| left.1.cmp(&right.1));
                devices.dedup_by(|left, right| left.1 == right.1);
                assert_eq!(devices.len(), count);
                found += 1;
            }
            GangOutcome::Infeasible(shortage) => {
                assert_eq!(expected, None);
                assert_eq!((shortage.most, shortage.limit), (all, SpreadLimit::Free));
            }
            GangOutcome::Unknown(cause) => panic!("{cause}"),
        }
    }
    assert!(found > 200, "{found}");
}
