//! [`Units`]: how near the devices of equal groups are to each other.

use std::collections::BTreeMap;
use std::sync::Arc;

use dralloc_topology::{Scope, Watch};

use crate::bitmap::Bitmap;
use crate::model::Str;
use crate::number::number;
use crate::topology::{
    AffinityScope, Crossing, Grouping, Groups, LARGEST_GROUPING, Machine, nested,
};

/// Is what a question has of the levels of units.
#[derive(Debug)]
pub(crate) struct Units {
    level: Level,
    /// By alternative, the member that its picks are of.
    members: Vec<Option<usize>>,
    /// By pick, whether it was of a member.
    counted: Vec<bool>,
}

impl Units {
    /// Writes down what groups read of alternatives: the name of the request, how many
    /// devices it needs, and which it can have; nothing of those that do not count.
    ///
    /// # Errors
    ///
    /// Where domains do not tell which groups there are, and devices are too many to try.
    pub(crate) fn new(
        machine: &Arc<Machine>,
        requests: &[(Str, i64)],
        (levels, apart): (&[AffinityScope], Option<Scope>),
        counted: &[Option<(&str, usize, &Bitmap)>],
    ) -> Result<Self, Crossing> {
        let mut devices = Bitmap::new(0);
        let mut candidates_of: Vec<Bitmap> = vec![Bitmap::new(0); requests.len()];
        let (mut groups, mut members) = (0, Vec::with_capacity(counted.len()));
        let counts = requests
            .iter()
            .map(|(_, count)| usize::try_from(*count).unwrap_or(1));
        let counts: Vec<usize> = counts.map(|count| count.max(1)).collect();
        for one in counted {
            let member = one
                .and_then(|(name, ..)| requests.iter().position(|(member, _)| **member == *name));
            members.push(member);
            if let (Some(member), Some((_, needed, candidates))) = (member, one) {
                groups = groups.max(needed / counts[member]);
                devices = union(&devices, candidates);
                candidates_of[member] = union(&candidates_of[member], candidates);
            }
        }
        let domains = match apart {
            None => nested(machine, levels, &devices),
            Some(_) => Err(Crossing::Both),
        };
        let level = match domains {
            Ok(domains) => Level::Nested(UnitLevel::new(groups, (counts, &candidates_of), domains)),
            Err(crossing) => {
                let groups = Groups {
                    machine: Arc::clone(machine),
                    count: groups,
                    sizes: counts,
                    levels: levels.to_vec(),
                    is_required: false,
                    apart,
                };
                if groups.len() > LARGEST_GROUPING {
                    return Err(crossing);
                }
                Level::Crossed {
                    worst: groups.worst(),
                    grouping: Grouping::new(groups),
                }
            }
        };
        Ok(Self {
            level,
            members,
            counted: Vec::new(),
        })
    }

    /// Returns what it counts before anything is picked, which no answer is below.
    pub(crate) fn least(&self) -> i64 {
        self.level.value()
    }

    /// Adds a pick for an alternative; returns by how much the value grows.
    ///
    /// If it is stopped the value stays what it was, which no completion is below; what is
    /// counted next ends the search.
    pub(crate) fn add(&mut self, alternative: usize, device: usize, watch: &mut impl Watch) -> i64 {
        let member = self.members.get(alternative).copied().flatten();
        self.counted.push(member.is_some());
        member.map_or(0, |member| self.level.add(member, device, watch))
    }

    /// Writes what tells a device apart from others.
    pub(super) fn describe(&self, device: usize, key: &mut Vec<i128>) {
        match &self.level {
            Level::Nested(level) => {
                let of_device = level
                    .domains
                    .iter()
                    .map(|of| of.get(device).copied().flatten());
                key.extend(of_device.map(|domain| domain.map_or(-1, |it| i128::from(number(it)))));
            }
            Level::Crossed { grouping, .. } => grouping.describe(device, key),
        }
    }

    /// Returns whether picks of two alternatives are of one member, or of none.
    pub(crate) fn are_alike(&self, one: usize, other: usize) -> bool {
        self.members.get(one) == self.members.get(other)
    }

    /// Takes the latest pick back.
    pub(crate) fn take_back(&mut self) {
        if self.counted.pop() == Some(true) {
            self.level.take_back();
        }
    }
}

/// Counts groups by domains that are inside each other, or by the best cut where they are
/// not.
#[derive(Debug)]
enum Level {
    Nested(UnitLevel),
    /// Bound: the value so far, since what devices of a group have in common only shrinks.
    Crossed {
        grouping: Grouping,
        /// What it counts where there is no cut, so that no answer is below either.
        worst: i64,
    },
}

impl Level {
    fn value(&self) -> i64 {
        match self {
            Self::Nested(level) => level.value(),
            Self::Crossed { grouping, worst } => grouping.value().unwrap_or(*worst),
        }
    }

    fn add(&mut self, member: usize, device: usize, watch: &mut impl Watch) -> i64 {
        let before = self.value();
        match self {
            Self::Nested(level) => level.add(member, device),
            Self::Crossed { grouping, .. } => grouping.add(member, device, watch),
        }
        self.value() - before
    }

    fn take_back(&mut self) {
        match self {
            Self::Nested(level) => level.take_back(),
            Self::Crossed { grouping, .. } => grouping.take_back(),
        }
    }
}

/// Returns a set with those of another, which has room for all of them.
fn union(devices: &Bitmap, others: &Bitmap) -> Bitmap {
    let mut all = others.clone();
    devices.iter().for_each(|device| all.insert(device));
    all
}

/// Counts for each level the groups that are not within it, those of the first level most.
///
/// Each level cuts devices into domains, and each domain of a level is inside one of the
/// next. So how many groups are within a level is the sum over its domains of the most
/// that each holds, `min` over requests of `count / wanted`, rounded down: groups of a
/// nearer level are among them, and what they leave of a domain makes the rest of its
/// groups, whichever devices they took. The most at the first level and the most at each
/// further one are had at once.
///
/// Bound: the value so far. While a request still gets picks, each can complete one group
/// at most; requests that have not begun limit nothing. So the number of groups that can
/// be within a level only shrinks with more picks. Nor are there more than what can be
/// picked would make, of each domain all that requests can have there: where no CPU is on
/// a root, no group is.
#[derive(Debug)]
struct UnitLevel {
    groups: usize,
    /// By member: how many devices a group has.
    counts: Vec<usize>,
    /// By level, by device, its domain.
    domains: Vec<Vec<Option<usize>>>,
    /// By level, how many groups what can be picked would make.
    most: Vec<usize>,
    /// By level, by domain, by member.
    picked: Vec<Vec<Vec<usize>>>,
    /// By member, how many picks there were.
    totals: Vec<usize>,
    order: Vec<(usize, usize)>,
}

impl UnitLevel {
    /// Returns one with nothing picked: how many groups there are, what a group has of
    /// each member and what that can have, and the domain of each device by level.
    fn new(
        groups: usize,
        (counts, candidates): (Vec<usize>, &[Bitmap]),
        domains: Vec<Vec<Option<usize>>>,
    ) -> Self {
        let most = domains.iter().map(|of_level| {
            let mut there: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
            for (member, candidates) in candidates.iter().enumerate() {
                let places = candidates.iter().map(|device| of_level.get(device));
                for domain in places.filter_map(|domain| domain.copied().flatten()) {
                    let there = there.entry(domain);
                    there.or_insert_with(|| vec![0; counts.len()])[member] += 1;
                }
            }
            let groups = |there: &Vec<usize>| {
                // Who can have nothing at all gets nothing, or there is no answer.
                let of_member = there.iter().zip(&counts).zip(candidates);
                let of_member = of_member.filter(|(_, own)| own.iter().next().is_some());
                let groups = of_member.map(|((there, count), _)| there / count);
                groups.min().unwrap_or(0)
            };
            there.values().map(groups).sum()
        });
        let most = most.collect();
        let empty = |of_level: &Vec<Option<usize>>| {
            let count = of_level.iter().flatten().max().map_or(0, |last| last + 1);
            vec![vec![0; counts.len()]; count]
        };
        Self {
            groups,
            picked: domains.iter().map(empty).collect(),
            totals: vec![0; counts.len()],
            counts,
            domains,
            most,
            order: Vec::new(),
        }
    }

    /// Adds a pick of a device for a member.
    fn add(&mut self, member: usize, device: usize) {
        self.count(member, device, true);
        self.order.push((member, device));
    }

    /// Takes the latest pick back.
    fn take_back(&mut self) {
        if let Some((member, device)) = self.order.pop() {
            self.count(member, device, false);
        }
    }

    fn count(&mut self, member: usize, device: usize, more: bool) {
        let change = |count: &mut usize| {
            *count = if more {
                count.saturating_add(1)
            } else {
                count.saturating_sub(1)
            };
        };
        self.totals.get_mut(member).map(change);
        for (domains, picked) in self.domains.iter().zip(&mut self.picked) {
            let domain = domains.get(device).copied().flatten();
            let domain = domain.and_then(|domain| picked.get_mut(domain));
            domain.and_then(|picked| picked.get_mut(member)).map(change);
        }
    }

    fn value(&self) -> i64 {
        let weight = i64::try_from(self.groups + 1).unwrap_or(i64::MAX);
        let levels = self.picked.iter().zip(&self.most);
        levels.fold(0, |sum: i64, (picked, most)| {
            let within = self.within(picked).min(self.groups).min(*most);
            let outside = i64::try_from(self.groups - within).unwrap_or(i64::MAX);
            sum.saturating_mul(weight).saturating_add(outside)
        })
    }

    /// Returns how many groups can be within a level at most.
    fn within(&self, picked: &[Vec<usize>]) -> usize {
        let wanted = |member: usize| self.groups.saturating_mul(self.counts[member]);
        let left = |member: usize| wanted(member).saturating_sub(self.totals[member]);
        let held = |domain: &Vec<usize>, member: usize| domain[member] / self.counts[member];
        let is_done = |member: &usize| left(*member) == 0;
        let done: Vec<usize> = (0..self.counts.len()).filter(is_done).collect();
        let of_done = |domain: &Vec<usize>| done.iter().map(|member| held(domain, *member)).min();
        let all_done = picked.iter().map(|domain| of_done(domain).unwrap_or(0));
        let mut most = if done.is_empty() {
            self.groups
        } else {
            all_done.sum()
        };
        let begun =
            (0..self.counts.len()).filter(|member| !is_done(member) && self.totals[*member] > 0);
        for member in begun {
            let so_far = picked.iter().map(|domain| {
                let own = held(domain, member);
                of_done(domain).map_or(own, |done| own.min(done))
            });
            most = most.min(so_far.sum::<usize>().saturating_add(left(member)));
        }
        most
    }
}
