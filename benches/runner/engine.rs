//! An engine with what a workload says.

use dralloc::model::{ResourceClaim, ResourceSlice};
use dralloc::{Change, Engine, Error, Features, Held, Outcome};

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
    let result = dralloc::model::DeviceRequestAllocationResult {
        driver: spec.driver.clone(),
        pool: spec.pool.name.clone(),
        device: device.name.clone(),
        request: "stir".into(),
        ..Default::default()
    };
    let mut allocation = dralloc::model::AllocationResult::default();
    allocation.devices.results.push(result);
    let mut transaction = engine.snapshot().transaction();
    transaction.hold(&claim, &allocation);
    transaction.commit(engine)?;
    let mut transaction = engine.snapshot().transaction();
    transaction.release(&claim);
    transaction.commit(engine)?;
    Ok(())
}

/// Returns how an answer is written in a record.
pub(crate) fn word(outcome: &Result<Outcome, Error>) -> String {
    match outcome {
        Ok(Outcome::Optimal(_) | Outcome::Feasible { .. }) => "yes".to_owned(),
        Ok(Outcome::Infeasible(_)) => "no".to_owned(),
        Ok(Outcome::Unknown(_)) => ">timeout".to_owned(),
        Err(error) => format!("error: {error}"),
    }
}
