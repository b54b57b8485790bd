//! [`TwinIndex`]: twins in slices that name no node.

use std::ops::Bound;

use imbl::{OrdMap, OrdSet};

use super::{Group, Member, published};
use crate::model::Str;
use crate::rules::Physical;
use crate::store::{DeviceKey, PoolKey, StoredSlice};

/// Finds the twins of devices that several nodes may have.
///
/// A node may see such a device and not its twin, which another node has: all
/// slices have to be known. That is only kept while some slice names no node and
/// has a device with a physical identity; most clusters have none.
#[derive(Clone, Debug, Default)]
pub(crate) struct TwinIndex {
    /// How many slices name no node and say what their devices are.
    shared: usize,
    /// The node that each device names.
    published: OrdMap<Publication, Option<Str>>,
    /// What devices of different pools say, one of them in a slice that names no node.
    crossing: OrdSet<Identity>,
}

/// Is one thing that can be equal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Identity {
    /// Node and bus id.
    BusId(Str, Str),
    Uuid(Str),
}

impl Identity {
    /// Returns all that a device says.
    pub(super) fn of(physical: &Physical<'_>) -> impl Iterator<Item = Self> + use<> {
        let bus_id = physical.node.zip(physical.bus_id);
        let bus_id = bus_id.map(|(node, id)| Self::BusId(node.clone(), id.clone()));
        let uuid = physical.uuid.map(|uuid| Self::Uuid(uuid.clone()));
        bus_id.into_iter().chain(uuid)
    }
}

/// Is a device in a slice; those that name no node come first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Publication {
    pub(super) identity: Identity,
    /// Whether the slice names a node.
    local: bool,
    pub(super) pool: PoolKey,
    pub(super) device: DeviceKey,
    /// Revision of the slice: two may publish the same device.
    slice: u64,
}

impl TwinIndex {
    /// Puts a slice in the place of another; `all` are those that were there
    /// before. Returns the pools with devices that have other twins now.
    pub(in crate::store) fn exchange<'a>(
        &mut self,
        old: Option<&StoredSlice>,
        new: Option<&StoredSlice>,
        all: impl Iterator<Item = &'a StoredSlice>,
    ) -> Vec<PoolKey> {
        let is_shared = |stored: &&StoredSlice| stored.node().is_none() && has_identity(stored);
        let before = usize::from(old.as_ref().is_some_and(is_shared));
        let after = usize::from(new.as_ref().is_some_and(is_shared));
        let shared = (self.shared + after).saturating_sub(before);
        if self.shared == 0 && shared == 0 {
            return Vec::new();
        }
        if self.shared == 0 {
            // Of slices that name a node nothing is crossing.
            for stored in all {
                self.insert(stored);
            }
        }
        self.shared = shared;
        let mut identities: Vec<Identity> = Vec::new();
        for stored in old.into_iter().chain(new) {
            identities.extend(publications(stored).map(|(publication, _)| publication.identity));
        }
        identities.sort_unstable();
        identities.dedup();
        let mut pools = Vec::new();
        self.add_pools(&identities, &mut pools);
        if let Some(old) = old {
            for (publication, _) in publications(old) {
                self.published.remove(&publication);
            }
        }
        if let Some(new) = new {
            self.insert(new);
        }
        for identity in &identities {
            if self.is_crossing(identity) {
                self.crossing.insert(identity.clone());
            } else {
                self.crossing.remove(identity);
            }
        }
        self.add_pools(&identities, &mut pools);
        if self.shared == 0 {
            *self = Self::default();
        }
        pools.sort_unstable();
        pools.dedup();
        pools
    }

    fn insert(&mut self, stored: &StoredSlice) {
        for (publication, node) in publications(stored) {
            self.published.insert(publication, node);
        }
    }

    fn add_pools(&self, identities: &[Identity], pools: &mut Vec<PoolKey>) {
        let crossing = identities.iter();
        let crossing = crossing.filter(|identity| self.crossing.contains(*identity));
        pools.extend(crossing.flat_map(|identity| self.with(identity).map(|(one, _)| one.pool)));
    }

    /// Returns the devices that say something.
    fn with(&self, identity: &Identity) -> impl Iterator<Item = (&Publication, &Option<Str>)> {
        let range = self.published.range(lowest(identity, false)..);
        range.take_while(move |(publication, _)| publication.identity == *identity)
    }

    /// Looks only at the ends of pools, since a great many devices may say the same.
    fn is_crossing(&self, identity: &Identity) -> bool {
        let Some((first, _)) = self.with(identity).next().filter(|(first, _)| !first.local) else {
            return false;
        };
        let is_other = |local: bool| {
            let start = lowest(identity, local);
            let after = Publication {
                pool: first.pool,
                device: DeviceKey::LAST,
                slice: u64::MAX,
                ..start.clone()
            };
            let in_part = |publication: &Publication| {
                publication.identity == *identity
                    && publication.local == local
                    && publication.pool != first.pool
            };
            let mut lowest = self.published.range(start..);
            let mut next = self
                .published
                .range((Bound::Excluded(after), Bound::Unbounded));
            lowest.next().is_some_and(|(one, _)| in_part(one))
                || next.next().is_some_and(|(one, _)| in_part(one))
        };
        is_other(false) || is_other(true)
    }

    /// Adds the groups with devices that a node may have.
    pub(super) fn add_groups(&self, node: &str, groups: &mut Vec<Group>) {
        for identity in &self.crossing {
            let here = |(_, home): &(&Publication, &Option<Str>)| {
                home.as_ref().is_none_or(|home| **home == *node)
            };
            let member =
                |(one, _): (&Publication, &Option<Str>)| -> Member { (one.pool, one.device) };
            // What names the node is no twin of what names another.
            let members: Vec<Member> = self.with(identity).filter(here).map(member).collect();
            let all: Vec<Member> = self.with(identity).map(member).collect();
            let (open, named): (Vec<_>, Vec<_>) = self
                .with(identity)
                .filter(here)
                .partition(|(_, home)| home.is_none());
            let key = |(one, _): (&Publication, &Option<Str>)| one.device;
            let named: Vec<DeviceKey> = named.into_iter().map(key).collect();
            let open: Vec<DeviceKey> = open.into_iter().map(key).collect();
            if members.len() == all.len() {
                let subjects = named.into_iter().chain(open).collect();
                groups.push(Group { members, subjects });
                continue;
            }
            groups.push(Group {
                members,
                subjects: named,
            });
            groups.push(Group {
                members: all,
                subjects: open,
            });
        }
    }
}

fn has_identity(stored: &StoredSlice) -> bool {
    publications(stored).next().is_some()
}

/// Returns what the devices of a slice say, and the node that they name.
pub(super) fn publications(
    stored: &StoredSlice,
) -> impl Iterator<Item = (Publication, Option<Str>)> {
    published(std::iter::once(stored)).flat_map(|(stored, device, physical)| {
        Identity::of(&physical).map(move |identity| {
            let publication = Publication {
                identity,
                local: stored.node().is_some(),
                pool: stored.pool,
                device,
                slice: stored.revision,
            };
            (publication, physical.node.cloned())
        })
    })
}

fn lowest(identity: &Identity, local: bool) -> Publication {
    Publication {
        identity: identity.clone(),
        local,
        pool: PoolKey::FIRST,
        device: DeviceKey::FIRST,
        slice: 0,
    }
}
