//! Questions from plain numbers, beside trying everything.

use super::super::counters::CounterTable;
use super::super::descend::Descent;
use super::super::set::Set;
use super::super::values::{Bits, Values};
use super::super::{Ask, Choice, Shortcut, alike};
use super::*;
use crate::budget::Budget;

/// Is an alternative: how many, of which devices, under which constraints.
type Wanted = (usize, Vec<usize>, Vec<usize>);

/// Is what there is beside requests.
#[derive(Clone, Default)]
struct Node {
    devices: usize,
    /// By attribute and device: its values as bits.
    shown: Vec<Vec<Bits>>,
    /// By constraint: its attribute.
    attributes: Vec<usize>,
    /// What there is of each counter, and what devices take.
    total: Vec<i128>,
    uses: Vec<Vec<(u32, i128)>>,
}

fn shortcut(node: &Node, requests: &[Vec<Wanted>]) -> Shortcut {
    let (mut choices, mut asks) = (Vec::new(), Vec::new());
    for (request, alternatives) in requests.iter().enumerate() {
        let first = choices.len();
        for (alternative, (needed, devices, constraints)) in alternatives.iter().enumerate() {
            let mut candidates = Set::default();
            for device in devices {
                candidates.insert(*device);
            }
            choices.push(Choice {
                claim: request % 2,
                request,
                alternative,
                needed: *needed,
                candidates,
                constraints: constraints.as_slice().into(),
                under: constraints.iter().fold(0, |bits, place| bits | 1 << place),
            });
        }
        asks.push(Ask {
            first,
            end: choices.len(),
            twin: None,
        });
    }
    let classes = alike::classes(&choices);
    alike::find_twins(&mut asks, &choices, &classes, &node.attributes);
    let mut bundles = alike::bundles(&asks, &choices, &classes, &node.attributes);
    let counters = CounterTable::of_numbers(node.total.clone(), node.uses.clone());
    let counters = (!node.total.is_empty()).then_some(counters);
    let shown = node.shown.iter();
    let values: Vec<Values> = shown.map(|shown| Values::of_bits(shown)).collect();
    let meter = &mut Budget::new().meter();
    if let Some(counters) = &counters {
        alike::find_takes(&mut bundles, &choices, &values, counters, meter).unwrap();
    }
    let (kind_of, kinds) =
        alike::kinds(node.devices, &choices, &values, counters.as_ref(), meter).unwrap();
    let most = |claim: usize| {
        let own = requests.iter().skip(claim).step_by(2);
        let most = own.map(|all| all.iter().map(|one| one.0).max().unwrap());
        most.sum::<usize>()
    };
    Shortcut {
        branches: 0,
        has_invalid_pool: false,
        is_large: most(0) > MAX_DEVICES || most(1) > MAX_DEVICES,
        choices: choices.into(),
        asks: asks.into(),
        runs: Box::default(),
        counters: counters.map(Box::new),
        classes: classes.into(),
        attributes: node.attributes.as_slice().into(),
        values: values.into(),
        bundles: bundles.into(),
        kind_of: kind_of.into(),
        kinds: kinds.into(),
    }
}

type Picks = Vec<(usize, usize)>;

/// Answers with the search alone, and looks whether the descent agrees.
fn answer(shortcut: &Shortcut) -> (Result<Picks, Reason>, u64) {
    let mut search = Search::default();
    let mut candidates: Vec<Set> = shortcut.choices.iter().map(|one| one.candidates).collect();
    if let Some(counters) = &shortcut.counters {
        search.left_mut().clone_from(&counters.total);
        for candidates in &mut candidates {
            for device in candidates.iter() {
                if !counters.has_room(device, &counters.total) {
                    candidates.remove(device);
                }
            }
        }
    }
    let has = |place: usize| candidates[place].has(shortcut.choices[place].needed);
    for (request, ask) in shortcut.asks.iter().enumerate() {
        if !(ask.first..ask.end).any(has) {
            let claim = request % 2;
            return (Err(Reason::Request { claim, request }), 0);
        }
    }
    let (mut picks, mut first) = (Vec::new(), Vec::new());
    let left = search.left_mut().clone();
    let fits = Descent::default().run(shortcut, &candidates, &left, &mut first);
    let mut meter = Budget::new().meter();
    let found = search.run(shortcut, &candidates, &mut picks, &mut meter);
    let found = match found.unwrap() {
        None => Ok(picks),
        Some(reason) => Err(reason),
    };
    if fits.is_ok() {
        assert_eq!(found.as_ref(), Ok(&first));
    }
    (found, meter.spent())
}

fn fits(node: &Node, requests: &[Vec<Wanted>]) -> bool {
    answer(&shortcut(node, requests)).0.is_ok()
}

/// Finds the first solution by trying everything in order.
fn try_all(shortcut: &Shortcut, ask: usize, choice: Option<usize>, picks: &mut Picks) -> bool {
    let Some(place) = choice else {
        let Some(ask_of) = shortcut.asks.get(ask) else {
            return true;
        };
        return (ask_of.first..ask_of.end).any(|place| try_all(shortcut, ask, Some(place), picks));
    };
    let choice = &shortcut.choices[place];
    let mut own = picks.iter().filter(|(other, _)| *other == place);
    let (count, last) = (
        own.clone().count(),
        own.next_back().map(|(_, device)| *device),
    );
    if count == choice.needed {
        return try_all(shortcut, ask + 1, None, picks);
    }
    for device in choice.candidates.iter() {
        let is_later = last.is_none_or(|last| device > last);
        if !is_later || picks.iter().any(|(_, picked)| *picked == device) {
            continue;
        }
        picks.push((place, device));
        if is_allowed(shortcut, picks) && try_all(shortcut, ask, Some(place), picks) {
            return true;
        }
        picks.pop();
    }
    false
}

/// Looks at picks by the rules alone.
fn is_allowed(shortcut: &Shortcut, picks: &Picks) -> bool {
    let choice = |pick: &(usize, usize)| &shortcut.choices[pick.0];
    let of_claim = |claim| picks.iter().filter(move |pick| choice(pick).claim == claim);
    if of_claim(0).count().max(of_claim(1).count()) > MAX_DEVICES {
        return false;
    }
    let values_agree = (0..shortcut.attributes.len()).all(|constraint| {
        let under = picks
            .iter()
            .filter(|pick| choice(pick).constraints.contains(&constraint));
        let shown = under.map(|(_, device)| shortcut.shown_to(constraint).shown[*device]);
        let (count, common) = shown.fold((0, !0), |(count, all), one| (count + 1, all & one));
        count < 2 || common != 0
    });
    let counters_suffice = shortcut.counters.as_ref().is_none_or(|counters| {
        let mut left = counters.total.clone();
        for (_, device) in picks {
            counters.take(*device, &mut left).unwrap();
        }
        left.iter().all(|left| *left >= 0)
    });
    values_agree && counters_suffice
}

/// Numbers that are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        let high = usize::try_from(self.0 >> 33).unwrap();
        (high ^ high >> 13) % end
    }

    fn some(&mut self, end: usize, of: usize) -> Vec<usize> {
        let all = 0..end;
        all.filter(|_| self.below(of) == 0).collect()
    }

    fn node(&mut self) -> Node {
        let devices = 3 + self.below(6);
        let attributes = self.below(3);
        let shown = (0..attributes).map(|_| {
            let (values, has_several) = (1 + self.below(4), self.below(3) == 0);
            let one = |random: &mut Self| {
                let mut bits = 1 << random.below(values);
                if has_several {
                    bits |= 1 << random.below(values);
                    bits *= Bits::from(random.below(6) != 0);
                }
                bits
            };
            (0..devices).map(|_| one(self)).collect()
        });
        let shown: Vec<Vec<Bits>> = shown.collect();
        let constraints = if attributes == 0 { 0 } else { self.below(4) };
        let attributes = (0..constraints).map(|_| self.below(attributes)).collect();
        let counters = if self.below(3) == 0 {
            1 + self.below(4)
        } else {
            0
        };
        let mut amount = |most| i128::try_from(1 + self.below(most)).unwrap();
        let total: Vec<i128> = (0..counters).map(|_| amount(5)).collect();
        let uses = |random: &mut Self| {
            let of = random.some(counters, 3).into_iter();
            of.map(|counter| {
                let amount = i128::try_from(1 + random.below(3)).unwrap();
                (u32::try_from(counter).unwrap(), amount)
            })
            .collect()
        };
        let uses = (0..devices).map(|_| uses(self)).collect();
        Node {
            devices,
            shown,
            attributes,
            total,
            uses,
        }
    }

    fn requests(&mut self, node: &Node) -> Vec<Vec<Wanted>> {
        let constraints = node.attributes.len();
        let lists = 1 + self.below(3);
        let lists: Vec<Vec<usize>> = (0..lists)
            .map(|_| {
                let share = 1 + self.below(4);
                let all = 0..node.devices;
                all.filter(|_| self.below(4) < share).collect()
            })
            .collect();
        let requests = 1 + self.below(5);
        (0..requests)
            .map(|_| {
                let several = if self.below(3) == 0 {
                    1 + self.below(3)
                } else {
                    1
                };
                let under = self.some(constraints, 2);
                (0..several)
                    .map(|_| {
                        let own = self.below(3) == 0;
                        let under = if own {
                            self.some(constraints, 2)
                        } else {
                            under.clone()
                        };
                        let needed = 1 + self.below(3) * self.below(2);
                        (needed, lists[self.below(lists.len())].clone(), under)
                    })
                    .collect()
            })
            .collect()
    }
}

#[test]
fn it_finds_what_trying_everything_finds() {
    let (mut found, mut none) = (0, 0);
    for seed in 0..6_000 {
        let mut random = Random(seed * 0x9e37_79b9 + 1);
        let devices = random.node();
        let shortcut = shortcut(&devices, &random.requests(&devices));
        let mut picks = Vec::new();
        let expected = try_all(&shortcut, 0, None, &mut picks).then_some(picks);
        let (answer, _) = answer(&shortcut);
        assert_eq!(answer.ok(), expected, "seed {seed}");
        found += u32::from(expected.is_some());
        none += u32::from(expected.is_none());
    }
    assert!(found > 1_500 && none > 1_500, "{found} {none}");
}

fn plain(devices: usize) -> Node {
    Node {
        devices,
        ..Node::default()
    }
}

/// Pairs of a device of each of two sorts, one pair for each constraint; by
/// root how many there are of each sort.
fn pairs(roots: &[(usize, usize)], pairs: &[(usize, usize)]) -> (Node, Vec<Vec<Wanted>>) {
    let (mut shown, mut sorts) = (Vec::new(), [Vec::new(), Vec::new()]);
    for sort in 0..2 {
        for (root, counts) in roots.iter().enumerate() {
            for _ in 0..[counts.0, counts.1][sort] {
                sorts[sort].push(shown.len());
                shown.push(1 << root);
            }
        }
    }
    let requests = pairs.iter().enumerate().flat_map(|(place, counts)| {
        let one = |sort: usize, count| vec![(count, sorts[sort].clone(), vec![place])];
        [one(0, counts.0), one(1, counts.1)]
    });
    let node = Node {
        devices: shown.len(),
        attributes: vec![0; pairs.len()],
        shown: vec![shown],
        ..Node::default()
    };
    (node, requests.collect())
}

fn pairs_fit(roots: &[(usize, usize)], wanted: &[(usize, usize)]) -> (bool, u64) {
    let (node, requests) = pairs(roots, wanted);
    let (answer, branches) = answer(&shortcut(&node, &requests));
    (answer.is_ok(), branches)
}

#[test]
fn pairs_find_a_root_each() {
    // Devices of both sorts are enough, but three roots have both.
    let roots = [(1, 0), (1, 1), (0, 1), (1, 1), (1, 1), (0, 1), (1, 0)];
    assert_eq!(pairs_fit(&roots, &[(1, 1); 3]), (true, 6));
    assert_eq!(pairs_fit(&roots, &[(1, 1); 4]), (false, 0));
    // A root serves as many as the sort of which it has fewer.
    let roots = [(3, 1), (1, 3), (2, 2)];
    assert!(pairs_fit(&roots, &[(1, 1); 4]).0);
    assert_eq!(pairs_fit(&roots, &[(1, 1); 5]), (false, 0));
    assert!(pairs_fit(&[(4, 2), (3, 1)], &[(2, 1); 3]).0);
    assert_eq!(pairs_fit(&[(4, 2), (3, 1)], &[(2, 1); 4]), (false, 0));
    // Pairs of two kinds.
    let two_kinds = |last| pairs_fit(&roots, &[(2, 1), (1, 1), (1, 1), last]).0;
    assert!(two_kinds((1, 1)) && !two_kinds((2, 1)));
}

#[test]
fn sixteen_pairs_take_a_branch_for_each_device() {
    let mut roots = vec![(1, 0); 8];
    roots.extend([(0, 1); 8]);
    roots.extend([(1, 1); 16]);
    assert_eq!(pairs_fit(&roots, &[(1, 1); 16]), (true, 32));
    roots.pop();
    roots.push((1, 0));
    assert_eq!(pairs_fit(&roots, &[(1, 1); 16]), (false, 0));
}

/// Two constraints are alike, and a third one ties their first requests.
#[test]
fn what_a_constraint_keeps_is_not_kept_from_itself() {
    let all = || (0..7).collect::<Vec<_>>();
    let node = Node {
        devices: 7,
        shown: vec![vec![1, 0, 1, 1, 0, 1, 0]],
        attributes: vec![0; 3],
        ..Node::default()
    };
    let under = [vec![1, 2], vec![1], vec![0, 2], vec![0]];
    let mut requests: Vec<_> = under.into_iter().map(|one| vec![(1, all(), one)]).collect();
    requests.push(vec![(3, all(), Vec::new())]);
    let (answer, _) = answer(&shortcut(&node, &requests));
    let devices: Vec<usize> = answer.unwrap().iter().map(|(_, device)| *device).collect();
    assert_eq!(devices, [0, 2, 3, 5, 1, 4, 6]);
}

/// What is kept for the first request has two values, and it can do with another.
#[test]
fn a_device_with_several_values_is_not_kept_from_all() {
    let (w, v, x) = (1, 2, 4);
    let node = Node {
        shown: vec![vec![w, w | v, w, v, x, x]],
        attributes: vec![0, 0, 0],
        ..plain(6)
    };
    let two = |constraint| vec![(2, (0..6).collect(), vec![constraint])];
    let requests = [two(0), two(1), two(2)];
    let (found, _) = answer(&shortcut(&node, &requests));
    let devices = [(0, 0), (0, 2), (1, 1), (1, 3), (2, 4), (2, 5)];
    assert_eq!(found, Ok(devices.to_vec()));
}

/// The first device has both values, so that nothing is settled yet.
#[test]
fn a_constraint_with_two_values_left_keeps_nothing() {
    let all = || vec![0, 1, 2, 3];
    let node = Node {
        devices: 4,
        shown: vec![vec![0b11, 0b01, 0b01, 0b10]],
        attributes: vec![0; 2],
        ..Node::default()
    };
    let under = [0, 0, 1, 1];
    let requests = under.map(|constraint| vec![(1, all(), vec![constraint])]);
    let (answer, _) = answer(&shortcut(&node, &requests));
    let devices: Vec<usize> = answer.unwrap().iter().map(|(_, device)| *device).collect();
    assert_eq!(devices, [0, 3, 1, 2]);
}

/// There may be half as many values as devices; a value of one device is none.
#[test]
fn many_values_are_told_apart() {
    assert_eq!(pairs_fit(&[(1, 1); 128], &[(1, 1); 16]), (true, 32));
    let mut roots = vec![(1, 0); 64];
    roots.extend([(0, 1); 48]);
    roots.extend([(1, 1); 16]);
    assert_eq!(pairs_fit(&roots, &[(1, 1); 16]), (true, 32));
    assert_eq!(pairs_fit(&roots[..127], &[(1, 1); 16]), (false, 0));
}

#[test]
fn values_serve_all_requests_of_a_constraint() {
    // Two requests of two devices with one value: four devices are needed.
    let node = |last: usize| Node {
        devices: 7,
        shown: vec![
            (0..7)
                .map(|device| if device < last { 1 } else { 2 })
                .collect(),
        ],
        attributes: vec![0],
        ..Node::default()
    };
    let two = || vec![(2, (0..7).collect(), vec![0])];
    assert!(fits(&node(4), &[two(), two()]));
    assert!(fits(&node(3), &[two(), two()]));
    let five = || vec![(5, (0..7).collect(), vec![0])];
    assert!(!fits(&node(4), &[five()]));
    assert!(fits(&node(5), &[five()]));
    // A device by itself need not have a value.
    let mut bare = node(7);
    bare.shown[0][0] = 0;
    let one = || vec![(1, vec![0], vec![0])];
    assert!(fits(&bare, &[one()]));
    assert!(!fits(&bare, &[one(), two()]));
}

#[test]
fn several_constraints_on_one_request_are_looked_at_together() {
    // Of 128 devices 22 have the same two values at most.
    let all: Vec<usize> = (0..128).collect();
    let node = Node {
        devices: 128,
        shown: vec![
            all.iter().map(|device| 1 << (device % 2)).collect(),
            all.iter().map(|device| 1 << (device % 3)).collect(),
        ],
        attributes: vec![0, 1],
        ..Node::default()
    };
    let ask = |count: usize| {
        let requests = [vec![(count, all.clone(), vec![0, 1])]];
        answer(&shortcut(&node, &requests))
    };
    let first: Picks = (0..22).map(|place| (0, 6 * place)).collect();
    assert_eq!(ask(22), (Ok(first), 22));
    // One device of each kind is tried.
    assert_eq!(ask(23), (Err(Reason::Exhausted), 6));
}

#[test]
fn alternatives_want_the_least_of_them() {
    let all: Vec<usize> = (0..8).collect();
    let eight = || -> Vec<Wanted> {
        let counts = (2..=9).rev();
        counts
            .map(|count| (count, all.clone(), Vec::new()))
            .collect()
    };
    let (first, branches) = answer(&shortcut(&plain(8), &[eight(), eight(), eight(), eight()]));
    let alternatives: Vec<usize> = first.unwrap().iter().map(|(place, _)| place % 8).collect();
    // Those with nine devices are no choice.
    assert_eq!((alternatives, branches), (vec![7; 8], 8));
    let fifth = vec![(1, all.clone(), Vec::new())];
    let five = [eight(), eight(), eight(), eight(), fifth];
    assert_eq!(answer(&shortcut(&plain(8), &five)), (Err(Reason::Count), 0));
    let three = vec![(3, all.clone(), Vec::new()), (2, all.clone(), Vec::new())];
    let (first, _) = answer(&shortcut(&plain(8), &[three, eight()]));
    let places: Vec<usize> = first.unwrap().iter().map(|(place, _)| *place).collect();
    assert_eq!(places, [0, 0, 0, 6, 6, 6, 6, 6]);
}

#[test]
fn a_claim_has_no_more_devices_than_it_may() {
    let all: Vec<usize> = (0..100).collect();
    let choice = |counts: &[usize]| -> Vec<Wanted> {
        let counts = counts.iter();
        counts
            .map(|count| (*count, all.clone(), Vec::new()))
            .collect()
    };
    // Requests 0 and 2 are of one claim.
    let counts = |requests: &[Vec<Wanted>]| {
        let picks = answer(&shortcut(&plain(100), requests)).0.unwrap();
        let mut counts = vec![0; requests.len()];
        let made = shortcut(&plain(100), requests);
        for (place, _) in &picks {
            counts[made.choices[*place].request] += 1;
        }
        counts
    };
    assert_eq!(
        counts(&[choice(&[20, 3]), choice(&[30]), choice(&[12, 2])]),
        [20, 30, 12]
    );
    assert_eq!(
        counts(&[choice(&[20, 3]), choice(&[30]), choice(&[13, 2])]),
        [20, 30, 2]
    );
    assert_eq!(
        counts(&[choice(&[20, 3]), choice(&[30]), choice(&[13, 14])]),
        [3, 30, 13]
    );
}

/// Cards of eight slices: partitions of one, two at even places, four at both
/// ends, and the whole; a card has seven units for them.
fn cards(cards: usize) -> (Node, Vec<Vec<usize>>) {
    let mut node = Node::default();
    let mut profiles = vec![Vec::new(); 4];
    for card in 0..u32::try_from(cards).unwrap() {
        node.total.push(7);
        node.total.extend([1; 8]);
        let starts: [(&[u32], u32, i128); 4] = [
            (&[0, 1, 2, 3, 4, 5, 6], 1, 1),
            (&[0, 2, 4], 2, 2),
            (&[0, 4], 4, 3),
            (&[0], 8, 7),
        ];
        for (profile, (starts, length, units)) in starts.iter().enumerate() {
            for start in *starts {
                let slices = (*start..start + length).map(|slice| (9 * card + 1 + slice, 1));
                profiles[profile].push(node.devices);
                node.uses
                    .push(std::iter::once((9 * card, *units)).chain(slices).collect());
                node.devices += 1;
            }
        }
    }
    (node, profiles)
}

#[test]
fn partitions_of_cards_are_fitted_together() {
    for count in 1..=8 {
        let (node, profiles) = cards(count);
        let ask = |wanted: &[(usize, usize)]| {
            let wanted = wanted.iter();
            let requests: Vec<Vec<Wanted>> = wanted
                .map(|(count, profile)| vec![(*count, profiles[*profile].clone(), Vec::new())])
                .collect();
            answer(&shortcut(&node, &requests))
        };
        // A half and two quarters fit if the half is at the end of its card.
        let (tight, branches) = ask(&[(count, 2), (2 * count, 1)]);
        let expected: Vec<usize> = (0..count)
            .map(|card| 13 * card + 11)
            .chain((0..count).flat_map(|card| [13 * card + 7, 13 * card + 8]))
            .collect();
        let devices: Vec<usize> = tight.unwrap().iter().map(|(_, device)| *device).collect();
        assert_eq!((devices, branches), (expected, 4 * count as u64), "{count}");
        let one_more = [(count, 2), (2 * count, 1), (1, 0)];
        assert_eq!(ask(&one_more), (Err(Reason::Exhausted), 0), "{count}");
        if count > 1 {
            let last = [(3, 1), (count - 1, 3), (1, 0)];
            assert!(ask(&last).0.is_ok(), "{count}");
            let last = [(3, 1), (count - 1, 3), (2, 0)];
            assert_eq!(ask(&last), (Err(Reason::Exhausted), 0), "{count}");
        }
    }
}

/// A pair of a quarter and a small one takes three of the seven units of a card.
#[test]
fn pairs_of_partitions_find_a_card_each() {
    for (one, other, most) in [(1, 0, 8), (2, 1, 4), (2, 0, 4)] {
        let (mut node, profiles) = cards(4);
        node.shown = vec![(0..52).map(|device| 1 << (device / 13)).collect()];
        let ask = |count: usize| {
            let mut node = node.clone();
            node.attributes = vec![0; count];
            let pair = |place| {
                let of = |profile: usize| vec![(1, profiles[profile].clone(), vec![place])];
                [of(one), of(other)]
            };
            let requests: Vec<Vec<Wanted>> = (0..count).flat_map(pair).collect();
            answer(&shortcut(&node, &requests))
        };
        assert_eq!(ask(most).0.map(|picks| picks.len()), Ok(2 * most));
        assert_eq!(ask(most + 1), (Err(Reason::Exhausted), 0), "{one} {other}");
    }
}

/// Each wants a little less of the devices than the one before it.
#[test]
fn nested_requests_are_matched() {
    let nested: Vec<Vec<Wanted>> = (0..32)
        .map(|place| vec![(8, (0..256 - 8 * place).collect(), Vec::new())])
        .collect();
    let (answer, branches) = answer(&shortcut(&plain(256), &nested));
    let devices: Vec<usize> = answer.unwrap().iter().map(|(_, device)| *device).collect();
    let expected = (0..32).rev().flat_map(|place| 8 * place..8 * place + 8);
    assert_eq!(devices, expected.collect::<Vec<_>>());
    assert_eq!(branches, 752);
}
