//! Random questions against all picks, tried one after the other.

use std::collections::BTreeMap;

use dralloc::model::AllocationResult;
use dralloc::{Violation, ViolationCode};
use dralloc_testkit::generate::Random;

use super::random_node::{Device, RandomNode, SCOPES};
use super::*;

/// Is what is wanted of the devices of a claim, as the test reads it.
#[derive(Clone, Debug, Default)]
struct Wanted {
    gpus: usize,
    nics: usize,
    required: Vec<&'static str>,
    preferred: Vec<Vec<&'static str>>,
    unit: Option<Unit>,
    /// In thousandths of GB/s.
    ring: Option<u64>,
    is_partition: bool,
}

#[derive(Clone, Debug)]
struct Unit {
    gpus: usize,
    nics: usize,
    groups: usize,
    levels: Vec<&'static str>,
    is_required: bool,
    apart: Option<&'static str>,
}

impl Wanted {
    fn new(random: &mut Random, node: &RandomNode) -> Self {
        let mut wanted = Self {
            gpus: random.between(1, node.gpus.len()),
            nics: random.below(node.nics.len() + 1),
            ..Self::default()
        };
        for _ in 0..random.below(3) {
            if random.chance(40) {
                wanted.required.push(random.pick(&SCOPES));
            } else {
                wanted.preferred.push(words(random, &SCOPES));
            }
        }
        let groups = random.between(1, wanted.gpus);
        let members = [wanted.gpus, wanted.nics];
        if random.chance(60) && members.iter().all(|count| count % groups == 0) {
            let is_required = random.chance(50);
            let mut levels = words(random, &SCOPES);
            if node.is_star && random.chance(60) {
                levels.retain(|level| *level != "nvLink");
                levels.insert(0, "nvLink");
            }
            levels.truncate(if is_required { 1 } else { 7 });
            let apart = random.chance(if is_required { 50 } else { 25 });
            wanted.unit = Some(Unit {
                gpus: wanted.gpus / groups,
                nics: wanted.nics / groups,
                groups,
                levels,
                is_required,
                apart: apart.then(|| random.pick(&SCOPES[1..])),
            });
        }
        if random.chance(25) && wanted.gpus <= 3 {
            let least = [25_000, 25_001, 50_000, 62_500, 75_000, 100_000, 150_000];
            wanted.ring = Some(*random.pick(&least.each_ref()));
        }
        wanted.is_partition = random.chance(40);
        wanted
    }

    fn claim(&self) -> ResourceClaim {
        let mut policy = json!({});
        if self.required.len() + self.preferred.len() == 0 {
            // A policy must say something.
            policy["policy"] = "kubernetes".into();
        }
        let required = self.required.iter();
        let required = required.map(|scope| json!({"scope": scope, "mode": "required"}));
        let preferred = self.preferred.iter().map(
            |levels| json!({"scope": levels[0], "mode": "preferred", "fallback": levels[1..]}),
        );
        policy["affinity"] = required.chain(preferred).collect();
        if let Some(unit) = &self.unit {
            policy.as_object_mut().unwrap().remove("policy");
            let mut members = json!({"gpu": unit.gpus});
            if unit.nics > 0 {
                members["nic"] = unit.nics.into();
            }
            let mode = if unit.is_required {
                "required"
            } else {
                "preferred"
            };
            policy["unit"] = json!({"requests": members, "scope": unit.levels[0], "mode": mode});
            if !unit.is_required {
                policy["unit"]["fallback"] = unit.levels[1..].into();
            }
            if let Some(apart) = unit.apart {
                policy["unit"]["apartOver"] = apart.into();
            }
        }
        if self.is_partition {
            policy["fabricPartition"] = "required".into();
        }
        if let Some(least) = self.ring {
            policy["minRingGBps"] = format!("{least}m").into();
        }
        let count = |count| u32::try_from(count).unwrap();
        let mut requests = vec![("gpu", count(self.gpus))];
        if self.nics > 0 {
            requests.push(("nic", count(self.nics)));
        }
        claim(&requests, &policy)
    }

    /// Returns what picks are worth by each level; none where something is not as required.
    fn value(&self, node: &RandomNode, picks: &[&Device]) -> Option<Vec<i64>> {
        let is_shared = |scope: &&str| node.share(scope, picks);
        let ring = self.ring.and_then(|least| Some((least, node.ring(picks)?)));
        if !self.required.iter().all(is_shared)
            || !node.allows(picks)
            || (self.is_partition && !node.is_partition(picks))
            || ring.is_some_and(|(least, rate)| rate * 1000 < least)
        {
            return None;
        }
        let mut values: Vec<i64> = self
            .preferred
            .iter()
            .map(|levels| {
                let first = levels.iter().position(|scope| node.share(scope, picks));
                number(first.unwrap_or(levels.len()))
            })
            .collect();
        if let Some(unit) = &self.unit {
            let best = unit.cuts(picks, self.gpus).into_iter();
            let best = best.filter_map(|cut| unit.value(node, &cut)).min()?;
            values.extend((!unit.is_required).then_some(best));
        }
        Some(values)
    }

    /// Returns the best value, and the devices of the first picks in order that have it.
    fn best(&self, node: &RandomNode) -> Option<(Vec<i64>, Vec<String>)> {
        let mut best: Option<(Vec<i64>, Vec<String>)> = None;
        for gpus in choices(&node.gpus, self.gpus) {
            for nics in choices(&node.nics, self.nics) {
                let picks: Vec<&Device> = gpus.iter().chain(&nics).copied().collect();
                let Some(value) = self.value(node, &picks) else {
                    continue;
                };
                if best.as_ref().is_none_or(|(least, _)| value < *least) {
                    let names = picks.iter().map(|device| device.name.clone());
                    best = Some((value, names.collect()));
                }
            }
        }
        best
    }
}

impl Wanted {
    /// Exchanges each device of an answer for each other of its kind, and checks that those
    /// answers alone are accepted that are as required; returns how many were not, and how
    /// many of those were so because they are no partition.
    fn exchange(
        &self,
        node: &RandomNode,
        verify: impl Fn(&[AllocationResult]) -> Result<(), Vec<Violation>>,
        results: &[AllocationResult],
    ) -> (u32, u32) {
        let (mut wrong, mut no_partition) = (0, 0);
        let names = |results: &[AllocationResult]| -> Vec<String> {
            let devices = results[0].devices.results.iter();
            devices.map(|device| device.device.to_string()).collect()
        };
        let own = names(results);
        for place in 0..own.len() {
            let kind = if place < self.gpus {
                &node.gpus
            } else {
                &node.nics
            };
            for other in kind.iter().filter(|other| !own.contains(&other.name)) {
                let mut exchanged = results.to_vec();
                exchanged[0].devices.results[place].device = (*other.name).into();
                let all = names(&exchanged);
                let pick = |name: &String| {
                    let mut all = node.gpus.iter().chain(&node.nics);
                    all.find(|device| device.name == *name).unwrap()
                };
                let picks: Vec<&Device> = all.iter().map(pick).collect();
                let verdict = verify(&exchanged);
                if self.value(node, &picks).is_some() {
                    assert_eq!(verdict, Ok(()), "{self:?}: {all:?}");
                    continue;
                }
                let violations = verdict.unwrap_err();
                let mut codes = violations.iter().map(Violation::code);
                assert!(
                    codes.all(|code| code == ViolationCode::Placement),
                    "{violations:?}"
                );
                wrong += 1;
                no_partition += u32::from(self.is_partition && !node.is_partition(&picks));
            }
        }
        (wrong, no_partition)
    }
}

impl Unit {
    /// Returns all ways to cut picks, of which so many are GPUs, into groups.
    fn cuts<'a>(&self, picks: &[&'a Device], gpus: usize) -> Vec<Vec<Vec<&'a Device>>> {
        let mut cuts = vec![vec![Vec::new(); self.groups]];
        for (place, pick) in picks.iter().enumerate() {
            let full = if place < gpus {
                self.gpus
            } else {
                self.gpus + self.nics
            };
            let with = |cut: &Vec<Vec<&'a Device>>| {
                let open = (0..self.groups).filter(|group| cut[*group].len() < full);
                let cuts = open.map(|group| {
                    let mut cut = cut.clone();
                    cut[group].push(*pick);
                    cut
                });
                cuts.collect::<Vec<_>>()
            };
            cuts = cuts.iter().flat_map(with).collect();
        }
        cuts
    }

    /// Checks that the groups that an answer tells are worth what the best are.
    fn check(&self, node: &RandomNode, allocation: &Allocation) {
        let [together] = allocation.placement() else {
            panic!("one policy, found {:?}", allocation.placement());
        };
        let device = |id: &DeviceId| {
            let mut all = node.gpus.iter().chain(&node.nics);
            all.find(|device| device.name == *id.device).unwrap()
        };
        let groups = together.units.iter();
        let groups: Vec<Vec<&Device>> = groups
            .map(|unit| unit.devices.iter().map(device).collect())
            .collect();
        assert!(
            groups
                .iter()
                .all(|group| group.len() == self.gpus + self.nics)
        );
        let all = groups.concat();
        let (gpus, nics): (Vec<_>, Vec<_>) = all
            .iter()
            .partition(|device| device.name.starts_with("gpu"));
        let cuts = self
            .cuts(&[gpus.clone(), nics].concat(), gpus.len())
            .into_iter();
        let best = cuts.filter_map(|cut| self.value(node, &cut)).min();
        assert_eq!(self.value(node, &groups), best);
        let levels = together.units.iter().map(|unit| unit.level.as_deref());
        let expected = groups.iter().map(|group| {
            let mut levels = self.levels.iter().copied();
            levels.find(|scope| node.share(scope, group))
        });
        assert!(levels.eq(expected), "{together:?}");
    }

    /// Returns what a cut is worth: the groups that have come no nearer than each level,
    /// those of the first most; none where a group is not as required.
    fn value(&self, node: &RandomNode, cut: &[Vec<&Device>]) -> Option<i64> {
        let reached = |group: &Vec<&Device>| {
            let first = self
                .levels
                .iter()
                .position(|scope| node.share(scope, group));
            first.unwrap_or(self.levels.len())
        };
        let reached: Vec<usize> = cut.iter().map(reached).collect();
        if self.is_required && reached.iter().any(|level| *level > 0) {
            return None;
        }
        let are_apart = |scope: &str| {
            let mut pairs = (0..cut.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
            pairs.all(|(one, other)| {
                let shares =
                    |one: &Device| cut[other].iter().any(|it| node.share(scope, &[one, it]));
                !cut[one].iter().any(|one| shares(one))
            })
        };
        if !self.apart.is_none_or(are_apart) {
            return None;
        }
        let weight = number(self.groups + 1);
        Some((0..self.levels.len()).fold(0, |sum, level| {
            let outside = reached.iter().filter(|reached| **reached > level).count();
            sum * weight + number(outside)
        }))
    }

    /// Returns whether domains of its levels are not each inside one of the next, so that
    /// no sum over domains says how many groups there are.
    fn is_crossed(&self, node: &RandomNode) -> bool {
        let devices: Vec<&Device> = node.gpus.iter().chain(&node.nics).collect();
        let levels: Vec<&str> = self.levels.iter().chain(&self.apart).copied().collect();
        let is_linked = |one: &Device, other: &Device| node.share("nvLink", &[one, other]);
        let is_chain = |middle: &Device| {
            let linked = devices.iter().filter(|other| is_linked(middle, other));
            let linked: Vec<&Device> = linked.copied().collect();
            !node.share("nvLink", &linked)
        };
        if levels.contains(&"nvLink") && devices.iter().any(|device| is_chain(device)) {
            return true;
        }
        let is_several = |level: &&str| devices.iter().any(|device| device.of(level).len() > 1);
        levels.iter().any(is_several)
            || levels.iter().enumerate().any(|(place, near)| {
                let mut farther = levels[place + 1..].iter();
                farther.any(|far| {
                    let mut around: BTreeMap<_, _> = BTreeMap::new();
                    devices.iter().any(|device| {
                        let (near, far) = (device.of(near), device.of(far));
                        !near.is_empty()
                            && *around.entry(near).or_insert_with(|| far.clone()) != far
                    })
                })
            })
    }
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap()
}

/// Returns some different words.
fn words(random: &mut Random, all: &[&'static str]) -> Vec<&'static str> {
    let mut words = all.to_vec();
    // Mostly from near to far, as people write them.
    if random.chance(30) {
        random.shuffle(&mut words);
    }
    let left = random.between(1, 4);
    while words.len() > left {
        words.remove(random.below(words.len()));
    }
    words
}

/// Returns all choices of so many devices, in order.
fn choices(devices: &[Device], count: usize) -> Vec<Vec<&Device>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let firsts = devices.iter().enumerate();
    let choices = firsts.flat_map(|(place, first)| {
        let rest = choices(&devices[place + 1..], count - 1).into_iter();
        rest.map(move |rest| [vec![first], rest].concat())
    });
    choices.collect()
}

#[test]
fn answers_are_the_best_of_all_picks() {
    let asked = std::env::var("DRALLOC_PROPERTY_CASES").ok();
    let cases = asked.map_or(1500, |text| text.parse().unwrap());
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in 0..cases {
        let random = &mut Random::new(seed ^ 0x001e_7e15);
        let node = RandomNode::new(random);
        let wanted = Wanted::new(random, &node);
        let expected = wanted.best(&node);
        let claims = [wanted.claim()];
        let snapshot = node.world.engine.snapshot();
        let prepared = snapshot.prepare(&claims).unwrap();
        let outcome = snapshot.transaction().consider(
            "n",
            &prepared,
            &AllocateOptions::new(),
            &mut Workspace::new(),
        );
        let outcome = outcome.unwrap_or_else(|error| panic!("seed {seed}: {wanted:?}: {error}"));
        let found = outcome.allocation().map(|allocation| {
            let results = allocation.results();
            let verified = snapshot.verify("n", &claims, &results);
            assert_eq!(verified, Ok(()), "seed {seed}: {wanted:?}");
            let verify = |results: &[AllocationResult]| snapshot.verify("n", &claims, results);
            let (wrong, no_partition) = wanted.exchange(&node, verify, &results);
            *counts.entry("wrong").or_default() += wrong;
            *counts.entry("no partition").or_default() += no_partition;
            if let Some(unit) = &wanted.unit {
                unit.check(&node, allocation);
            }
            (values(&outcome), super::devices(allocation))
        });
        assert_eq!(found, expected, "seed {seed}: {wanted:?}");
        let kind = match expected {
            None => "none",
            Some((values, _)) if values.iter().any(|value| *value > 0) => "farther",
            Some(_) => "nearest",
        };
        *counts.entry(kind).or_default() += 1;
        let unit = wanted.unit.as_ref();
        if unit.is_some_and(|unit| unit.is_crossed(&node)) {
            *counts.entry("crossed").or_default() += 1;
        }
        let is_of_links = unit.is_some_and(|unit| unit.levels[0] == "nvLink");
        if node.is_star && is_of_links && wanted.gpus > 2 {
            *counts.entry("star").or_default() += 1;
        }
    }
    println!("{counts:?}");
    for kind in ["nearest", "farther", "none", "crossed", "wrong"] {
        let count = counts.get(kind).copied().unwrap_or(0);
        assert!(u64::from(count) > cases / 50, "{kind}: {counts:?}");
    }
    let partitions = counts.get("no partition").copied().unwrap_or(0);
    assert!(u64::from(partitions) > cases / 100, "{counts:?}");
    let stars = counts.get("star").copied().unwrap_or(0);
    assert!(u64::from(stars) > cases / 400, "{counts:?}");
}
