//! [`StoredSlice`]: a slice with the numbers of what it names.

use std::sync::{Arc, OnceLock};

use super::rows::KnownRows;
use super::{Catalog, DeviceKey, PoolKey, Rows};
use crate::model::{ResourceSlice, Str};
use crate::number::number;
use crate::rules::are_capacities_alike;

/// Is a slice with the numbers of what it names.
#[derive(Debug)]
pub(crate) struct StoredSlice {
    /// The slice as everything sees it.
    pub(crate) slice: ResourceSlice,
    /// The slice as it was published, where overlays made it another.
    published: Option<Box<ResourceSlice>>,
    /// Is another for every content, for caches.
    pub(crate) revision: u64,
    pub(crate) pool: PoolKey,
    pub(crate) devices: Box<[DeviceKey]>,
    /// Tells slices without identity of one name apart; 0 for one with a uid.
    place: u64,
    /// Made when the first expression is evaluated.
    rows: OnceLock<Arc<Rows>>,
    /// By device: the first of those in a row whose capacities are written alike.
    /// Made when somebody first asks what is taken of them.
    alike: OnceLock<Box<[u32]>>,
    known_rows: KnownRows,
}

impl StoredSlice {
    pub(crate) fn new(slice: ResourceSlice, place: u64, catalog: &mut Catalog) -> Self {
        let spec = &slice.spec;
        let names = spec.devices.iter().map(|device| &device.name);
        let (pool, devices) = catalog.numbers(&spec.driver, &spec.pool.name, names);
        Self {
            slice,
            published: None,
            revision: catalog.next_revision(),
            pool,
            devices,
            place,
            rows: OnceLock::new(),
            alike: OnceLock::new(),
            known_rows: catalog.rows(),
        }
    }

    /// Returns the slice as overlays left it, if they changed it: attributes only.
    pub(crate) fn under(mut self, overlaid: Option<ResourceSlice>) -> Self {
        if let Some(overlaid) = overlaid {
            let published = std::mem::replace(&mut self.slice, overlaid);
            self.published = Some(Box::new(published));
        }
        self
    }

    /// Returns the slice as it was published.
    pub(crate) fn published(&self) -> &ResourceSlice {
        self.published.as_deref().unwrap_or(&self.slice)
    }

    pub(crate) fn is_overlaid(&self) -> bool {
        self.published.is_some()
    }

    pub(crate) fn place(&self) -> u64 {
        self.place
    }

    /// Returns the devices as expressions read them.
    pub(crate) fn rows(&self) -> &Rows {
        self.rows
            .get_or_init(|| self.known_rows.of(&self.slice.spec.devices))
    }

    /// Returns the place of the first device of those in a row that have the same
    /// capacities, written alike.
    pub(crate) fn first_alike(&self, device: usize) -> usize {
        let alike = self.alike.get_or_init(|| {
            let devices = &self.slice.spec.devices;
            let mut first = 0;
            let places = devices.iter().enumerate().map(|(place, device)| {
                if !are_capacities_alike(&devices[first].capacity, &device.capacity) {
                    first = place;
                }
                number(first)
            });
            places.collect()
        });
        alike.get(device).map_or(device, |first| *first as usize)
    }

    /// Returns the node that the slice names.
    pub(super) fn node(&self) -> Option<&Str> {
        let name = self.slice.spec.node_name.as_ref();
        name.filter(|name| !name.is_empty())
    }

    /// Returns by what slices are in order: never by when they came.
    pub(crate) fn order(&self) -> (&Str, u64) {
        (&self.slice.metadata.name, self.place)
    }
}

/// Is a list of slices in order; it is short, but for pools over many nodes.
pub(super) type SliceList = Vec<Arc<StoredSlice>>;

/// Lists with fewer slices have no room to spare: every node and pool has one.
const FEW: usize = 4;

/// Takes a slice out of a list and puts another in.
pub(super) fn exchange(
    list: &mut SliceList,
    old: Option<&Arc<StoredSlice>>,
    new: Option<&Arc<StoredSlice>>,
) {
    let find = |list: &SliceList, one: &StoredSlice| {
        list.binary_search_by(|other| other.order().cmp(&one.order()))
    };
    if let Some(Ok(place)) = old.map(|old| find(list, old)) {
        list.remove(place);
    }
    if let Some(new) = new {
        if list.len() < FEW {
            list.reserve_exact(1);
        }
        match find(list, new) {
            Ok(place) => list[place] = Arc::clone(new),
            Err(place) => list.insert(place, Arc::clone(new)),
        }
    }
}
