//! Capacities of devices, and the policies for taking shares of them.

use dralloc_quantity::{Amount, Quantity};

use super::limits;
use super::report::{Path, Report};
use crate::error::Code;
use crate::features::Features;
use crate::model::{CapacityRequestPolicy, CapacityRequestPolicyRange, DeviceCapacity};

/// Checks one capacity; only devices that several claims may share have policies.
pub(super) fn capacity(
    report: &mut Report,
    path: &Path<'_>,
    capacity: &DeviceCapacity,
    shared: bool,
    features: Features,
) {
    not_negative(report, &path.field("value"), &capacity.value);
    let path = &path.field("requestPolicy");
    match &capacity.request_policy {
        Some(policy) if features.consumable_capacity => {
            if shared {
                request_policy(report, path, policy, &capacity.value, features);
            } else {
                let message = "expected no policy on a device without `allowMultipleAllocations`";
                report.invalid(path, message);
            }
        }
        _ => {}
    }
}

/// Checks that an amount is not below zero.
pub(super) fn not_negative(report: &mut Report, path: &Path<'_>, amount: &Quantity) -> bool {
    if amount.sign() < 0 {
        report.invalid(path, format!("expected 0 or more, found `{amount}`"));
    }
    amount.sign() >= 0
}

fn request_policy(
    report: &mut Report,
    path: &Path<'_>,
    policy: &CapacityRequestPolicy,
    value: &Quantity,
    features: Features,
) {
    let values = policy.valid_values.as_deref().unwrap_or_default();
    let range = policy.valid_range.as_ref();
    if !values.is_empty() && range.is_some() {
        report.invalid(
            path,
            "expected at most one of `validValues` and `validRange`, found both",
        );
    }
    let fallback = &path.field("default");
    let is_free = values.is_empty() && range.is_none();
    let Some(default) = &policy.default else {
        if !is_free {
            report.required(fallback, "a default beside `validValues` or `validRange`");
        }
        return;
    };
    if is_free {
        not_negative(report, fallback, default);
    }
    if !values.is_empty() {
        let path = &path.field("validValues");
        if valid_values(report, path, values, value, features) && !values.contains(default) {
            report.invalid(
                fallback,
                format!("expected one of `validValues`, found `{default}`"),
            );
        }
    }
    if let Some(range) = range {
        let check = RangeCheck {
            path,
            range,
            default,
            value,
            features,
        };
        check.bounds(report);
        check.steps(report);
    }
}

fn valid_values(
    report: &mut Report,
    path: &Path<'_>,
    values: &[Quantity],
    value: &Quantity,
    features: Features,
) -> bool {
    if !report.size(path, limits::VALID_VALUES, values.len(), "values") {
        return false;
    }
    // Without fractions amounts count in whole units, rounded up.
    let counted = |quantity: &Quantity| {
        if features.fractional_capacity_range {
            quantity.amount().clone()
        } else {
            quantity
                .amount()
                .next_multiple_of(&Amount::from_units(1))
                .unwrap_or_default()
        }
    };
    for (index, item) in values.iter().enumerate() {
        let path = &path.index(index);
        not_negative(report, path, item);
        if item > value {
            report.invalid(
                path,
                format!("expected at most the capacity `{value}`, found `{item}`"),
            );
        }
        let Some(before) = index.checked_sub(1).map(|index| &values[index]) else {
            continue;
        };
        if item < before {
            report.invalid(
                path,
                format!("expected ascending values, found `{item}` after `{before}`"),
            );
        } else if counted(item) == counted(before) {
            let message = format!("duplicate `{item}`, expected each value once");
            report.add(Code::Duplicate, path, message);
        }
    }
    true
}

/// Is a range with all that its rules compare it with.
struct RangeCheck<'a> {
    /// Path of the policy.
    path: &'a Path<'a>,
    range: &'a CapacityRequestPolicyRange,
    default: &'a Quantity,
    value: &'a Quantity,
    features: Features,
}

impl RangeCheck<'_> {
    /// Checks that 0 ≤ min ≤ default ≤ max ≤ value.
    fn bounds(&self, report: &mut Report) {
        let range = &self.path.field("validRange");
        let (default, value) = (self.default, self.value);
        let Some(min) = &self.range.min else {
            return report.required(&range.field("min"), "a smallest amount");
        };
        let min_path = &range.field("min");
        if not_negative(report, min_path, min) && min > value {
            report.invalid(
                min_path,
                format!("expected at most the capacity `{value}`, found `{min}`"),
            );
        }
        if default < min {
            let message = format!("expected at least `min` `{min}`, found `{default}`");
            report.invalid(&self.path.field("default"), message);
        }
        let Some(max) = &self.range.max else { return };
        let max_path = &range.field("max");
        if max < min {
            report.invalid(
                max_path,
                format!("expected at least `min` `{min}`, found `{max}`"),
            );
        }
        if max > value {
            report.invalid(
                max_path,
                format!("expected at most the capacity `{value}`, found `{max}`"),
            );
        }
        if default > max {
            let message = format!("expected at most `max` `{max}`, found `{default}`");
            report.invalid(&self.path.field("default"), message);
        }
    }

    /// Checks that default and max are whole steps from min.
    ///
    /// Kubernetes computes steps in 64 bits, in thousandths if any of the
    /// amounts has a fraction and in units otherwise, and refuses what does
    /// not fit. Fractions are rounded up where their feature is off.
    fn steps(&self, report: &mut Report) {
        let range = &self.path.field("validRange");
        let Some(min) = &self.range.min else { return };
        let amounts = [
            (self.path.field("default"), Some(self.default)),
            (range.field("min"), Some(min)),
            (range.field("max"), self.range.max.as_ref()),
            (range.field("step"), self.range.step.as_ref()),
        ];
        let given = amounts
            .iter()
            .filter_map(|(path, amount)| Some((path, (*amount)?)));
        let fractions = self.features.fractional_capacity_range
            && given
                .clone()
                .any(|(_, amount)| !amount.amount().is_integral());
        let unit = if fractions {
            &milli()
        } else {
            &Amount::from_units(1)
        };
        let step_path = &range.field("step");
        if let Some(step) = self.range.step.as_ref().filter(|step| step.sign() <= 0) {
            return report.invalid(step_path, format!("expected more than 0, found `{step}`"));
        }
        if fractions || self.range.step.is_some() {
            let mut fits = true;
            for (path, amount) in given {
                if fractions && amount.amount().remainder(unit) != Some(Amount::ZERO) {
                    report.invalid(
                        path,
                        format!("expected whole thousandths, found `{amount}`"),
                    );
                    fits = false;
                } else if amount.amount() > &(unit * i128::from(i64::MAX)) {
                    report.invalid(
                        path,
                        format!("expected an amount of 64 bits, found `{amount}`"),
                    );
                    fits = false;
                }
            }
            if !fits {
                return;
            }
        }
        let Some(step) = &self.range.step else { return };
        let (min, value) = (min.amount(), self.value);
        if &(min + step.amount()) > value.amount() {
            let message = format!(
                "expected `min` and one step within the capacity `{value}`, found `{step}`"
            );
            report.invalid(step_path, message);
        }
        let rounded = |amount: &Amount| amount.next_multiple_of(unit).unwrap_or_default();
        let (from, by) = (rounded(min), rounded(step.amount()));
        for (path, amount) in [
            (self.path.field("default"), Some(self.default)),
            (range.field("max"), self.range.max.as_ref()),
        ] {
            let Some(amount) = amount else { continue };
            let left = (&rounded(amount.amount()) - &from).remainder(&by);
            if left != Some(Amount::ZERO) {
                let message =
                    format!("expected whole steps of `{step}` from `min`, found `{amount}`");
                report.invalid(&path, message);
            }
        }
    }
}

fn milli() -> Amount {
    Amount::from_nanos(1_000_000)
}
