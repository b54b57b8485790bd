//! Warnings about pods: which claims and templates they name.

use std::collections::BTreeMap;

use dralloc::model::ResourceClaim;

use super::super::code::Code;
use super::super::finding::Object;
use super::super::findings::Findings;
use crate::cluster::kind::Kind;
use crate::cluster::{Cluster, ObjectName, Objects, meant, pods};

/// Finds the objects of a kind.
struct Known<'c> {
    kind: &'static str,
    /// What it is if there is none of a name anywhere.
    missing: Code,
    /// By name: the namespaces that have one, in order. Empty if none was given.
    namespaces: BTreeMap<&'c str, Vec<&'c str>>,
}

/// Is a name that is not where it is looked for.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Missing<'c> {
    kind: &'static str,
    name: ObjectName,
    /// The field of the pod.
    path: String,
    code: Code,
    /// The first namespace that has one of the name.
    elsewhere: Option<&'c str>,
}

/// Says which claims and templates do not exist, or not where the pod is; once for all
/// pods that say the same, as those of a job do.
pub(super) fn check<'c>(cluster: &'c Cluster, findings: &mut Findings<'c>) {
    let claims = Known::new(&cluster.claims, Code::MissingClaim);
    let templates = Known::new(&cluster.templates, Code::MissingTemplate);
    let pending = cluster.pods.iter();
    let pending = pending.filter(|(_, given)| pods::is_pending(&given.object));
    let mut pending: Vec<_> = pending.collect();
    pending.sort_by_key(|(_, given)| given.place);
    let mut told: BTreeMap<Missing<'c>, Object<'c>> = BTreeMap::new();
    for (name, given) in pending {
        let pod = &given.object;
        for (place, entry) in pod.spec.resource_claims.iter().enumerate() {
            let mut statuses = pod.status.resource_claim_statuses.iter();
            let (known, wanted, field) = match (
                &entry.resource_claim_name,
                &entry.resource_claim_template_name,
            ) {
                (Some(claim), _) => (&claims, claim, "resourceClaimName"),
                // The claim of this template is there.
                (None, Some(_)) if statuses.any(|status| status.name == entry.name) => continue,
                (None, Some(template)) => (&templates, template, "resourceClaimTemplateName"),
                (None, None) => continue,
            };
            let wanted = ObjectName::new(&name.namespace, wanted);
            let path = format!("spec.resourceClaims[{place}].{field}");
            if let Some(missing) = known.missing(wanted, path) {
                told.entry(missing)
                    .and_modify(|first| first.others += 1)
                    .or_insert_with(|| Object::of(name, given));
            }
        }
    }
    for (missing, object) in told {
        let known = match missing.kind {
            ResourceClaim::KIND => meant::hint(&missing.name, &cluster.claims),
            _ => meant::hint(&missing.name, &cluster.templates),
        };
        let message = missing.message(&known);
        findings.add(missing.code, object, missing.path, message);
    }
}

impl<'c> Known<'c> {
    fn new<T: Kind>(objects: &'c Objects<T>, missing: Code) -> Self {
        let mut namespaces: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for ObjectName { namespace, name } in objects.keys() {
            namespaces.entry(name).or_default().push(namespace);
        }
        Self {
            kind: T::KIND,
            missing,
            namespaces,
        }
    }

    /// Returns what is to be told if an object does not exist.
    fn missing(&self, name: ObjectName, path: String) -> Option<Missing<'c>> {
        if self.namespaces.is_empty() {
            return None;
        }
        let namespaces = self.namespaces.get(&*name.name);
        let elsewhere = match namespaces {
            Some(all) if all.binary_search(&&*name.namespace).is_ok() => return None,
            Some(all) => all.first().copied(),
            None => None,
        };
        Some(Missing {
            kind: self.kind,
            name,
            path,
            code: match elsewhere {
                Some(_) => Code::OtherNamespace,
                None => self.missing,
            },
            elsewhere,
        })
    }
}

impl Missing<'_> {
    /// Says what is missing; `hint` is what may have been meant.
    fn message(&self, hint: &str) -> String {
        let ObjectName { namespace, name } = &self.name;
        let message = format!(
            "there is no {} `{name}` in namespace `{namespace}`",
            self.kind
        );
        match self.elsewhere {
            Some(other) => {
                format!("{message}, but in `{other}`: pods use only what is in their own namespace")
            }
            None => message + hint,
        }
    }
}
