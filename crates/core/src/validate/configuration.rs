//! Configuration that only drivers understand.

use super::report::{Path, Report};
use super::{limits, names};
use crate::model::OpaqueDeviceConfiguration;

/// Checks the one kind of configuration that there is.
pub(super) fn opaque(
    report: &mut Report,
    path: &Path<'_>,
    configuration: Option<&OpaqueDeviceConfiguration>,
) {
    let path = &path.field("opaque");
    let Some(configuration) = configuration else {
        return report.required(path, "a configuration of kind `opaque`");
    };
    report.check(&path.field("driver"), names::driver(&configuration.driver));
    let path = &path.field("parameters");
    // The model holds only well-formed JSON, so the first character tells its kind.
    match configuration
        .parameters
        .as_ref()
        .map(|parameters| parameters.as_str().trim())
    {
        None | Some("null") => report.required(path, "a JSON object"),
        Some(text) => {
            let fits = report.size(path, limits::PARAMETERS_BYTES, text.len(), "bytes");
            if fits && !text.starts_with('{') {
                report.invalid(path, "expected a JSON object, found another JSON value");
            }
        }
    }
}
