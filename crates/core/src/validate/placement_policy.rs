//! Placement policies.

use super::names;
use super::report::{Path, Report};
use crate::error::{Code, Error};
use crate::model::{ObjectiveTerm, PlacementPolicy, PlacementUnit, Str};
use crate::objective::{Policy, Term};

/// What devices can have in common.
pub(crate) const SCOPES: [&str; 8] = [
    "nvLink",
    "nvLinkDomain",
    "pcieSwitch",
    "pcieRoot",
    "numaNode",
    "host",
    "rack",
    "block",
];

/// How strongly it is asked for.
pub(crate) const MODES: [&str; 2] = ["required", "preferred"];

/// So many terms a policy has at most: more than there are.
const TERMS: usize = 16;

/// Returns what is wrong with a policy, or not supported.
///
/// # Examples
///
/// ```
/// use dralloc::{model::PlacementPolicy, validate};
///
/// let policy = PlacementPolicy { policy: Some("best".into()), ..PlacementPolicy::default() };
/// let errors = validate::placement_policy(&policy);
/// assert_eq!(
///     errors[0].to_string(),
///     "policy: policy `best` is not supported, expected kubernetes, pack, spread or affinity",
/// );
/// ```
pub fn placement_policy(policy: &PlacementPolicy) -> Vec<Error> {
    let mut errors = Report::default();
    let report = &mut errors;
    if *policy == PlacementPolicy::default() {
        let message = "the policy says nothing, expected `policy` or `objective`";
        return vec![Error::new(Code::Invalid, message)];
    }
    if let Some(name) = &policy.policy {
        if !policy.objective.is_empty() {
            let message = "expected either `policy` or `objective`, found both";
            report.invalid(&Path::root("objective"), message);
        }
        if let Err(error) = name.parse::<Policy>() {
            report.add(error.code(), &Path::root("policy"), error.message());
        }
    }
    objective(report, &Path::root("objective"), &policy.objective);
    let affinity = &Path::root("affinity");
    for (index, level) in policy.affinity.iter().enumerate() {
        let path = &affinity.index(index);
        group(report, path, (&level.scope, &level.mode), &level.fallback);
    }
    if let Some(wanted) = &policy.unit {
        unit(report, &Path::root("unit"), wanted);
    }
    if let Some(mode) = &policy.fabric_partition {
        // Other devices cannot be prepared, so there is nothing to prefer.
        word(report, &Path::root("fabricPartition"), mode, &MODES[..1]);
    }
    if let Some(rate) = &policy.min_ring_gbps
        && rate.sign() < 0
    {
        let message = format!("expected 0 or more, found `{rate}`");
        report.invalid(&Path::root("minRingGBps"), message);
    }
    errors.into_errors()
}

fn objective(report: &mut Report, path: &Path<'_>, terms: &[ObjectiveTerm]) {
    if !report.size(path, TERMS, terms.len(), "terms") {
        return;
    }
    for (index, one) in terms.iter().enumerate() {
        let path = &path.index(index);
        if let Some(attribute) = &one.attribute {
            let attribute = names::fully_qualified(attribute);
            report.check(&path.field("attribute"), attribute);
        }
        if let Err(error) = Term::new(&one.term, one.attribute.clone()) {
            match error.path() {
                "" => report.add(error.code(), path, error.message()),
                field => report.add(error.code(), &path.field(field), error.message()),
            }
        }
        // The second of two equal ones decides nothing, so another was meant.
        if terms[..index].contains(one) {
            let message = format!("term `{}` is there twice, expected each once", one.term);
            report.add(Code::Duplicate, path, message);
        }
    }
}

fn unit(report: &mut Report, path: &Path<'_>, unit: &PlacementUnit) {
    let requests = &path.field("requests");
    if unit.requests.is_empty() {
        report.required(requests, "at least one request");
    }
    for (name, count) in &unit.requests {
        if *count < 1 {
            let message = format!("expected 1 or more, found {count}");
            report.invalid(&requests.key(name), message);
        }
    }
    group(report, path, (&unit.scope, &unit.mode), &unit.fallback);
    let apart = &path.field("apartOver");
    if let Some(scope) = &unit.apart_over {
        word(report, apart, scope, &SCOPES);
        // Links join two devices: two units can be in one place, but have no link.
        if **scope == *"nvLink" {
            let message = "units are not apart over `nvLink`, expected a place such as \
                           `nvLinkDomain`";
            report.add(Code::Unsupported, apart, message);
        }
    }
}

/// Checks what devices are to have in common.
fn group(report: &mut Report, path: &Path<'_>, (scope, mode): (&Str, &Str), fallback: &[Str]) {
    word(report, &path.field("scope"), scope, &SCOPES);
    word(report, &path.field("mode"), mode, &MODES);
    let path = &path.field("fallback");
    if **mode == *"required" && !fallback.is_empty() {
        report.invalid(path, "expected none where `mode` is `required`");
    }
    for (index, scope) in fallback.iter().enumerate() {
        word(report, &path.index(index), scope, &SCOPES);
    }
}

fn word(report: &mut Report, path: &Path<'_>, found: &str, known: &[&str]) {
    if found.is_empty() {
        report.required(path, &format!("one of `{}`", known.join("`, `")));
    } else if !known.contains(&found) {
        report.unsupported(path, &format!("one of `{}`", known.join("`, `")), found);
    }
}
