//! Which kinds are not given, so that something cannot be looked at.

use super::asked::Asked;
use crate::cluster::{Cluster, pods};
use crate::words::listed;

/// Is a kind of which no object is given: what it is called, and what `kubectl get` calls it.
type Kind = (&'static str, &'static str);

/// Says what is not looked at since kinds are missing, and how to get them; once for all
/// objects, of which each would lack the same.
pub(super) fn notes(cluster: &Cluster, asked: &[Asked<'_>]) -> Vec<String> {
    let is_asked = asked.iter().any(|one| !one.requests().is_empty());
    let for_requests = [
        (
            is_asked && cluster.device_classes.is_empty(),
            ("DeviceClass", "deviceclasses"),
        ),
        (
            is_asked && cluster.resource_slices.is_empty(),
            ("ResourceSlice", "resourceslices"),
        ),
    ];
    let pending = || {
        let pods = cluster.pods.values().map(|given| &given.object);
        let pods = pods.filter(|pod| pods::is_pending(pod));
        pods.flat_map(|pod| &pod.spec.resource_claims)
    };
    let names_claim = || pending().any(|entry| entry.resource_claim_name.is_some());
    let names_template = || pending().any(|entry| entry.resource_claim_template_name.is_some());
    let for_pods = [
        (
            cluster.claims.is_empty() && names_claim(),
            ("ResourceClaim", "resourceclaims"),
        ),
        (
            cluster.templates.is_empty() && names_template(),
            ("ResourceClaimTemplate", "resourceclaimtemplates"),
        ),
    ];
    [
        note(&for_requests, "", "whether devices match what is asked for"),
        note(&for_pods, "-A ", "whether there is what pods name"),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Returns the note about kinds that are missing; `all` makes `kubectl` ask for all namespaces.
fn note(kinds: &[(bool, Kind)], all: &str, what: &str) -> Option<String> {
    let missing = kinds.iter().filter(|(is_missing, _)| *is_missing);
    let (names, plurals): (Vec<String>, Vec<&str>) = missing
        .map(|(_, (name, plural))| (format!("no {name}"), *plural))
        .unzip();
    if names.is_empty() {
        return None;
    }
    let verb = if names.len() == 1 { "is" } else { "are" };
    Some(format!(
        "{} {verb} given: {what} is not looked at; `kubectl get {} {all}-o yaml` prints what to \
         give with `-f`, too",
        listed(&names, "and"),
        plurals.join(",")
    ))
}
