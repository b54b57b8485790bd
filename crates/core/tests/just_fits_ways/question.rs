//! [`Question`]: questions as short text, and the answers of every way to them.
//!
//! A line begins with what it is about:
//!
//! - `devices`: one after the other, with letters that requests ask for, values of
//!   attributes (`r=1|2`), what is taken of counters (`m:2`), for those that several
//!   may share a capacity (`*10`), and at last how many of them there are (` x8`);
//!   they are named by their places.
//! - `counters`: what there is of each.
//! - `pools`: how many there are, each with all devices and counters; without it one.
//! - `claim`: requests, as a number and a letter, with `/` between alternatives, and
//!   `*` before what is taken of a capacity; after `;` attributes of which devices must
//!   have the same value, with the requests that this is about, or all.
//! - `turns`: which claims ask one after the other, and after `-` which are released;
//!   without it all ask together.
//!
//! An answer has for each request its devices, with the pool if that is not the first,
//! and before them the alternative if there are several.

use dralloc::model::ResourceClaim;
use dralloc::{AllocateOptions, Allocation, Features, Outcome, Snapshot, Workspace};
use serde_json::{Value, json};

use crate::node::{DRIVER, in_each_way, with_pools};

/// Asks every way, and returns what all of them say.
pub(crate) fn answer(question: &str) -> String {
    let question = Question::read(question);
    in_each_way(|way| question.ask(way))
}

struct Question {
    snapshot: Snapshot,
    claims: Vec<ResourceClaim>,
    turns: Vec<String>,
}

impl Question {
    fn read(question: &str) -> Self {
        let (mut devices, mut counters) = (Vec::new(), json!({}));
        let (mut claims, mut turns, mut pools) = (Vec::new(), vec!["all".to_owned()], 1);
        for line in question.lines().map(str::trim) {
            let (word, rest) = line.split_once(' ').unwrap();
            match word {
                "devices" => {
                    for text in rest.split(',') {
                        let (text, times) = text.split_once(" x").unwrap_or((text, "1"));
                        for _ in 0..times.parse().unwrap() {
                            devices.push(device(devices.len(), text));
                        }
                    }
                }
                "counters" => {
                    for (name, value) in rest.split(' ').map(|one| one.split_once('=').unwrap()) {
                        counters[name] = json!({"value": value});
                    }
                }
                "pools" => pools = rest.parse().unwrap(),
                "claim" => claims.push(claim(claims.len(), rest)),
                "turns" => turns = rest.split(' ').map(str::to_owned).collect(),
                other => panic!("{other}"),
            }
        }
        let sets = json!([{"name": "set", "counters": counters}]);
        let engine = with_pools(Features::all(), &vec![devices; pools], &sets);
        Self {
            snapshot: engine.snapshot(),
            claims,
            turns,
        }
    }

    fn ask(&self, options: &AllocateOptions<'_>) -> String {
        let (mut transaction, mut workspace) = (self.snapshot.transaction(), Workspace::new());
        let mut answers = Vec::new();
        for turn in &self.turns {
            let claims = match turn.trim_start_matches('-') {
                "all" => &*self.claims,
                claim => &self.claims[claim.parse().unwrap()..][..1],
            };
            if turn.starts_with('-') {
                assert!(claims.iter().all(|claim| transaction.release(claim)));
                continue;
            }
            let claims = self.snapshot.prepare(claims).unwrap();
            let outcome = transaction.allocate("node", &claims, options, &mut workspace);
            answers.push(match outcome.unwrap() {
                Outcome::Optimal(allocation) => written(&allocation),
                Outcome::Infeasible(_) => "none".to_owned(),
                other => panic!("{other:?}"),
            });
        }
        answers.join("; ")
    }
}

/// Writes down what claims get.
fn written(allocation: &Allocation) -> String {
    let claims = allocation.results();
    let claims = claims.iter().map(|claim| {
        let devices = &claim.devices.results;
        let requests = devices.chunk_by(|one, other| one.request == other.request);
        let requests = requests.map(|devices| {
            let alternative = devices[0].request.split_once("/a");
            let devices = devices.iter().map(|device| match device.pool.as_ref() {
                "p00" => device.device[1..].to_owned(),
                pool => format!("{pool}.{}", &device.device[1..]),
            });
            let devices = devices.collect::<Vec<_>>().join(",");
            alternative.map_or(devices.clone(), |(_, place)| format!("{place}:{devices}"))
        });
        requests.collect::<Vec<_>>().join(" ")
    });
    claims.collect::<Vec<_>>().join(" | ")
}

fn device(place: usize, text: &str) -> Value {
    let (mut device, mut taken) = (json!({"name": format!("d{place}")}), json!({}));
    for word in text.split_whitespace() {
        if let Some((name, values)) = word.split_once('=') {
            let values: Vec<i64> = values.split('|').map(|one| one.parse().unwrap()).collect();
            device["attributes"][name] = match *values {
                [value] => json!({"int": value}),
                _ => json!({"ints": values}),
            };
        } else if let Some((name, amount)) = word.split_once(':') {
            taken[name] = json!({"value": amount});
            device["consumesCounters"] = json!([{"counterSet": "set", "counters": taken}]);
        } else if let Some(capacity) = word.strip_prefix('*') {
            device["allowMultipleAllocations"] = json!(true);
            device["capacity"]["size"] = json!({"value": capacity});
        } else {
            device["attributes"]["is"] = json!({"string": word});
        }
    }
    device
}

fn claim(place: usize, text: &str) -> ResourceClaim {
    let (requests, constraints) = text.split_once(';').unwrap_or((text, ""));
    let requests = requests.split(',').enumerate().map(|(place, text)| {
        let name = format!("r{place}");
        let alternatives: Vec<&str> = text.trim().split('/').collect();
        if let [only] = *alternatives {
            return json!({"name": name, "exactly": wanted(only)});
        }
        let each = alternatives.iter().enumerate().map(|(place, text)| {
            let mut wanted = wanted(text);
            wanted["name"] = json!(format!("a{place}"));
            wanted
        });
        json!({"name": name, "firstAvailable": each.collect::<Vec<_>>()})
    });
    let constraints = constraints.split(',').filter(|text| !text.is_empty());
    let constraints = constraints.map(|text| {
        let mut words = text.split_whitespace();
        let attribute = format!("{DRIVER}/{}", words.next().unwrap());
        let requests = words.map(|word| format!("r{}", word.replace('/', "/a")));
        json!({"matchAttribute": attribute, "requests": requests.collect::<Vec<_>>()})
    });
    let devices = json!({"requests": requests.collect::<Vec<_>>(),
        "constraints": constraints.collect::<Vec<_>>()});
    let name = format!("c{place}");
    let claim = json!({"metadata": {"name": name, "namespace": "n", "uid": name},
        "spec": {"devices": devices}});
    serde_json::from_value(claim).unwrap()
}

fn wanted(text: &str) -> Value {
    let (text, size) = text.split_once('*').unwrap_or((text, ""));
    let (count, letter) = text.split_at(text.len() - 1);
    let expression = format!("device.attributes['{DRIVER}'].is.contains('{letter}')");
    let mut wanted = json!({"deviceClassName": "any", "allocationMode": "ExactCount",
        "count": count.parse::<u32>().unwrap(),
        "selectors": [{"cel": {"expression": expression}}]});
    if !size.is_empty() {
        wanted["capacity"]["requests"]["size"] = json!(size);
    }
    wanted
}
