//! Requests need more devices, or more values, than there are.

use std::collections::BTreeSet;

use dralloc_quantity::Amount;

use super::case::{Case, exclude};
use super::question::{Choice, Question};
use crate::bitmap::Bitmap;
use crate::rules::AttributeValue;

/// Returns how many devices requests need together, one by one.
pub(super) fn needed(question: &Question<'_, '_>, case: &Case, requests: &[usize]) -> usize {
    let needed = requests
        .iter()
        .map(|request| case.needed(question, *request));
    // A count may be anything that the API lets through.
    needed.fold(0, usize::saturating_add)
}

/// Returns all devices that any of some requests can have.
pub(super) fn serving(question: &Question<'_, '_>, case: &Case, requests: &[usize]) -> Bitmap {
    let devices = question.offers.len();
    let mut serving = Bitmap::new(devices);
    for request in requests {
        serving.unite(&case.serving(*request, devices));
    }
    serving
}

/// Returns how many devices some requests can have together at most, where one
/// that is shared counts for each of them that it has room for.
pub(super) fn available(
    question: &Question<'_, '_>,
    case: &Case,
    requests: &[usize],
    devices: &Bitmap,
) -> usize {
    let admin = |request: &usize| {
        question.requests[*request]
            .alternatives
            .iter()
            .any(|one| one.admin)
    };
    let mut left = devices.clone();
    let mut available = 0;
    for device in devices.iter() {
        if !left.contains(device) {
            continue;
        }
        let mut group = vec![device];
        // Access for administration may have devices that are physically the same.
        if !requests.iter().any(admin) {
            let same = question.same[device].iter().copied();
            group.extend(same.filter(|other| left.contains(*other)));
            let is_same = |one: &usize| {
                let apart = |other: &&usize| *other != one && !question.same[*one].contains(other);
                !group.iter().any(|other| apart(&other))
            };
            if !group.iter().all(is_same) {
                group.truncate(1);
            }
        }
        for one in &group {
            left.remove(*one);
        }
        let places = group
            .iter()
            .map(|one| places(question, case, requests, *one));
        available += places.max().unwrap_or(0);
    }
    available
}

/// Returns how many of some requests can have a device at the same time at most.
fn places(question: &Question<'_, '_>, case: &Case, requests: &[usize], device: usize) -> usize {
    let has = |request: &&usize| {
        case.candidates[**request]
            .iter()
            .flatten()
            .any(|candidates| candidates.contains(device))
    };
    let serving: Vec<usize> = requests.iter().filter(has).copied().collect();
    if question.is_shared(device) {
        return shares(question, case, &serving, device);
    }
    let excludes_all = serving.iter().enumerate().all(|(place, one)| {
        serving[..place]
            .iter()
            .all(|other| exclude(question, *one, *other))
    });
    if excludes_all {
        serving.len().min(1)
    } else {
        serving.len()
    }
}

/// Counts the shares of a device by each capacity, smallest shares first.
fn shares(question: &Question<'_, '_>, case: &Case, requests: &[usize], device: usize) -> usize {
    let mut shares = requests.len();
    for (place, left) in case.capacities(question, device).into_iter().enumerate() {
        let least = |request: &usize| {
            let choices = case.left(question, *request);
            let choices = choices.filter(|(.., candidates)| candidates.contains(device));
            let amount = |choice: &Choice| {
                let amounts = choice.amounts.get(&device);
                amounts
                    .and_then(|amounts| amounts.get(place))
                    .cloned()
                    .unwrap_or(Amount::ZERO)
            };
            choices
                .map(|(_, choice, _)| amount(choice))
                .min()
                .unwrap_or(Amount::ZERO)
        };
        let mut amounts: Vec<Amount> = requests.iter().map(least).collect();
        amounts.sort();
        let mut rest = left;
        let fits = amounts.iter().take_while(|amount| {
            rest -= *amount;
            !rest.is_negative()
        });
        shares = shares.min(fits.count());
    }
    shares
}

/// Is what a constraint that tells devices apart has to do with some requests.
pub(super) struct Values {
    pub(super) shown: BTreeSet<AttributeValue>,
    /// How many devices the requests get that join the constraint.
    pub(super) needed: usize,
    /// How many can join.
    pub(super) available: usize,
}

/// Counts the values that devices of some requests can show to a constraint.
///
/// Each device that joins has a value that no other has, but for one that
/// cannot be compared, which has to be the first.
pub(super) fn values(
    question: &Question<'_, '_>,
    case: &Case,
    requests: &[usize],
    constraint: usize,
) -> Values {
    let mut values = BTreeSet::new();
    let (mut needed, mut has_incomparable) = (0_usize, false);
    for request in requests {
        needed = needed.saturating_add(joining(question, case, *request, constraint));
        for (_, choice, candidates) in case.left(question, *request) {
            for shown in candidates
                .iter()
                .filter_map(|offer| choice.shows(constraint, offer))
            {
                has_incomparable |= shown.is_empty();
                values.extend(shown.iter().cloned());
            }
        }
    }
    Values {
        available: values.len() + usize::from(has_incomparable),
        shown: values,
        needed,
    }
}

/// Returns how many devices of a request join a constraint beside those that it
/// has, whichever alternative it gets.
pub(super) fn joining(
    question: &Question<'_, '_>,
    case: &Case,
    request: usize,
    constraint: usize,
) -> usize {
    let joining = case.left(question, request).map(|(_, choice, _)| {
        if choice.joins(constraint) {
            case.open(request, choice)
        } else {
            0
        }
    });
    joining.min().unwrap_or(0)
}
