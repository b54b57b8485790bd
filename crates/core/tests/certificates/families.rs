//! The shapes of questions that allocators are compared with.

use dralloc::model::{DeviceClass, DeviceId, Node, ResourceClaim, ResourceSlice};
use dralloc::{Change, Engine, Features, Held, Snapshot};
use serde_json::{Value, json};

const GPU: &str = "gpu.example.com";
const NIC: &str = "nic.example.com";

/// Is a question on one node, to which the answer is no.
pub(crate) struct Question {
    pub(crate) name: String,
    engine: Engine,
    pub(crate) snapshot: Snapshot,
    pub(crate) claims: Vec<ResourceClaim>,
}

fn question(name: String, slices: Vec<Value>, claims: Vec<Value>) -> Question {
    let mut engine = Engine::new(Features::all());
    engine.apply(Change::Node(Node::new("node-1", []))).unwrap();
    let class: DeviceClass = serde_json::from_value(json!({"metadata": {"name": "any"}})).unwrap();
    engine.apply(Change::DeviceClass(class)).unwrap();
    for slice in slices {
        let slice: ResourceSlice = serde_json::from_value(slice).unwrap();
        engine.apply(Change::ResourceSlice(slice)).unwrap();
    }
    let claims = claims
        .into_iter()
        .map(|claim| serde_json::from_value(claim).unwrap());
    Question {
        name,
        snapshot: engine.snapshot(),
        engine,
        claims: claims.collect(),
    }
}

fn slice(driver: &str, name: &str, count: usize, spec: Value) -> Value {
    let mut slice = json!({"metadata": {"name": name}, "spec": {
        "driver": driver, "nodeName": "node-1",
        "pool": {"name": "node-1", "generation": 1, "resourceSliceCount": count}}});
    let own = slice["spec"].as_object_mut().unwrap();
    own.extend(spec.as_object().unwrap().clone());
    slice
}

fn request(name: &str, count: usize, selector: &str) -> Value {
    json!({"name": name, "exactly": {"deviceClassName": "any", "allocationMode": "ExactCount",
        "count": count, "selectors": [{"cel": {"expression": selector}}]}})
}

fn gpu_request(name: &str, count: usize) -> Value {
    request(name, count, &format!("device.driver == '{GPU}'"))
}

fn claim(name: &str, requests: Vec<Value>, constraints: Vec<Value>) -> Value {
    json!({"metadata": {"namespace": "default", "name": name},
        "spec": {"devices": {"requests": requests, "constraints": constraints}}})
}

/// Returns a slice of plain GPUs with an attribute.
fn gpus(count: usize, attribute: impl Fn(usize) -> Value) -> Value {
    let device =
        |index: usize| json!({"name": format!("gpu-{index}"), "attributes": attribute(index)});
    let devices: Vec<Value> = (0..count).map(device).collect();
    slice(GPU, "gpus", 1, json!({"devices": devices}))
}

/// Two constraints, one of them over one request alone, which has one device to
/// choose from; it fits.
pub(crate) fn constrained_twice() -> Question {
    let slices = vec![gpus(
        2,
        |index| json!({"root": {"int": 7}, "k": {"int": index}}),
    )];
    let one = request("one", 1, &format!("device.attributes['{GPU}'].k == 0"));
    let same =
        |requests: &[&str]| json!({"requests": requests, "matchAttribute": format!("{GPU}/root")});
    let constraints = vec![same(&[]), same(&["one"])];
    let claims = vec![claim("c", vec![one, gpu_request("two", 1)], constraints)];
    question("constrained twice".into(), slices, claims)
}

/// GPUs with NICs on the same root; one root too few has both.
pub(crate) fn pairs(count: usize) -> Question {
    let root = |index: usize| json!({"root": {"string": format!("pci{index}")}});
    let device = |prefix: &str, index: usize| json!({"name": format!("{prefix}-{index}"), "attributes": root(index)});
    let is_whole = |index: usize| index + 1 < count;
    let gpus = (0..8).filter(|index| is_whole(*index) || index % 2 == 0);
    let nics = (0..8).filter(|index| is_whole(*index) || index % 2 == 1);
    let gpus: Vec<Value> = gpus.map(|index| device("gpu", index)).collect();
    let nics: Vec<Value> = nics.map(|index| device("nic", index)).collect();
    let mut requests = Vec::new();
    let mut constraints = Vec::new();
    for index in 0..count {
        let (gpu, nic) = (format!("gpu-{index}"), format!("nic-{index}"));
        requests.push(gpu_request(&gpu, 1));
        requests.push(request(&nic, 1, &format!("device.driver == '{NIC}'")));
        constraints.push(json!({"requests": [gpu, nic], "matchAttribute": "example.com/root"}));
    }
    let named = |devices: Vec<Value>| {
        let full = |mut device: Value| {
            let root = device["attributes"]["root"].take();
            device["attributes"] = json!({"example.com/root": root});
            device
        };
        devices.into_iter().map(full).collect::<Vec<Value>>()
    };
    let slices = vec![
        slice(GPU, "gpus", 1, json!({"devices": named(gpus)})),
        slice(NIC, "nics", 1, json!({"devices": named(nics)})),
    ];
    let claims = vec![claim("pairs", requests, constraints)];
    question(format!("b: {count} pairs, one short"), slices, claims)
}

type Profile = (&'static str, usize, &'static [usize], usize, usize, usize);

/// Profile, memory slices, placements, multiprocessors, copy engines, decoders.
const PROFILES: [Profile; 6] = [
    ("1g.10gb", 1, &[0, 1, 2, 3, 4, 5, 6], 16, 1, 1),
    ("1g.20gb", 2, &[0, 2, 4, 6], 26, 1, 1),
    ("2g.20gb", 2, &[0, 2, 4], 32, 2, 2),
    ("3g.40gb", 4, &[0, 4], 60, 3, 3),
    ("4g.40gb", 4, &[0], 64, 4, 4),
    ("7g.80gb", 8, &[0], 132, 8, 7),
];

/// Partitions of H100 cards.
pub(crate) fn partitions(cards: usize, asked: &[(&str, usize)]) -> Question {
    let value = |amount: usize| json!({"value": amount.to_string()});
    let mut sets = Vec::new();
    let mut slices = Vec::new();
    for card in 0..cards {
        let set = format!("gpu-{card}");
        let mut counters = json!({"multiprocessors": value(132), "copy-engines": value(8),
            "decoders": value(7), "ofa-engines": value(1)});
        for memory in 0..8 {
            counters[format!("memory-slice-{memory}")] = value(1);
        }
        sets.push(json!({"name": set, "counters": counters}));
        let mut devices = Vec::new();
        for (profile, width, places, processors, engines, decoders) in PROFILES {
            for place in places {
                let mut taken = json!({"multiprocessors": value(processors),
                    "copy-engines": value(engines), "decoders": value(decoders)});
                for memory in *place..place + width {
                    taken[format!("memory-slice-{memory}")] = value(1);
                }
                devices.push(json!({
                    "name": format!("gpu-{card}-{}-{place}", profile.replace('.', "-")),
                    "attributes": {"profile": {"string": profile}},
                    "consumesCounters": [{"counterSet": set, "counters": taken}]}));
            }
        }
        let name = format!("devices-{card}");
        slices.push(slice(GPU, &name, cards + 1, json!({"devices": devices})));
    }
    slices.push(slice(
        GPU,
        "counters",
        cards + 1,
        json!({"sharedCounters": sets}),
    ));
    let requests = asked.iter().enumerate().map(|(index, (profile, count))| {
        let selector = format!("device.attributes['{GPU}'].profile == '{profile}'");
        request(&format!("r{index}"), *count, &selector)
    });
    let claims = vec![claim("mix", requests.collect(), Vec::new())];
    question(format!("c: {asked:?} on {cards} cards"), slices, claims)
}

/// One device more than there are, in so many requests.
pub(crate) fn counted(devices: usize, requests: usize) -> Question {
    let requests: Vec<Value> = if requests == 1 {
        vec![gpu_request("gpu", devices + 1)]
    } else {
        (0..=devices)
            .map(|index| gpu_request(&format!("gpu-{index}"), 1))
            .collect()
    };
    let name = format!(
        "d: {} devices of {devices} in {} requests",
        devices + 1,
        requests.len()
    );
    question(
        name,
        vec![gpus(devices, |_| json!({}))],
        vec![claim("c", requests, Vec::new())],
    )
}

/// Two requests of which one asks for half of the devices.
pub(crate) fn overlap(devices: usize) -> Question {
    let half = devices / 2;
    let is_low = |index: usize| json!({"low": {"bool": index < half}});
    let low = request("low", half, &format!("device.attributes['{GPU}'].low"));
    let requests = vec![gpu_request("any", devices - half + 1), low];
    let claims = vec![claim("c", requests, Vec::new())];
    question(
        format!("d: overlap over {devices}"),
        vec![gpus(devices, is_low)],
        claims,
    )
}

/// Devices of one island, which are too small.
pub(crate) fn islands(count: usize, devices: usize) -> Question {
    let name = format!("{GPU}/island");
    let island = |index: usize| json!({name.clone(): {"int": index / (count - 1)}});
    let constraint = json!({"requests": ["gpu"], "matchAttribute": name});
    let claims = vec![claim(
        "c",
        vec![gpu_request("gpu", count)],
        vec![constraint],
    )];
    let slices = vec![gpus(devices, island)];
    question(
        format!("d: {count} of one island of {devices}"),
        slices,
        claims,
    )
}

/// A claim that fits beside one that never does.
pub(crate) fn unrelated(devices: usize) -> Question {
    let special = |index: usize| json!({"special": {"bool": index == devices}});
    let is = |what: &str| format!("{what}device.attributes['{GPU}'].special");
    let claims = vec![
        claim("first", vec![request("gpu", 4, &is("!"))], Vec::new()),
        claim("second", vec![request("special", 2, &is(""))], Vec::new()),
    ];
    let slices = vec![gpus(devices + 1, special)];
    question(
        format!("d: unrelated claims over {devices}"),
        slices,
        claims,
    )
}

/// Shares of devices of which some are half taken.
pub(crate) fn shares(devices: usize, asked: usize, cores: usize) -> Question {
    let device = |index: usize| {
        json!({"name": format!("gpu-{index}"), "allowMultipleAllocations": true,
            "capacity": {"cores": {"value": "100"}}})
    };
    let devices_of = (0..devices).map(device).collect::<Vec<Value>>();
    let one = |name: String| {
        json!({"name": name, "exactly": {"deviceClassName": "any",
            "allocationMode": "ExactCount", "count": 1,
            "capacity": {"requests": {"cores": cores.to_string()}}}})
    };
    let requests = (0..asked).map(|index| one(format!("r{index}"))).collect();
    let slices = vec![slice(GPU, "gpus", 1, json!({"devices": devices_of}))];
    let claims = vec![claim("c", requests, Vec::new())];
    question(
        format!("f: {asked} shares of {cores} % of {devices} devices"),
        slices,
        claims,
    )
}

/// Shares of which some are larger.
pub(crate) fn mixed_shares() -> Question {
    let mut question = shares(2, 5, 30);
    let mut claim = serde_json::to_value(&question.claims[0]).unwrap();
    for place in [0, 1] {
        let request = &mut claim["spec"]["devices"]["requests"][place];
        request["exactly"]["capacity"]["requests"]["cores"] = json!("60");
    }
    question.claims = vec![serde_json::from_value(claim).unwrap()];
    question.name = "f: mixed shares".into();
    question
}

/// More devices than a claim may have, if the alternative is chosen that there
/// are enough devices for.
pub(crate) fn limit() -> Question {
    let alternative = |name: &str, count: usize, selector: &str| {
        json!({"name": name, "deviceClassName": "any", "allocationMode": "ExactCount",
            "count": count, "selectors": [{"cel": {"expression": selector}}]})
    };
    let choice = vec![
        alternative("many", 25, "true"),
        alternative("few", 5, "false"),
    ];
    let requests = vec![
        json!({"name": "one", "firstAvailable": choice}),
        request("other", 12, "true"),
    ];
    let claims = vec![claim("c", requests, Vec::new())];
    question("limit".into(), vec![gpus(40, |_| json!({}))], claims)
}

/// Access for administration to a device that is held whole, though it can be
/// shared, and does not get on with another that is held.
pub(crate) fn held_whole() -> Question {
    let device = |name: &str, groups: &[&str]| {
        json!({"name": name, "attributes": {"wanted": {"bool": name == "one"}},
            "allowMultipleAllocations": true, "consumesCounters": [{
            "counterSet": "card", "counters": {"slices": {"value": "1"}},
            "compatibilityGroups": groups}]})
    };
    let devices = vec![device("one", &[]), device("other", &["mig"])];
    let counters = json!([{"name": "card", "counters": {"slices": {"value": "4"}}}]);
    let slices = vec![
        slice(GPU, "gpus", 2, json!({"devices": devices})),
        slice(GPU, "counters", 2, json!({"sharedCounters": counters})),
    ];
    let mut request = request("gpu", 1, &format!("device.attributes['{GPU}'].wanted"));
    request["exactly"]["adminAccess"] = json!(true);
    let claims = vec![claim("c", vec![request], Vec::new())];
    let mut question = question("held whole".into(), slices, claims);
    let id = |name: &str| DeviceId::new(GPU, "node-1", name);
    let held = Held {
        devices: vec![id("one")],
        shares: vec![(id("other"), "85dddbc5-b177-96db-843b-ea3e8ca7200b".into())],
        ..Held::default()
    };
    question.engine.apply(Change::Held(held)).unwrap();
    question.snapshot = question.engine.snapshot();
    question
}

/// Returns all of them.
pub(crate) fn all() -> Vec<Question> {
    let mut all = Vec::new();
    all.extend((2..=8).map(pairs));
    for cards in 1..=6 {
        let asked = [("3g.40gb", cards), ("2g.20gb", 2 * cards), ("1g.10gb", 1)];
        all.push(partitions(cards, &asked));
    }
    all.push(partitions(1, &[("1g.10gb", 7), ("1g.20gb", 1)]));
    for cards in [2, 4, 8] {
        let asked = [("2g.20gb", 3), ("7g.80gb", cards - 1), ("1g.10gb", 2)];
        all.push(partitions(cards, &asked));
    }
    for devices in [6, 9, 16, 31] {
        all.push(counted(devices, 1));
        all.push(counted(devices, devices + 1));
    }
    all.extend([8, 12, 31].map(overlap));
    all.extend([(4, 16), (16, 64), (32, 128)].map(|(count, devices)| islands(count, devices)));
    all.extend([8, 64].map(unrelated));
    all.push(shares(7, 8, 60));
    all.push(shares(8, 33 - 1, 26));
    all.push(mixed_shares());
    all.push(limit());
    all
}
