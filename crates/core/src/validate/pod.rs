//! Pods, as far as they use claims and extended resources.

use std::collections::BTreeSet;

use super::report::{Path, Quoted, Report};
use super::{extended_resource, names};
use crate::error::{Code, Error};
use crate::model::Pod;

/// Returns what the API server would refuse about the claims that a pod uses, and its
/// extended resources.
///
/// # Examples
///
/// ```
/// use dralloc::{model::{Pod, PodResourceClaim}, validate};
///
/// let mut pod = Pod::default();
/// pod.spec.resource_claims.push(PodResourceClaim {
///     name: "gpu".into(),
///     ..PodResourceClaim::default()
/// });
/// let errors = validate::pod(&pod);
/// assert_eq!(errors[0].path(), "spec.resourceClaims[0]");
/// ```
pub fn pod(pod: &Pod) -> Vec<Error> {
    let mut report = Report::default();
    let claims = &Path::root("spec.resourceClaims");
    let mut known = BTreeSet::new();
    for (index, entry) in pod.spec.resource_claims.iter().enumerate() {
        let path = &claims.index(index);
        let name = &path.field("name");
        if entry.name.is_empty() {
            report.required(name, "a name");
        } else if !known.insert(&entry.name) {
            let quoted = Quoted(&entry.name);
            let message = format!("duplicate {quoted}, expected each name once");
            report.add(Code::Duplicate, name, message);
        } else {
            report.check(name, names::dns_label(&entry.name));
        }
        let claim = entry.resource_claim_name.as_deref();
        let template = entry.resource_claim_template_name.as_deref();
        match (claim, template) {
            (None, None) => report.required(
                path,
                "one of `resourceClaimName` and `resourceClaimTemplateName`",
            ),
            (Some(_), Some(_)) => report.invalid(
                path,
                "expected one of `resourceClaimName` and `resourceClaimTemplateName`, \
                 found both",
            ),
            _ => {}
        }
        let names = [
            ("resourceClaimName", claim),
            ("resourceClaimTemplateName", template),
        ];
        for (field, name) in names {
            if let Some(name) = name {
                report.check(&path.field(field), names::dns_subdomain(name));
            }
        }
    }
    extended_resource::check(&mut report, pod);
    report.into_errors()
}
