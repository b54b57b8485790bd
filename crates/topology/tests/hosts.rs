//! Devices of several hosts: known cases, and small trees against all spreads there are.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on fails"
)]

mod spreads;

use self::spreads::{Chance, check, question};
use dralloc_topology::{
    Code, Host, LevelUse, MostHosts, Shortage, SliceRule, Spread, SpreadLimit, SpreadQuestion,
    Spreading, spread, spread_until,
};

/// Returns racks of hosts with 8 devices of which some are free.
fn racks(free: &[&[u32]]) -> Vec<Host> {
    let racks = free.iter().zip(0..);
    let hosts = racks.flat_map(|(hosts, rack)| hosts.iter().map(move |&free| host(&[rack], free)));
    hosts.collect()
}

fn host(domains: &[u32], free: u32) -> Host {
    Host {
        domains: domains.iter().copied().map(Some).collect(),
        devices: 8,
        free,
        counts: None,
    }
}

/// Returns racks of hosts of one pod each.
fn pods(racks: u32, hosts: usize) -> Vec<Host> {
    let hosts = (0..racks).flat_map(|rack| vec![rack; hosts]);
    let hosts = hosts.map(|rack| Host {
        devices: 1,
        ..host(&[rack], 1)
    });
    hosts.collect()
}

fn found(question: &SpreadQuestion<'_>) -> Spread {
    match spread(question).unwrap() {
        Spreading::Found(spread) => spread,
        Spreading::Short(shortage) => panic!("{shortage:?}"),
    }
}

fn short(question: &SpreadQuestion<'_>) -> Shortage {
    match spread(question).unwrap() {
        Spreading::Found(spread) => panic!("{spread:?}"),
        Spreading::Short(shortage) => shortage,
    }
}

fn slices(hosts: &[Host], count: u32) -> Vec<(usize, u32)> {
    let levels = hosts[0].domains.len();
    found(&SpreadQuestion::new(hosts, levels, count)).slices
}

#[test]
fn small_trees_give_the_best_spread() {
    let mut chance = Chance(11);
    let mut compared = [0_u32; 2];
    for _ in 0..30_000 {
        let (hosts, asked) = question(&mut chance);
        let is_found = check(&asked.over(&hosts));
        compared[usize::from(is_found)] += 1;
    }
    assert_eq!(compared.iter().sum::<u32>(), 30_000);
    assert!(compared[0] > 5_000 && compared[1] > 10_000, "{compared:?}");
}

#[test]
fn the_order_of_hosts_does_not_change_the_key() {
    let mut chance = Chance(12);
    for _ in 0..2_000 {
        let (hosts, asked) = question(&mut chance);
        let mut places: Vec<usize> = (0..hosts.len()).collect();
        for last in (1..places.len()).rev() {
            places.swap(last, chance.place(last + 1));
        }
        let moved: Vec<Host> = places.iter().map(|&place| hosts[place].clone()).collect();
        let keys = [hosts, moved].map(|hosts| match spread(&asked.over(&hosts)).unwrap() {
            Spreading::Found(spread) => Ok((spread.levels, spread.loss, spread.left)),
            Spreading::Short(shortage) => Err((shortage.most, shortage.limit)),
        });
        assert_eq!(keys[0], keys[1]);
    }
}

#[test]
fn one_host_is_nearer_than_one_rack() {
    let hosts = racks(&[&[3, 3], &[5, 2]]);
    assert_eq!(slices(&hosts, 5), [(2, 5)]);
    // The rack with 6 fits as well as that with 7, with equal slices.
    assert_eq!(slices(&hosts, 6), [(0, 3), (1, 3)]);
    assert_eq!(slices(&hosts, 7), [(2, 5), (3, 2)]);
    assert_eq!(slices(&hosts, 13), [(0, 3), (1, 3), (2, 5), (3, 2)]);
}

#[test]
fn slices_are_equal() {
    assert_eq!(slices(&racks(&[&[7, 7]]), 8), [(0, 4), (1, 4)]);
    assert_eq!(slices(&racks(&[&[7, 5]]), 9), [(0, 5), (1, 4)]);
    // Fewest hosts come before equal slices.
    assert_eq!(slices(&racks(&[&[7, 1, 4]]), 8), [(0, 4), (2, 4)]);
    assert_eq!(slices(&racks(&[&[7, 1]]), 8), [(0, 7), (1, 1)]);
}

/// The examples that Kueue's TAS proposal (KEP-2724) has for balanced placement: blocks of
/// racks of hosts by what is free, what is asked for, and what each host gives.
#[test]
fn balanced_placements_are_those_of_kueue() {
    let spread = |blocks: &[&[&[u32]]], count: u32, size: u32| {
        let (mut hosts, mut rack) = (Vec::new(), 0);
        for (block, racks) in (0..).zip(blocks) {
            for free in *racks {
                hosts.extend(free.iter().map(|&free| Host {
                    domains: vec![Some(rack), Some(block)],
                    devices: free,
                    free,
                    counts: (size > 1).then(|| (0..=free).step_by(size as usize).collect()),
                }));
                rack += 1;
            }
        }
        let mut given = vec![0; hosts.len()];
        for (host, count) in slices(&hosts, count) {
            given[host] = count;
        }
        given
    };
    assert_eq!(spread(&[&[&[15], &[15]]], 25, 1), [13, 12]);
    // Kueue gives 12 and 11: as even, but less is left in one piece.
    assert_eq!(spread(&[&[&[15, 13, 10]]], 23, 1), [11, 12, 0]);
    let uneven: &[&[&[u32]]] = &[&[&[20, 10], &[15, 15]]];
    assert_eq!(spread(uneven, 22, 1), [0, 0, 11, 11]);
    assert_eq!(spread(uneven, 20, 1), [20, 0, 0, 0]);
    // Kueue takes the rack of three hosts here; fewer hosts come before equal slices.
    let small: &[&[&[u32]]] = &[&[&[10, 5], &[5, 5, 5]]];
    assert_eq!(spread(small, 15, 1), [10, 5, 0, 0, 0]);
    let blocks: &[&[&[u32]]] = &[&[&[15], &[15]], &[&[15, 15]]];
    assert_eq!(spread(blocks, 25, 1), [0, 0, 13, 12]);
    let sliced: &[&[&[u32]]] = &[&[&[15], &[15], &[15, 15]]];
    assert_eq!(spread(sliced, 25, 5), [0, 0, 15, 10]);
}

/// Returns how many hosts of each rack of 18 give something.
fn by_rack(spread: &Spread, size: usize) -> Vec<usize> {
    let racks = spread.slices.last().unwrap().0 / size + 1;
    let of_rack = |rack| {
        spread
            .slices
            .iter()
            .filter(move |slice| slice.0 / size == rack)
    };
    (0..racks).map(|rack| of_rack(rack).count()).collect()
}

#[test]
fn racks_give_equal_slices() {
    let hosts = pods(20, 18);
    let spread = found(&SpreadQuestion::new(&hosts, 1, 128));
    assert_eq!(by_rack(&spread, 18), [16; 8]);
    let used = |domains, smallest| LevelUse { domains, smallest };
    assert_eq!(spread.levels, [used(8, 16), used(128, 1)]);
    let spread = found(&SpreadQuestion::new(&hosts, 1, 24));
    assert_eq!(by_rack(&spread, 18), [12, 12]);
    let spread = found(&SpreadQuestion::new(&hosts, 1, 18));
    assert_eq!(by_rack(&spread, 18), [18]);
    // Two of 18 are kept back.
    let kept = MostHosts {
        level: 0,
        hosts: 16,
    };
    let question = SpreadQuestion {
        most_hosts: Some(kept),
        ..SpreadQuestion::new(&hosts, 1, 18)
    };
    assert_eq!(by_rack(&found(&question), 18), [9, 9]);
}

#[test]
fn broken_racks_are_used_first() {
    // Both have room for two; the second is broken already.
    let hosts = racks(&[&[8, 8, 8, 8], &[8, 8, 0, 0], &[8, 8, 8, 8]]);
    assert_eq!(slices(&hosts, 16), [(4, 8), (5, 8)]);
    // Inside a rack the host that is broken, and of those the tightest.
    assert_eq!(slices(&racks(&[&[8, 5, 3]]), 3), [(2, 3)]);
    assert_eq!(slices(&racks(&[&[8, 3, 1]]), 1), [(2, 1)]);
    // A node with a lost device is no whole one.
    let mut hosts = racks(&[&[8, 7, 8]]);
    hosts[1].devices = 7;
    assert_eq!(slices(&hosts, 4), [(1, 4)]);
    assert_eq!(slices(&hosts, 16), [(0, 8), (2, 8)]);
    assert_eq!(slices(&hosts, 23), [(0, 8), (1, 7), (2, 8)]);
}

#[test]
fn like_domains_are_used_in_order() {
    let hosts = racks(&[&[8, 8], &[8, 8]]);
    assert_eq!(slices(&hosts, 4), [(0, 4)]);
    assert_eq!(slices(&hosts, 16), [(0, 8), (1, 8)]);
    assert_eq!(slices(&hosts, 18), [(0, 5), (1, 4), (2, 5), (3, 4)]);
}

#[test]
fn a_domain_gives_so_many_hosts() {
    // 36 hosts in one NVLink domain of which 18 may be used, and another.
    let hosts = [pods(1, 36), pods(2, 10).split_off(10)].concat();
    let limited = |count, within| SpreadQuestion {
        most_hosts: Some(MostHosts {
            level: 0,
            hosts: 18,
        }),
        within,
        ..SpreadQuestion::new(&hosts, 1, count)
    };
    let within = found(&limited(18, Some(0)));
    assert_eq!(within.slices.len(), 18);
    assert_eq!(within.slices[17], (17, 1));
    assert_eq!(
        short(&limited(30, Some(0))),
        Shortage {
            most: 18,
            host: Some(0),
            limit: SpreadLimit::MostHosts,
        }
    );
    assert_eq!(found(&limited(20, None)).levels[0].smallest, 10);
    assert_eq!(found(&limited(28, None)).levels[0].smallest, 10);
    assert_eq!(short(&limited(29, None)).most, 28);
}

#[test]
fn limits_hold_over_several_levels() {
    // A domain of two racks: fewest racks would take three hosts, which are too many.
    let hosts = [
        host(&[0, 0], 2),
        host(&[0, 0], 2),
        host(&[0, 0], 2),
        host(&[0, 1], 5),
        host(&[0, 2], 3),
    ];
    let question = SpreadQuestion::new(&hosts, 2, 6);
    assert_eq!(found(&question).slices, [(0, 2), (1, 2), (2, 2)]);
    let limited = SpreadQuestion {
        most_hosts: Some(MostHosts { level: 0, hosts: 2 }),
        ..question
    };
    assert_eq!(found(&limited).slices, [(3, 3), (4, 3)]);
}

#[test]
fn rules_for_slices_hold() {
    let hosts = racks(&[&[8, 6, 5, 8]]);
    let ruled = |slices, count| SpreadQuestion {
        slices,
        ..SpreadQuestion::new(&hosts, 1, count)
    };
    let same = |count| found(&ruled(SliceRule::Same, count)).slices;
    assert_eq!(same(12), [(0, 6), (1, 6)]);
    assert_eq!(same(10), [(1, 5), (2, 5)]);
    assert_eq!(same(9), [(0, 3), (1, 3), (2, 3)]);
    let multiple = found(&ruled(SliceRule::MultipleOf(4), 12)).slices;
    assert_eq!(multiple, [(0, 8), (2, 4)]);
    let exactly = found(&ruled(SliceRule::Exactly(5), 10)).slices;
    assert_eq!(exactly, [(1, 5), (2, 5)]);
    let least = found(&ruled(SliceRule::AtLeast(4), 9)).slices;
    assert_eq!(least, [(1, 4), (2, 5)]);
    let whole = found(&ruled(SliceRule::WholeHosts, 16)).slices;
    assert_eq!(whole, [(0, 8), (3, 8)]);
    let shortage = short(&ruled(SliceRule::WholeHosts, 20));
    assert_eq!((shortage.most, shortage.limit), (16, SpreadLimit::Slices));
    let shortage = short(&ruled(SliceRule::MultipleOf(0), 1));
    assert_eq!((shortage.most, shortage.limit), (0, SpreadLimit::Slices));
    let shortage = short(&ruled(SliceRule::Any, 28));
    assert_eq!((shortage.most, shortage.limit), (27, SpreadLimit::Free));
}

#[test]
fn partitions_limit_what_a_host_gives() {
    let mut hosts = racks(&[&[8, 8, 8]]);
    for host in &mut hosts {
        host.counts = Some(vec![8, 1, 2, 4, 4, 0, 9]);
    }
    assert_eq!(slices(&hosts, 6), [(0, 4), (1, 2)]);
    assert_eq!(slices(&hosts, 12), [(0, 8), (1, 4)]);
    assert_eq!(slices(&hosts, 11), [(0, 8), (1, 2), (2, 1)]);
    assert_eq!(
        short(&SpreadQuestion::new(&hosts, 1, 22)).limit,
        SpreadLimit::Slices
    );
}

#[test]
fn hosts_without_a_domain_share_the_next_inner_one() {
    let at = |block: Option<u32>, rack: Option<u32>| Host {
        domains: vec![block, rack],
        ..host(&[], 4)
    };
    let hosts = [
        at(Some(0), None),
        at(None, Some(1)),
        at(None, Some(1)),
        at(None, None),
    ];
    // The second and third are in one rack, and so in one block.
    assert_eq!(slices(&hosts, 8), [(1, 4), (2, 4)]);
    let question = SpreadQuestion {
        within: Some(0),
        ..SpreadQuestion::new(&hosts, 2, 9)
    };
    let shortage = Shortage {
        most: 8,
        host: Some(1),
        limit: SpreadLimit::Within,
    };
    assert_eq!(short(&question), shortage);
}

#[test]
fn nothing_is_given_if_nothing_is_wanted() {
    let hosts = racks(&[&[8]]);
    let nothing = found(&SpreadQuestion::new(&hosts, 1, 0));
    assert_eq!(nothing.slices, []);
    assert_eq!(nothing.levels, [LevelUse::default(); 2]);
    let shortage = short(&SpreadQuestion::new(&[], 0, 1));
    assert_eq!(
        (shortage.most, shortage.host, shortage.limit),
        (0, None, SpreadLimit::Free)
    );
    assert_eq!(slices(&[host(&[], 3)], 2), [(0, 2)]);
}

#[test]
fn wrong_questions_are_errors() {
    let hosts = racks(&[&[8]]);
    let question = SpreadQuestion::new(&hosts, 2, 1);
    let text = "hosts[0].domains: expected 2 domains".to_owned();
    assert_eq!(spread_error(&question), (Code::Invalid, text));
    let question = SpreadQuestion::new(&hosts, 1, 1);
    let within = SpreadQuestion {
        within: Some(1),
        ..question
    };
    let text = "within: expected a level below 1".to_owned();
    assert_eq!(spread_error(&within), (Code::Invalid, text));
    let most_hosts = Some(MostHosts { level: 3, hosts: 1 });
    let limited = SpreadQuestion {
        most_hosts,
        ..question
    };
    let text = "mostHosts.level: expected a level below 1".to_owned();
    assert_eq!(spread_error(&limited), (Code::Invalid, text));
    let text = "levels: expected 8 at most".to_owned();
    let levels = SpreadQuestion {
        levels: 9,
        ..question
    };
    assert_eq!(spread_error(&levels), (Code::LimitExceeded, text));
    let hosts = racks(&[&[9]]);
    let text = "hosts[0].free: expected no more than its 8 devices".to_owned();
    let question = SpreadQuestion::new(&hosts, 1, 1);
    assert_eq!(spread_error(&question), (Code::Invalid, text));
    let hosts = [Host {
        devices: 4097,
        ..host(&[0], 1)
    }];
    let text = "hosts[0].devices: expected 4096 at most".to_owned();
    let question = SpreadQuestion::new(&hosts, 1, 1);
    assert_eq!(spread_error(&question), (Code::LimitExceeded, text));
}

#[test]
fn what_is_too_large_ends() {
    let free = Host {
        devices: 4096,
        ..host(&[0], 4096)
    };
    let hosts = vec![free.clone(); 1_000];
    // More than there are.
    let shortage = short(&SpreadQuestion::new(&hosts, 1, u32::MAX));
    let all = 1_000 * 4_096;
    assert_eq!((shortage.most, shortage.limit), (all, SpreadLimit::Free));
    let spread = found(&SpreadQuestion::new(&hosts, 1, all));
    assert_eq!(spread.slices.len(), 1_000);
    // Tables would be too long.
    let hosts = vec![free; 5_000];
    let error = spread_error(&SpreadQuestion::new(&hosts, 1, 5 * all));
    assert_eq!(error.0, Code::LimitExceeded);
    assert_eq!(
        error.1,
        "count: expected fewer hosts, devices or limits: too many states"
    );
}

fn spread_error(question: &SpreadQuestion<'_>) -> (Code, String) {
    let error = spread(question).unwrap_err();
    (error.code(), error.to_string())
}

#[test]
fn a_search_can_be_stopped_anywhere() {
    let hosts = racks(&[&[8, 7, 6], &[5, 5, 2], &[8, 8]]);
    let question = SpreadQuestion::new(&hosts, 1, 30);
    let whole = spread(&question).unwrap();
    let mut looks = 0;
    loop {
        let mut left = looks;
        let mut stop = |_| {
            left -= i32::from(left > 0);
            left == 0
        };
        if let Some(answer) = spread_until(&question, &mut stop).unwrap() {
            assert_eq!(answer, whole);
            break;
        }
        looks += 1;
    }
    assert!(looks > 5, "{looks}");
}
