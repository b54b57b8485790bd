//! Resource claims.

use std::collections::{BTreeMap, BTreeSet};

use super::metadata::{self, Reach};
use super::report::{Fault, Path, Quoted, Report};
use super::{configuration, constraint, limits, request, resource_claim_status};
use crate::error::Error;
use crate::features::Features;
use crate::model::{DeviceClaim, DeviceClaimConfiguration, ResourceClaim, ResourceClaimSpec, Str};

/// Returns what the API server would refuse about a claim, its status included.
///
/// # Examples
///
/// ```
/// use dralloc::model::{DeviceRequest, ResourceClaim};
/// use dralloc::{Features, validate};
///
/// let mut claim = ResourceClaim::default();
/// claim.metadata.name = "gpus".into();
/// claim.spec.devices.requests = vec![DeviceRequest { name: "gpu".into(), ..DeviceRequest::default() }];
/// let errors = validate::resource_claim(&claim, &Features::all());
/// assert_eq!(errors[0].path(), "spec.devices.requests[0]");
/// ```
pub fn resource_claim(claim: &ResourceClaim, features: &Features) -> Vec<Error> {
    let mut report = Report::default();
    metadata::object(&mut report, &claim.metadata, Reach::Namespace);
    spec(&mut report, &Path::root("spec"), &claim.spec, *features);
    let requests = &RequestNames::of(&claim.spec.devices);
    let path = &Path::root("status");
    resource_claim_status::status(&mut report, path, &claim.status, requests, *features);
    report.into_errors()
}

/// Checks what a claim asks for.
pub(super) fn spec(
    report: &mut Report,
    path: &Path<'_>,
    spec: &ResourceClaimSpec,
    features: Features,
) {
    let path = &path.field("devices");
    let claim = &spec.devices;
    let names = &RequestNames::of(claim);
    request::requests(report, path, claim, features);
    constraint::constraints(
        report,
        &path.field("constraints"),
        &claim.constraints,
        names,
        features,
    );
    configurations(report, &path.field("config"), &claim.config, names);
}

/// Holds the names of the requests of a claim, each with those of its alternatives.
pub(super) struct RequestNames<'a>(BTreeMap<&'a str, BTreeSet<&'a str>>);

impl<'a> RequestNames<'a> {
    fn of(claim: &'a DeviceClaim) -> Self {
        let requests = claim.requests.iter().map(|request| {
            let alternatives = request.first_available.iter();
            (
                &*request.name,
                alternatives.map(|sub_request| &*sub_request.name).collect(),
            )
        });
        Self(requests.collect())
    }

    /// Checks that `request` or `request/subrequest` exists.
    pub(super) fn check(&self, reference: &str) -> Result<(), Fault> {
        let known = match reference.split_once('/') {
            None => self.0.contains_key(reference),
            Some((request, sub_request)) => self
                .0
                .get(request)
                .is_some_and(|names| names.contains(sub_request)),
        };
        if known {
            // The name itself may be malformed; that is said where it is given.
            return Ok(());
        }
        Err(Fault::invalid(format!(
            "expected the name of a request of the claim or `request/subrequest`, found {}",
            Quoted(reference)
        )))
    }
}

/// Checks a list of names of requests.
pub(super) fn references(
    report: &mut Report,
    path: &Path<'_>,
    references: &[Str],
    names: &RequestNames<'_>,
) {
    if report.size(path, limits::REQUESTS, references.len(), "requests") {
        for (index, reference) in references.iter().enumerate() {
            report.check(&path.index(index), names.check(reference));
        }
        report.unique(
            path,
            "request",
            references.iter().map(|reference| &**reference),
        );
    }
}

fn configurations(
    report: &mut Report,
    path: &Path<'_>,
    configurations: &[DeviceClaimConfiguration],
    names: &RequestNames<'_>,
) {
    if report.size(
        path,
        limits::CONFIGS,
        configurations.len(),
        "configurations",
    ) {
        for (index, config) in configurations.iter().enumerate() {
            let path = &path.index(index);
            references(report, &path.field("requests"), &config.requests, names);
            configuration::opaque(report, path, config.opaque.as_ref());
        }
    }
}
