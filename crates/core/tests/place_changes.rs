//! Questions over many nodes between changes of all sorts: whatever was kept
//! from earlier calls, each node answers what it answers when asked by itself.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests end where they fail"
)]
#![allow(
    clippy::needless_pass_by_value,
    reason = "so that tests read as tables"
)]

use std::cmp::Reverse;

use dralloc::model::{DeviceClass, DeviceId, DeviceTaintRule, Node, ResourceClaim, ResourceSlice};
use dralloc::{
    AllocateOptions, Change, Engine, Features, Find, NodeList, Outcome, PlaceOptions, PlacedNode,
    PreparedClaims, Removed, Savepoint, Snapshot, Transaction, Workspace,
};
use serde_json::{Value, json};

/// Steps in an ordinary run; `DRALLOC_PROPERTY_CASES` asks for more.
const STEPS: u64 = 1_200;

/// Names of nodes, of which some are there.
const NODES: usize = 10;

/// Numbers that look like chance.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(self.0 >> 33).unwrap() % bound
    }

    fn is_one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}

fn name(node: usize) -> String {
    format!("node-{node}")
}

fn object<T: serde::de::DeserializeOwned>(json: Value) -> T {
    serde_json::from_value(json).unwrap()
}

/// Returns the devices of a node of one of several sorts, some of them different.
fn devices(sort: usize, random: &mut Random) -> Vec<Value> {
    let gpus = match sort {
        // More than a word of bits.
        3 => 70,
        _ => 4,
    };
    let mut devices = Vec::new();
    for gpu in 0..gpus {
        let model = if random.is_one_in(6) { "b" } else { "a" };
        let mut device = json!({
            "name": format!("gpu-{gpu}"),
            "attributes": {"model": {"string": model}, "index": {"int": gpu},
                           "uuid": {"string": format!("{:x}", random.below(1 << 30))},
                           "root": {"int": gpu / 2}},
            "capacity": {"memory": {"value": "8"}},
        });
        match sort {
            1 => {
                device["consumesCounters"] =
                    json!([{"counterSet": "set", "counters": {"slices": {"value": "2"}}}]);
            }
            2 if gpu < 2 => device["allowMultipleAllocations"] = json!(true),
            _ => {}
        }
        devices.push(device);
    }
    // Names may change places, and with them their bits.
    if random.is_one_in(4) {
        devices.swap(0, 1);
    }
    devices
}

fn put_slices(engine: &mut Engine, node: usize, version: u64, random: &mut Random) {
    let sort = node % 5;
    let name = name(node);
    let mut slices = vec![json!({"devices": devices(sort, random)})];
    if sort == 1 {
        slices.push(json!({"sharedCounters":
            [{"name": "set", "counters": {"slices": {"value": "5"}}}]}));
    }
    let count = slices.len();
    for (place, mut spec) in slices.into_iter().enumerate() {
        spec["driver"] = json!("d");
        spec["nodeName"] = json!(name);
        spec["pool"] = json!({"name": name, "generation": version, "resourceSliceCount": count});
        put_slice(engine, &format!("{name}-{place}"), version, spec);
    }
    // The second pool of a node has bits of its own.
    if sort == 4 || random.is_one_in(5) {
        let spec = json!({"driver": "n", "nodeName": name,
            "devices": [{"name": "nic-0"}, {"name": "nic-1"}],
            "pool": {"name": name, "generation": version, "resourceSliceCount": 1}});
        put_slice(engine, &format!("{name}-nic"), version, spec);
    }
}

fn put_slice(engine: &mut Engine, name: &str, version: u64, spec: Value) {
    let metadata = json!({"name": name, "uid": name, "resourceVersion": version.to_string()});
    let slice: ResourceSlice = object(json!({"metadata": metadata, "spec": spec}));
    engine.apply(Change::ResourceSlice(slice)).unwrap();
}

fn engine(random: &mut Random) -> Engine {
    let mut engine = Engine::new(Features::all());
    for (class, driver) in [("gpu", "d"), ("nic", "n")] {
        let class: DeviceClass = object(json!({"metadata": {"name": class}, "spec": {"selectors":
            [{"cel": {"expression": format!("device.driver == '{driver}'")}}]}}));
        engine.apply(Change::DeviceClass(class)).unwrap();
    }
    for node in 0..NODES {
        engine
            .apply(Change::Node(Node::new(&name(node), [])))
            .unwrap();
        put_slices(&mut engine, node, 1, random);
    }
    engine
}

/// The claims that are asked about in turn.
fn claims(snapshot: &Snapshot) -> Vec<PreparedClaims> {
    let exactly = |name: &str, class: &str, count: usize, selector: &str| {
        json!({"name": name, "exactly": {"deviceClassName": class, "count": count,
            "allocationMode": "ExactCount", "selectors": [{"cel": {"expression": selector}}]}})
    };
    let model = "device.attributes['d'].model == 'a'";
    let all = json!({"name": "r", "exactly": {"deviceClassName": "gpu", "allocationMode": "All"}});
    let one = |name: &str, class: &str, count: usize| {
        json!({"name": name, "deviceClassName": class, "allocationMode": "ExactCount",
               "count": count})
    };
    let part = json!({"name": "r", "exactly": {"deviceClassName": "gpu", "count": 1,
        "allocationMode": "ExactCount", "capacity": {"requests": {"memory": "3"}}}});
    let matching = json!([{"matchAttribute": "d/root"}]);
    let specs = [
        (json!([exactly("r", "gpu", 1, "true")]), json!([])),
        (json!([exactly("r", "gpu", 2, model)]), json!([])),
        (json!([exactly("r", "gpu", 2, "true")]), matching),
        (
            json!([
                exactly("g", "gpu", 3, "true"),
                exactly("n", "nic", 1, "true")
            ]),
            json!([]),
        ),
        (json!([all]), json!([])),
        (json!([part]), json!([])),
        (
            json!([{"name": "r", "firstAvailable": [one("a", "nic", 2), one("b", "gpu", 2)]}]),
            json!([]),
        ),
        (
            json!([exactly("r", "gpu", 1, "device.attributes['d'].index > 2")]),
            json!([]),
        ),
        (
            json!([exactly("r", "gpu", 1, "device.attributes['d'].nothing")]),
            json!([]),
        ),
    ];
    let specs = specs.into_iter().enumerate();
    let prepared = specs.map(|(place, (requests, constraints))| {
        let claim: ResourceClaim = object(json!({
            "metadata": {"name": format!("claim-{place}"), "namespace": "default"},
            "spec": {"devices": {"requests": requests, "constraints": constraints}}}));
        snapshot.prepare(&[claim]).unwrap()
    });
    prepared.collect()
}

/// Is one of a few claims that hold devices.
fn holder(number: usize) -> ResourceClaim {
    object(json!({"metadata": {"name": format!("holder-{number}"), "namespace": "default"}}))
}

/// Holds some devices, also such as are not there.
fn hold(transaction: &mut Transaction, random: &mut Random) {
    let results: Vec<Value> = (0..random.below(4))
        .map(|_| {
            let node = name(random.below(NODES));
            let bound = if random.is_one_in(3) { 70 } else { 5 };
            let gpu = random.below(bound);
            let (driver, device) = if random.is_one_in(5) {
                ("n", format!("nic-{}", gpu % 2))
            } else {
                ("d", format!("gpu-{gpu}"))
            };
            let mut result = json!({"request": "r", "driver": driver, "pool": node,
                                    "device": device});
            if random.is_one_in(4) {
                result["shareID"] = json!(format!("{:08x}-0000-4000-8000-000000000000", gpu));
                result["consumedCapacity"] = json!({"memory": "3"});
            }
            result
        })
        .collect();
    let allocation = object(json!({"devices": {"results": results}}));
    transaction.hold(&holder(random.below(30)), &allocation);
}

fn change_engine(engine: &mut Engine, version: u64, random: &mut Random) {
    let node = random.below(NODES);
    match random.below(8) {
        0 => drop(engine.apply(Change::Node(Node::new(&name(node), [("zone", "a")])))),
        1 => drop(engine.apply(Change::Removed(Removed::Node(name(node).as_str().into())))),
        2 => {
            let uid = format!("{}-nic", name(node));
            let removed = Removed::ResourceSlice(uid.as_str().into());
            drop(engine.apply(Change::Removed(removed)));
        }
        3 => {
            let rule: DeviceTaintRule = object(json!({
                "metadata": {"name": "rule", "uid": "rule", "resourceVersion": version.to_string()},
                "spec": {"deviceSelector": {"pool": name(node), "device": "gpu-1"},
                         "taint": {"key": "k", "effect": "NoSchedule"}}}));
            engine.apply(Change::DeviceTaintRule(rule)).unwrap();
        }
        4 | 5 => put_slices(engine, node, version, random),
        _ => {
            let mut transaction = engine.snapshot().transaction();
            hold(&mut transaction, random);
            transaction.commit(engine).unwrap();
        }
    }
}

fn change_transaction(
    transaction: &mut Transaction,
    marks: &mut Vec<Savepoint>,
    random: &mut Random,
) {
    let node = random.below(NODES);
    match random.below(8) {
        0 => drop(transaction.add_node(&format!("new-{node}"), &name(random.below(NODES)))),
        1 => drop(transaction.remove_node(&name(node))),
        2 => marks.push(transaction.savepoint()),
        3 => {
            if let Some(mark) = marks.pop() {
                transaction.rollback(&mark).unwrap();
            }
        }
        4 => drop(transaction.release(&holder(random.below(30)))),
        _ => hold(transaction, random),
    }
}

/// Tells all that a node answers.
fn print(node: &PlacedNode<'_>) -> String {
    let allocation = node.allocation();
    assert_eq!(allocation.node(), node.name());
    let devices: Vec<_> = allocation.devices().collect();
    format!("{} {devices:?} {:?}", node.name(), allocation.results())
}

/// Says which nodes are asked in which order.
enum Order<'a> {
    ByName,
    Names(&'a [&'a str]),
    List(&'a NodeList),
}

/// Asks all nodes in one call and one by one.
fn check(
    transaction: &Transaction,
    claims: &PreparedClaims,
    order: &Order<'_>,
    random: &mut Random,
    workspace: &mut Workspace,
) -> (usize, usize) {
    let snapshot = transaction.snapshot();
    let mut options = PlaceOptions::new();
    let names: Vec<String> = match order {
        Order::ByName => {
            // Those of the transaction are found by asking for all.
            let all = options.find(Find::All);
            let placement = transaction.place(claims, &all, workspace).unwrap();
            assert_eq!(placement.next(), 0);
            let mut names: Vec<String> = snapshot
                .nodes()
                .map(|node| node.metadata.name.to_string())
                .collect();
            names.extend((0..NODES).map(|node| format!("new-{node}")));
            names.retain(|name| transaction.clone().remove_node(name).is_ok());
            names.sort_unstable();
            assert_eq!(placement.asked(), names.len());
            names
        }
        Order::Names(names) => {
            options = options.nodes(names);
            names.iter().map(ToString::to_string).collect()
        }
        Order::List(list) => {
            options = options.node_list(list);
            list.names().map(ToOwned::to_owned).collect()
        }
    };
    let start = random.below(2 * names.len() + 1);
    let options = options.start(start);
    #[cfg(feature = "rayon")]
    for find in [Find::All, Find::Count, Find::Best(2), Find::First] {
        // The threads meet the nodes before the workspace does, or after.
        let options = options.find(find).explain(random.is_one_in(2));
        let together = options.threads_from(1);
        let together = transaction.place(claims, &together, workspace).unwrap();
        let fresh = &mut Workspace::new();
        let alone = transaction.place(claims, &options, fresh).unwrap();
        assert_eq!(format!("{together:?}"), format!("{alone:?}"));
        assert_eq!(together.next(), alone.next());
    }
    let (mut expected, mut failed) = (Vec::new(), Vec::new());
    for step in 0..names.len() {
        let place = (start + step) % names.len();
        let name = &names[place];
        let one = AllocateOptions::new().errors(dralloc::ErrorMode::Skip);
        let mut alone = transaction.clone();
        match alone.allocate(name, claims, &one, &mut Workspace::new()) {
            Ok(Outcome::Optimal(allocation)) => {
                let devices: Vec<_> = allocation.devices().collect();
                let text = format!("{name} {devices:?} {:?}", allocation.results());
                expected.push((place, step, text));
            }
            Ok(_) => {}
            Err(error) => failed.push((name.clone(), error)),
        }
    }
    let got = |placement: &dralloc::Placement| -> Vec<(usize, String)> {
        let nodes = placement.nodes().iter();
        nodes.map(|node| (node.place(), print(&node))).collect()
    };
    let all = transaction
        .place(claims, &options.find(Find::All), workspace)
        .unwrap();
    let wanted: Vec<(usize, String)> = expected
        .iter()
        .map(|(place, _, text)| (*place, text.clone()))
        .collect();
    assert_eq!(got(&all), wanted);
    assert_eq!(all.failed(), failed);
    assert_eq!((all.asked(), all.feasible()), (names.len(), expected.len()));
    let refused: usize = all.reasons().iter().map(|reason| reason.nodes).sum();
    assert_eq!(refused, names.len() - expected.len());
    let count = transaction
        .place(claims, &options.find(Find::Count), workspace)
        .unwrap();
    assert_eq!((count.feasible(), count.nodes().len()), (expected.len(), 0));
    assert_eq!(count.reasons(), all.reasons());
    let most = random.below(4);
    let best = transaction
        .place(claims, &options.find(Find::Best(most)), workspace)
        .unwrap();
    let mut by_score: Vec<_> = all.nodes().iter().collect();
    by_score.sort_by_key(|node| Reverse(node.score()));
    by_score.truncate(most);
    let by_score: Vec<_> = by_score
        .iter()
        .map(|node| (node.place(), print(node)))
        .collect();
    assert_eq!(got(&best), by_score);
    let first = transaction
        .place(claims, &options.find(Find::First), workspace)
        .unwrap();
    assert_eq!(got(&first), wanted[..wanted.len().min(1)]);
    let asked = expected
        .first()
        .map_or(names.len(), |(_, step, _)| step + 1);
    assert_eq!(first.asked(), asked);
    assert_eq!(
        first.next(),
        (start + asked).checked_rem(names.len()).unwrap_or(0)
    );
    (expected.len(), all.solved())
}

#[test]
fn what_is_kept_between_calls_changes_no_answer() {
    let asked = std::env::var("DRALLOC_PROPERTY_CASES").ok();
    let steps = asked.map_or(STEPS, |text| text.parse().unwrap());
    let mut random = Random(7);
    let mut engine = engine(&mut random);
    let mut workspace = Workspace::new();
    let mut specs = claims(&engine.snapshot());
    let mut transaction = engine.snapshot().transaction();
    let mut marks = Vec::new();
    let (mut fitting, mut solved, mut questions) = (0, 0, 0);
    let unknown = ["node-3", "nowhere", "node-0", "new-1", "node-9", "node-4"];
    let mut list = engine.snapshot().node_list(unknown);
    for step in 0..steps {
        match random.below(6) {
            0 | 1 => change_engine(&mut engine, step + 2, &mut random),
            2 => {
                transaction = engine.snapshot().transaction();
                marks.clear();
            }
            3 if random.is_one_in(20) => {
                // Many writes at once.
                for version in 0..200 {
                    let zone = format!("{step}-{version}");
                    let node = Node::new(&name(random.below(NODES)), [("zone", zone.as_str())]);
                    engine.apply(Change::Node(node)).unwrap();
                }
            }
            3 if random.is_one_in(10) => specs = claims(&engine.snapshot()),
            4 if random.is_one_in(10) => {
                let names = ["new-2", "node-1", "node-7", "node-8", "node-1", "gone"];
                list = engine.snapshot().node_list(names);
            }
            _ => change_transaction(&mut transaction, &mut marks, &mut random),
        }
        let order = match random.below(3) {
            0 => Order::ByName,
            1 => Order::Names(&unknown),
            _ => Order::List(&list),
        };
        let claims = &specs[random.below(specs.len())];
        let found = check(&transaction, claims, &order, &mut random, &mut workspace);
        fitting += found.0;
        solved += found.1;
        questions += 1;
    }
    // Nodes of a class are there, and of each outcome enough.
    assert!(fitting > 2 * questions, "{fitting} {questions}");
    assert!(solved < 7 * questions, "{solved} {questions}");
}

#[test]
fn a_workspace_serves_several_engines() {
    let mut random = Random(3);
    let mut workspace = Workspace::new();
    let mut engines = [engine(&mut random), engine(&mut random)];
    let claims = claims(&engines[0].snapshot());
    let lists = [0, 1].map(|one: usize| engines[one].snapshot().node_list(["node-2", "node-1"]));
    for step in 0..20 {
        let engine = &mut engines[step % 2];
        change_engine(engine, step as u64 + 2, &mut random);
        let transaction = engine.snapshot().transaction();
        for list in &lists {
            let order = Order::List(list);
            let claims = &claims[step % claims.len()];
            check(&transaction, claims, &order, &mut random, &mut workspace);
        }
    }
}

/// Without a document, a node has nothing that tells it from that of another engine but
/// what its devices publish.
#[test]
fn a_workspace_tells_the_places_of_several_engines_apart() {
    let engine_of = |numa_nodes: [i64; 4]| {
        let mut engine = Engine::new(Features::all());
        let class: DeviceClass = object(json!({"metadata": {"name": "gpu"}}));
        engine.apply(Change::DeviceClass(class)).unwrap();
        engine.apply(Change::Node(Node::new("n", []))).unwrap();
        let devices = numa_nodes.iter().enumerate().map(|(gpu, numa)| {
            json!({"name": format!("gpu-{gpu}"), "attributes":
                {"resource.kubernetes.io/numaNode": {"int": numa}}})
        });
        let spec = json!({"driver": "d", "nodeName": "n", "devices": devices.collect::<Vec<_>>(),
            "pool": {"name": "n", "generation": 1, "resourceSliceCount": 1}});
        put_slice(&mut engine, "n", 1, spec);
        engine
    };
    let engines = [[0, 0, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0]].map(engine_of);
    let parameters = json!({"apiVersion": "dralloc.dev/v1alpha1", "kind": "PlacementPolicy",
        "affinity": [{"scope": "numaNode", "mode": "required"}]});
    let claim: ResourceClaim = object(json!({"metadata": {"name": "c", "namespace": "default"},
        "spec": {"devices": {
            "requests": [{"name": "r", "exactly":
                {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 2}}],
            "config": [{"opaque": {"driver": "dralloc.dev", "parameters": parameters}}]}}}));
    let mut workspace = Workspace::new();
    let expected = [["gpu-0", "gpu-1"], ["gpu-0", "gpu-2"], ["gpu-0", "gpu-3"]];
    for place in [0, 1, 2, 1, 0, 0, 2] {
        let snapshot = engines[place].snapshot();
        let claims = snapshot.prepare(std::slice::from_ref(&claim)).unwrap();
        let options = AllocateOptions::new();
        let outcome = snapshot
            .transaction()
            .allocate("n", &claims, &options, &mut workspace)
            .unwrap();
        let allocation = outcome.allocation().unwrap();
        let devices = allocation
            .devices()
            .map(|one| one.device.device.to_string());
        assert_eq!(devices.collect::<Vec<_>>(), expected[place]);
    }
}

#[test]
fn a_node_that_came_later_is_in_the_list() {
    let mut engine = Engine::new(Features::all());
    let list = engine.snapshot().node_list(["a", "b"]);
    let class: DeviceClass = object(json!({"metadata": {"name": "gpu"}}));
    engine.apply(Change::DeviceClass(class)).unwrap();
    for node in ["a", "b"] {
        engine.apply(Change::Node(Node::new(node, []))).unwrap();
    }
    let spec = json!({"driver": "d", "nodeName": "b", "devices": [{"name": "x"}],
        "pool": {"name": "b", "generation": 1, "resourceSliceCount": 1}});
    put_slice(&mut engine, "b", 1, spec);
    let snapshot = engine.snapshot();
    let claim: ResourceClaim = object(json!({"metadata": {"name": "c", "namespace": "default"},
        "spec": {"devices": {"requests": [{"name": "r", "exactly":
            {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 1}}]}}}));
    let claims = snapshot.prepare(&[claim]).unwrap();
    let options = PlaceOptions::new().node_list(&list).start(3);
    let placement = snapshot
        .place(&claims, &options, &mut Workspace::new())
        .unwrap();
    let first = placement.nodes().first().unwrap();
    assert_eq!((first.name(), first.place(), placement.next()), ("b", 1, 0));
    let device = first.allocation().devices().next().unwrap().device;
    assert_eq!(device, DeviceId::new("d", "b", "x"));
}
