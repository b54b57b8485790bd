//! [`Twins`]: devices of different pools that are one physical device.
//!
//! Who holds one of them holds them all. Which devices are twins is decided by
//! [`Physical`] and by what the host declares; here it is found out fast. Almost
//! no device has a twin, and then nothing is kept.

mod declared;
mod departed;
mod index;
#[cfg(test)]
mod tests;

pub(crate) use declared::DeclaredTwins;
pub(crate) use departed::Departed;
pub(crate) use index::TwinIndex;

use std::collections::{BTreeMap, BTreeSet};

use super::{DeviceEntry, DeviceKey, Inventory, PoolKey, StoredSlice};
use crate::model::Str;
use crate::rules::Physical;

/// Lists the twins of the devices that a node sees.
///
/// They are kept by groups: in a group, each two devices of different pools are
/// twins. Devices of one pool never are, so that partitions of a card may all
/// be there.
#[derive(Debug, Default)]
pub(crate) struct Twins {
    /// The groups of each device of the view that has twins, by its place.
    entries: Box<[Entry]>,
    groups: Box<[Box<[Twin]>]>,
    /// Each device of the view once, with its first group, in order of group
    /// and pool.
    by_group: Box<[Entry]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    place: usize,
    group: usize,
    pool: PoolKey,
}

/// Is a device that is physically the same as others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Twin {
    pub(crate) pool: PoolKey,
    pub(crate) key: DeviceKey,
    /// Its place in the view, if the node sees it and its pool is complete.
    pub(crate) place: Option<usize>,
}

type Member = (PoolKey, DeviceKey);

/// Is a group with those of its devices that it is a group of.
struct Group {
    members: Vec<Member>,
    /// Others are there for the sake of these.
    subjects: Vec<DeviceKey>,
}

impl Twins {
    /// Finds the twins of the devices of a view, which are asked for if there
    /// may be any.
    pub(super) fn new<'a>(
        inventory: &Inventory,
        node: &str,
        devices: impl Fn() -> &'a [DeviceEntry],
    ) -> Self {
        let mut groups = local_groups(inventory, node);
        inventory.twin_index().add_groups(node, &mut groups);
        inventory.declared_twins().add_groups(&mut groups);
        let departed = inventory.departed();
        if !departed.is_empty() {
            departed.add_groups(node, devices(), &mut groups);
        }
        if groups.is_empty() {
            return Self::default();
        }
        let places: BTreeMap<DeviceKey, usize> = devices()
            .iter()
            .enumerate()
            .map(|(place, entry)| (entry.key, place))
            .collect();
        Self::of_groups(groups, &places)
    }

    fn of_groups(groups: Vec<Group>, places: &BTreeMap<DeviceKey, usize>) -> Self {
        let mut entries = Vec::new();
        let mut kept: Vec<Box<[Twin]>> = Vec::new();
        for mut group in groups {
            group.members.sort_unstable();
            group.members.dedup();
            group.subjects.sort_unstable();
            group.subjects.dedup();
            let pools = group.members.chunk_by(|one, other| one.0 == other.0);
            let subjects = group.members.iter().filter_map(|(pool, key)| {
                let is_subject = group.subjects.binary_search(key).is_ok();
                let place = places.get(key).filter(|_| is_subject)?;
                let (place, group, pool) = (*place, kept.len(), *pool);
                Some(Entry { place, group, pool })
            });
            let subjects: Vec<Entry> = subjects.collect();
            if pools.count() < 2 || subjects.is_empty() {
                continue;
            }
            let twins = group.members.iter().map(|(pool, key)| Twin {
                pool: *pool,
                key: *key,
                place: places.get(key).copied(),
            });
            kept.push(twins.collect());
            entries.extend(subjects);
        }
        entries.sort_unstable();
        let mut by_group = entries.clone();
        by_group.dedup_by_key(|entry| entry.place);
        by_group.sort_unstable_by_key(|entry| (entry.group, entry.pool, entry.place));
        Self {
            entries: entries.into(),
            groups: kept.into(),
            by_group: by_group.into(),
        }
    }

    /// Returns whether no device has a twin.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the twins of a device, some of them perhaps twice.
    pub(crate) fn of(&self, place: usize) -> impl Iterator<Item = &Twin> {
        let from = self.entries.partition_point(|entry| entry.place < place);
        let entries = self.entries[from..].iter();
        entries
            .take_while(move |entry| entry.place == place)
            .flat_map(|entry| {
                let group = self.groups[entry.group].iter();
                group.filter(|twin| twin.pool != entry.pool)
            })
    }

    /// Returns the places of the devices that have twins, in order.
    pub(crate) fn places(&self) -> impl Iterator<Item = usize> {
        let chunks = self.entries.chunk_by(|one, other| one.place == other.place);
        chunks.filter_map(|chunk| chunk.first().map(|entry| entry.place))
    }

    /// Returns the pools of the twins of some devices, each once.
    pub(crate) fn pools_of(&self, places: impl Iterator<Item = usize>) -> Vec<PoolKey> {
        if self.is_empty() {
            return Vec::new();
        }
        let mut pools: Vec<PoolKey> = places
            .flat_map(|place| self.of(place).map(|twin| twin.pool))
            .collect();
        pools.sort_unstable();
        pools.dedup();
        pools
    }

    /// Returns devices of which one can be had, each with the first of them.
    pub(crate) fn stand_ins(&self) -> impl Iterator<Item = (usize, usize)> {
        let groups = self
            .by_group
            .chunk_by(|one, other| one.group == other.group);
        groups
            .filter(|group| group.windows(2).all(|pair| pair[0].pool != pair[1].pool))
            .flat_map(|group| group.iter().map(|entry| (entry.place, group[0].place)))
    }

    /// Returns how many of some devices at least cannot be had beside the others.
    ///
    /// Of a group only devices of one pool can be, so that of the largest is
    /// what can be had at most.
    pub(crate) fn surplus(&self, contains: impl Fn(usize) -> bool) -> usize {
        let mut surplus = 0;
        for group in self
            .by_group
            .chunk_by(|one, other| one.group == other.group)
        {
            let (mut all, mut most) = (0, 0);
            for pool in group.chunk_by(|one, other| one.pool == other.pool) {
                let count = pool.iter().filter(|entry| contains(entry.place)).count();
                all += count;
                most = most.max(count);
            }
            surplus += all - most;
        }
        surplus
    }
}

/// Returns the groups among the slices that name a node.
fn local_groups(inventory: &Inventory, node: &str) -> Vec<Group> {
    let slices = inventory.local(node);
    let Some((first, rest)) = slices.split_first() else {
        return Vec::new();
    };
    if rest.iter().all(|stored| stored.pool == first.pool) {
        return Vec::new();
    }
    let mut members: Vec<((u8, &Str), Member)> = Vec::new();
    for (stored, key, physical) in published(slices.iter().map(|stored| &**stored)) {
        let names = [(0, physical.bus_id), (1, physical.uuid)];
        for (sort, name) in names {
            members.extend(name.map(|name| ((sort, name), (stored.pool, key))));
        }
    }
    members.sort_unstable();
    let same = members.chunk_by(|(one, _), (other, _)| one == other);
    let several = same.filter(|same| same.iter().any(|(_, member)| member.0 != same[0].1.0));
    let (mut groups, mut known) = (Vec::new(), BTreeSet::new());
    for same in several {
        let members: Vec<Member> = same.iter().map(|(_, member)| *member).collect();
        // Bus id and uuid mostly say the same.
        if known.insert(members.clone()) {
            let subjects = members.iter().map(|(_, key)| *key).collect();
            groups.push(Group { members, subjects });
        }
    }
    groups
}

/// Returns the devices of slices with what they say of themselves.
fn published<'a>(
    slices: impl Iterator<Item = &'a StoredSlice>,
) -> impl Iterator<Item = (&'a StoredSlice, DeviceKey, Physical<'a>)> {
    slices.flat_map(|stored| {
        let spec = &stored.slice.spec;
        let devices = stored.devices.iter().zip(&spec.devices);
        devices.map(move |(key, device)| (stored, *key, Physical::of(spec, device)))
    })
}
