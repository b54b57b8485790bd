//! [`PartTable`]: which devices share counters.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::crowd::Crowd;
use crate::budget::Meter;
use crate::disjoint_sets::DisjointSets;
use crate::number::number;
use crate::outcome::StopCause;

/// The most devices of a part.
pub(super) const BITS: usize = u64::BITS as usize;

/// Is what is known of the devices of a node without looking at what is held.
#[derive(Debug)]
pub(crate) struct PartTable {
    /// Tells tables apart by its address: who keeps it knows that no other has it.
    pub(super) identity: Arc<()>,
    /// How many devices there are.
    pub(super) devices: usize,
    pub(super) parts: Box<[Part]>,
    pub(super) kinds: Box<[Kind]>,
    /// Words of the devices that are in no part.
    pub(super) plain: Box<[u64]>,
    /// Counters with several users that are left out, with what they take.
    pub(super) relaxed: Box<[Relaxed]>,
    /// Groups that are no single part.
    split: Box<[usize]>,
    /// Those of them that are looked at by number, and words of the other devices
    /// in no part.
    pub(super) crowds: Box<[Crowd]>,
    pub(super) alone: Box<[u64]>,
}

/// Is a set of devices that share counters with no others.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) kind: usize,
    /// In order; the place here is the bit.
    pub(super) devices: Box<[u32]>,
    pub(super) runs: Box<[Run]>,
    pub(super) counters: Box<[u32]>,
}

/// Is a run of devices that follow each other, with the bit of the first.
#[derive(Debug)]
pub(super) struct Run {
    start: usize,
    length: usize,
    bit: usize,
}

/// Is what parts have in common that are built alike.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Kind {
    /// By device: the part's counters that it takes of, by place, and how much.
    pub(super) uses: Vec<Vec<(u32, i128)>>,
    /// By device: the first that takes the same.
    pub(super) class: Vec<u32>,
}

/// Is a counter that would connect too many devices.
#[derive(Debug)]
pub(super) struct Relaxed {
    pub(super) counter: usize,
    pub(super) takers: Vec<(u32, i128)>,
}

impl PartTable {
    /// Returns the table of devices from what each takes of counters.
    ///
    /// Devices of a group are in one part, where that can be. A counter with
    /// one user connects nothing and is left out: whether there is room for the
    /// device is for candidates to say. Amounts are not negative.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(crate) fn new<'u>(
        devices: usize,
        counters: usize,
        uses: impl Fn(usize) -> &'u [(u32, i128)],
        groups: &[Vec<u32>],
        meter: &mut Meter<'_>,
    ) -> Result<Self, StopCause> {
        let mut takers: Vec<Vec<(u32, i128)>> = vec![Vec::new(); counters];
        for device in 0..devices {
            meter.effort(1)?;
            for (counter, amount) in uses(device).iter().filter(|(_, amount)| *amount != 0) {
                if let Some(takers) = takers.get_mut(*counter as usize) {
                    takers.push((number(device), *amount));
                }
            }
        }
        let mut sets = DisjointSets::new(devices);
        let is_there = |device: &u32| (*device as usize) < devices;
        let mut split = Vec::new();
        for (place, group) in groups.iter().enumerate() {
            meter.look_at(group.len())?;
            let group = group.iter().filter(|device| is_there(device));
            if !connect(&mut sets, group.map(|device| *device as usize)) {
                split.push(place);
            }
        }
        let mut order: Vec<usize> = (0..counters).collect();
        // Those with few takers first: they connect least.
        order.sort_by_key(|counter| takers[*counter].len());
        let mut kept = vec![false; counters];
        let mut relaxed = Vec::new();
        for counter in order {
            meter.look_at(takers[counter].len())?;
            if takers[counter].len() < 2 {
                continue;
            }
            let devices = takers[counter].iter().map(|(device, _)| *device as usize);
            kept[counter] = connect(&mut sets, devices);
            if !kept[counter] {
                let takers = std::mem::take(&mut takers[counter]);
                relaxed.push(Relaxed { counter, takers });
            }
        }
        let mut table = Self {
            identity: Arc::new(()),
            devices,
            parts: Box::default(),
            kinds: Box::default(),
            plain: vec![0; devices.div_ceil(BITS)].into(),
            relaxed: relaxed.into(),
            split: split.into(),
            crowds: Box::default(),
            alone: Box::default(),
        };
        let uses = |device| {
            let uses = uses(device).iter().copied();
            let uses = uses.filter(|(counter, amount)| {
                *amount != 0 && kept.get(*counter as usize) == Some(&true)
            });
            uses.collect()
        };
        meter.look_at(devices)?;
        let mut members: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        for device in 0..devices {
            let members = members.entry(sets.first(device)).or_default();
            members.push(number(device));
        }
        table.add_parts(members, uses, meter)?;
        table.alone = table.plain.clone();
        let mut crowds = Vec::new();
        for group in &table.split {
            meter.look_at(groups[*group].len())?;
            crowds.extend(Crowd::new(*group, &groups[*group], &mut table.alone));
        }
        table.crowds = crowds.into();
        Ok(table)
    }

    fn add_parts(
        &mut self,
        members: BTreeMap<usize, Vec<u32>>,
        uses: impl Fn(usize) -> Vec<(u32, i128)>,
        meter: &mut Meter<'_>,
    ) -> Result<(), StopCause> {
        let (mut parts, mut kinds) = (Vec::new(), BTreeMap::new());
        for devices in members.into_values() {
            if let [device] = *devices {
                self.plain[device as usize / BITS] |= 1 << (device as usize % BITS);
                continue;
            }
            let mut all: Vec<_> = devices
                .iter()
                .map(|device| uses(*device as usize))
                .collect();
            meter.effort(2 * devices.len() as u64)?;
            let mut counters: Vec<u32> =
                all.iter().flatten().map(|(counter, _)| *counter).collect();
            counters.sort_unstable();
            counters.dedup();
            for (counter, _) in all.iter_mut().flatten() {
                *counter = number(counters.partition_point(|other| *other < *counter));
            }
            for uses in &mut all {
                uses.sort_unstable();
            }
            let first = |uses| all.iter().position(|other| other == uses);
            let class = all.iter().map(|uses| number(first(uses).unwrap_or(0)));
            let class = class.collect();
            let next = kinds.len();
            parts.push(Part {
                kind: *kinds.entry(Kind { uses: all, class }).or_insert(next),
                runs: runs(&devices),
                devices: devices.into(),
                counters: counters.into(),
            });
        }
        let mut kinds: Vec<(Kind, usize)> = kinds.into_iter().collect();
        kinds.sort_by_key(|(_, place)| *place);
        self.kinds = kinds.into_iter().map(|(kind, _)| kind).collect();
        self.parts = parts.into();
        Ok(())
    }

    /// Returns how many parts there are.
    pub(crate) fn len(&self) -> usize {
        self.parts.len()
    }

    /// Returns the devices of a part, in order.
    pub(crate) fn devices_of(&self, part: usize) -> &[u32] {
        &self.parts[part].devices
    }

    /// Returns a number that parts share which are built alike.
    pub(crate) fn kind_of(&self, part: usize) -> usize {
        self.parts[part].kind
    }

    /// Returns whether something connects devices of several parts.
    pub(crate) fn is_relaxed(&self) -> bool {
        !self.relaxed.is_empty() || self.split.len() > self.crowds.len()
    }

    /// Returns for each device in a crowd the number of that.
    pub(crate) fn crowds(&self, groups: &[Vec<u32>], devices: usize) -> Vec<Option<u32>> {
        let mut crowds = vec![None; devices];
        for (place, crowd) in self.crowds.iter().enumerate() {
            for device in &groups[crowd.group] {
                crowds[*device as usize] = Some(number(place));
            }
        }
        crowds
    }

    /// Returns the places of the groups that are too large for one part.
    pub(crate) fn split_groups(&self) -> &[usize] {
        &self.split
    }

    /// Returns whether it says more than that devices are picked once.
    pub(crate) fn has_counters(&self) -> bool {
        !self.parts.is_empty() || !self.relaxed.is_empty()
    }

    /// Returns the memory that it takes, in words of 8 bytes and roughly.
    pub(crate) fn weight(&self) -> usize {
        let parts = self.parts.iter();
        let parts = parts.map(|part| {
            12 + part.devices.len() / 2 + 3 * part.runs.len() + part.counters.len() / 2
        });
        let uses = self.kinds.iter().flat_map(|kind| &kind.uses);
        let uses = uses.map(|uses| 3 + 4 * uses.len());
        let relaxed = self.relaxed.iter().map(|one| 4 + 4 * one.takers.len());
        let crowds = self.crowds.iter().map(Crowd::weight);
        let all = parts.chain(uses).chain(relaxed).chain(crowds);
        16 + self.plain.len() + self.alone.len() + all.sum::<usize>()
    }
}

impl Part {
    /// Returns which of its devices are in a set.
    pub(super) fn local(&self, words: &[u64]) -> u64 {
        let mut local = 0;
        for run in &self.runs {
            let (word, shift) = (run.start / BITS, run.start % BITS);
            let mut bits = words.get(word).map_or(0, |bits| bits >> shift);
            if shift != 0 {
                bits |= words.get(word + 1).map_or(0, |bits| bits << (BITS - shift));
            }
            local |= (bits & !0 >> (BITS - run.length)) << run.bit;
        }
        local
    }
}

fn runs(devices: &[u32]) -> Box<[Run]> {
    let mut runs: Vec<Run> = Vec::new();
    for (bit, device) in devices.iter().enumerate() {
        let start = *device as usize;
        match runs.last_mut() {
            Some(last) if last.start + last.length == start => last.length += 1,
            _ => runs.push(Run {
                start,
                length: 1,
                bit,
            }),
        }
    }
    runs.into()
}

/// Connects devices, unless that makes a set too large for a part.
fn connect(sets: &mut DisjointSets, devices: impl Iterator<Item = usize>) -> bool {
    let mut firsts: Vec<usize> = devices.map(|device| sets.first(device)).collect();
    firsts.sort_unstable();
    firsts.dedup();
    if firsts.iter().map(|first| sets.size(*first)).sum::<usize>() > BITS {
        return false;
    }
    for pair in firsts.windows(2) {
        sets.join(pair[0], pair[1]);
    }
    true
}
