//! Remedies under placement policies, where fewer devices can be harder to have.

use dralloc::model::{Node, ResourceClaim};
use dralloc::{
    AllocateOptions, Budget, Change, Deadline, Engine, Explanation, NodeVerdict, PlaceOptions,
    Remedy, Workspace,
};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::{claim, engine, holding};

const NUMA: &str = "resource.kubernetes.io/numaNode";

/// The same claim with a policy for all of its requests.
fn under(mut claim: ResourceClaim, policy: &Value) -> ResourceClaim {
    let mut parameters = policy.clone();
    parameters["apiVersion"] = "dralloc.dev/v1alpha1".into();
    parameters["kind"] = "PlacementPolicy".into();
    let config = json!([{"opaque": {"driver": "dralloc.dev", "parameters": parameters}}]);
    claim.spec.devices.config = serde_json::from_value(config).unwrap();
    claim
}

fn unit(requests: Value, mode: &str) -> Value {
    json!({"unit": {"requests": requests, "scope": "numaNode", "mode": mode}})
}

/// Devices `0`, `1`, … by their NUMA nodes, in fabric partitions of two and four neighbours.
fn board(numa: &[i64]) -> Engine {
    let device = |(place, numa): (usize, &i64)| {
        json!({"name": place.to_string(), "attributes": {
            NUMA: {"int": numa}, "partition8": {"int": 0}, "partition4": {"int": 1 + place / 4},
            "partition2": {"int": 3 + place / 2}, "partition1": {"int": 8 + place}}})
    };
    engine(numa.iter().enumerate().map(device).collect())
}

fn remedies(engine: &Engine, claim: &ResourceClaim) -> Vec<Remedy> {
    let snapshot = engine.snapshot();
    let prepared = snapshot.prepare(std::slice::from_ref(claim)).unwrap();
    let (options, mut workspace) = (AllocateOptions::new(), Workspace::new());
    let transaction = snapshot.transaction();
    transaction
        .remedies("n", &prepared, &options, &mut workspace)
        .unwrap()
}

/// The counts that are offered, by request.
fn counts(remedies: &[Remedy]) -> Vec<(&str, usize)> {
    let counts = remedies.iter().filter_map(|remedy| match remedy {
        Remedy::Count {
            request, instead, ..
        } => Some((&**request, *instead)),
        _ => None,
    });
    counts.collect()
}

/// Whether a claim is right, and fits.
fn fits(engine: &Engine, claim: &ResourceClaim) -> bool {
    let snapshot = engine.snapshot();
    let Ok(prepared) = snapshot.prepare(std::slice::from_ref(claim)) else {
        return false;
    };
    let (options, mut workspace) = (AllocateOptions::new(), Workspace::new());
    let outcome = snapshot
        .transaction()
        .consider("n", &prepared, &options, &mut workspace);
    outcome.unwrap().allocation().is_some()
}

#[test]
fn the_largest_partition_is_offered() {
    let mut engine = board(&[0; 8]);
    engine.apply(holding("h", &["0"])).unwrap();
    let asked = under(
        claim("c", &[("r", 8)], json!([])),
        &json!({"fabricPartition": "required"}),
    );
    assert_eq!(counts(&remedies(&engine, &asked)), [("r", 4)]);
}

#[test]
fn units_stay_whole() {
    // Only two devices are in one domain.
    let engine = board(&[0, 0, 1, 2]);
    let ask = |counts: &[(&str, u32)], units: Value, mode: &str| {
        under(claim("c", counts, json!([])), &unit(units, mode))
    };
    let pairs = ask(&[("r", 4)], json!({"r": 2}), "required");
    assert_eq!(counts(&remedies(&engine, &pairs)), [("r", 2)]);
    // Six are not there; what is preferred has to be whole, too.
    let preferred = ask(&[("r", 6)], json!({"r": 2}), "preferred");
    assert_eq!(counts(&remedies(&engine, &preferred)), [("r", 4)]);
    let both = ask(&[("r", 3), ("s", 3)], json!({"r": 1, "s": 1}), "required");
    assert!(counts(&remedies(&engine, &both)).is_empty());
}

/// What is asked of a board.
#[derive(Clone, Debug)]
struct Ask {
    numa: Vec<i64>,
    held: Vec<bool>,
    first: u32,
    second: u32,
    policy: u8,
}

fn ask() -> impl Strategy<Value = Ask> {
    let board = prop::collection::vec((0..3_i64, prop::bool::weighted(0.3)), 1..9);
    (board, 1..9_u32, 0..4_u32, 0..6_u8).prop_map(|(board, first, second, policy)| {
        let (numa, held) = board.into_iter().unzip();
        Ask {
            numa,
            held,
            first,
            second,
            policy,
        }
    })
}

impl Ask {
    fn claim(&self) -> ResourceClaim {
        self.claim_for(self.first, self.second)
    }

    fn claim_for(&self, first: u32, second: u32) -> ResourceClaim {
        let all = [("a", first), ("b", second)];
        let requests = if second == 0 { &all[..1] } else { &all };
        let policy = match self.policy {
            0 => json!({"affinity": [{"scope": "numaNode", "mode": "required"}]}),
            1 => json!({"fabricPartition": "required"}),
            2 => unit(json!({"a": 2}), "required"),
            3 => unit(json!({"a": 2}), "preferred"),
            4 if self.second > 0 => unit(json!({"a": 1, "b": 1}), "required"),
            _ => json!({"policy": "kubernetes"}),
        };
        under(claim("c", requests, json!([])), &policy)
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("DRALLOC_PROPERTY_CASES").map_or(256, |text| text.parse().unwrap()),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn remedies_help_and_are_right(ask in ask()) {
        let mut engine = board(&ask.numa);
        for (place, _) in ask.held.iter().enumerate().filter(|(_, held)| **held) {
            let place = place.to_string();
            engine.apply(holding(&format!("h{place}"), &[&place])).unwrap();
        }
        let asked = ask.claim();
        let snapshot = engine.snapshot();
        let Ok(prepared) = snapshot.prepare(std::slice::from_ref(&asked)) else {
            return Ok(());
        };
        let remedies = remedies(&engine, &asked);
        if fits(&engine, &asked) {
            prop_assert!(remedies.is_empty(), "{:?}", remedies);
            return Ok(());
        }
        let (options, mut workspace) = (AllocateOptions::new(), Workspace::new());
        for remedy in &remedies {
            let mut what_if = snapshot.transaction();
            let changed = what_if.remedied(&prepared, remedy).unwrap();
            let outcome = what_if.consider("n", &changed, &options, &mut workspace).unwrap();
            prop_assert!(outcome.allocation().is_some(), "{}", remedy);
        }
        let largest = |most: u32, claim: &dyn Fn(u32) -> ResourceClaim| {
            (1..most).rev().find(|count| fits(&engine, &claim(*count)))
        };
        let first = largest(ask.first, &|count| ask.claim_for(count, ask.second));
        let second = largest(ask.second, &|count| ask.claim_for(ask.first, count));
        let expected = [("a", first), ("b", second)].into_iter();
        let expected: Vec<(&str, usize)> = expected
            .filter_map(|(name, count)| Some((name, usize::try_from(count?).unwrap())))
            .collect();
        prop_assert_eq!(counts(&remedies), expected);
    }
}

/// Is over at once.
struct Over;

impl Deadline for Over {
    fn is_over(&self) -> bool {
        true
    }
}

#[test]
fn nodes_that_were_not_asked_are_unknown() {
    let mut engine = board(&[0]);
    for node in ["a", "b"] {
        engine.apply(Change::Node(Node::new(node, []))).unwrap();
    }
    let mut asked = claim("c", &[("r", 1)], json!([]));
    let exactly = asked.spec.devices.requests[0].exactly.as_mut().unwrap();
    // On no device can that be evaluated.
    let selectors = json!([{"cel": {"expression": "device.attributes['d'].none == 1"}}]);
    exactly.selectors = serde_json::from_value(selectors).unwrap();
    let snapshot = engine.snapshot();
    let prepared = snapshot.prepare(&[asked]).unwrap();
    let options = PlaceOptions::new().budget(Budget::new().deadline(&Over));
    let transaction = snapshot.transaction();
    let groups = transaction.explain_nodes(&prepared, &options, &mut Workspace::new());
    let groups = groups.unwrap();
    let [group] = &*groups else {
        panic!("{groups:?}");
    };
    assert_eq!(group.nodes.join(" "), "a b n");
    assert_eq!(group.verdict, NodeVerdict::Unknown);
    assert_eq!(group.explanation, Explanation::default());
}

/// So many nodes with different numbers of devices are explained one by one.
#[test]
fn the_nodes_of_many_groups_are_counted() {
    let mut engine = engine(json!([]));
    for number in 0..140 {
        let name = format!("m{number:03}");
        engine.apply(Change::Node(Node::new(&name, []))).unwrap();
        let taints = json!([{"key": "lost", "effect": "NoSchedule"}]);
        let lost = json!({"name": "lost", "taints": taints});
        let lost = (number >= 70).then_some(lost);
        let devices = (0..=number % 70).map(|device| json!({"name": device.to_string()}));
        let devices = devices.chain(lost);
        let slice = json!({"metadata": {"name": name}, "spec": {
            "driver": "d", "nodeName": name, "devices": devices.collect::<Vec<_>>(),
            "pool": {"name": name, "generation": 1, "resourceSliceCount": 1}}});
        let slice = serde_json::from_value(slice).unwrap();
        engine.apply(Change::ResourceSlice(slice)).unwrap();
    }
    let snapshot = engine.snapshot();
    let asked = [
        claim("c", &[("r", 32)], json!([])),
        claim("d", &[("r", 32)], json!([])),
        claim("e", &[("r", 32)], json!([])),
    ];
    let prepared = snapshot.prepare(&asked).unwrap();
    let transaction = snapshot.transaction();
    let groups = transaction
        .explain_nodes(&prepared, &PlaceOptions::new(), &mut Workspace::new())
        .unwrap();
    assert_eq!(groups.len(), 129);
    assert!(
        groups
            .iter()
            .all(|one| one.verdict == NodeVerdict::NeverPossible)
    );
    let nodes: Vec<usize> = groups.iter().map(|group| group.nodes.len()).collect();
    assert_eq!(nodes[..128], [1; 128]);
    assert_eq!(nodes[128], 141 - 128);
    assert_eq!(groups[128].explanation, Explanation::default());
}
