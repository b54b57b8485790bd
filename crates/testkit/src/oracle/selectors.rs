//! Whether a device is what a request asks for, whoever has it.

use dralloc::model::DeviceSelector;

use super::failure::{Failure, FailureKind};
use super::nodes::device_matches;
use super::requests::Alternative;
use super::world::{Offer, World};

/// Returns whether class, request and node select a device, in this order.
pub(super) fn select(
    world: &World<'_>,
    alternative: &Alternative<'_>,
    offer: &Offer<'_>,
) -> Result<bool, Failure> {
    let has_conditions = offer
        .device
        .binding_conditions
        .as_ref()
        .is_some_and(|list| !list.is_empty());
    if has_conditions && !world.case.features.device_binding_and_status {
        return Ok(false);
    }
    for selectors in [&*alternative.class.spec.selectors, alternative.selectors] {
        for selector in selectors {
            if !matches(world, selector, offer)? {
                return Ok(false);
            }
        }
    }
    if offer.slice.spec.per_device_node_selection == Some(true) {
        return device_matches(offer.device, &world.case.node);
    }
    Ok(true)
}

fn matches(
    world: &World<'_>,
    selector: &DeviceSelector,
    offer: &Offer<'_>,
) -> Result<bool, Failure> {
    let Some(cel) = &selector.cel else {
        return Err(Failure::new(
            FailureKind::Unsupported,
            "selector without an expression",
        ));
    };
    world
        .expressions
        .selects(&cel.expression, &offer.id.driver, offer.device)
}
