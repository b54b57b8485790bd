//! Questions in a few words, and the answer that each way gives.

use dralloc::model::ResourceClaim;
use dralloc::{
    AllocateOptions, Change, Code, Features, Held, Outcome, Policy, Reason, Snapshot, Term,
    Workspace,
};
use serde_json::{Value, json};

pub(crate) use crate::node::DRIVER;
use crate::node::{in_each_way, with_pools};

/// A device with attributes.
pub(crate) fn device(name: &str, attributes: &Value) -> Value {
    json!({"name": name, "attributes": attributes})
}

/// Devices `d0` and so on, each with numbers `a` and `b`.
pub(crate) fn pairs(numbers: &[(u32, u32)]) -> Vec<Value> {
    let numbers = numbers.iter().enumerate();
    let numbers = numbers.map(|(place, (a, b))| {
        device(
            &format!("d{place}"),
            &json!({"k": {"int": 0}, "a": {"int": a}, "b": {"int": b}}),
        )
    });
    numbers.collect()
}

/// Devices of which each of two numbers brings the first together with another,
/// but both of them only the last two.
pub(crate) fn trouble() -> Vec<Value> {
    let places = [(0, 0), (0, 1), (1, 0), (2, 2), (2, 2)];
    let devices = places.iter().enumerate().map(|(place, (root, zone))| {
        let name = format!("t{place}");
        device(
            &name,
            &json!({"k": {"int": 9}, "root": {"int": root}, "zone": {"int": zone}}),
        )
    });
    devices.collect()
}

/// So many devices with an attribute `k` of some value.
pub(crate) fn of_kind(name: &str, kind: u32, count: usize) -> Value {
    request(name, &wanted(kind, count))
}

pub(crate) fn wanted(kind: u32, count: usize) -> Value {
    let expression = format!("device.attributes['{DRIVER}'].k == {kind}");
    json!({"deviceClassName": "any", "allocationMode": "ExactCount", "count": count,
        "selectors": [{"cel": {"expression": expression}}]})
}

pub(crate) fn request(name: &str, exactly: &Value) -> Value {
    json!({"name": name, "exactly": exactly})
}

pub(crate) fn admin(name: &str, kind: u32, count: usize) -> Value {
    let mut exactly = wanted(kind, count);
    exactly["adminAccess"] = json!(true);
    request(name, &exactly)
}

/// A request for which one of several will do.
pub(crate) fn either(name: &str, choices: &[(u32, usize)]) -> Value {
    let choices = choices.iter().enumerate().map(|(place, (kind, count))| {
        let mut wanted = wanted(*kind, *count);
        wanted["name"] = json!(format!("s{place}"));
        wanted
    });
    json!({"name": name, "firstAvailable": choices.collect::<Vec<_>>()})
}

pub(crate) fn same(attribute: &str, requests: &[&str]) -> Value {
    json!({"matchAttribute": format!("{DRIVER}/{attribute}"), "requests": requests})
}

pub(crate) fn different(attribute: &str, requests: &[&str]) -> Value {
    json!({"distinctAttribute": format!("{DRIVER}/{attribute}"), "requests": requests})
}

/// A claim; `constraints` may be empty.
pub(crate) fn claim(name: &str, requests: &[Value], constraints: &[Value]) -> Value {
    json!({"metadata": {"name": name, "namespace": "n"},
        "spec": {"devices": {"requests": requests, "constraints": constraints}}})
}

/// A claim for two of the devices that make trouble, so that the search looks
/// closer from the start.
pub(crate) fn troubled() -> Value {
    let constraints = [same("root", &["t"]), same("zone", &["t"])];
    claim("t", &[of_kind("t", 9, 2)], &constraints)
}

/// What there is, and what is known of it.
pub(crate) struct World {
    /// Devices by pool.
    pub(crate) pools: Vec<Vec<Value>>,
    /// Counter sets of each pool.
    pub(crate) counters: Value,
    /// Devices of the first pool that somebody has.
    pub(crate) held: Held,
    pub(crate) features: Features,
}

pub(crate) fn world(devices: Vec<Value>) -> World {
    World {
        pools: vec![devices],
        counters: Value::Null,
        held: Held::default(),
        features: Features::all(),
    }
}

impl World {
    fn snapshot(&self) -> Snapshot {
        let mut engine = with_pools(self.features, &self.pools, &self.counters);
        engine.apply(Change::Held(self.held.clone())).unwrap();
        engine.snapshot()
    }

    /// Returns the devices by name, or why there are none: the same in each way.
    pub(crate) fn first(&self, claims: &[Value]) -> String {
        in_each_way(|way| self.answer(claims, way))
    }

    /// Returns why nothing fits: the same in each way.
    pub(crate) fn reason(&self, claims: &[Value]) -> Reason {
        let snapshot = self.snapshot();
        let claims: Vec<ResourceClaim> = serde_json::from_value(json!(claims)).unwrap();
        let claims = snapshot.prepare(&claims).unwrap();
        in_each_way(|way| {
            let mut transaction = snapshot.transaction();
            match transaction.allocate("node", &claims, way, &mut Workspace::new()) {
                Ok(Outcome::Infeasible(reason)) => reason,
                other => panic!("{other:?}"),
            }
        })
    }

    /// Returns the devices of the first of the best answers.
    pub(crate) fn best(&self, claims: &[Value], terms: &[Term]) -> String {
        let policy = Policy::Terms(terms.to_vec());
        self.answer(claims, &AllocateOptions::new().policy(&policy))
    }

    /// Returns the answer of one way.
    pub(crate) fn answer(&self, claims: &[Value], options: &AllocateOptions<'_>) -> String {
        let snapshot = self.snapshot();
        let claims: Vec<ResourceClaim> = serde_json::from_value(json!(claims)).unwrap();
        let claims = snapshot.prepare(&claims).unwrap();
        let mut transaction = snapshot.transaction();
        match transaction.allocate("node", &claims, options, &mut Workspace::new()) {
            Ok(Outcome::Optimal(allocation)) => {
                let results = allocation.results();
                let devices = results.iter().flat_map(|result| &result.devices.results);
                let devices = devices.filter(|one| !one.device.starts_with('t'));
                let names: Vec<&str> = devices.map(|one| &*one.device).collect();
                names.join(" ")
            }
            Ok(Outcome::Infeasible(_)) => "! nothing fits".to_owned(),
            Ok(other) => panic!("{other:?}"),
            Err(error) => match error.code() {
                Code::LimitExceeded => "! too many".to_owned(),
                Code::CelEvaluation => "! an error".to_owned(),
                _ => panic!("{error}"),
            },
        }
    }
}
