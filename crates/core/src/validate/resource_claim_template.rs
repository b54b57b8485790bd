//! Templates of resource claims.

use super::metadata::{self, Reach};
use super::report::{Path, Report};
use super::resource_claim;
use crate::error::Error;
use crate::features::Features;
use crate::model::ResourceClaimTemplate;

/// Returns what the API server would refuse about a template.
///
/// # Examples
///
/// ```
/// use dralloc::{Features, model::ResourceClaimTemplate, validate};
///
/// let mut template = ResourceClaimTemplate::default();
/// template.metadata.name = "one-gpu".into();
/// template.spec.metadata.name = "mine".into();
/// let errors = validate::resource_claim_template(&template, &Features::all());
/// assert_eq!(errors[0].path(), "spec.metadata");
/// ```
pub fn resource_claim_template(
    template: &ResourceClaimTemplate,
    features: &Features,
) -> Vec<Error> {
    let mut report = Report::default();
    metadata::object(&mut report, &template.metadata, Reach::Namespace);
    let path = &Path::root("spec");
    metadata::template(
        &mut report,
        &path.field("metadata"),
        &template.spec.metadata,
    );
    resource_claim::spec(
        &mut report,
        &path.field("spec"),
        &template.spec.spec,
        *features,
    );
    report.into_errors()
}
