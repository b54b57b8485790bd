//! Scores of go-gpuallocator, and the set of its best partition against walking through
//! all partitions as it does.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod machines;

use self::machines::machine;
use dralloc_topology::{Document, PairScores, Topology};
use serde_json::{Value, json};

fn scores_of(topology: &Topology) -> PairScores {
    let all: Vec<usize> = (0..topology.device_count()).collect();
    PairScores::of(topology, &all).unwrap()
}

/// Is a set of a partition: its devices, and what is empty.
type Set = Vec<Option<usize>>;

/// Calls for each way to part a list into sets of a size, which it is a multiple of, in
/// the order of the policy: the first element with each choice of others, then the rest.
/// What is empty is in one set.
fn each_partition(
    left: &[Option<usize>],
    size: usize,
    sets: &mut Vec<Set>,
    call: &mut dyn FnMut(&[Set]),
) {
    let Some((&first, rest)) = left.split_first() else {
        call(sets);
        return;
    };
    let mut places: Vec<usize> = (0..size - 1).collect();
    loop {
        let chosen = places.iter().map(|&place| rest[place]);
        let set: Set = std::iter::once(first).chain(chosen).collect();
        let empty = |set: &[Option<usize>]| set.iter().filter(|device| device.is_none()).count();
        let apart = [0, empty(left)].contains(&empty(&set));
        sets.push(set);
        let others: Set = (0..rest.len())
            .filter(|place| !places.contains(place))
            .map(|place| rest[place])
            .collect();
        if apart {
            each_partition(&others, size, sets, call);
        }
        sets.pop();
        // The next choice in lexicographic order.
        let can_move = |&at: &usize| places[at] < rest.len() - (size - 1 - at);
        let Some(at) = (0..places.len()).rev().find(can_move) else {
            return;
        };
        places[at] += 1;
        for later in at + 1..places.len() {
            places[later] = places[later - 1] + 1;
        }
    }
}

/// Is what the policy answers, and what it would if it looked for whole sets only.
struct Walked {
    policy: Set,
    whole: u16,
}

fn walk(scores: &PairScores, free: u16, required: u16, size: usize) -> Option<Walked> {
    let mut devices: Set = machines::known::members(free)
        .into_iter()
        .map(Some)
        .collect();
    if devices.len() < size || required & !free != 0 || required.count_ones() as usize > size {
        return None;
    }
    devices.resize(devices.len().next_multiple_of(size), None);
    let mask = |set: &[Option<usize>]| set.iter().flatten().fold(0_u16, |mask, &d| mask | 1 << d);
    let score = |set: &[Option<usize>]| {
        let mut sum = 0;
        for (place, &a) in set.iter().enumerate() {
            for &b in &set[..place] {
                sum += a.zip(b).map_or(0, |(a, b)| scores.pair_score(a, b));
            }
        }
        sum
    };
    let contains = |set: &[Option<usize>]| required & !mask(set) == 0;
    let is_whole = |set: &[Option<usize>]| contains(set) && !set.contains(&None);
    // Partition by partition, the first of the best; then its best set, the first again.
    let mut best: Option<(u64, Vec<Set>)> = None;
    each_partition(&devices, size, &mut Vec::new(), &mut |sets| {
        let sum = sets.iter().map(|set| score(set)).sum();
        let better = best.as_ref().is_none_or(|(most, _)| sum > *most);
        if better && sets.iter().any(|set| is_whole(set)) {
            best = Some((sum, sets.to_vec()));
        }
    });
    let (_, best) = best.unwrap();
    let pick = |fits: &dyn Fn(&[Option<usize>]) -> bool| {
        let mut sets = best.iter().filter(|set| fits(set));
        let first = sets.next().unwrap();
        sets.fold(
            first,
            |best, set| if score(set) > score(best) { set } else { best },
        )
    };
    Some(Walked {
        policy: pick(&contains).clone(),
        whole: mask(pick(&is_whole)),
    })
}

#[test]
fn the_best_partition_gives_the_set() {
    let (mut questions, mut broken) = (0, 0);
    for name in [
        "a100-pcie-x8-bridge-pairs",
        "dgx1-v100",
        "mi250x-8gcd-frontier-class",
        "azure-ncv4-a100x4",
    ] {
        let scores = scores_of(&machine(name));
        let all = (1_u16 << scores.len()) - 1;
        for free in 0..=all {
            for count in 1..=scores.len() {
                let walked = walk(&scores, free, 0, count);
                let found = scores.best_effort(free, 0, count);
                assert_eq!(
                    found,
                    walked.as_ref().map(|walked| walked.whole),
                    "{name} {free:b}"
                );
                let Some(walked) = walked else {
                    continue;
                };
                let missing = walked.policy.contains(&None);
                let policy = walked.policy.iter().flatten();
                let policy = policy.fold(0_u16, |mask, &device| mask | 1 << device);
                assert!(missing || found == Some(policy), "{name} {free:b} {count}");
                questions += 1;
                broken += usize::from(missing);
            }
        }
    }
    assert_eq!((questions, broken), (3 * 1024 + 32, 0));
}

#[test]
fn no_device_is_missing_where_the_policy_misses_one() {
    // Bridges, and `SYS` for all other pairs.
    let vertices = (0..8).map(|gpu| json!({"id": format!("gpu{gpu}"), "kind": "gpu"}));
    let bridges = [(0, 2), (1, 3), (4, 5), (6, 7)].map(|(a, b)| {
        let (a, b) = (format!("gpu{a}"), format!("gpu{b}"));
        json!({"a": a, "b": b, "type": "NVLink", "count": 12})
    });
    let document = json!({
        "apiVersion": "dralloc.dev/v1alpha1", "kind": "Topology",
        "spec": {"vertices": vertices.collect::<Vec<Value>>(), "links": bridges},
    });
    let document = Document::read(&document.to_string()).unwrap();
    let scores = scores_of(&Topology::new(&document).unwrap());
    let mut missing = 0;
    for free in 0_u16..256 {
        for count in 2..=4 {
            let Some(walked) = walk(&scores, free, 0, count) else {
                continue;
            };
            if walked.policy.contains(&None) {
                let found = scores.best_effort(free, 0, count).unwrap();
                assert_eq!(found.count_ones() as usize, count);
                assert_eq!(found & !free, 0);
                missing += 1;
            }
        }
    }
    assert_eq!(missing, 16);
    let walked = walk(&scores, 0b0111_0011, 0, 3).unwrap();
    assert_eq!(walked.policy, [Some(4), Some(5), None]);
    assert_eq!(scores.best_effort(0b0111_0011, 0, 3), Some(0b0100_0011));
}

#[test]
fn required_devices_are_in_the_set() {
    let scores = scores_of(&machine("dgx1-v100"));
    for free in [0b1111_1111_u16, 0b1011_0111, 0b0111_1110] {
        for required in 0_u16..256 {
            for count in 1..=8 {
                let walked = walk(&scores, free, required, count);
                let found = scores.best_effort(free, required, count);
                assert_eq!(
                    found,
                    walked.map(|walked| walked.whole),
                    "{free:b} {required:b}"
                );
                assert!(found.is_none_or(|set| set & required == required));
            }
        }
    }
}

#[test]
fn pairs_score_links_and_their_way_over_pcie() {
    let dgx1 = machine("dgx1-v100");
    let scores = scores_of(&dgx1);
    // One link and a switch; two links between switches of one socket; no link.
    assert_eq!(dgx1.level(0, 3).to_string(), "NV2");
    assert_eq!(scores.pair_score(0, 3), 200 + 20);
    assert_eq!(scores.pair_score(0, 1), 100 + 50);
    assert_eq!(scores.pair_score(0, 7), 10);
    assert_eq!(scores.pair_score(0, 0), 0);
    assert_eq!(scores.pair_score(0, 8), 0);
    for set in 0_u16..256 {
        let members = machines::known::members(set);
        let mut sum = 0;
        for &a in &members {
            for &b in members.iter().filter(|&&b| b < a) {
                sum += scores.pair_score(a, b);
            }
        }
        assert_eq!(scores.set_score(set), sum);
    }
    // Switches are not seen: all pairs of a DGX A100 differ by PCIe alone.
    let switched = scores_of(&machine("dgx-a100"));
    assert_eq!(switched.pair_score(0, 1), 50);
    assert_eq!(switched.pair_score(0, 7), 10);
    let xgmi = scores_of(&machine("mi300x-8"));
    assert!((1..8).all(|other| xgmi.pair_score(0, other) < 100));
}

#[test]
fn sixteen_devices_take_every_size() {
    let topology = machine("mapa-torus2d-16");
    let scores = scores_of(&topology);
    for count in 0..=16 {
        let set = scores.best_effort(u16::MAX, 0, count).unwrap();
        assert_eq!(set.count_ones() as usize, count);
    }
    assert_eq!(scores.best_effort(u16::MAX, 0, 17), None);
    assert_eq!(scores.best_effort(0b11, 0b100, 2), None);
    let rack = machine("gb200-nvl72-rack");
    let many: Vec<usize> = (0..17).collect();
    assert!(PairScores::of(&rack, &many).is_none());
    assert!(PairScores::of(&rack, &[72]).is_none());
    assert!(PairScores::of(&rack, &[]).unwrap().is_empty());
}
