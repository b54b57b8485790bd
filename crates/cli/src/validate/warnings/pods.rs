//! Warnings about pods: which claims and templates they name.

use super::super::code::Code;
use super::super::finding::Object;
use super::super::findings::Findings;
use crate::cluster::kind::Kind;
use crate::cluster::{Cluster, ObjectName, Objects, pods};

/// Says which claims and templates do not exist, or not where the pod is.
pub(super) fn check<'c>(cluster: &'c Cluster, findings: &mut Findings<'c>) {
    for (name, given) in &cluster.pods {
        let pod = &given.object;
        if !pods::is_pending(pod) {
            continue;
        }
        for (place, entry) in pod.spec.resource_claims.iter().enumerate() {
            let path = format!("spec.resourceClaims[{place}]");
            let object = Object::of(name, given);
            let statuses = pod.status.resource_claim_statuses.iter();
            let is_made = statuses.clone().any(|status| status.name == entry.name);
            if let Some(claim) = &entry.resource_claim_name {
                let path = format!("{path}.resourceClaimName");
                let wanted = ObjectName::new(&name.namespace, claim);
                exists(
                    &cluster.claims,
                    &wanted,
                    Code::MissingClaim,
                    (object, path),
                    findings,
                );
            } else if let (Some(template), false) = (&entry.resource_claim_template_name, is_made) {
                let path = format!("{path}.resourceClaimTemplateName");
                let wanted = ObjectName::new(&name.namespace, template);
                let code = Code::MissingTemplate;
                exists(&cluster.templates, &wanted, code, (object, path), findings);
            }
        }
    }
}

/// Says if an object does not exist, and where one of its name does.
fn exists<'c, T: Kind>(
    objects: &'c Objects<T>,
    wanted: &ObjectName,
    missing: Code,
    (object, path): (Object<'c>, String),
    findings: &mut Findings<'c>,
) {
    if objects.is_empty() || objects.contains_key(wanted) {
        return;
    }
    let (kind, ObjectName { namespace, name }) = (T::KIND, wanted);
    let mut others = objects.keys().filter(|other| other.name == *name);
    let message = format!("there is no {kind} `{name}` in namespace `{namespace}`");
    match others.next() {
        Some(other) => {
            let message = format!(
                "{message}, but in `{}`: pods use only what is in their own namespace",
                other.namespace
            );
            findings.add(Code::OtherNamespace, object, path, message);
        }
        None => findings.add(missing, object, path, message),
    }
}
