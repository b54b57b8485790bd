//! GPUs and NICs: assignments against all there are, and bounds against all completions.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[allow(dead_code, reason = "other test files need more of it")]
mod clusters;
mod machines;

use self::clusters::{Chance, members};
use dralloc_topology::{
    Document, LARGEST_NICS, Level, NO_NIC, NO_RING, Nics, Partial, Table, Term, Topology,
};
use serde_json::{Value, json};

fn topology(vertices: &[Value], links: &[Value]) -> Topology {
    let document = json!({
        "apiVersion": "dralloc.dev/v1alpha1", "kind": "Topology",
        "spec": {"vertices": vertices, "links": links},
    });
    Topology::new(&Document::read(&document.to_string()).unwrap()).unwrap()
}

/// Returns hosts at random with switches, GPUs and NICs.
fn hosts(chance: &mut Chance) -> Topology {
    let (mut vertices, mut links) = (Vec::new(), Vec::new());
    let mut places = Vec::new();
    for host in 0..=chance.below(2) {
        let host = format!("h{host}");
        vertices.push(json!({"id": host, "kind": "host"}));
        for node in 0..=chance.below(2) {
            let node = format!("{host}n{node}");
            vertices.push(json!({"id": node, "kind": "numaNode"}));
            links.push(json!({"a": node, "b": host, "type": "Host"}));
            let mut above = node.clone();
            for switch in 0..chance.below(4) {
                let switch = format!("{node}s{switch}");
                vertices.push(json!({"id": switch, "kind": "pcieSwitch"}));
                links.push(json!({"a": switch, "b": above, "type": "PCIe"}));
                if chance.below(2) == 0 {
                    above.clone_from(&switch);
                }
                places.push(switch);
            }
            places.push(node);
        }
    }
    for (kind, most) in [("gpu", 6), ("nic", 5)] {
        for number in 0..chance.below(most) {
            let id = format!("{kind}{number}");
            let place = &places[usize::try_from(chance.below(places.len() as u64)).unwrap()];
            let mut vertex = json!({"id": id, "kind": kind});
            if kind == "nic" && chance.below(4) > 0 {
                vertex["bandwidthGBps"] = json!(25 << chance.below(3));
            }
            vertices.push(vertex);
            links.push(json!({"a": id, "b": place, "type": "PCIe"}));
        }
    }
    topology(&vertices, &links)
}

/// Returns a list of numbers below a limit, some of them more than once.
fn list(chance: &mut Chance, limit: usize) -> Vec<usize> {
    let mut list: Vec<usize> = (0..limit).filter(|_| chance.below(5) > 0).collect();
    if let Some(&first) = list.first().filter(|_| chance.below(4) == 0) {
        list.push(first);
    }
    list
}

fn level(topology: &Topology, gpu: usize, nic: usize) -> i64 {
    const LEVELS: [Level; 6] = [
        Level::Pix,
        Level::Pxb,
        Level::Phb,
        Level::Node,
        Level::Sys,
        Level::Net,
    ];
    let found = topology.nic_level(gpu, nic);
    i64::try_from(LEVELS.iter().position(|&level| level == found).unwrap()).unwrap()
}

/// Returns the cost of the best assignment: of all there are.
fn alignment(topology: &Topology, gpus: &[usize], nics: &[usize]) -> i64 {
    if gpus.is_empty() {
        return 0;
    }
    if nics.is_empty() {
        return NO_NIC;
    }
    let mut best = i64::MAX;
    let all = nics.len().pow(u32::try_from(gpus.len()).unwrap());
    for number in 0..all {
        let (mut rest, mut loads) = (number, vec![0; nics.len()]);
        let (mut worst, mut sum) = (0, 0);
        for &gpu in gpus {
            let place = rest % nics.len();
            rest /= nics.len();
            loads[place] += 1;
            let level = level(topology, gpu, nics[place]);
            worst = worst.max(level);
            sum += level;
        }
        if loads
            .iter()
            .all(|&load| load <= gpus.len().div_ceil(nics.len()))
        {
            best = best.min(worst * 1_000_000 + sum);
        }
    }
    best
}

/// Returns the uplink of GPUs in thousandths of GB/s, by definition.
fn uplink(topology: &Topology, gpus: &[usize], nics: &[usize]) -> u64 {
    let serves = |nic: usize| {
        gpus.iter().any(|&gpu| {
            let nearest = nics.iter().map(|&nic| level(topology, gpu, nic)).min();
            nearest == Some(level(topology, gpu, nic)) && nearest != Some(5)
        })
    };
    let mut serving: Vec<usize> = nics.iter().copied().filter(|&nic| serves(nic)).collect();
    serving.sort_unstable();
    serving.dedup();
    let rate = |nic: usize| topology.nic(nic).unwrap().bandwidth;
    let rates = serving.into_iter().map(rate);
    rates
        .map(|rate| rate.map_or(12_500, dralloc_topology::Rate::thousandths))
        .sum()
}

fn of(list: &[usize], set: u64) -> Vec<usize> {
    let places = members(u32::try_from(set).unwrap()).into_iter();
    places.map(|place| list[place]).collect()
}

#[test]
fn alignment_and_uplink_are_those_of_all_assignments() {
    let mut chance = Chance(1);
    let mut seen = [0; 8];
    for _ in 0..1200 {
        let topology = hosts(&mut chance);
        let gpus = list(&mut chance, topology.device_count());
        let nics = list(&mut chance, topology.nic_count());
        let table = Nics::of(&topology, &gpus, &nics).unwrap();
        for _ in 0..8 {
            let gpu_set = chance.below(1 << gpus.len());
            let nic_set = chance.below(1 << nics.len());
            let expected = alignment(&topology, &of(&gpus, gpu_set), &of(&nics, nic_set));
            assert_eq!(table.alignment(gpu_set, nic_set), expected);
            seen[usize::try_from(expected / 1_000_000).unwrap()] += 1;
            let rate = uplink(&topology, &of(&gpus, gpu_set), &nics);
            assert_eq!(table.uplink(gpu_set).thousandths(), rate);
            let cost = match rate {
                _ if gpu_set == 0 => 0,
                0 => NO_RING,
                rate => i64::try_from(1_000_000_000_000_000_u64.div_ceil(rate)).unwrap(),
            };
            assert_eq!(table.uplink_cost(gpu_set), cost);
        }
        let all = alignment(&topology, &gpus, &nics);
        assert_eq!(topology.nic_alignment(&gpus, &nics), Some(all));
        let everywhere: Vec<usize> = (0..topology.nic_count()).collect();
        let rate = topology.uplink(&gpus).unwrap().thousandths();
        assert_eq!(rate, uplink(&topology, &gpus, &everywhere));
    }
    // All levels were the worst of some assignment but the host bridge, which the words
    // of `nvidia-smi` do not have here.
    assert_eq!(
        seen.map(|seen| seen > 0),
        [true, true, false, true, true, true, true, false]
    );
}

#[test]
fn bounds_are_below_all_completions() {
    let mut chance = Chance(2);
    let (mut tight, mut compared) = (0, 0);
    for _ in 0..2500 {
        let topology = hosts(&mut chance);
        let gpus = list(&mut chance, topology.device_count());
        let nics = list(&mut chance, topology.nic_count());
        let table = Nics::of(&topology, &gpus, &nics).unwrap();
        let mut partial = |len: usize| {
            let chosen = chance.below(1 << len) & chance.below(1 << len);
            Partial {
                chosen,
                open: chance.below(1 << len) | chance.below(1 << len),
                count: chosen.count_ones() as usize + usize::try_from(chance.below(3)).unwrap(),
            }
        };
        let (gpu_part, nic_part) = (partial(gpus.len()), partial(nics.len()));
        let completions = |part: Partial, len: usize| -> Vec<u64> {
            let all = 0_u64..1 << len;
            let fits = move |set: &u64| {
                set & part.chosen == part.chosen
                    && set & !(part.chosen | part.open) == 0
                    && set.count_ones() as usize == part.count
            };
            all.filter(fits).collect()
        };
        let gpu_sets = completions(gpu_part, gpus.len());
        let nic_sets = completions(nic_part, nics.len());
        let pairs = gpu_sets
            .iter()
            .flat_map(|&gpus| nic_sets.iter().map(move |&nics| (gpus, nics)));
        let least = pairs.map(|(gpus, nics)| table.alignment(gpus, nics)).min();
        let bound = table.alignment_bound(gpu_part, nic_part);
        assert_eq!(bound.is_some(), least.is_some());
        if let (Some(bound), Some(least)) = (bound, least) {
            assert!(bound <= least, "{bound} {least}");
            compared += 1;
            tight += usize::from(bound == least);
            if nic_part.count == nic_part.chosen.count_ones() as usize {
                let settled = Partial {
                    open: 0,
                    ..nic_part
                };
                assert_eq!(table.alignment_bound(gpu_part, settled), Some(least));
            }
        }
        let least = gpu_sets.iter().map(|&gpus| table.uplink_cost(gpus)).min();
        let bound = table.uplink_bound(gpu_part);
        assert_eq!(bound.is_some(), least.is_some());
        assert!(bound <= least);
        if gpu_part.count <= gpu_part.chosen.count_ones() as usize + 1 {
            assert_eq!(bound, least);
        }
    }
    assert!(tight * 10 > compared * 8, "{tight} of {compared}");
}

/// Two GPUs with the better link and no NIC on their switch, and two others with both.
fn boxed() -> Topology {
    let mut vertices = vec![
        json!({"id": "numa0", "kind": "numaNode"}),
        json!({"id": "numa1", "kind": "numaNode"}),
    ];
    let mut links = vec![json!({"a": "numa0", "b": "numa1", "type": "Sys"})];
    for pair in 0..2 {
        let switch = format!("sw{pair}");
        vertices.push(json!({"id": switch, "kind": "pcieSwitch"}));
        links.push(json!({"a": switch, "b": format!("numa{pair}"), "type": "PCIe"}));
        for gpu in [2 * pair, 2 * pair + 1] {
            vertices.push(json!({"id": format!("gpu{gpu}"), "kind": "gpu"}));
            links.push(json!({"a": format!("gpu{gpu}"), "b": switch, "type": "PCIe"}));
        }
        links.push(json!({
            "a": format!("gpu{}", 2 * pair), "b": format!("gpu{}", 2 * pair + 1),
            "type": "NVLink", "count": 4 - 2 * pair, "bandwidthGBps": 25 * (4 - 2 * pair),
        }));
    }
    for nic in 0..2 {
        vertices.push(json!({"id": format!("nic{nic}"), "kind": "nic", "bandwidthGBps": 50}));
        links.push(json!({"a": format!("nic{nic}"), "b": "sw1", "type": "PCIe"}));
    }
    topology(&vertices, &links)
}

#[test]
fn gpus_that_are_chosen_first_miss_their_nics() {
    let topology = boxed();
    let table = Table::new(&topology).unwrap();
    let nics = Nics::of(&topology, &[0, 1, 2, 3], &[0, 1]).unwrap();
    // By rings alone it is the first pair, and no NIC is on its switch.
    let first = table.best(0b1111, 0, 2, &[Term::Ring]).unwrap();
    assert_eq!(first, 0b0011);
    assert_eq!(nics.alignment(u64::from(first), 0b11), 4_000_008);
    // Each GPU with a NIC on its switch, and then the best ring.
    let aligned = (0_u16..16)
        .filter(|set| set.count_ones() == 2 && nics.alignment(u64::from(*set), 0b11) < 1_000_000);
    let best = aligned.min_by_key(|&set| table.cost(0b1111, set, Term::Ring));
    assert_eq!(best, Some(0b1100));
    // A bound says so before both are chosen.
    let one = |chosen| Partial {
        chosen,
        open: 0b1111,
        count: 2,
    };
    let both = Partial {
        chosen: 0b11,
        open: 0,
        count: 2,
    };
    assert_eq!(nics.alignment_bound(one(0b0001), both), Some(4_000_004));
    assert_eq!(nics.alignment_bound(one(0b0100), both), Some(0));
    assert_eq!(nics.uplink(0b1100).thousandths(), 100_000);
    assert_eq!(nics.uplink_cost(0b1100), 10_000_000_000);
}

#[test]
fn every_gpu_of_a_known_machine_has_its_nics() {
    let topology = machines::machine("aws-p4d-a100");
    let all: Vec<usize> = (0..8).collect();
    let nics: Vec<usize> = (0..topology.nic_count()).collect();
    let table = Nics::of(&topology, &all, &nics).unwrap();
    // Four NICs for eight GPUs, two and one on each pair of switches.
    assert_eq!((nics.len(), table.alignment(0xff, 0b1111)), (4, 0));
    assert_eq!(table.uplink(0xff).to_string(), "50");
    assert_eq!(table.uplink(0b11).to_string(), "12.5");
}

#[test]
fn too_many_and_unknown_ones_are_refused() {
    let topology = boxed();
    assert!(Nics::of(&topology, &[4], &[]).is_none());
    assert!(Nics::of(&topology, &[], &[2]).is_none());
    assert!(Nics::of(&topology, &[0; LARGEST_NICS + 1], &[]).is_none());
    let many = Nics::of(&topology, &[3; LARGEST_NICS], &[0; LARGEST_NICS]).unwrap();
    assert_eq!(many.alignment(u64::MAX, u64::MAX), 0);
    assert_eq!(many.alignment(u64::MAX, 0), NO_NIC);
    assert_eq!(many.alignment(0, 0), 0);
    // A card counts once for the uplink, however many shares of it there are.
    assert_eq!(many.uplink(1).to_string(), "50");
    assert_eq!(topology.nic_alignment(&[0, 9], &[0]), None);
}
