//! The best set in clusters of hosts with direct links against comparing all sets.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[allow(dead_code, reason = "other test files need more of it")]
mod clusters;
mod machines;

use std::cmp::Reverse;
use std::collections::BTreeSet;

use self::clusters::{Asked, Chance, Device, cluster, members, potential};
use dralloc_topology::{
    Document, Exactness, Knapsack, Method, Question, Ratio, Selector, Table, Term, Topology,
};
use serde_json::{Value, json};

/// Returns the cluster with direct links at random inside its hosts, and switches in some
/// of those.
fn meshed(devices: &[Device], chance: &mut Chance) -> Topology {
    let mut vertices = vec![json!({"id": "spine", "kind": "fabric"})];
    let mut links = Vec::new();
    let mut seen = BTreeSet::new();
    let switched = chance.below(4);
    for (number, device) in devices.iter().enumerate() {
        let (block, rack, host) = (
            format!("b{}", device.block),
            format!("r{}", device.rack),
            format!("h{}", device.host),
        );
        for (id, kind, around) in [
            (&block, "block", "spine"),
            (&rack, "nvLinkDomain", &*block),
            (&host, "host", &*rack),
        ] {
            if seen.insert(id.clone()) {
                vertices.push(json!({"id": id, "kind": kind}));
                links.push(json!({"a": id, "b": around, "type": "NetTier"}));
            }
        }
        let id = format!("g{number}");
        vertices.push(json!({"id": id, "kind": "gpu", "numaNode": device.node}));
        links.push(json!({"a": id, "b": host, "type": "PCIe"}));
        if device.host % 4 == switched {
            let switch = format!("s{}", device.host);
            if seen.insert(switch.clone()) {
                vertices.push(json!({"id": switch, "kind": "nvSwitch"}));
            }
            let count = device.links.max(1);
            links.push(json!({"a": id, "b": switch, "type": "NVSwitch", "count": count}));
            continue;
        }
        for (other, near) in devices.iter().enumerate().take(number) {
            let count = chance.below(4);
            if near.host == device.host && count > 0 {
                let other = format!("g{other}");
                links.push(json!({"a": other, "b": id, "type": "NVLink", "count": count}));
            }
        }
    }
    read(&vertices, &links)
}

fn read(vertices: &[Value], links: &[Value]) -> Topology {
    let document = json!({
        "apiVersion": "dralloc.dev/v1alpha1", "kind": "Topology",
        "spec": {"vertices": vertices, "links": links},
    });
    Topology::new(&Document::read(&document.to_string()).unwrap()).unwrap()
}

#[test]
fn small_clusters_of_meshes_give_the_best_set() {
    let mut chance = Chance(21);
    let (mut compared, mut ringed) = (0, 0);
    for _ in 0..800 {
        let devices = cluster(&mut chance, 10);
        let topology = meshed(&devices, &mut chance);
        let knapsack = Knapsack::new(&topology).unwrap();
        for _ in 0..4 {
            let asked = Asked::of(&mut chance, devices.len());
            let (free, terms) = (asked.free, asked.terms);
            let value = |set: u32| -> Vec<Ratio> {
                let of = members(set);
                let values = terms.iter().map(|term| match term {
                    Term::Ring => topology.ring(&of).rings,
                    Term::Links => Ratio::whole(topology.links(&of)),
                    Term::Span => Ratio::whole(8 - topology.span(&of) as u64),
                    _ => Ratio::whole(potential(&devices, free & !set)),
                });
                values.collect()
            };
            let best = asked.best(&topology, value);
            let found = asked.select(&knapsack);
            let about = format!("{devices:?} {asked}");
            let chosen = found.as_ref().map(|choice| choice.devices.clone());
            assert_eq!(chosen, best, "{about}");
            if let Some(choice) = found {
                assert_eq!(choice.ring, topology.ring(&choice.devices), "{about}");
                assert_eq!(choice.links, topology.links(&choice.devices), "{about}");
                assert_eq!(choice.span, topology.span(&choice.devices), "{about}");
                compared += 1;
                ringed += usize::from(choice.ring.rings > Ratio::ZERO);
            }
        }
    }
    assert_eq!((compared, ringed), (2629, 408));
}

/// Returns racks of four hosts of a mesh of eight or more devices, as a machine has it.
fn racks_of(name: &str, racks: usize) -> Topology {
    let machine: Value = serde_json::from_str(&machines::text(name)).unwrap();
    let spec = &machine["spec"];
    let is_gpu = |vertex: &&Value| vertex["kind"] == "gpu";
    let gpus: Vec<&Value> = spec["vertices"]
        .as_array()
        .unwrap()
        .iter()
        .filter(is_gpu)
        .collect();
    let ids: BTreeSet<&str> = gpus.iter().map(|gpu| gpu["id"].as_str().unwrap()).collect();
    let (mut vertices, mut links) = (Vec::new(), Vec::new());
    for rack in 0..racks {
        vertices.push(json!({"id": format!("r{rack}"), "kind": "nvLinkDomain"}));
        for host in 0..4 {
            let name = format!("r{rack}h{host}");
            vertices.push(json!({"id": name, "kind": "host"}));
            links.push(json!({"a": name, "b": format!("r{rack}"), "type": "NetTier"}));
            for gpu in &gpus {
                let id = format!("{name}{}", gpu["id"].as_str().unwrap());
                vertices.push(json!({"id": id, "kind": "gpu"}));
                links.push(json!({"a": id, "b": name, "type": "PCIe"}));
            }
            for link in spec["links"].as_array().unwrap() {
                let end = |end: &str| link[end].as_str().unwrap();
                if ids.contains(end("a")) && ids.contains(end("b")) {
                    let mut link = link.clone();
                    link["a"] = format!("{name}{}", link["a"].as_str().unwrap()).into();
                    link["b"] = format!("{name}{}", link["b"].as_str().unwrap()).into();
                    links.push(link);
                }
            }
        }
    }
    read(&vertices, &links)
}

fn question<'a>(free: &'a [usize], count: usize, terms: &'a [Term]) -> Question<'a> {
    Question {
        free,
        count,
        required: &[],
        terms,
    }
}

#[test]
fn a_cluster_gives_the_best_set_of_its_best_host() {
    let cluster = racks_of("dgx1-v100", 3);
    let selector = Selector::new(&cluster).unwrap();
    let host = Table::new(&machines::machine("dgx1-v100")).unwrap();
    let mut chance = Chance(2);
    for _ in 0..40 {
        let free: Vec<usize> = (0..96).filter(|_| chance.below(3) > 0).collect();
        for count in 2..=8 {
            let masks = (0..12).map(|number| {
                let inside = free.iter().filter(|&&device| device / 8 == number);
                inside.fold(0_u16, |mask, device| mask | 1 << (device % 8))
            });
            let values = masks.filter_map(|mask| {
                let set = host.best(mask, 0, count, &[Term::Ring, Term::Links])?;
                Some((host.ring(set).rings, host.links(set)))
            });
            let best = values.max().filter(|&(rings, _)| rings > Ratio::ZERO);
            let choice = selector
                .select(&question(
                    &free,
                    count,
                    &[Term::Ring, Term::Links, Term::Packing],
                ))
                .unwrap()
                .unwrap();
            if let Some(best) = best {
                assert_eq!((choice.ring.rings, choice.links), best, "{free:?} {count}");
            } else {
                assert_eq!(choice.ring.rings, Ratio::ZERO, "{free:?} {count}");
            }
        }
    }
    // Two hosts and a half: all links of two, and of the best half.
    let all: Vec<usize> = (0..96).collect();
    let links = question(&all, 20, &[Term::Links, Term::Span]);
    let choice = selector.select(&links).unwrap().unwrap();
    assert_eq!(choice.links, 2 * host.links(0xff) + 9);
    assert_eq!(choice.devices, (0..20).collect::<Vec<usize>>());
}

#[test]
fn meshes_of_sixteen_devices_are_told_by_their_cut() {
    let cluster = racks_of("mapa-torus2d-16", 1);
    let selector = Selector::new(&cluster).unwrap();
    let free: Vec<usize> = (3..64).collect();
    let choice = selector
        .select(&question(&free, 12, &[Term::Ring, Term::Links]))
        .unwrap()
        .unwrap();
    assert_eq!(choice.ring.exactness, Exactness::AtMost);
    let torus = Table::new(&machines::machine("mapa-torus2d-16")).unwrap();
    let best = torus
        .best(u16::MAX, 0, 12, &[Term::Ring, Term::Links])
        .unwrap();
    assert_eq!(
        (choice.ring, choice.links),
        (torus.ring(best), torus.links(best))
    );
}

#[test]
fn links_that_lead_elsewhere_do_not_matter() {
    // A mesh of 17 devices, and a rack of 20 on switches beside it.
    let mut vertices = vec![json!({"id": "s", "kind": "nvSwitch"})];
    let mut links = Vec::new();
    for gpu in 0..37 {
        vertices.push(json!({"id": format!("g{gpu}"), "kind": "gpu"}));
        let id = format!("g{gpu}");
        links.push(match gpu {
            0..16 => json!({"a": id, "b": format!("g{}", gpu + 1), "type": "NVLink"}),
            16 => json!({"a": id, "b": "g0", "type": "NVLink"}),
            _ => json!({"a": id, "b": "s", "type": "NVSwitch", "count": 6}),
        });
    }
    let topology = read(&vertices, &links);
    assert_eq!(
        Knapsack::new(&topology).unwrap_err().to_string(),
        "spec.links: expected at most 16 devices in the domain around direct links, or 32 in all"
    );
    let part: Vec<usize> = (17..37).collect();
    let selector = Selector::of(&topology, &part).unwrap();
    let all: Vec<usize> = (0..37).collect();
    let choice = selector
        .select(&question(&all, 18, &Term::USUAL))
        .unwrap()
        .unwrap();
    assert_eq!(choice.devices, (17..35).collect::<Vec<usize>>());
    assert_eq!(choice.ring.rings, Ratio::whole(6));
}

/// Returns a mesh with links between all pairs at random, of one count of a list.
fn random(size: usize, counts: &[u64], chance: &mut Chance) -> Topology {
    let vertices = (0..size).map(|gpu| json!({"id": format!("g{gpu}"), "kind": "gpu"}));
    let mut links = Vec::new();
    for a in 0..size {
        for b in 0..a {
            let count = counts[usize::try_from(chance.below(counts.len() as u64)).unwrap()];
            let (a, b) = (format!("g{a}"), format!("g{b}"));
            if count > 0 {
                links.push(json!({"a": a, "b": b, "type": "NVLink", "count": count}));
            }
        }
    }
    read(&vertices.collect::<Vec<Value>>(), &links)
}

#[test]
fn meshes_beyond_sixteen_devices_give_the_best_set() {
    let mut chance = Chance(31);
    for (round, terms) in [
        &[Term::Links][..],
        &[Term::Ring, Term::Links],
        &[Term::Links, Term::Ring],
        &[Term::Ring],
        &[],
    ]
    .into_iter()
    .enumerate()
    {
        let topology = random(17, &[0, 0, 1, 2], &mut chance);
        let selector = Selector::new(&topology).unwrap();
        for count in [0, 1, 2, 3, 4, 14] {
            let free = u32::try_from(chance.below(1 << 17) | chance.below(1 << 17)).unwrap();
            let required = match round % 2 {
                0 => free & u32::try_from(chance.below(4) << 3).unwrap(),
                _ => 0,
            };
            let value = |set: &[usize]| -> Vec<Ratio> {
                let values = terms.iter().map(|term| match term {
                    Term::Ring => topology.ring(set).rings,
                    _ => Ratio::whole(topology.links(set)),
                });
                values.collect()
            };
            let sets = (0..=free).filter(|set| set & !free == 0 && set & required == required);
            let sets = sets.filter(|set| set.count_ones() as usize == count);
            let best = sets
                .map(members)
                .max_by_key(|set| (value(set), Reverse(set.clone())));
            let (free, required) = (members(free), members(required));
            let question = Question {
                free: &free,
                count,
                required: &required,
                terms,
            };
            let choice = selector.select(&question).unwrap();
            let chosen = choice.as_ref().map(|choice| choice.devices.clone());
            assert_eq!(chosen, best, "{free:?} {count} {terms:?}");
            if let Some(choice) = choice {
                assert_eq!(choice.ring, topology.ring(&choice.devices));
                assert_eq!(choice.links, topology.links(&choice.devices));
                assert_eq!(choice.span, topology.span(&choice.devices));
                assert_eq!(choice.method, Method::Search);
            }
        }
    }
}

#[test]
fn what_takes_too_long_is_no_answer() {
    let topology = random(32, &[1, 2], &mut Chance(4));
    let selector = Selector::new(&topology).unwrap();
    let all: Vec<usize> = (0..32).collect();
    let ask = |count, terms| selector.select(&question(&all, count, terms));
    assert!(ask(8, &[Term::Links]).unwrap().is_some());
    assert_eq!(
        ask(16, &[Term::Ring, Term::Links]).unwrap_err().to_string(),
        "expected a set to be found in 131072 steps"
    );
    assert_eq!(
        ask(4, &Term::USUAL).unwrap_err().to_string(),
        "expected terms out of `ring`, `links` for direct links between more than 16 devices, \
         found `packing`"
    );
    let larger = random(33, &[1], &mut Chance(4));
    assert_eq!(
        Selector::new(&larger).unwrap_err().to_string(),
        "spec.links: expected at most 16 devices in the domain around direct links, or 32 in all"
    );
}

#[test]
fn kinds_of_hosts_are_limited() {
    let hosts = |kinds: usize| {
        let (mut vertices, mut links) = (Vec::new(), Vec::new());
        for host in 0..66 {
            let name = format!("h{host}");
            vertices.push(json!({"id": name, "kind": "host"}));
            for gpu in 0..16 {
                let id = format!("{name}g{gpu}");
                vertices.push(json!({"id": id, "kind": "gpu"}));
                links.push(json!({"a": id, "b": name, "type": "PCIe"}));
            }
            let (a, b) = (format!("{name}g0"), format!("{name}g1"));
            let count = 1 + host % kinds;
            links.push(json!({"a": a, "b": b, "type": "NVLink", "count": count}));
        }
        read(&vertices, &links)
    };
    let knapsack = Knapsack::new(&hosts(64)).unwrap();
    let all: Vec<usize> = (0..66 * 16).collect();
    let pair = knapsack.select(&question(&all, 2, &[Term::Ring])).unwrap();
    assert_eq!(pair.unwrap().devices, [63 * 16, 63 * 16 + 1]);
    assert_eq!(
        Knapsack::new(&hosts(65))
            .map(|_| ())
            .unwrap_err()
            .to_string(),
        "spec.links: expected fewer kinds of domains with direct links"
    );
}

#[test]
fn terms_are_there_once_whichever_way_is_taken() {
    let mut chance = Chance(7);
    for devices in [4, 17] {
        let topology = random(devices, &[1, 2], &mut chance);
        let question = Question {
            free: &[0, 1, 2],
            count: 2,
            terms: &[Term::Ring, Term::Ring],
            ..Question::default()
        };
        let error = Selector::new(&topology).unwrap().select(&question);
        assert_eq!(
            error.unwrap_err().to_string(),
            "term `ring` is there twice, expected each once"
        );
    }
}
