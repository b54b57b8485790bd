//! [`Objects`]: what was applied, by identity and in order.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::{Catalog, DeviceKey, PoolKey, Rows};
use crate::model::{DeviceClass, DeviceTaintRule, Node, ObjectMeta, ResourceSlice, Str};

/// Holds the objects that say which devices there are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Objects {
    pub(crate) slices: List<Arc<StoredSlice>>,
    pub(crate) classes: List<Arc<DeviceClass>>,
    pub(crate) taint_rules: List<Arc<DeviceTaintRule>>,
    pub(crate) nodes: BTreeMap<Str, Arc<Node>>,
}

/// Is a slice with the numbers of what it names.
#[derive(Debug)]
pub(crate) struct StoredSlice {
    pub(crate) slice: ResourceSlice,
    /// Is another for every content, for caches.
    pub(crate) revision: u64,
    pub(crate) pool: PoolKey,
    pub(crate) devices: Box<[DeviceKey]>,
    /// Made when the first expression is evaluated.
    rows: OnceLock<Rows>,
}

impl StoredSlice {
    pub(crate) fn new(slice: ResourceSlice, revision: u64, catalog: &mut Catalog) -> Self {
        let spec = &slice.spec;
        let pool = catalog.pool(&spec.driver, &spec.pool.name);
        let devices = spec
            .devices
            .iter()
            .map(|device| catalog.device(pool, &device.name));
        let devices = devices.collect();
        Self {
            slice,
            revision,
            pool,
            devices,
            rows: OnceLock::new(),
        }
    }

    /// Returns the devices as expressions read them.
    pub(crate) fn rows(&self) -> &Rows {
        self.rows
            .get_or_init(|| Rows::new(&self.slice.spec.devices))
    }
}

/// Is a list whose entries are known by name and uid, or else by their place alone.
///
/// An object that was made anew has the name of the old one and another uid; it
/// takes the place of the old one, also if nobody said that that is gone.
#[derive(Clone, Debug)]
pub(crate) struct List<T> {
    entries: BTreeMap<u64, T>,
    by_name: BTreeMap<Str, Known>,
    next: u64,
}

#[derive(Clone, Debug)]
struct Known {
    place: u64,
    metadata: ObjectMeta,
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self {
            entries: BTreeMap::new(),
            by_name: BTreeMap::new(),
            next: 0,
        }
    }
}

impl<T> List<T> {
    /// Returns whether a state of an object is news.
    pub(crate) fn is_news(&self, metadata: &ObjectMeta) -> bool {
        let known = self.by_name.get(&metadata.name);
        identity(metadata).is_none() || known.is_none_or(|known| newer(metadata, &known.metadata))
    }

    /// Puts an entry at the place of its name, or at the end; returns what was there.
    pub(crate) fn put(&mut self, metadata: &ObjectMeta, entry: T) -> Option<T> {
        let known = self.by_name.get(&metadata.name);
        let place = match (identity(metadata), known) {
            (Some(_), Some(known)) => known.place,
            _ => self.next,
        };
        self.next = self.next.max(place + 1);
        if identity(metadata).is_some() {
            let metadata = ObjectMeta {
                name: metadata.name.clone(),
                uid: metadata.uid.clone(),
                resource_version: metadata.resource_version.clone(),
                ..ObjectMeta::default()
            };
            let name = metadata.name.clone();
            self.by_name.insert(name, Known { place, metadata });
        }
        self.entries.insert(place, entry)
    }

    /// Takes the entry with a uid away.
    pub(crate) fn remove(&mut self, uid: &str) -> Option<T> {
        let is_it = |known: &Known| known.metadata.uid.as_deref() == Some(uid);
        let (name, known) = self.by_name.iter().find(|(_, known)| is_it(known))?;
        let (name, place) = (name.clone(), known.place);
        self.by_name.remove(&name);
        self.entries.remove(&place)
    }

    /// Takes the entries away that a condition does not hold for.
    pub(crate) fn retain(&mut self, keep: impl Fn(&T) -> bool) -> bool {
        let before = self.entries.len();
        self.entries.retain(|_, entry| keep(entry));
        let entries = &self.entries;
        self.by_name
            .retain(|_, known| entries.contains_key(&known.place));
        self.entries.len() != before
    }

    /// Returns the entries in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.entries.values()
    }
}

fn identity(metadata: &ObjectMeta) -> Option<&Str> {
    metadata.uid.as_ref().filter(|uid| !uid.is_empty())
}

/// Returns whether a state of an object is newer than what is known of it.
///
/// Versions are opaque but for their order, and comparable numbers in every
/// Kubernetes since 1.35 (KEP-5504). Where one is missing, what comes later counts.
pub(crate) fn newer(metadata: &ObjectMeta, known: &ObjectMeta) -> bool {
    let version = |metadata: &ObjectMeta| -> Option<u128> {
        metadata
            .resource_version
            .as_ref()
            .and_then(|version| version.parse().ok())
    };
    match (version(metadata), version(known)) {
        (Some(version), Some(known)) => version > known,
        _ => true,
    }
}
