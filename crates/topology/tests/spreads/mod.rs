//! Spreads by trying all: the key of each, as its definition says.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use dralloc_topology::{
    Host, LevelUse, MostHosts, SliceRule, Spread, SpreadLimit, SpreadQuestion, Spreading, spread,
};

pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn below(&mut self, end: u32) -> u32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(((self.0 >> 33) * u64::from(end)) >> 31).unwrap()
    }

    /// Returns a place below a length.
    pub(crate) fn place(&mut self, length: usize) -> usize {
        self.below(u32::try_from(length).unwrap()) as usize
    }
}

/// Is a question apart from its hosts.
pub(crate) struct Asked {
    levels: usize,
    count: u32,
    within: Option<usize>,
    most_hosts: Option<MostHosts>,
    slices: SliceRule,
}

impl Asked {
    pub(crate) fn over<'a>(&self, hosts: &'a [Host]) -> SpreadQuestion<'a> {
        SpreadQuestion {
            within: self.within,
            most_hosts: self.most_hosts,
            slices: self.slices,
            ..SpreadQuestion::new(hosts, self.levels, self.count)
        }
    }
}

/// Returns a small question.
pub(crate) fn question(chance: &mut Chance) -> (Vec<Host>, Asked) {
    let levels = chance.below(4) as usize;
    let most = 1 + chance.below(5);
    let number = 1 + chance.below(if most > 3 { 5 } else { 7 });
    let (lists, lacks) = (chance.below(3) == 0, chance.below(4) == 0);
    let mut hosts: Vec<Host> = Vec::new();
    for _ in 0..number {
        if chance.below(3) == 0 && !hosts.is_empty() {
            hosts.push(hosts[chance.place(hosts.len())].clone());
            continue;
        }
        let devices = chance.below(most + 1);
        let domains = (0..levels).map(|_| {
            let domain = chance.below(3);
            (!(lacks && chance.below(3) == 0)).then_some(domain)
        });
        let domains = domains.collect();
        let free = devices - chance.below(devices + 1) * u32::from(chance.below(2) == 0);
        let counts = (lists && chance.below(2) == 0).then(|| {
            let counts = (0..=most).filter(|_| chance.below(2) == 0);
            counts.collect()
        });
        hosts.push(Host {
            domains,
            devices,
            free,
            counts,
        });
    }
    let all: u32 = hosts.iter().map(|host| host.free).sum();
    let size = 1 + chance.below(3);
    let asked = Asked {
        levels,
        count: 1 + chance.below(all + 1),
        within: (levels > 0 && chance.below(3) == 0).then(|| chance.place(levels)),
        most_hosts: (levels > 0 && chance.below(3) == 0).then(|| MostHosts {
            level: chance.place(levels),
            hosts: chance.below(4),
        }),
        slices: match chance.below(12) {
            0 => SliceRule::Same,
            1 => SliceRule::MultipleOf(size),
            2 => SliceRule::Exactly(size),
            3 => SliceRule::AtLeast(size),
            4 => SliceRule::WholeHosts,
            _ => SliceRule::Any,
        },
    };
    (hosts, asked)
}

/// Names a domain: what it has on each level down to its own, as (level, number).
type Name = Vec<(usize, u32)>;

fn domain(hosts: &[Host], host: usize, level: usize) -> Name {
    let domains = &hosts[host].domains;
    let on = |level: usize| {
        let known = (level..domains.len()).find_map(|at| Some((at, domains[at]?)));
        known.unwrap_or((usize::MAX, u32::try_from(host).unwrap()))
    };
    (0..=level).map(on).collect()
}

/// Returns what each domain of a level gives, and the hosts that do.
fn given(hosts: &[Host], slices: &[u32], level: usize) -> BTreeMap<Name, (u32, u32)> {
    let mut given: BTreeMap<Name, (u32, u32)> = BTreeMap::new();
    for (host, &slice) in slices.iter().enumerate() {
        let sum = given.entry(domain(hosts, host, level)).or_default();
        *sum = (sum.0 + slice, sum.1 + u32::from(slice > 0));
    }
    given
}

fn potential(devices: u32, free: u32) -> u64 {
    let sizes = (1..32).map(|power| 1_u32 << power);
    let below: u32 = sizes
        .filter(|&size| size < devices)
        .map(|size| free / size * size)
        .sum();
    let whole = if devices >= 2 && free == devices {
        devices
    } else {
        0
    };
    u64::from(below + whole)
}

type Key = (Vec<(u32, Reverse<u32>)>, u64, u64);

fn key(question: &SpreadQuestion<'_>, slices: &[u32]) -> Key {
    let hosts = question.hosts;
    let (mut levels, mut loss, mut left) = (Vec::new(), 0, 0);
    for level in 0..=question.levels {
        let given = given(hosts, slices, level);
        let used = given
            .values()
            .map(|given| given.0)
            .filter(|&given| given > 0);
        let number = u32::try_from(used.clone().count()).unwrap();
        levels.push((number, Reverse(used.min().unwrap_or(0))));
        for (name, (given, _)) in &given {
            let inside = (0..hosts.len()).filter(|&host| domain(hosts, host, level) == *name);
            let (mut devices, mut free) = (0, 0);
            for host in inside {
                devices += hosts[host].devices;
                free += hosts[host].free;
            }
            loss += potential(devices, free) - potential(devices, free - given);
            if *given > 0 {
                left += u64::from(free - given);
            }
        }
    }
    (levels, loss, left)
}

fn allows(question: &SpreadQuestion<'_>, slices: &[u32]) -> bool {
    let mut given_slices = slices
        .iter()
        .zip(question.hosts)
        .filter(|(slice, _)| **slice > 0);
    let is_allowed = given_slices.clone().all(|(&slice, host)| {
        let listed = host
            .counts
            .as_ref()
            .is_none_or(|counts| counts.contains(&slice));
        listed
            && match question.slices {
                SliceRule::Any | SliceRule::Same => true,
                SliceRule::MultipleOf(of) => slice % of == 0,
                SliceRule::Exactly(exactly) => slice == exactly,
                SliceRule::AtLeast(least) => slice >= least,
                SliceRule::WholeHosts => slice == host.devices,
            }
    });
    let first = given_slices.next().map(|(&slice, _)| slice);
    let is_same = given_slices.all(|(&slice, _)| Some(slice) == first);
    let within = question.within.is_none_or(|level| {
        let given = given(question.hosts, slices, level);
        given.values().filter(|given| given.0 > 0).count() <= 1
    });
    let few = question.most_hosts.is_none_or(|most| {
        let given = given(question.hosts, slices, most.level);
        given.values().all(|given| given.1 <= most.hosts)
    });
    is_allowed && (is_same || question.slices != SliceRule::Same) && within && few
}

/// Calls for each way in which hosts could give devices.
fn each(hosts: &[Host], most: u32, call: &mut impl FnMut(&[u32])) {
    fn next(hosts: &[Host], left: u32, slices: &mut Vec<u32>, call: &mut impl FnMut(&[u32])) {
        let Some(host) = hosts.get(slices.len()) else {
            call(slices);
            return;
        };
        for slice in 0..=host.free.min(left) {
            slices.push(slice);
            next(hosts, left - slice, slices, call);
            slices.pop();
        }
    }
    next(hosts, most, &mut Vec::new(), call);
}

fn best(question: &SpreadQuestion<'_>) -> Option<Key> {
    let mut best: Option<Key> = None;
    each(question.hosts, question.count, &mut |slices| {
        if slices.iter().sum::<u32>() == question.count && allows(question, slices) {
            let key = key(question, slices);
            if best.as_ref().is_none_or(|best| key < *best) {
                best = Some(key);
            }
        }
    });
    best
}

/// Returns the most that could be had; with the same number on all hosts this number
/// divides what is wanted.
fn most(question: &SpreadQuestion<'_>) -> u32 {
    let mut most = 0;
    each(question.hosts, question.count, &mut |slices| {
        let sum = slices.iter().sum::<u32>();
        let first = slices.iter().find(|slice| **slice > 0);
        let divides = first.is_none_or(|first| question.count.is_multiple_of(*first));
        let counts = question.slices != SliceRule::Same || divides;
        if sum > most && counts && allows(question, slices) {
            most = sum;
        }
    });
    most
}

fn limit(question: &SpreadQuestion<'_>) -> SpreadLimit {
    let hosts: Vec<Host> = question
        .hosts
        .iter()
        .cloned()
        .map(|host| Host {
            counts: None,
            ..host
        })
        .collect();
    let (within, most_hosts) = (None, None);
    let any = SpreadQuestion {
        slices: SliceRule::Any,
        hosts: &hosts,
        ..*question
    };
    let fits = |question: SpreadQuestion<'_>| best(&question).is_some();
    if fits(SpreadQuestion {
        within,
        ..*question
    }) {
        SpreadLimit::Within
    } else if fits(SpreadQuestion {
        most_hosts,
        ..*question
    }) {
        SpreadLimit::MostHosts
    } else if fits(any) {
        SpreadLimit::Slices
    } else if fits(SpreadQuestion {
        within,
        most_hosts,
        ..any
    }) {
        SpreadLimit::Together
    } else {
        SpreadLimit::Free
    }
}

fn key_of(spread: &Spread) -> Key {
    let levels = spread.levels.iter();
    let levels = levels.map(|&LevelUse { domains, smallest }| (domains, Reverse(smallest)));
    (levels.collect(), spread.loss, spread.left)
}

/// Compares an answer with all that there are; returns whether there was one.
pub(crate) fn check(question: &SpreadQuestion<'_>) -> bool {
    let expected = best(question);
    match spread(question).unwrap() {
        Spreading::Found(spread) => {
            let mut slices = vec![0; question.hosts.len()];
            for &(host, slice) in &spread.slices {
                assert!(slice > 0 && slices[host] == 0);
                slices[host] = slice;
            }
            assert!(spread.slices.is_sorted());
            assert_eq!(slices.iter().sum::<u32>(), question.count);
            assert!(
                slices
                    .iter()
                    .zip(question.hosts)
                    .all(|(slice, host)| *slice <= host.free)
            );
            assert!(allows(question, &slices), "{question:?}\n{spread:?}");
            assert_eq!(
                key_of(&spread),
                key(question, &slices),
                "{question:?}\n{spread:?}"
            );
            assert_eq!(Some(key_of(&spread)), expected, "{question:?}\n{spread:?}");
        }
        Spreading::Short(shortage) => {
            assert_eq!(expected, None, "{question:?}\n{shortage:?}");
            assert_eq!(shortage.most, most(question), "{question:?}\n{shortage:?}");
            assert_eq!(
                shortage.limit,
                limit(question),
                "{question:?}\n{shortage:?}"
            );
        }
    }
    expected.is_some()
}
