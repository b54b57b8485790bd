//! There are more constraints than values that their devices can have in common.

use std::collections::BTreeMap;

use super::super::violation::ViolationCode;
use super::case::Case;
use super::count::{self, joining};
use super::fault::{Fault, other_sum};
use super::question::Question;
use super::split::{attribute, common};
use crate::bitmap::Bitmap;
use crate::proof::GroupValue;
use crate::rules::AttributeValue;

/// Checks how many of some constraints can have a value each, and returns their
/// number at most.
///
/// Every constraint has one value that all its devices show. Those that have
/// the same give their requests devices with that value, so there are no more of
/// them than such devices, for any choice of another request from each. One of
/// which the request is that of another needs no device more.
pub(super) fn available(
    question: &Question<'_, '_>,
    case: &Case,
    constraints: &[usize],
    stated: &[GroupValue],
    request: impl Fn(&GroupValue) -> Result<Vec<usize>, Fault>,
) -> Result<usize, Fault> {
    let mut by_value: BTreeMap<AttributeValue, Vec<usize>> = BTreeMap::new();
    for constraint in constraints {
        let Some(common) = common(question, case, *constraint) else {
            let message = "no device is sure to join a constraint, expected one that does".into();
            return Err((ViolationCode::CertificateCases, ".constraints", message));
        };
        for value in common {
            by_value.entry(value).or_default().push(*constraint);
        }
    }
    if !by_value
        .keys()
        .map(attribute)
        .eq(stated.iter().map(|one| one.value.clone()))
    {
        let message = format!(
            "{} values, expected the {} that the constraints can have, in order",
            stated.len(),
            by_value.len()
        );
        return Err((ViolationCode::CertificateValues, ".values", message));
    }
    let mut available = 0_usize;
    for ((value, constraints), stated) in by_value.iter().zip(stated) {
        let requests = request(stated)?;
        let is_of = |(request, constraint): (&usize, &usize)| {
            joining(question, case, *request, *constraint) > 0
        };
        if requests.len() != constraints.len() || !requests.iter().zip(constraints).all(is_of) {
            let message = "expected a request of each constraint that can have the value".into();
            return Err((ViolationCode::CertificateRequests, ".values", message));
        }
        let found = having(question, case, (&requests, constraints), value);
        if found != stated.available {
            return Err(other_sum(".values", &stated.available, &found));
        }
        available += found;
    }
    Ok(available)
}

/// Returns how many of some requests can have what they need with a value.
fn having(
    question: &Question<'_, '_>,
    case: &Case,
    (requests, constraints): (&[usize], &[usize]),
    value: &AttributeValue,
) -> usize {
    let mut devices = Bitmap::new(question.offers.len());
    let mut least = usize::MAX;
    for (request, constraint) in requests.iter().zip(constraints) {
        least = least.min(joining(question, case, *request, *constraint));
        for (_, choice, candidates) in case.left(question, *request) {
            for offer in candidates.iter() {
                let shown = choice.shows(*constraint, offer);
                if shown.is_some_and(|shown| shown.contains(value)) {
                    devices.insert(offer);
                }
            }
        }
    }
    let mut apart = requests.to_vec();
    apart.sort_unstable();
    apart.dedup();
    let again = requests.len() - apart.len();
    let places = count::available(question, case, &apart, &devices);
    (places / least.max(1)).min(apart.len()) + again
}
