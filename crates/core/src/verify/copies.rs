//! What a result repeats of its request, its device and its slice.

use super::violation::{Report, ViolationCode};
use super::{Pick, World};
use crate::model::Str;

/// Checks the fields of a result that are copied.
pub(super) fn check(world: &World<'_>, pick: &Pick<'_, '_>, report: &mut Report) {
    let result = pick.result;
    let mut add = |code, field: &str, message: String| {
        report.add(code, format!("{}.{field}", pick.path), message);
    };
    let admin_access = pick.alternative.admin_access;
    if result.admin_access.unwrap_or(false) != admin_access {
        let message = format!(
            "{}, expected {admin_access} as in the request",
            !admin_access
        );
        add(ViolationCode::AdminAccess, "adminAccess", message);
    }
    if result.tolerations != pick.alternative.tolerations {
        let message = "not those of the request, expected a copy";
        add(ViolationCode::Tolerations, "tolerations", message.into());
    }
    let device = pick.offer.device;
    let mut copied = |code, field: &str, found: &[Str], expected: &[Str], source: &str| {
        if found != expected {
            let message = format!("{found:?}, expected {expected:?} as in the {source}");
            add(code, field, message);
        }
    };
    let conditions = |list: &'_ Option<Vec<Str>>| {
        let list = list
            .as_ref()
            .filter(|_| world.features.device_binding_and_status);
        list.cloned().unwrap_or_default()
    };
    copied(
        ViolationCode::BindingConditions,
        "bindingConditions",
        &result.binding_conditions,
        &conditions(&device.binding_conditions),
        "device",
    );
    copied(
        ViolationCode::BindingFailureConditions,
        "bindingFailureConditions",
        &result.binding_failure_conditions,
        &conditions(&device.binding_failure_conditions),
        "device",
    );
    copied(
        ViolationCode::SkipNodeOperations,
        "skipNodeOperations",
        &result.skip_node_operations,
        &pick.offer.spec.skip_node_operations,
        "slice",
    );
}
