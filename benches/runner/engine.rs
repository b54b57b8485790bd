//! An engine with what a workload says.

use std::time::Instant;

use dralloc::model::{
    AllocationResult, DeviceAttribute, DeviceRequestAllocationResult, ResourceClaim, ResourceSlice,
};
use dralloc::{Allocation, Change, Deadline, Engine, Error, Features, Held, Snapshot};

use crate::workload::{InUse, Workload};

/// Returns an engine that knows all objects and what is in use.
pub(crate) fn load(workload: &Workload) -> Result<Engine, Error> {
    let mut engine = Engine::new(Features::all());
    for node in &workload.nodes {
        engine.apply(Change::Node(node.clone()))?;
    }
    for class in &workload.device_classes {
        engine.apply(Change::DeviceClass(class.clone()))?;
    }
    for slice in &workload.resource_slices {
        engine.apply(Change::ResourceSlice(slice.clone()))?;
    }
    let allocated = &workload.allocated;
    let mut held = Held::default();
    held.devices.extend(allocated.devices.iter().map(InUse::id));
    for device in &allocated.shared {
        let share = device.share.clone().unwrap_or_else(|| "".into());
        held.shares.push((device.id(), share));
    }
    for device in &allocated.capacity {
        held.consumed_capacity
            .push((device.id(), device.capacity.clone()));
    }
    engine.apply(Change::Held(held))?;
    Ok(engine)
}

/// Changes what is held of a device, and back: what is kept by the state that
/// is held must be found again, and the answer stays.
pub(crate) fn stir(engine: &mut Engine, slice: Option<&ResourceSlice>) -> Result<(), Error> {
    let Some((spec, device)) = slice.and_then(|slice| {
        let spec = &slice.spec;
        Some((spec, spec.devices.first()?))
    }) else {
        return Ok(());
    };
    let mut claim = ResourceClaim::default();
    claim.metadata.name = "stir".into();
    claim.metadata.uid = Some("stir".into());
    let result = DeviceRequestAllocationResult {
        driver: spec.driver.clone(),
        pool: spec.pool.name.clone(),
        device: device.name.clone(),
        request: "stir".into(),
        ..Default::default()
    };
    let mut allocation = AllocationResult::default();
    allocation.devices.results.push(result);
    let mut transaction = engine.snapshot().transaction();
    transaction.hold(&claim, &allocation);
    transaction.commit(engine)?;
    let mut transaction = engine.snapshot().transaction();
    transaction.release(&claim);
    transaction.commit(engine)?;
    Ok(())
}

/// Returns a later state of a slice, in which an attribute of every device has
/// another value: an engine does nothing with one that is the same.
pub(crate) fn revised(slice: &ResourceSlice, revision: usize) -> ResourceSlice {
    let mut slice = slice.clone();
    let revision = i64::try_from(revision).unwrap_or_default();
    for device in &mut slice.spec.devices {
        let name = "bench.example.com/revision".into();
        let value = DeviceAttribute::Int(revision);
        device.attributes.insert(name, value);
    }
    slice
}

/// Is over at a moment.
#[derive(Clone, Copy)]
pub(crate) struct Until(pub(crate) Instant);

impl Deadline for Until {
    fn is_over(&self) -> bool {
        Instant::now() >= self.0
    }
}

/// Returns the first rule that an answer breaks; what the claims themselves hold
/// does not stand in their way.
pub(crate) fn verify(
    snapshot: &Snapshot,
    claims: &[ResourceClaim],
    allocation: &Allocation,
) -> Result<(), String> {
    let verified = snapshot.verify(allocation.node(), claims, &allocation.results());
    verified.map_err(|violations| {
        let first = violations.first();
        first.map_or_else(String::new, |first| format!("verify: {first:?}"))
    })
}
