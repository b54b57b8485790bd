//! Conditions on devices, and CEL expressions in general.

use dralloc_cel::{Options, estimate_cost};

use super::limits;
use super::report::{Path, Report};
use crate::error::Code;
use crate::features::Features;
use crate::model::DeviceSelector;

/// Checks a list of selectors.
pub(super) fn selectors(
    report: &mut Report,
    path: &Path<'_>,
    selectors: &[DeviceSelector],
    features: Features,
) {
    if !report.size(path, limits::SELECTORS, selectors.len(), "selectors") {
        return;
    }
    for (index, selector) in selectors.iter().enumerate() {
        let path = &path.index(index);
        match &selector.cel {
            None => report.required(&path.field("cel"), "a selector of kind `cel`"),
            Some(cel) => {
                let path = &path.field("cel.expression");
                let options = &features.selector_options().new_expression();
                expression(report, path, &cel.expression, options);
            }
        }
    }
}

/// Checks that an expression compiles and that it cannot cost too much; returns
/// the cost that it has at most, 0 if it does not compile.
///
/// The API server skips this for objects that are stored already, even if they
/// would be refused today. Here every object counts as a new one.
pub(super) fn expression(
    report: &mut Report,
    path: &Path<'_>,
    source: &str,
    options: &Options,
) -> u64 {
    if source.is_empty() {
        report.required(path, "a CEL expression");
        return 0;
    }
    if !report.size(path, limits::EXPRESSION_BYTES, source.len(), "bytes") {
        return 0;
    }
    match estimate_cost(source, options) {
        Ok(cost) => {
            estimated_cost(report, path, cost, "");
            cost
        }
        Err(error) => {
            report.add(Code::CelCompile, path, error.to_string());
            0
        }
    }
}

/// Checks the estimated cost of an expression, or of several together.
pub(super) fn estimated_cost(report: &mut Report, path: &Path<'_>, cost: u64, of: &str) {
    let limit = limits::EXPRESSION_COST;
    if cost <= limit {
        return;
    }
    let found = match cost {
        u64::MAX => "one without a bound".to_owned(),
        cost => cost.to_string(),
    };
    let message = format!("expected an estimated cost{of} of at most {limit}, found {found}");
    report.add(Code::LimitExceeded, path, message);
}
