//! Which devices are physically the same, as a dump has it.

use std::sync::Arc;

use super::document::DepartedState;
use super::layout::Layout;
use crate::engine::Engine;
use crate::engine::form::text;
use crate::error::{Code, Error};
use crate::model::{DeviceId, Str};
use crate::rules::Physical;
use crate::store::{DeclaredTwins, Inventory, SharedCatalog};

pub(super) fn write(layout: &mut Layout, inventory: &Inventory, catalog: &SharedCatalog) {
    layout.list("twins", inventory.declared_twins().names().iter().map(text));
    let catalog = catalog.lock();
    let departed = inventory.departed().iter().map(|(pool, key, physical)| {
        let (driver, name) = catalog.name(pool);
        let mut devices = catalog.devices(pool);
        let device = devices.find(|(other, _)| *other == key);
        DepartedState {
            driver,
            pool: name,
            device: device.map(|(_, name)| name.clone()).unwrap_or_default(),
            node_name: physical.node.cloned(),
            bus_id: physical.bus_id.cloned(),
            uuid: physical.uuid.cloned(),
        }
    });
    let mut departed: Vec<DepartedState> = departed.collect();
    departed.sort_unstable();
    layout.list("departed", departed.iter().map(text));
}

pub(super) fn declare(engine: &mut Engine, names: Vec<Vec<DeviceId>>) {
    let mut catalog = engine.catalog.lock();
    let declared = DeclaredTwins::new(names, &mut catalog);
    let inventory = Arc::make_mut(&mut engine.inventory);
    inventory.set_declared_twins(declared, false, &mut catalog);
}

pub(super) fn restore(engine: &mut Engine, state: DepartedState) -> Result<(), Error> {
    let DepartedState {
        driver,
        pool,
        device,
        node_name,
        bus_id,
        uuid,
    } = state;
    let physical = Physical {
        node: node_name.as_ref(),
        bus_id: bus_id.as_ref(),
        uuid: uuid.as_ref(),
    };
    if !is_one_thing(&physical) {
        let message = "expected a `uuid`, or `nodeName` and `pciBusID`";
        return Err(Error::new(Code::Invalid, message));
    }
    let keys = engine
        .catalog
        .lock()
        .keys(&DeviceId::new(driver, pool, device));
    Arc::make_mut(&mut engine.inventory).restore_departed(keys, &physical);
    Ok(())
}

/// Returns whether a device is told by exactly one thing.
fn is_one_thing(physical: &Physical<'_>) -> bool {
    let is_text = |text: &&Str| !text.is_empty();
    let bus_id = physical.bus_id.filter(is_text);
    let uuid = physical.uuid.filter(is_text);
    match (bus_id, uuid) {
        (Some(_), None) => physical.node.is_some(),
        (None, Some(_)) => physical.bus_id.is_none(),
        _ => false,
    }
}
