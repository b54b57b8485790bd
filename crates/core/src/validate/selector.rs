//! Conditions on devices, and CEL expressions in general.

use dralloc_cel::{Options, Program};

use super::limits;
use super::report::{Path, Report};
use crate::error::Code;
use crate::model::DeviceSelector;

/// Says what an expression is for.
#[derive(Clone, Copy)]
pub(super) enum Purpose {
    Selector,
    DerivedAttribute,
}

/// Checks a list of selectors.
pub(super) fn selectors(report: &mut Report, path: &Path<'_>, selectors: &[DeviceSelector]) {
    if !report.size(path, limits::SELECTORS, selectors.len(), "selectors") {
        return;
    }
    for (index, selector) in selectors.iter().enumerate() {
        let path = &path.index(index);
        match &selector.cel {
            None => report.required(&path.field("cel"), "a selector of kind `cel`"),
            Some(cel) => {
                let path = &path.field("cel.expression");
                expression(report, path, &cel.expression, Purpose::Selector);
            }
        }
    }
}

/// Checks that an expression compiles.
pub(super) fn expression(report: &mut Report, path: &Path<'_>, source: &str, purpose: Purpose) {
    if source.is_empty() {
        return report.required(path, "a CEL expression");
    }
    if !report.size(path, limits::EXPRESSION_BYTES, source.len(), "bytes") {
        return;
    }
    let options = match purpose {
        Purpose::Selector => Options::selector(),
        Purpose::DerivedAttribute => Options::derived_attribute(),
    };
    if let Err(error) = Program::compile(source, &options) {
        report.add(Code::CelCompile, path, error.to_string());
    }
}
