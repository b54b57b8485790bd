//! Random small nodes, against all answers.

use dralloc::{Change, Policy, Term};
use serde_json::{Value, json};

use super::brute_force::{self, Request};
use super::machine::{Device, Machine};
use super::{answer, best, engine, exactly};

/// Questions in an ordinary run; `DRALLOC_PROPERTY_CASES` asks for more.
fn questions() -> u64 {
    let cases = std::env::var("DRALLOC_PROPERTY_CASES").ok();
    cases.and_then(|cases| cases.parse().ok()).unwrap_or(400)
}

/// Numbers that look random (`SplitMix64`).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap()
    }

    fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == 0
    }
}

/// A random document of so many GPUs and NICs.
fn document(random: &mut Random, gpus: usize, nics: usize) -> Value {
    let (mut vertices, mut links) = (Vec::new(), Vec::new());
    let numa = 1 + random.below(2);
    let switches = random.below(4);
    for number in 0..numa {
        vertices.push(json!({"id": format!("numa{number}"), "kind": "numaNode"}));
    }
    for number in 0..switches {
        vertices.push(json!({"id": format!("switch{number}"), "kind": "pcieSwitch"}));
        let above = if number > 0 && random.one_in(3) {
            format!("switch{}", random.below(number))
        } else {
            format!("numa{}", random.below(numa))
        };
        links.push(json!({"a": format!("switch{number}"), "b": above, "type": "PCIe"}));
    }
    for (kind, count) in [("gpu", gpus), ("nic", nics)] {
        for number in 0..count {
            let id = format!("{kind}{number}");
            let mut vertex = json!({"id": id, "kind": kind, "match":
                {"attribute": format!("{kind}.example.com/card"), "value": id}});
            if kind == "nic" && random.one_in(2) {
                vertex["bandwidthGBps"] = json!(25 * (1 + random.below(4)));
            }
            vertices.push(vertex);
            let above = if switches > 0 && !random.one_in(4) {
                format!("switch{}", random.below(switches))
            } else {
                format!("numa{}", random.below(numa))
            };
            links.push(json!({"a": id, "b": above, "type": "PCIe"}));
        }
    }
    let mut nvlink = |a: String, b: String, count: usize| {
        links.push(json!({"a": a, "b": b, "type": "NVLink", "count": count,
            "bandwidthGBps": 25 * count}));
    };
    match random.below(4) {
        0 => {
            vertices.push(json!({"id": "nvswitch", "kind": "nvSwitch"}));
            for gpu in 0..gpus {
                if !random.one_in(5) {
                    nvlink(
                        format!("gpu{gpu}"),
                        "nvswitch".to_owned(),
                        1 + random.below(3),
                    );
                }
            }
        }
        1 => {}
        shape => {
            for a in 0..gpus {
                for b in 0..a {
                    if random.one_in(shape) {
                        nvlink(format!("gpu{a}"), format!("gpu{b}"), 1 + random.below(3));
                    }
                }
            }
        }
    }
    json!({"metadata": {"name": "t"}, "spec": {"vertices": vertices, "links": links}})
}

/// Random devices: cards in parts or whole, some that no document knows, in canonical order.
fn devices(random: &mut Random, gpus: usize, nics: usize) -> Vec<Device> {
    let mut devices = Vec::new();
    let mut add = |driver: &'static str, gpu: Option<usize>, nic: Option<usize>, penalty: i64| {
        let name = devices.len().to_string();
        devices.push(Device {
            driver,
            name,
            gpu,
            nic,
            penalty,
        });
    };
    for _ in 0..random.below(3) {
        add("cpu", None, None, 0);
    }
    let (has_parts, has_outsiders) = (random.one_in(3), random.one_in(3));
    let is_ill = random.one_in(2);
    for gpu in 0..gpus {
        let penalty = if is_ill && random.one_in(3) { 1000 } else { 0 };
        let parts = if has_parts { 1 + random.below(2) } else { 1 };
        for _ in 0..parts {
            add("gpu", Some(gpu), None, penalty);
        }
        if has_outsiders && random.one_in(4) {
            add("gpu", None, None, 0);
        }
    }
    for nic in 0..nics {
        for _ in 0..=random.below(2) {
            add("nic", None, Some(nic), 0);
        }
    }
    devices
}

fn requests(random: &mut Random) -> Vec<Request> {
    let class = |random: &mut Random| match random.below(8) {
        0 => "nic",
        1 => "any",
        2 => "cpu",
        _ => "gpu",
    };
    let count = 1 + random.below(3);
    let request = |random: &mut Random| {
        let alternatives = if random.one_in(4) { 2 } else { 1 };
        let alternatives = 0..alternatives;
        let most = if count == 1 { 4 } else { 2 };
        let alternative = |_| (class(random), 1 + random.below(most));
        alternatives.map(alternative).collect()
    };
    let mut all = Vec::new();
    for _ in 0..count {
        all.push(request(random));
    }
    all
}

fn terms(random: &mut Random) -> Vec<Term> {
    let mut all = vec![
        Term::Ring,
        Term::Links,
        Term::Bottleneck,
        Term::NicAlignment,
        Term::Span,
        Term::HostUplink,
        Term::LinkPotential,
        Term::AlternativeRank,
        Term::HealthPenalty,
    ];
    for place in (1..all.len()).rev() {
        all.swap(place, random.below(place + 1));
    }
    all.truncate(1 + random.below(all.len()));
    all
}

/// The requests as a claim has them.
fn written(requests: &[Request]) -> Value {
    let request = |(number, alternatives): (usize, &Request)| match &**alternatives {
        [(class, count)] => exactly(&format!("r{number}"), class, *count),
        several => {
            let several = several.iter().enumerate().map(|(place, (class, count))| {
                json!({"name": format!("s{place}"), "deviceClassName": class,
                    "allocationMode": "ExactCount", "count": count})
            });
            json!({"name": format!("r{number}"), "firstAvailable": several.collect::<Vec<_>>()})
        }
    };
    requests.iter().enumerate().map(request).collect()
}

#[test]
fn answers_are_the_first_of_the_best() {
    let (mut found, mut none) = (0, 0);
    for seed in 0..questions() {
        let random = &mut Random(seed);
        let (gpus, nics) = (2 + random.below(6), random.below(4));
        let document = document(random, gpus, nics);
        let devices = devices(random, gpus, nics);
        let held: Vec<bool> = devices.iter().map(|_| random.one_in(6)).collect();
        let (requests, terms) = (requests(random), terms(random));

        let of = |driver: &'static str| {
            let own = devices.iter().filter(move |device| device.driver == driver);
            let own = own.map(|device| {
                let mut written = json!({"name": device.name});
                let card = device.gpu.map(|gpu| format!("gpu{gpu}"));
                let card = card.or(device.nic.map(|nic| format!("nic{nic}")));
                if let Some(card) = card {
                    written["attributes"] = json!({"card": {"string": card}});
                }
                written
            });
            (driver, own.collect::<Vec<Value>>())
        };
        let mut engine = engine(
            &["cpu", "gpu", "nic"].map(of),
            std::slice::from_ref(&document),
        );
        for device in devices.iter().filter(|device| device.penalty > 0) {
            let id = json!({"driver": format!("{}.example.com", device.driver), "pool": "n",
                "device": device.name});
            let health = json!({"metadata": {"name": device.name}, "spec": {"device": id,
                "failures": [{"time": "2026-01-31T12:00:00Z", "reason": "x"}]}});
            engine
                .apply(Change::DeviceHealth(
                    serde_json::from_value(health).unwrap(),
                ))
                .unwrap();
        }
        let held_ids: Vec<String> = devices
            .iter()
            .zip(&held)
            .filter(|(_, held)| **held)
            .map(|(device, _)| device.id())
            .collect();
        let policy = Policy::Terms(terms.clone());
        let outcome = answer(&engine, &held_ids, &written(&requests), &policy);
        let spec = serde_json::from_value(document["spec"].clone()).unwrap();
        let machine = Machine::new(devices, held, &spec);
        let expected = brute_force::best(&machine, &requests, &terms);
        let got = best(outcome.unwrap());
        assert_eq!(got, expected, "seed {seed}: {policy}, {requests:?}");
        match got {
            Some(_) => found += 1,
            None => none += 1,
        }
    }
    assert!(found > none && none > 0, "{found} {none}");
}
