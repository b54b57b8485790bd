//! Brute force on requests that are alike but for something.
//!
//! Random cases seldom have requests that are nearly the same, on few devices
//! that just do, and that is where bounds and what is exchanged can be wrong.

use std::collections::BTreeMap;

use dralloc::model::AllocationResult;
use dralloc::{AllocateOptions, Outcome, Policy, Term, Workspace};
use dralloc_testkit::case::{Case, OutcomeKind};
use dralloc_testkit::generate::Random;
use dralloc_testkit::oracle::{Cel, Optimum, Options, Solution, Wish, WishScope, best, solve};
use serde_json::{Value, json};

use crate::support;

/// Cases in an ordinary run; `DRALLOC_PROPERTY_CASES` asks for more.
const CASES: u64 = 2_600;

const DRIVER: &str = "d.example.com";

/// Returns which cases to look at.
fn seeds() -> std::ops::Range<u64> {
    let asked = std::env::var("DRALLOC_PROPERTY_CASES").ok();
    0..asked.map_or(CASES, |text| text.parse().unwrap())
}

/// Is what a device of a case may be.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is there or not, whatever the others are"
)]
struct Shape {
    cards: usize,
    shared: bool,
    lists: bool,
    missing: usize,
    values: usize,
    twins: bool,
    /// Some devices would give back what others share, which makes their pool invalid.
    gives: bool,
    /// The first picks lead nowhere, so that the search looks closer from then on.
    trouble: bool,
}

fn shape(random: &mut Random) -> Shape {
    Shape {
        cards: [0, 0, 1, 2, 2][random.below(5)],
        shared: random.chance(30),
        lists: random.chance(30),
        missing: [0, 0, 15][random.below(3)],
        values: random.between(1, 3),
        twins: random.chance(8),
        gives: random.chance(25),
        trouble: random.chance(60),
    }
}

fn value(shape: &Shape, random: &mut Random) -> Value {
    if shape.lists && random.chance(40) {
        let first = random.below(shape.values);
        return json!({"ints": [first, first + 1 + random.below(2)]});
    }
    json!({"int": random.below(shape.values)})
}

/// Returns devices, and the counters that they share.
fn devices(shape: &Shape, random: &mut Random) -> (Vec<Value>, Vec<Value>) {
    let mut sets: Vec<Value> = Vec::new();
    let mut devices = Vec::new();
    let budget = random.chance(15);
    for card in 0..shape.cards {
        let all = random.between(2, 3);
        sets.push(json!({"name": format!("s{card}"),
            "counters": {"m": {"value": all.to_string()}}}));
    }
    if budget {
        let all = random.between(2, 4);
        sets.push(json!({"name": "all", "counters": {"e": {"value": all.to_string()}}}));
    }
    let count = random.between(4, 8);
    let kinds = random.between(1, 2);
    for place in 0..count {
        let mut attributes = json!({"k": {"int": random.below(kinds)}});
        for name in ["a", "b"] {
            if !random.chance(shape.missing) {
                attributes[name] = value(shape, random);
            }
        }
        if shape.twins && random.chance(50) {
            attributes["uuid"] = json!({"string": format!("u{}", random.below(2))});
        }
        let mut device = json!({"name": format!("d{place}"), "attributes": attributes});
        let mut consumes = Vec::new();
        if shape.cards > 0 && random.chance(75) {
            let card = random.below(shape.cards);
            let takes = random.between(1, 2);
            consumes.push(json!({"counterSet": format!("s{card}"),
                "counters": {"m": {"value": takes.to_string()}}}));
        }
        if budget && random.chance(60) {
            let takes = random.pick(&["1", "1", "2", if shape.gives { "-1" } else { "1" }]);
            consumes.push(json!({"counterSet": "all", "counters": {"e": {"value": takes}}}));
        }
        if !consumes.is_empty() {
            device["consumesCounters"] = consumes.into();
        }
        if shape.shared && random.chance(50) {
            let capacity = random.between(2, 6);
            device["allowMultipleAllocations"] = json!(true);
            device["capacity"] = json!({"c": {"value": capacity.to_string()}});
            if random.chance(15) {
                device["capacity"]["g"] = json!({"value": "3"});
            }
        }
        devices.push(device);
    }
    (devices, sets)
}

fn slices(shape: &Shape, random: &mut Random) -> Vec<Value> {
    let (devices, sets) = devices(shape, random);
    let pools = if shape.twins || random.chance(20) {
        2
    } else {
        1
    };
    let with_sets = usize::from(!sets.is_empty());
    let mut slices = Vec::new();
    for pool in 0..pools {
        let own = devices.iter().enumerate();
        let own = own.filter(|(place, _)| place * pools / devices.len() == pool);
        let own: Vec<Value> = own.map(|(_, device)| device.clone()).collect();
        let mut slice = |part: &str, content: &[Value]| {
            let mut slice = json!({"metadata": {"name": format!("p{pool}-{part}")}, "spec": {
                "driver": DRIVER, "nodeName": "n",
                "pool": {"name": format!("p{pool}"), "generation": 1,
                    "resourceSliceCount": 1 + with_sets}}});
            slice["spec"][part] = content.into();
            slices.push(slice);
        };
        slice("devices", &own);
        if with_sets == 1 {
            slice("sharedCounters", &sets);
        }
    }
    if shape.trouble {
        slices.push(trouble());
    }
    slices
}

/// Returns devices of which the first has root or zone in common with others,
/// but only the last two have both.
fn trouble() -> Value {
    let places = [(0, 0), (0, 1), (1, 0), (2, 2), (2, 2)].iter().enumerate();
    let devices = places.map(|(place, (root, zone))| {
        json!({"name": format!("t{place}"), "attributes": {"k": {"int": 9},
            "root": {"int": root}, "zone": {"int": zone}}})
    });
    json!({"metadata": {"name": "t"}, "spec": {"driver": DRIVER, "nodeName": "n",
        "pool": {"name": "t", "generation": 1, "resourceSliceCount": 1},
        "devices": devices.collect::<Vec<_>>()}})
}

/// Returns a claim for two of those.
fn troubled() -> Value {
    let same = |name: &str| json!({"matchAttribute": format!("{DRIVER}/{name}")});
    json!({"metadata": {"name": "t", "namespace": "x"}, "spec": {"devices": {
        "requests": [{"name": "t", "exactly": {"deviceClassName": "t",
            "allocationMode": "ExactCount", "count": 2}}],
        "constraints": [same("root"), same("zone")]}}})
}

/// Is a request, or one of several, with constraints over all of them.
#[derive(Clone)]
struct Block {
    requests: Vec<Ask>,
    /// Attribute, whether it must match, and which requests are under it.
    constraints: Vec<(&'static str, bool, Vec<usize>)>,
}

#[derive(Clone)]
struct Ask {
    count: usize,
    kind: Option<usize>,
    share: Option<usize>,
    admin: bool,
    all: bool,
    /// Other counts and kinds that will do.
    others: Vec<(usize, Option<usize>)>,
}

fn ask(shape: &Shape, random: &mut Random) -> Ask {
    let others = if random.chance(15) {
        random.between(1, 2)
    } else {
        0
    };
    let kind = |random: &mut Random| random.chance(30).then(|| random.below(2));
    Ask {
        count: [1, 1, 1, 1, 2, 2, 3][random.below(7)],
        kind: kind(random),
        share: (shape.shared && random.chance(50)).then(|| random.between(1, 3)),
        admin: random.chance(8),
        all: random.chance(3),
        others: (0..others)
            .map(|_| (random.below(3), kind(random)))
            .collect(),
    }
}

fn block(shape: &Shape, random: &mut Random) -> Block {
    let requests: Vec<Ask> = (0..[1, 1, 1, 2, 2, 3][random.below(6)])
        .map(|_| ask(shape, random))
        .collect();
    let constraint = |random: &mut Random| {
        let all = 0..requests.len();
        let under = all.filter(|_| random.chance(75)).collect();
        let attribute = if random.chance(60) { "a" } else { "b" };
        (attribute, random.chance(75), under)
    };
    let count = [0, 1, 1, 2][random.below(4)];
    Block {
        constraints: (0..count).map(|_| constraint(random)).collect(),
        requests,
    }
}

/// Changes something of a block.
fn change(block: &mut Block, shape: &Shape, random: &mut Random) {
    let place = random.below(block.requests.len());
    let constraint = random.below(block.constraints.len());
    let one = &mut block.requests[place];
    match random.below(12) {
        0 => one.count += 1,
        1 => one.count = one.count.saturating_sub(1),
        2 => one.kind = (one.kind != Some(0)).then_some(0),
        3 => one.kind = (one.kind != Some(1)).then_some(1),
        4 => one.admin = !one.admin,
        5 if shape.shared => one.share = Some(random.between(1, 4)),
        6 => one.others.push((random.below(3), None)),
        7 if random.chance(30) => one.all = !one.all,
        8 => {
            if let Some((attribute, ..)) = block.constraints.get_mut(constraint) {
                *attribute = if *attribute == "a" { "b" } else { "a" };
            }
        }
        9 => {
            if let Some((_, matches, _)) = block.constraints.get_mut(constraint) {
                *matches = !*matches;
            }
        }
        10 => {
            if let Some((.., under)) = block.constraints.get_mut(constraint) {
                match under.iter().position(|other| *other == place) {
                    Some(at) => drop(under.remove(at)),
                    None => under.push(place),
                }
            }
        }
        _ => {
            block.requests.push(ask(shape, random));
        }
    }
}

fn wanted(count: usize, kind: Option<usize>, one: &Ask) -> Value {
    let mut wanted = json!({"deviceClassName": "any"});
    if one.all {
        wanted["allocationMode"] = json!("All");
    } else {
        wanted["allocationMode"] = json!("ExactCount");
        wanted["count"] = json!(count);
    }
    if let Some(kind) = kind {
        let expression = format!("device.attributes['{DRIVER}'].k == {kind}");
        wanted["selectors"] = json!([{"cel": {"expression": expression}}]);
    }
    if let Some(share) = one.share {
        wanted["capacity"] = json!({"requests": {"c": share.to_string()}});
    }
    wanted
}

fn request(name: &str, one: &Ask) -> Value {
    if one.others.is_empty() {
        let mut exactly = wanted(one.count, one.kind, one);
        if one.admin {
            exactly["adminAccess"] = json!(true);
        }
        return json!({"name": name, "exactly": exactly});
    }
    let choices = [(one.count, one.kind)];
    let choices = choices.iter().chain(&one.others).enumerate();
    let choices = choices.map(|(place, (count, kind))| {
        let mut choice = wanted(*count, *kind, one);
        choice["name"] = json!(format!("s{place}"));
        choice
    });
    json!({"name": name, "firstAvailable": choices.collect::<Vec<_>>()})
}

/// Returns claims of blocks that are nearly the same.
fn claims(shape: &Shape, random: &mut Random) -> Vec<Value> {
    let first = block(shape, random);
    let mut blocks = vec![first.clone(); random.between(1, 3)];
    for _ in 0..[0, 0, 1, 1, 2][random.below(5)] {
        let place = random.below(blocks.len());
        change(&mut blocks[place], shape, random);
    }
    if random.chance(40) {
        blocks.insert(random.below(blocks.len() + 1), block(shape, random));
    }
    let mixed = random.chance(30);
    let mut claims: Vec<(Vec<Value>, Vec<Value>)> = vec![(Vec::new(), Vec::new())];
    for (number, block) in blocks.iter().enumerate() {
        if number > 0 && random.chance(20) {
            claims.push((Vec::new(), Vec::new()));
        }
        let name = |place: usize| format!("r{number}-{place}");
        let last = claims.len() - 1;
        let (requests, constraints) = &mut claims[last];
        for (place, one) in block.requests.iter().enumerate() {
            let at = if mixed {
                random.below(requests.len() + 1)
            } else {
                requests.len()
            };
            requests.insert(at, request(&name(place), one));
        }
        for (attribute, matches, under) in &block.constraints {
            let names: Vec<String> = under.iter().map(|place| name(*place)).collect();
            if names.is_empty() {
                continue;
            }
            let kind = if *matches {
                "matchAttribute"
            } else {
                "distinctAttribute"
            };
            constraints.push(json!({kind: format!("{DRIVER}/{attribute}"), "requests": names}));
        }
    }
    let claims = claims.into_iter().enumerate();
    let claims = claims.map(|(place, (requests, constraints))| {
        json!({"metadata": {"name": format!("c{place}"), "namespace": "x"},
            "spec": {"devices": {"requests": requests, "constraints": constraints}}})
    });
    let troubled = shape.trouble.then(troubled);
    troubled.into_iter().chain(claims).collect()
}

fn case(seed: u64) -> Case {
    let mut random = Random::new(seed ^ 0x6e65_6172_6c79);
    let shape = shape(&mut random);
    let slices = slices(&shape, &mut random);
    let (mut held, mut shares, mut consumed) = (Vec::new(), Vec::new(), Vec::new());
    for slice in &slices {
        for device in slice["spec"]["devices"].as_array().into_iter().flatten() {
            let mut id = json!({"driver": DRIVER, "pool": slice["spec"]["pool"]["name"],
                "device": device["name"]});
            if device["attributes"]["k"]["int"] == 9 {
                continue;
            }
            if device["allowMultipleAllocations"].is_null() {
                if random.chance(8) {
                    held.push(id);
                }
            } else if random.chance(20) {
                let mut of_it = id.clone();
                of_it["capacity"] = json!({"c": "1"});
                consumed.push(of_it);
                id["shareID"] = json!("held");
                shares.push(id);
            }
        }
    }
    let features = json!({
        "adminAccess": true,
        "consumableCapacity": true,
        "listTypeAttributes": random.chance(80),
        "partitionableDevices": true,
        "prioritizedList": true,
    });
    let class = |name: &str, rule: &str| {
        let expression = format!("device.attributes['{DRIVER}'].k {rule} 9");
        json!({"metadata": {"name": name},
            "spec": {"selectors": [{"cel": {"expression": expression}}]}})
    };
    let case = json!({
        "name": format!("nearly-{seed}"),
        "features": features,
        "node": {"metadata": {"name": "n"}},
        "deviceClasses": [class("any", "<"), class("t", "==")],
        "resourceSlices": slices,
        "claims": claims(&shape, &mut random),
        "allocated": {"devices": held, "sharedDeviceIDs": shares, "consumedCapacity": consumed},
    });
    Case::from_line(&case.to_string()).unwrap()
}

/// All that is compared of an answer; errors are only told apart from others.
type Answer = (OutcomeKind, Vec<i64>, Vec<AllocationResult>);

fn only(outcome: OutcomeKind) -> Answer {
    (outcome, Vec::new(), Vec::new())
}

fn ask_engine(case: &Case, options: &AllocateOptions<'_>) -> Answer {
    let snapshot = support::snapshot(case);
    let Ok(claims) = snapshot.prepare(&case.claims) else {
        return only(OutcomeKind::Error);
    };
    let mut transaction = snapshot.transaction();
    match transaction.allocate("n", &claims, options, &mut Workspace::new()) {
        Ok(Outcome::Optimal(allocation)) => {
            let mut results = allocation.results();
            support::number_shares(&mut results);
            let values = allocation.objective().iter().map(|one| one.value);
            (OutcomeKind::Allocated, values.collect(), results)
        }
        Ok(Outcome::Infeasible(_)) => only(OutcomeKind::Infeasible),
        Ok(other) => panic!("{other:?}"),
        Err(_) => only(OutcomeKind::Error),
    }
}

#[test]
fn each_way_gives_the_first_answer() {
    let mut outcomes: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in seeds() {
        let case = case(seed);
        let (solution, _) = solve(&case, &Cel::default(), Options::default());
        let expected = match solution {
            Solution::Allocated(results) => (OutcomeKind::Allocated, Vec::new(), results),
            Solution::Infeasible => only(OutcomeKind::Infeasible),
            Solution::Error(_) => only(OutcomeKind::Error),
            Solution::Skipped => {
                *outcomes.entry("skipped").or_default() += 1;
                continue;
            }
        };
        *outcomes.entry(expected.0.as_str()).or_default() += 1;
        let usual = AllocateOptions::new().policy(&Policy::Kubernetes);
        for (way, options) in [
            ("search", usual.shortcuts(false)),
            ("usual", usual),
            ("many", usual.many(true)),
        ] {
            let answer = ask_engine(&case, &options);
            let text = || serde_json::to_string(&case).unwrap();
            assert_eq!(answer, expected, "seed {seed}, {way}: {}", text());
        }
    }
    assert!(
        outcomes["allocated"] * 4 > outcomes["infeasible"],
        "{outcomes:?}"
    );
}

fn policy(random: &mut Random) -> Policy {
    match random.below(10) {
        0..=2 => return Policy::Pack,
        3..=4 => return Policy::Spread,
        _ => {}
    }
    let attribute = |random: &mut Random| random.chance(50).then(|| format!("{DRIVER}/a").into());
    let mut terms = Vec::new();
    for _ in 0..random.between(1, 3) {
        let term = match random.below(7) {
            0 => Term::AlternativeRank,
            1 => Term::Waste,
            2 | 3 => Term::PackingPotential,
            4 | 5 => Term::ParentsTouched {
                attribute: attribute(random),
            },
            _ => Term::Evenness {
                attribute: attribute(random),
            },
        };
        if !terms.contains(&term) {
            terms.push(term);
        }
    }
    Policy::Terms(terms)
}

#[test]
fn the_best_answer_is_the_first_of_the_best() {
    let mut outcomes: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in seeds() {
        let case = case(seed);
        let policy = policy(&mut Random::new(seed));
        let wish = Wish {
            scopes: vec![WishScope::of_all(&case, policy.terms().into_owned())],
            ..Wish::default()
        };
        let expected = match best(&case, &Cel::default(), Options::default(), &wish) {
            Optimum::Allocated(values, results) => (OutcomeKind::Allocated, values, results),
            Optimum::Other(Solution::Infeasible) => only(OutcomeKind::Infeasible),
            Optimum::Other(_) => {
                *outcomes.entry("other").or_default() += 1;
                continue;
            }
        };
        *outcomes.entry(expected.0.as_str()).or_default() += 1;
        let answer = ask_engine(&case, &AllocateOptions::new().policy(&policy));
        let text = || serde_json::to_string(&case).unwrap();
        assert_eq!(answer, expected, "seed {seed}, {policy:?}: {}", text());
    }
    assert!(
        outcomes["allocated"] * 4 > outcomes["infeasible"],
        "{outcomes:?}"
    );
}
