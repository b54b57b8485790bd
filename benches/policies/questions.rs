//! Questions to one node where cards are full in parts, with a policy each.

use dralloc::model::{AllocationResult, DeviceClass, Node, ResourceClaim, ResourceSlice};
use dralloc::{Change, Engine, Features, Policy, PreparedClaims, Term, Transaction};
use serde_json::{Value, json};

/// Placements of partitions as an A100 has them: profile, compute slices, and the
/// memory slices that they begin at and have.
const PROFILES: [(&str, u32, &[usize], usize); 7] = [
    ("1g.5gb", 1, &[0, 1, 2, 3, 4, 5, 6], 1),
    ("1g.5gb.me", 1, &[0, 1, 2, 3, 4, 5, 6], 1),
    ("1g.10gb", 1, &[0, 2, 4, 6], 2),
    ("2g.10gb", 2, &[0, 2, 4], 2),
    ("3g.20gb", 3, &[0, 4], 4),
    ("4g.20gb", 4, &[0], 4),
    ("7g.40gb", 7, &[0], 8),
];

fn card(card: usize) -> (Vec<Value>, Value) {
    let set = format!("gpu-{card}");
    let mut devices = Vec::new();
    for (profile, compute, starts, length) in PROFILES {
        for start in starts {
            let mut counters = json!({"compute": {"value": compute.to_string()}});
            for slice in *start..start + length {
                counters[format!("memory-{slice}")] = json!({"value": "1"});
            }
            if profile.ends_with("me") {
                counters["media"] = json!({"value": "1"});
            }
            let name = profile.replace('.', "-");
            devices.push(json!({
                "name": format!("gpu-{card}-{name}-{start}"),
                "attributes": {"profile": {"string": profile},
                    "uuid": {"string": format!("MIG-{card}-{name}-{start}")}},
                "consumesCounters": [{"counterSet": set, "counters": counters}],
            }));
        }
    }
    let mut counters = json!({"compute": {"value": "7"}, "media": {"value": "1"}});
    for slice in 0..8 {
        counters[format!("memory-{slice}")] = json!({"value": "1"});
    }
    (devices, json!({"name": set, "counters": counters}))
}

fn plain(count: usize) -> Vec<Value> {
    let gpu = |gpu: usize| {
        json!({"name": format!("gpu-{gpu:03}"), "attributes": {
            "profile": {"string": "whole"},
            "uuid": {"string": format!("GPU-{gpu}")},
            "parentUUID": {"string": format!("CARD-{}", gpu / 4)},
            "resource.kubernetes.io/numaNode": {"int": gpu * 2 / count}}})
    };
    (0..count).map(gpu).collect()
}

/// A node `n` with devices, of which the last is for nobody but the noise.
fn engine(devices: &[Value], sets: &[Value]) -> Engine {
    let mut engine = Engine::new(Features::all());
    let mut lists: Vec<Value> = Vec::new();
    for chunk in devices.chunks(64) {
        lists.push(json!({"devices": chunk}));
    }
    for chunk in sets.chunks(8) {
        lists.push(json!({"sharedCounters": chunk}));
    }
    let noise =
        json!({"devices": [{"name": "noise", "attributes": {"profile": {"string": "noise"}}}]});
    lists.push(noise);
    let count = lists.len();
    for (number, content) in lists.into_iter().enumerate() {
        let mut slice = json!({"metadata": {"name": format!("s-{number:02}")}, "spec": {
            "driver": "gpu.example.com", "nodeName": "n",
            "pool": {"name": "n", "generation": 1, "resourceSliceCount": count}}});
        for (key, value) in content.as_object().into_iter().flatten() {
            slice["spec"][key] = value.clone();
        }
        let slice: ResourceSlice = serde_json::from_value(slice).expect("a slice");
        engine.apply(Change::ResourceSlice(slice)).expect("applied");
    }
    let class = json!({"metadata": {"name": "gpu"}});
    let class: DeviceClass = serde_json::from_value(class).expect("a class");
    engine.apply(Change::DeviceClass(class)).expect("applied");
    engine
        .apply(Change::Node(Node::new("n", [])))
        .expect("applied");
    engine
}

fn claim(requests: &[(&str, usize)]) -> ResourceClaim {
    let requests: Vec<Value> = requests
        .iter()
        .enumerate()
        .map(|(number, (profile, count))| {
            let selector = format!("device.attributes['gpu.example.com'].profile == '{profile}'");
            json!({"name": format!("r{number}"), "exactly": {
            "deviceClassName": "gpu", "allocationMode": "ExactCount", "count": count,
            "selectors": [{"cel": {"expression": selector}}]}})
        })
        .collect();
    serde_json::from_value(
        json!({"metadata": {"name": "c", "namespace": "d", "uid": "u"},
        "spec": {"devices": {"requests": requests}}}),
    )
    .expect("a claim")
}

fn holding(devices: &[String]) -> AllocationResult {
    let results: Vec<Value> = devices.iter().map(|device| {
        json!({"request": "r", "driver": "gpu.example.com", "pool": "n", "device": device})
    }).collect();
    serde_json::from_value(json!({"devices": {"results": results}})).expect("a result")
}

/// Holds devices for a claim of its own.
pub(crate) fn hold(transaction: &mut Transaction, name: &str, devices: &[String]) {
    let owner: ResourceClaim = serde_json::from_value(
        json!({"metadata": {"name": name, "namespace": "d", "uid": name}, "spec": {}}),
    )
    .expect("a claim");
    transaction.hold(&owner, &holding(devices));
}

/// Is a question, asked in a transaction of its own.
pub(crate) struct Question {
    pub(crate) name: &'static str,
    pub(crate) transaction: Transaction,
    pub(crate) claims: PreparedClaims,
    pub(crate) policy: Policy,
}

fn question(
    name: &'static str,
    engine: &Engine,
    held: &[String],
    requests: &[(&str, usize)],
    policy: Policy,
) -> Question {
    let snapshot = engine.snapshot();
    let mut transaction = snapshot.transaction();
    if !held.is_empty() {
        hold(&mut transaction, "held", held);
    }
    let claims = snapshot.prepare(&[claim(requests)]).expect("prepared");
    Question {
        name,
        transaction,
        claims,
        policy,
    }
}

/// Returns the questions; of each there is an answer.
pub(crate) fn questions() -> Vec<Question> {
    let (devices, sets): (Vec<_>, Vec<_>) = (0..8).map(card).unzip();
    let mig = engine(&devices.concat(), &sets);
    // Each card has a hole of another form.
    let mut held = Vec::new();
    for card in 0..8 {
        let of_card: &[&str] = match card % 4 {
            0 => &["3g-20gb-0", "2g-10gb-4"],
            1 => &["4g-20gb-0", "1g-5gb-5"],
            2 => &["2g-10gb-0", "2g-10gb-4", "1g-5gb-6"],
            _ => &["3g-20gb-4", "1g-5gb-1"],
        };
        held.extend(of_card.iter().map(|name| format!("gpu-{card}-{name}")));
    }
    let packing = || Policy::Terms(vec![Term::PackingPotential]);
    let evenness = || Policy::Terms(vec![Term::Evenness { attribute: None }]);
    let (devices, sets): (Vec<_>, Vec<_>) = (0..16).map(card).unzip();
    let cards = engine(&devices.concat(), &sets);
    let whole = engine(&plain(64), &[]);
    let some: Vec<String> = (0..16)
        .map(|card| format!("gpu-{card}-1g-5gb-{}", card % 7))
        .collect();
    let gpus: Vec<String> = (0..8).map(|gpu| format!("gpu-{:03}", gpu * 3)).collect();
    vec![
        question(
            "packing/8 nearly full cards, 1g",
            &mig,
            &held,
            &[("1g.5gb", 1)],
            packing(),
        ),
        question(
            "packing/8 nearly full cards, 4 x 1g",
            &mig,
            &held,
            &[("1g.5gb", 4)],
            packing(),
        ),
        question(
            "packing/8 nearly full cards, 2 x 2g and 3 x 1g",
            &mig,
            &held,
            &[("2g.10gb", 2), ("1g.5gb", 3)],
            packing(),
        ),
        question(
            "pack/8 nearly full cards, 2 x 2g and 3 x 1g",
            &mig,
            &held,
            &[("2g.10gb", 2), ("1g.5gb", 3)],
            Policy::Pack,
        ),
        question(
            "pack/8 empty cards, 3g, 2g and 2 x 1g",
            &mig,
            &[],
            &[("3g.20gb", 1), ("2g.10gb", 1), ("1g.5gb", 2)],
            Policy::Pack,
        ),
        question(
            "evenness/16 cards with partitions, 8 x 1g",
            &cards,
            &some,
            &[("1g.5gb", 8)],
            evenness(),
        ),
        question(
            "spread/16 cards with partitions, 8 x 1g",
            &cards,
            &some,
            &[("1g.5gb", 8)],
            Policy::Spread,
        ),
        question(
            "evenness/16 cards of 4 devices, 12",
            &whole,
            &gpus,
            &[("whole", 12)],
            evenness(),
        ),
        question(
            "spread/16 cards of 4 devices, 12",
            &whole,
            &gpus,
            &[("whole", 12)],
            Policy::Spread,
        ),
    ]
}
