//! Taints and tolerations.

use super::report::{Path, Report};
use super::{limits, names};
use crate::model::{DeviceTaint, DeviceToleration};

const EFFECTS: &str = "`None`, `NoSchedule` or `NoExecute`";

/// Checks the taints of a device.
pub(super) fn taints(report: &mut Report, path: &Path<'_>, taints: &[DeviceTaint]) {
    if report.size(path, limits::TAINTS, taints.len(), "taints") {
        for (index, item) in taints.iter().enumerate() {
            taint(report, &path.index(index), item);
        }
    }
}

/// Checks one taint.
pub(super) fn taint(report: &mut Report, path: &Path<'_>, taint: &DeviceTaint) {
    report.check(&path.field("key"), names::label_key(&taint.key));
    report.check(&path.field("value"), names::label_value(&taint.value));
    if taint.effect.is_empty() {
        report.required(&path.field("effect"), EFFECTS);
    } else {
        effect(report, path, &taint.effect);
    }
}

/// Checks the tolerations of a request or of an allocated device.
pub(super) fn tolerations(report: &mut Report, path: &Path<'_>, tolerations: &[DeviceToleration]) {
    if report.size(path, limits::TOLERATIONS, tolerations.len(), "tolerations") {
        for (index, item) in tolerations.iter().enumerate() {
            toleration(report, &path.index(index), item);
        }
    }
}

fn toleration(report: &mut Report, path: &Path<'_>, toleration: &DeviceToleration) {
    if !toleration.key.is_empty() {
        report.check(&path.field("key"), names::label_key(&toleration.key));
    }
    match &*toleration.operator {
        "Exists" => {
            if !toleration.value.is_empty() {
                let message = "expected no value for operator `Exists`";
                report.invalid(&path.field("value"), message);
            }
        }
        "Equal" => {
            report.check(&path.field("value"), names::label_value(&toleration.value));
        }
        other => report.unsupported(&path.field("operator"), "`Equal` or `Exists`", other),
    }
    if !toleration.effect.is_empty() {
        effect(report, path, &toleration.effect);
    }
}

fn effect(report: &mut Report, path: &Path<'_>, effect: &str) {
    if !matches!(effect, "None" | "NoSchedule" | "NoExecute") {
        report.unsupported(&path.field("effect"), EFFECTS, effect);
    }
}
