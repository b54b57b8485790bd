//! [`Fault`]: what is wrong with a step.

use dralloc_quantity::Amount;

use crate::model::{DeviceId, Quantity};
use crate::verify::violation::ViolationCode;

/// Is what is wrong with a step: where in it, and what.
pub(super) type Fault = (ViolationCode, &'static str, String);

/// Checks that devices are named in full, in order and nothing else.
pub(super) fn expect_devices(
    expected: &[DeviceId],
    stated: &[DeviceId],
    field: &'static str,
) -> Result<(), Fault> {
    if expected == stated {
        return Ok(());
    }
    let missing = expected.iter().find(|id| !stated.contains(id));
    let surplus = stated.iter().find(|id| !expected.contains(id));
    let message = match (missing, surplus) {
        (Some(id), _) => format!("without `{id}`, expected all devices that can serve"),
        (None, Some(id)) => format!("`{id}` cannot serve, expected only devices that can"),
        (None, None) => "not in order, expected each device once, in order".into(),
    };
    Err((ViolationCode::CertificateDevices, field, message))
}

pub(super) fn is_too_little<T: PartialOrd + Clone + Into<Shown>>(
    stated: &(T, T),
    found: &(T, T),
    field: &'static str,
) -> Result<(), Fault> {
    let text = |amount: &T| -> String { amount.clone().into().0 };
    if stated.0 != found.0 {
        let (stated, found) = (text(&stated.0), text(&found.0));
        return Err(other_sum(".needed", &stated, &found));
    }
    if stated.1 != found.1 {
        let (stated, found) = (text(&stated.1), text(&found.1));
        return Err(other_sum(field, &stated, &found));
    }
    if found.0 <= found.1 {
        let message = format!("{} of {} is enough", text(&found.1), text(&found.0));
        return Err(enough(field, &message));
    }
    Ok(())
}

/// Is the text of a number.
pub(super) struct Shown(String);

impl From<usize> for Shown {
    fn from(number: usize) -> Self {
        Self(number.to_string())
    }
}

impl From<Amount> for Shown {
    fn from(amount: Amount) -> Self {
        Self(Quantity::from(amount).to_string())
    }
}

pub(super) fn other_sum(
    field: &'static str,
    stated: &impl ToString,
    found: &impl ToString,
) -> Fault {
    let message = format!("{}, expected {}", stated.to_string(), found.to_string());
    (ViolationCode::CertificateSum, field, message)
}

pub(super) fn enough(field: &'static str, what: &str) -> Fault {
    let message = format!("{what}, expected too little");
    (ViolationCode::CertificateShowsNothing, field, message)
}

pub(super) fn too_large() -> Fault {
    let message = "too many combinations, expected parts that can be checked".into();
    (ViolationCode::CertificateEffort, ".parts", message)
}
