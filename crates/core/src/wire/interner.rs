//! [`Interner`]: what many objects have in common, kept once.

use super::Object;
use super::json::DeviceMaps;
use crate::model::{Counter, DeviceAttribute, DeviceCapacity, ResourceSlice, Shapes, Texts};

/// Keeps once what objects have in common.
#[derive(Debug, Default)]
pub(super) struct Interner {
    /// What the last devices said.
    pub(super) maps: DeviceMaps,
    texts: Texts,
    attributes: Shapes<DeviceAttribute>,
    capacity: Shapes<DeviceCapacity>,
    counters: Shapes<Counter>,
}

impl Interner {
    /// Reads an object, whose text is shared with that of others.
    pub(super) fn read<T>(&mut self, read: impl FnOnce() -> T) -> T {
        self.texts.during(read)
    }

    /// Shares what repeats in an object, and between objects of its kind.
    pub(super) fn share(&mut self, object: &mut Object) {
        if let Object::ResourceSlice(slice) = object {
            self.resource_slice(slice);
        }
    }

    fn resource_slice(&mut self, slice: &mut ResourceSlice) {
        let devices = &mut slice.spec.devices;
        // Lists grow by doubling; most are far from full.
        devices.shrink_to_fit();
        let attributes = devices.iter_mut().map(|device| &mut device.attributes);
        self.attributes.share(attributes.collect());
        let capacity = devices.iter_mut().map(|device| &mut device.capacity);
        self.capacity.share(capacity.collect());
        // A look with leave to write would make room for them.
        let cut = devices
            .iter_mut()
            .filter(|device| !device.consumes_counters.is_empty());
        let consumed = cut.flat_map(|device| &mut device.consumes_counters);
        let consumed = consumed.map(|consumption| &mut consumption.counters);
        self.counters.share(consumed.collect());
    }
}
