//! Configuration that only drivers understand.

use super::report::{Path, Report};
use super::{limits, names};
use crate::model::OpaqueDeviceConfiguration;
use crate::wire;

/// Driver under which configuration is for dralloc itself.
pub(crate) const PLACEMENT_DRIVER: &str = "dralloc.dev";

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
            } else if fits && *configuration.driver == *PLACEMENT_DRIVER {
                policy(report, path, configuration);
            }
        }
    }
}

/// Checks a placement policy, which the API server knows nothing of.
fn policy(report: &mut Report, path: &Path<'_>, configuration: &OpaqueDeviceConfiguration) {
    let errors = match wire::placement_policy(configuration.parameters.as_ref()) {
        Ok(policy) => super::placement_policy(&policy),
        Err(error) => vec![error],
    };
    for error in errors {
        match error.path() {
            "" => report.add(error.code(), path, error.message()),
            field => report.add(error.code(), &path.field(field), error.message()),
        }
    }
}
