//! Splits of a case into others, of which at least one holds if the case does.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::super::violation::ViolationCode;
use super::case::Case;
use super::count::joining;
use super::fault::Fault;
use super::objective::Objective;
use super::question::Question;
use super::walk::Assumed;
use crate::model::{DeviceAttribute, DeviceId, Str};
use crate::rules::AttributeValue;

/// A request gets one of the alternatives that are left.
pub(super) fn alternatives(
    question: &Question<'_, '_>,
    case: &Case,
    request: usize,
    stated: &[Str],
) -> Result<Vec<Assumed>, Fault> {
    let left: Vec<_> = case.left(question, request).collect();
    if !left.iter().map(|(_, choice, _)| &choice.name).eq(stated) {
        let names: Vec<&str> = left.iter().map(|(_, choice, _)| &*choice.name).collect();
        let message = format!("expected all that are left: `{}`", names.join("`, `"));
        return Err((ViolationCode::CertificateCases, ".alternatives", message));
    }
    let assumed = left
        .iter()
        .map(|(place, ..)| Assumed::Alternative(request, *place));
    Ok(assumed.collect())
}

/// All devices of a constraint have one of the values in common.
pub(super) fn values(
    question: &Question<'_, '_>,
    case: &Case,
    constraint: usize,
    stated: &[DeviceAttribute],
) -> Result<Vec<Assumed>, Fault> {
    let Some(common) = common(question, case, constraint) else {
        let message = "too few devices are sure to join the constraint, expected two".into();
        return Err((ViolationCode::CertificateCases, ".constraint", message));
    };
    expect_values(&common, stated)?;
    Ok(common
        .into_iter()
        .map(|value| Assumed::Value(constraint, value))
        .collect())
}

/// Returns the values of which all devices of a constraint have one in common;
/// nothing if they may have none.
///
/// They have one if at least two devices join it, or if one does that can be
/// compared. Every request that is sure to join can have it.
pub(super) fn common(
    question: &Question<'_, '_>,
    case: &Case,
    constraint: usize,
) -> Option<BTreeSet<AttributeValue>> {
    let mut common: Option<BTreeSet<AttributeValue>> = None;
    let (mut joined, mut has_incomparable) = (0_usize, false);
    for request in 0..question.requests.len() {
        let joining = joining(question, case, request, constraint);
        if joining == 0 {
            continue;
        }
        joined = joined.saturating_add(joining);
        let mut values = BTreeSet::new();
        for (_, choice, candidates) in case.left(question, request) {
            for shown in candidates
                .iter()
                .filter_map(|offer| choice.shows(constraint, offer))
            {
                has_incomparable |= shown.is_empty();
                values.extend(shown.iter().cloned());
            }
        }
        common = Some(match common {
            None => values,
            Some(common) => common.intersection(&values).cloned().collect(),
        });
    }
    common.filter(|_| joined > 1 || !has_incomparable)
}

/// A request gets one of some devices, and none of those before it; or none of them.
///
/// Devices that nothing tells apart can change places in any answer, so that
/// the first of them stands for all; where values matter, if they count alike.
pub(super) fn devices(
    question: &Question<'_, '_>,
    case: &Case,
    request: usize,
    (stated, objective): (&[Vec<DeviceId>], Option<&Objective>),
) -> Result<Vec<Assumed>, Fault> {
    let is_like = |one: usize, other: usize| {
        case.is_like(question, one, other)
            && objective.is_none_or(|objective| objective.are_alike(question, (one, other)))
    };
    let mut left = case.left(question, request);
    let (Some((_, _, candidates)), None) = (left.next(), left.next()) else {
        let message = "several alternatives are left, expected a request with one".into();
        return Err((ViolationCode::CertificateRequests, ".request", message));
    };
    if case.needed(question, request) == 0 {
        let message = "the request needs no more devices, expected one that does".into();
        return Err((ViolationCode::CertificateRequests, ".request", message));
    }
    let mut denied = Vec::new();
    let mut cases = Vec::new();
    for group in stated {
        let mut first = None;
        for id in group {
            let offer = question
                .offer(id)
                .filter(|offer| candidates.contains(*offer));
            let offer = offer
                .filter(|offer| !denied.contains(offer))
                .ok_or_else(|| {
                    let message =
                        format!("`{id}`, expected a device that the request can have, once");
                    (ViolationCode::CertificateDevices, ".devices", message)
                })?;
            match first {
                None => {
                    first = Some(offer);
                    cases.push((denied.len(), Some(offer)));
                }
                Some(first) if !is_like(first, offer) => {
                    let message =
                        format!("`{id}` is not like the first of its group, expected one that is");
                    return Err((ViolationCode::CertificateDevices, ".devices", message));
                }
                Some(_) => {}
            }
            denied.push(offer);
        }
    }
    cases.push((denied.len(), None));
    let denied = Rc::new(denied);
    let assumed = cases
        .into_iter()
        .map(|(count, given)| Assumed::Devices(request, Rc::clone(&denied), count, given));
    Ok(assumed.collect())
}

/// Checks that values are named in full, in order and nothing else.
pub(super) fn expect_values(
    expected: &BTreeSet<AttributeValue>,
    stated: &[DeviceAttribute],
) -> Result<(), Fault> {
    let expected = expected.iter().map(attribute);
    if !expected.clone().eq(stated.iter().cloned()) {
        let message = format!(
            "{} values, expected the {} that devices can have, in order",
            stated.len(),
            expected.count()
        );
        return Err((ViolationCode::CertificateValues, ".values", message));
    }
    Ok(())
}

/// Returns a value as certificates write it.
pub(super) fn attribute(value: &AttributeValue) -> DeviceAttribute {
    match value {
        AttributeValue::Int(value) => DeviceAttribute::Int(*value),
        AttributeValue::Bool(value) => DeviceAttribute::Bool(*value),
        AttributeValue::String(value) => DeviceAttribute::String(value.clone()),
        AttributeValue::Version(value) => DeviceAttribute::Version(value.clone()),
    }
}
