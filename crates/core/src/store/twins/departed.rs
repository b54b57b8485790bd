//! [`Departed`]: devices that were held when their slices went away.

use imbl::OrdMap;

use super::Group;
use super::index::{Identity, publications};
use crate::model::Str;
use crate::rules::Physical;
use crate::store::{DeviceEntry, DeviceKey, PoolKey, StoredSlice};

/// Remembers what held devices were that nobody publishes any more: a driver
/// that is gone leaves its pods, and other drivers publish the same cards.
#[derive(Clone, Debug, Default)]
pub(crate) struct Departed {
    /// The pool, and the node that the device named.
    published: OrdMap<(Identity, DeviceKey), (PoolKey, Option<Str>)>,
    devices: OrdMap<DeviceKey, Vec<Identity>>,
}

impl Departed {
    /// Remembers held devices of a slice that goes away, and forgets those of
    /// one that comes.
    pub(in crate::store) fn exchange(
        &mut self,
        old: Option<&StoredSlice>,
        held: &[DeviceKey],
        new: Option<&StoredSlice>,
    ) {
        if let Some(old) = old.filter(|_| !held.is_empty()) {
            for (publication, node) in publications(old) {
                let (identity, key) = (publication.identity, publication.device);
                if held.contains(&key) {
                    self.devices.entry(key).or_default().push(identity.clone());
                    self.published
                        .insert((identity, key), (publication.pool, node));
                }
            }
        }
        if self.devices.is_empty() {
            return;
        }
        for key in new.into_iter().flat_map(|new| &new.devices) {
            for identity in self.devices.remove(key).unwrap_or_default() {
                self.published.remove(&(identity, *key));
            }
        }
    }

    /// Returns whether devices of a slice that comes are not any more what is
    /// remembered of them: any node may have their former twins.
    pub(in crate::store) fn loses(&self, new: &StoredSlice) -> bool {
        let mut keys = new.devices.iter();
        !self.devices.is_empty()
            && keys.any(|key| {
                let remembered = self.devices.get(key).map_or(&[][..], Vec::as_slice);
                remembered.iter().any(|identity| {
                    let mut published = publications(new);
                    !published.any(|(one, _)| one.device == *key && one.identity == *identity)
                })
            })
    }

    /// Returns what is remembered.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (PoolKey, DeviceKey, Physical<'_>)> {
        let published = self.published.iter();
        published.map(|((identity, key), (pool, node))| {
            let mut physical = Physical {
                node: node.as_ref(),
                bus_id: None,
                uuid: None,
            };
            match identity {
                Identity::BusId(_, id) => physical.bus_id = Some(id),
                Identity::Uuid(id) => physical.uuid = Some(id),
            }
            (*pool, *key, physical)
        })
    }

    /// Returns whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.devices.is_empty()
    }

    /// Remembers a device again, as [`Departed::iter`] told of it.
    pub(in crate::store) fn restore(
        &mut self,
        (pool, key): (PoolKey, DeviceKey),
        physical: &Physical<'_>,
    ) {
        for identity in Identity::of(physical) {
            self.devices.entry(key).or_default().push(identity.clone());
            let published = (pool, physical.node.cloned());
            self.published.insert((identity, key), published);
        }
    }

    /// Adds a group for each of them and a device that a node sees.
    pub(super) fn add_groups(&self, node: &str, devices: &[DeviceEntry], groups: &mut Vec<Group>) {
        for entry in devices {
            let (own, key) = (entry.stored.pool, entry.key);
            let physical = Physical::of(&entry.stored.slice.spec, entry.device());
            if physical.node.is_some_and(|name| **name != *node) {
                continue;
            }
            for identity in Identity::of(&physical) {
                let start = (identity.clone(), DeviceKey::FIRST);
                let same = self.published.range(start..);
                let same = same.take_while(|((other, _), _)| *other == identity);
                for ((_, other), (pool, home)) in same {
                    let apart = physical.node.is_some() && home.is_some();
                    let apart = apart && physical.node != home.as_ref();
                    if !apart && *pool != own {
                        groups.push(Group {
                            members: vec![(own, key), (*pool, *other)],
                            subjects: vec![key],
                        });
                    }
                }
            }
        }
    }
}
