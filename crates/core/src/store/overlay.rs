//! Attribute overlays: slices with other attributes than were published.

use crate::model::{
    AttributeOverlay, AttributeOverlaySelector, AttributeOverlaySpec, Device, DeviceAttribute, Map,
    Node, ResourceSlice, Str,
};
use crate::rules::{DevicePattern, find_name, node_of};

/// Returns a slice as overlays leave it, one after the other; nothing if that
/// is as it was.
pub(crate) fn overlaid<'a>(
    slice: &ResourceSlice,
    overlays: impl Iterator<Item = &'a AttributeOverlay>,
    node: &dyn Fn(&str) -> Option<&'a Node>,
) -> Option<ResourceSlice> {
    let overlays = overlays.filter(|overlay| may_select(overlay, slice));
    let overlays: Vec<&AttributeOverlay> = overlays.collect();
    if overlays.is_empty() {
        return None;
    }
    let mut result: Option<ResourceSlice> = None;
    for (place, published) in slice.spec.devices.iter().enumerate() {
        let mut device: Option<Device> = None;
        for overlay in &overlays {
            let current = device.as_ref().unwrap_or(published);
            if selects(overlay, slice, current, node) {
                let attributes = changed(&overlay.spec, &slice.spec.driver, current);
                device.get_or_insert_with(|| published.clone()).attributes = attributes;
            }
        }
        if let Some(device) = device.filter(|device| device.attributes != published.attributes)
            && let Some(slot) = result
                .get_or_insert_with(|| slice.clone())
                .spec
                .devices
                .get_mut(place)
        {
            *slot = device;
        }
    }
    result
}

/// Returns whether an overlay may concern a slice, as its driver and pool say.
pub(crate) fn may_select(overlay: &AttributeOverlay, slice: &ResourceSlice) -> bool {
    let selector = overlay.spec.selector.as_ref();
    let (driver, pool) = (&slice.spec.driver, &slice.spec.pool.name);
    selector.is_some_and(|selector| pattern(selector).may_select(driver, pool))
}

fn selects<'a>(
    overlay: &AttributeOverlay,
    slice: &ResourceSlice,
    device: &Device,
    node: &dyn Fn(&str) -> Option<&'a Node>,
) -> bool {
    let Some(selector) = &overlay.spec.selector else {
        return false;
    };
    pattern(selector).selects(&slice.spec.driver, &slice.spec.pool.name, device)
        && selector.node_selector.as_ref().is_none_or(|nodes| {
            let name = node_of(&slice.spec, device).0;
            let known = name.and_then(|name| node(name));
            // Malformed selectors are refused when they come.
            known.is_some_and(|known| nodes.matches(known).unwrap_or(false))
        })
}

fn pattern(selector: &AttributeOverlaySelector) -> DevicePattern<'_> {
    DevicePattern {
        driver: selector.driver.as_deref(),
        pool: selector.pool.as_deref(),
        device: selector.device.as_deref(),
        attributes: &selector.attributes,
    }
}

/// Returns the attributes of a device as one overlay leaves them.
///
/// Renames happen all at once, so that names can be exchanged. A name takes the
/// place of the same name in its other form, with or without the driver's domain.
fn changed(
    spec: &AttributeOverlaySpec,
    driver: &str,
    device: &Device,
) -> Map<Str, DeviceAttribute> {
    let mut changed = Device {
        attributes: device.attributes.clone(),
        ..Device::default()
    };
    let mut renamed = Vec::new();
    for rename in &spec.rename {
        if let Some((name, value)) = find_name(device, driver, &rename.from) {
            renamed.push((rename.to.clone(), value.clone()));
            changed.attributes = without(&changed.attributes, name);
        }
    }
    for (name, value) in renamed {
        if let Some((old, _)) = find_name(&changed, driver, &name) {
            changed.attributes = without(&changed.attributes, &old.clone());
        }
        changed.attributes.insert(name, value);
    }
    for (name, value) in &spec.attributes {
        let known = find_name(&changed, driver, name);
        let name = known.map_or(name, |(known, _)| known).clone();
        changed.attributes.insert(name, value.clone());
    }
    changed.attributes
}

fn without(attributes: &Map<Str, DeviceAttribute>, name: &str) -> Map<Str, DeviceAttribute> {
    let others = attributes.iter().filter(|(other, _)| ***other != *name);
    let others = others.map(|(name, value)| (name.clone(), value.clone()));
    others.collect()
}
