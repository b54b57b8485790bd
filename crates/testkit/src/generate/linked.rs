//! Questions about devices that are linked: topologies, placement policies and terms.

use dralloc::model::{PlacementPolicy, Topology};
use dralloc::{Policy, Term};
use serde_json::{Map, Value, json};

use super::Random;
use super::machine::{Built, machine};
use super::text::NODE;
use crate::case::Case;
use crate::oracle::{Demand, WishScope};

/// Terms that need a topology.
pub const TOPOLOGY_TERMS: [&str; 7] = [
    "ring",
    "links",
    "bottleneck",
    "nicAlignment",
    "span",
    "hostUplink",
    "linkPotential",
];

/// Words of policies for what devices have in common.
const SCOPES: [&str; 8] = [
    "nvLink",
    "pcieSwitch",
    "pcieRoot",
    "numaNode",
    "host",
    "nvLinkDomain",
    "rack",
    "block",
];

/// Is a case with topologies, and what is wanted of the answer.
#[derive(Clone, Debug)]
pub struct LinkedQuestion {
    /// The case; its claims carry what they want of the answer.
    pub case: Case,
    /// How devices are linked.
    pub topologies: Vec<Topology>,
    /// Which of several answers the caller wants; absent: what claims carry counts.
    pub policy: Option<Policy>,
    /// Levels, units and terms that follow from all that, with their requests.
    pub scopes: Vec<WishScope>,
    /// What is required.
    pub demands: Vec<Demand>,
}

/// Returns the question of a seed.
///
/// # Panics
///
/// Never, unless the generator writes something that is no case.
#[expect(
    clippy::expect_used,
    reason = "a generator that writes nonsense has to be mended"
)]
pub fn linked_question(seed: u64) -> LinkedQuestion {
    let mut random = Random::new(seed ^ 0x7090_1096);
    let random = &mut random;
    let Built {
        topologies,
        slices,
        devices,
        is_partitioned,
    } = machine(random);
    let mut claims = Vec::new();
    let mut asked = Vec::new();
    let mut policies = Vec::new();
    let terms = terms(random);
    let by_caller = random.chance(50);
    for claim in 0..random.pick(&[&1_usize, &1, &1, &2]).to_owned() {
        let mut requests = vec![request(random, "gpu", 4 - claim)];
        if random.chance(45) {
            requests.push(request(random, "nic", 2));
        }
        if random.chance(10) {
            requests.push(request(random, "any", 1));
        }
        asked.push(requests.len());
        let mut carried = carried(random, &requests, (!by_caller).then_some(&*terms));
        if random.chance(if is_partitioned { 60 } else { 3 }) {
            carried.insert("fabricPartition".into(), json!("required"));
        }
        let mut spec = json!({"devices": {"requests": requests}});
        if !carried.is_empty() {
            let mut parameters = carried.clone();
            parameters.insert("apiVersion".into(), json!("dralloc.dev/v1alpha1"));
            parameters.insert("kind".into(), json!("PlacementPolicy"));
            spec["devices"]["config"] = json!([{"opaque":
                {"driver": "dralloc.dev", "parameters": parameters}}]);
        }
        policies.push(carried);
        claims.push(
            json!({"metadata": {"name": format!("c{claim}"), "namespace": "n",
            "uid": format!("u{claim}")}, "spec": spec}),
        );
    }
    let classes = ["gpu", "nic"].map(|class| {
        let driver = format!("device.driver == '{class}.example.com'");
        json!({"metadata": {"name": class}, "spec": {"selectors": [{"cel": {"expression": driver}}]}})
    });
    let mut classes = classes.to_vec();
    classes.push(json!({"metadata": {"name": "any"}}));
    let mut held = Vec::new();
    if random.chance(40) {
        held = devices;
        held.retain(|_| random.chance(25));
    }
    let case = json!({
        "name": format!("linked-{seed}"),
        "features": {"adminAccess": true, "listTypeAttributes": true, "prioritizedList": true},
        "node": {"metadata": {"name": NODE}}, "deviceClasses": classes,
        "resourceSlices": slices, "claims": claims, "allocated": {"devices": held},
    });
    let case: Case = serde_json::from_value(case).expect("a case");
    let topologies = topologies.into_iter();
    let topologies = topologies.map(|one| serde_json::from_value(one).expect("a topology"));
    let mut question = LinkedQuestion {
        case,
        topologies: topologies.collect(),
        policy: by_caller.then(|| Policy::Terms(terms.clone())),
        scopes: Vec::new(),
        demands: Vec::new(),
    };
    for (claim, carried) in policies.into_iter().enumerate() {
        let policy: PlacementPolicy =
            serde_json::from_value(Value::Object(carried)).expect("a policy");
        let requests: Vec<(usize, usize)> = (0..asked[claim]).map(|place| (claim, place)).collect();
        if !by_caller {
            let has_terms = !policy.objective.is_empty();
            let scope = WishScope {
                terms: if has_terms { terms.clone() } else { Vec::new() },
                requests: requests.clone(),
                preferred: policy.clone(),
            };
            join(&mut question.scopes, scope);
        }
        question.demands.push(Demand { policy, requests });
    }
    if by_caller {
        let all = WishScope::of_all(&question.case, terms);
        question.scopes.push(all);
    }
    question
}

/// Adds a scope; neighbours that count the same are one, unless levels are preferred.
fn join(scopes: &mut Vec<WishScope>, scope: WishScope) {
    let prefers = |scope: &WishScope| {
        let policy = &scope.preferred;
        let mut modes = policy.affinity.iter().map(|level| &level.mode);
        modes.any(|mode| **mode == *"preferred")
            || policy.unit.iter().any(|unit| *unit.mode == *"preferred")
    };
    match scopes.last_mut() {
        Some(last) if last.terms == scope.terms && !prefers(last) && !prefers(&scope) => {
            last.requests.extend(scope.requests);
        }
        _ if scope.terms.is_empty() && !prefers(&scope) => {}
        _ => scopes.push(scope),
    }
}

/// Returns one to three terms, at least one of them of a topology.
#[expect(clippy::expect_used, reason = "all of them are known")]
fn terms(random: &mut Random) -> Vec<Term> {
    let mut names: Vec<&str> = vec![random.pick(&TOPOLOGY_TERMS)];
    for _ in 0..random.below(3) {
        let other = random.pick(&[
            "ring",
            "links",
            "bottleneck",
            "nicAlignment",
            "span",
            "hostUplink",
            "linkPotential",
            "alternativeRank",
            "packingPotential",
            "parentsTouched",
        ]);
        if !names.contains(&other) {
            names.push(other);
        }
    }
    let terms = names.into_iter().map(|name| Term::new(name, None));
    terms.collect::<Result<_, _>>().expect("known terms")
}

/// Returns a request for one device, or up to `most`.
fn request(random: &mut Random, class: &str, most: usize) -> Value {
    let count = random.between(1, most);
    if random.chance(10) {
        let alternative = |name: &str, count: usize| {
            json!({"name": name, "deviceClassName": class,
                "allocationMode": "ExactCount", "count": count})
        };
        return json!({"name": class, "firstAvailable":
            [alternative("more", count + 1), alternative("less", count)]});
    }
    let mut exactly = json!({"deviceClassName": class,
        "allocationMode": "ExactCount", "count": count});
    if random.chance(4) {
        exactly["adminAccess"] = json!(true);
    }
    json!({"name": class, "exactly": exactly})
}

/// Returns what a claim wants of its answer: nothing, levels, a unit, a ring, terms.
fn carried(random: &mut Random, requests: &[Value], terms: Option<&[Term]>) -> Map<String, Value> {
    let mut policy = Map::new();
    if let Some(terms) = terms.filter(|terms| !terms.is_empty())
        && random.chance(80)
    {
        policy.insert("objective".into(), json!(terms));
    }
    let is_soft = terms.is_some();
    if random.chance(50) {
        let mut levels = Vec::new();
        for _ in 0..random.between(1, 2) {
            let scope = random.pick(&SCOPES);
            if is_soft && random.chance(60) {
                levels.push(json!({"scope": scope, "mode": "preferred",
                    "fallback": fallback(random, scope)}));
            } else {
                levels.push(json!({"scope": scope, "mode": "required"}));
            }
        }
        policy.insert("affinity".into(), json!(levels));
    }
    let count = |request: &Value| {
        let is_member = request["name"] != "any" && request["exactly"]["adminAccess"].is_null();
        request["exactly"]["count"].as_u64().filter(|_| is_member)
    };
    let counts: Vec<Option<u64>> = requests.iter().map(count).collect();
    if let (true, [Some(gpus), Some(nics), ..]) = (random.chance(60), &*counts)
        && (gpus % nics == 0 || nics % gpus == 0)
    {
        let groups = gpus.min(nics);
        let scope = random.pick(&SCOPES);
        let mut unit = json!({"requests": {"gpu": gpus / groups, "nic": nics / groups},
            "scope": scope, "mode": "required"});
        if is_soft && random.chance(60) {
            unit["mode"] = json!("preferred");
            unit["fallback"] = json!(fallback(random, scope));
        }
        if random.chance(25) {
            // Links are no places.
            unit["apartOver"] = json!(random.pick(&SCOPES[1..]));
        }
        policy.insert("unit".into(), unit);
    }
    if random.chance(15) {
        let least = random.pick(&["1", "25", "50", "62500m", "100", "150"]);
        policy.insert("minRingGBps".into(), json!(least));
    }
    policy
}

fn fallback(random: &mut Random, scope: &str) -> Vec<&'static str> {
    let mut others = SCOPES.to_vec();
    others.retain(|other| *other != scope);
    random.shuffle(&mut others);
    others.truncate(random.below(4));
    others
}
