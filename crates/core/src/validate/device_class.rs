//! Device classes.

use super::metadata::{self, Reach};
use super::report::{Path, Report};
use super::{configuration, limits, names, selector};
use crate::error::Error;
use crate::features::Features;
use crate::model::DeviceClass;

/// Returns what the API server would refuse about a class.
///
/// # Examples
///
/// ```
/// use dralloc::{Features, model::DeviceClass, validate};
///
/// let mut class = DeviceClass::default();
/// class.metadata.name = "GPU".into();
/// let errors = validate::device_class(&class, &Features::all());
/// assert_eq!(errors[0].path(), "metadata.name");
/// ```
pub fn device_class(class: &DeviceClass, features: &Features) -> Vec<Error> {
    let mut report = Report::default();
    metadata::object(&mut report, &class.metadata, Reach::Cluster);
    let path = &Path::root("spec");
    let spec = &class.spec;
    selector::selectors(
        &mut report,
        &path.field("selectors"),
        &spec.selectors,
        *features,
    );
    let configs = &path.field("config");
    if report.size(
        configs,
        limits::CONFIGS,
        spec.config.len(),
        "configurations",
    ) {
        for (index, config) in spec.config.iter().enumerate() {
            configuration::opaque(&mut report, &configs.index(index), config.opaque.as_ref());
        }
    }
    if let Some(name) = &spec.extended_resource_name {
        report.check(
            &path.field("extendedResourceName"),
            names::extended_resource(name),
        );
    }
    report.into_errors()
}
