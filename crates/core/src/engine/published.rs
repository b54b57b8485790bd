//! What drivers publish, pool by pool and whatever node may have it.

use std::sync::Arc;

use super::Snapshot;
use crate::model::{Device, ResourceSlice};
use crate::rules::node_of;
use crate::store::{Pool, PoolFault, StoredSlice};

/// Is a pool with the slices of its newest generation, as all nodes together see it.
#[derive(Debug)]
pub struct PublishedPool<'s> {
    pool: Arc<Pool>,
    /// In canonical order.
    slices: Vec<&'s StoredSlice>,
    older: Vec<&'s StoredSlice>,
}

/// Is a device of a [`PublishedPool`].
#[derive(Clone, Copy, Debug)]
pub struct PublishedDevice<'s> {
    /// The slice that it is in.
    pub slice: &'s ResourceSlice,
    /// The device, as attribute overlays leave it.
    pub device: &'s Device,
}

impl Snapshot {
    /// Returns the pools that drivers publish, by driver and name.
    ///
    /// # Examples
    ///
    /// ```
    /// use dralloc::{Change, Engine, Features, PoolFault, model::ResourceSlice};
    ///
    /// let slice: ResourceSlice = dralloc::wire::from_json(
    ///     r#"{"metadata": {"name": "a"}, "spec": {
    ///         "driver": "gpu.example.com", "nodeName": "node-1",
    ///         "pool": {"name": "node-1", "generation": 1, "resourceSliceCount": 2},
    ///         "devices": [{"name": "gpu-0"}]}}"#,
    /// ).map_err(|fault| fault.error)?;
    /// let mut engine = Engine::new(Features::all());
    /// engine.apply(Change::ResourceSlice(slice))?;
    /// let snapshot = engine.snapshot();
    /// let pools = snapshot.published_pools();
    /// assert_eq!(pools[0].fault(), Some(PoolFault::Incomplete));
    /// assert_eq!(pools[0].devices().count(), 1);
    /// # Ok::<(), dralloc::Error>(())
    /// ```
    pub fn published_pools(&self) -> Vec<PublishedPool<'_>> {
        let pools = self.inventory.whole_pools().into_iter().map(|pool| {
            let newest = self.inventory.newest_of_pool(pool.key);
            let mut slices: Vec<&StoredSlice> = newest.map(|stored| &**stored).collect();
            let generation = |stored: &StoredSlice| stored.slice.spec.pool.generation;
            let newest = slices.first().map(|stored| generation(stored));
            let all = self.inventory.of_pool(pool.key).iter();
            let all = all.map(|stored| &**stored);
            let mut older: Vec<&StoredSlice> = all
                .filter(|stored| Some(generation(stored)) < newest)
                .collect();
            slices.sort_by(|one, other| one.order().cmp(&other.order()));
            older.sort_by(|one, other| one.order().cmp(&other.order()));
            PublishedPool {
                pool,
                slices,
                older,
            }
        });
        pools.collect()
    }
}

impl<'s> PublishedPool<'s> {
    /// Returns the driver of the pool.
    pub fn driver(&self) -> &str {
        &self.pool.driver
    }

    /// Returns the name of the pool.
    pub fn name(&self) -> &str {
        &self.pool.name
    }

    /// Returns why devices of the pool cannot be allocated even if a node sees all of
    /// it; nothing if they can.
    pub fn fault(&self) -> Option<PoolFault> {
        self.pool.status.fault()
    }

    /// Returns the slices of the newest generation, by name.
    pub fn slices(&self) -> impl Iterator<Item = &'s ResourceSlice> + '_ {
        self.slices.iter().map(|stored| &stored.slice)
    }

    /// Returns the slices of older generations, which do not count, by name.
    pub fn older(&self) -> impl Iterator<Item = &'s ResourceSlice> + '_ {
        self.older.iter().map(|stored| &stored.slice)
    }

    /// Returns the devices of the newest generation, in canonical order; none of a slice
    /// with shared counters, which has no devices.
    pub fn devices(&self) -> impl Iterator<Item = PublishedDevice<'s>> + '_ {
        let slices = self.slices();
        let slices = slices.filter(|slice| slice.spec.shared_counters.is_empty());
        slices.flat_map(|slice| {
            let devices = slice.spec.devices.iter();
            devices.map(move |device| PublishedDevice { slice, device })
        })
    }
}

impl<'s> PublishedDevice<'s> {
    /// Returns the only node that has the device; none if it may be on several.
    pub fn node(&self) -> Option<&'s str> {
        let (name, _) = node_of(&self.slice.spec, self.device);
        name.map(|name| &**name).filter(|name| !name.is_empty())
    }
}
