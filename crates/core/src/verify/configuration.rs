//! The configuration of a claim is that of the classes, then that of the claim.

use super::requests::Alternative;
use super::violation::{Report, ViolationCode};
use crate::model::{DeviceAllocationConfiguration, DeviceClaimConfiguration, Str};

/// Compares the configuration of a result with what the chosen alternatives bring.
pub(super) fn check(
    config: &[DeviceClaimConfiguration],
    chosen: &[&Alternative<'_>],
    found: &[DeviceAllocationConfiguration],
    path: &str,
    report: &mut Report,
) {
    let expected = expected(config, chosen);
    if expected == found {
        return;
    }
    let mut missing: Vec<&DeviceAllocationConfiguration> = expected.iter().collect();
    let mut unexpected = Vec::new();
    for (place, one) in found.iter().enumerate() {
        match missing.iter().position(|other| *other == one) {
            Some(index) => {
                missing.remove(index);
            }
            None => unexpected.push((place, one)),
        }
    }
    if missing.is_empty() && unexpected.is_empty() {
        let message = "expected those of the classes in the order of the requests, then those of \
             the claim in their order";
        report.add(ViolationCode::ConfigOrder, path, message);
        return;
    }
    for (place, one) in unexpected {
        let path = format!("{path}[{place}]");
        let same = |other: &&DeviceAllocationConfiguration| {
            other.source == one.source && other.opaque == one.opaque
        };
        if let Some(index) = missing.iter().position(same) {
            let requests = &missing.remove(index).requests;
            let message = format!("{:?}, expected {requests:?}", one.requests);
            report.add(
                ViolationCode::ConfigRequests,
                format!("{path}.requests"),
                message,
            );
        } else {
            let message = "neither of a class nor of the claim, expected no such configuration";
            report.add(ViolationCode::ConfigUnexpected, path, message);
        }
    }
    for one in missing {
        let message = format!(
            "one with source `{}` for {:?} is missing",
            one.source, one.requests
        );
        report.add(ViolationCode::ConfigMissing, path, message);
    }
}

/// Each class counts once, for all requests that chose it. The claim's own is
/// there if it is for something that was chosen. What is for everything that
/// was chosen names no request.
fn expected(
    config: &[DeviceClaimConfiguration],
    chosen: &[&Alternative<'_>],
) -> Vec<DeviceAllocationConfiguration> {
    let mut expected = Vec::new();
    let class = |one: &Alternative<'_>| one.class.metadata.name.clone();
    for (place, alternative) in chosen.iter().enumerate() {
        let name = class(alternative);
        if chosen[..place].iter().any(|earlier| class(earlier) == name) {
            continue;
        }
        let of_class = chosen.iter().filter(|other| class(other) == name);
        let requests: Vec<Str> = of_class
            .map(|other| other.name.to_string().into())
            .collect();
        for one in &alternative.class.spec.config {
            expected.push(("FromClass", requests.clone(), one.opaque.clone()));
        }
    }
    for one in config {
        let is_chosen = chosen
            .iter()
            .any(|other| other.name.is_listed(&one.requests));
        if one.requests.is_empty() || is_chosen {
            expected.push(("FromClaim", one.requests.clone(), one.opaque.clone()));
        }
    }
    let for_all = |requests: &[Str]| chosen.iter().all(|one| one.name.is_listed(requests));
    expected
        .into_iter()
        .map(|(source, requests, opaque)| DeviceAllocationConfiguration {
            source: source.into(),
            requests: if for_all(&requests) {
                Vec::new()
            } else {
                requests
            },
            opaque,
        })
        .collect()
}
