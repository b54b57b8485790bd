//! [`DeclaredTwins`]: devices that the host says are the same.

use std::collections::BTreeSet;

use super::{Group, Member};
use crate::model::{DeviceId, Str};
use crate::store::{Catalog, PoolKey};

/// Lists devices that the host says are the same, as numbers, too.
#[derive(Debug, Default)]
pub(crate) struct DeclaredTwins {
    names: Vec<Vec<DeviceId>>,
    groups: Vec<Vec<Member>>,
}

impl DeclaredTwins {
    pub(crate) fn new(names: Vec<Vec<DeviceId>>, catalog: &mut Catalog) -> Self {
        let groups = names.iter();
        let groups = groups.map(|group| group.iter().map(|id| catalog.keys(id)).collect());
        Self {
            groups: groups.collect(),
            names,
        }
    }

    /// Returns the names as they were declared.
    pub(crate) fn names(&self) -> &[Vec<DeviceId>] {
        &self.names
    }

    /// Returns the pool and the device of each name.
    pub(crate) fn groups(&self) -> &[Vec<Member>] {
        &self.groups
    }

    /// Returns the same, and for groups of devices of some pools another one
    /// with the names of these pools replaced.
    pub(crate) fn with_copies(
        &self,
        copies: &[(Str, Str, Str)],
        catalog: &mut Catalog,
    ) -> Option<Self> {
        let copy = |id: &DeviceId| {
            let mut copies = copies.iter();
            let (_, _, pool) =
                copies.find(|(driver, pool, _)| *driver == id.driver && *pool == id.pool)?;
            let (driver, device) = (id.driver.clone(), id.device.clone());
            Some(DeviceId::new(driver, pool.clone(), device))
        };
        let more = self.names.iter();
        let more = more.map(|group| group.iter().filter_map(copy).collect());
        let more: Vec<Vec<DeviceId>> = more.filter(|group: &Vec<_>| group.len() > 1).collect();
        if more.is_empty() {
            return None;
        }
        let names = self.names.iter().cloned().chain(more);
        Some(Self::new(names.collect(), catalog))
    }

    /// Returns the pools of the devices that have other twins in another list.
    pub(crate) fn changed_pools(&self, other: &Self) -> BTreeSet<PoolKey> {
        let changed = |one: &Self, other: &Self| -> Vec<Member> {
            let groups = one.groups.iter();
            let groups = groups.filter(|group| !other.groups.contains(group));
            groups.flatten().copied().collect()
        };
        let mut members = changed(self, other);
        members.extend(changed(other, self));
        members.iter().map(|(pool, _)| *pool).collect()
    }

    pub(super) fn add_groups(&self, groups: &mut Vec<Group>) {
        groups.extend(self.groups.iter().map(|members| Group {
            members: members.clone(),
            subjects: members.iter().map(|(_, key)| *key).collect(),
        }));
    }
}
