//! Device taint rules.

use super::metadata::{self, Reach};
use super::report::{Path, Report};
use super::{names, taint};
use crate::error::Error;
use crate::features::Features;
use crate::model::DeviceTaintRule;

/// Returns what the API server would refuse about a taint rule.
///
/// # Examples
///
/// ```
/// use dralloc::{Features, model::DeviceTaintRule, validate};
///
/// let mut rule = DeviceTaintRule::default();
/// rule.metadata.name = "broken-gpu".into();
/// rule.spec.taint.key = "example.com/broken".into();
/// let errors = validate::device_taint_rule(&rule, &Features::all());
/// assert_eq!(errors[0].path(), "spec.taint.effect");
/// ```
pub fn device_taint_rule(rule: &DeviceTaintRule, _features: &Features) -> Vec<Error> {
    let mut report = Report::default();
    metadata::object(&mut report, &rule.metadata, Reach::Cluster);
    let path = &Path::root("spec");
    if let Some(selector) = &rule.spec.device_selector {
        let path = &path.field("deviceSelector");
        if let Some(driver) = &selector.driver {
            report.check(&path.field("driver"), names::driver(driver));
        }
        if let Some(pool) = &selector.pool {
            report.check(&path.field("pool"), names::pool(pool));
        }
        if let Some(device) = &selector.device {
            report.check(&path.field("device"), names::dns_label(device));
        }
    }
    taint::taint(&mut report, &path.field("taint"), &rule.spec.taint);
    report.into_errors()
}
