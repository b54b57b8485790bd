//! What policies and machines require, in a case of a certificate.

use std::collections::BTreeSet;

use super::super::World;
use super::super::linked::Linked;
use super::super::placement::{self, For, Requirement};
use super::super::requests::Request;
use super::super::violation::ViolationCode;
use super::case::{Case, Got};
use super::fault::{Fault, enough};
use super::question::{Choice, Kind, Question, Shown};
use crate::model::ResourceClaim;
use crate::rules::AttributeValue;
use crate::store::DeviceKey;
use crate::topology::{AffinityScope, Topologies};

/// Is what is required, and how devices are linked.
pub(super) struct Known {
    pub(super) linked: Linked,
    /// By claim, with the places of the requests.
    pub(super) requirements: Vec<Vec<(Requirement, BTreeSet<usize>)>>,
}

impl Known {
    /// Reads what is required of devices; none where nothing is.
    pub(super) fn of(
        world: &World<'_>,
        topologies: &Topologies,
        claims: &[ResourceClaim],
        asked: &[Vec<Request<'_>>],
    ) -> Option<Self> {
        let of_claim = |(claim, requests): (&ResourceClaim, &Vec<Request<'_>>)| {
            if requests.is_empty() {
                return Vec::new();
            }
            placement::requirements(claim, requests)
        };
        let mut requirements: Vec<_> = claims.iter().zip(asked).map(of_claim).collect();
        let is_required = requirements.iter().any(|of_claim| !of_claim.is_empty());
        if !is_required && !topologies.limit_sets() {
            return None;
        }
        let linked = Linked::new(world, topologies)?;
        if !linked.has_links() {
            for of_claim in &mut requirements {
                of_claim.retain(|(requirement, _)| !matches!(requirement, Requirement::Ring(_)));
            }
        }
        (is_required || linked.limits_sets()).then_some(Self {
            linked,
            requirements,
        })
    }
}

/// Returns the kind of constraint that a requirement is.
pub(super) fn kind(requirement: &Requirement) -> Kind {
    match requirement {
        Requirement::Level(word)
            if !matches!(AffinityScope::new(word), Some(AffinityScope::NvLink)) =>
        {
            Kind::Match
        }
        _ => Kind::Required(requirement.clone()),
    }
}

/// Returns what a device shows to a requirement: the numbers of its domains for a level,
/// else nothing; none where it cannot be part of what is required.
pub(super) fn shown(
    linked: &Linked,
    requirement: &Requirement,
    device: DeviceKey,
) -> Option<Shown> {
    let domains = |word: &str| {
        let alone = [device].into_iter();
        let (_, domains) = linked.domains(AffinityScope::new(word)?, device, alone)?;
        (!domains.is_empty()).then_some(domains)
    };
    match requirement {
        Requirement::Level(word) if **word == *AffinityScope::NvLink.as_str() => Some(Shown::new()),
        Requirement::Level(word) => {
            let domains = domains(word)?;
            let numbers = domains.iter().map(|number| i64::from(*number));
            Some(numbers.map(AttributeValue::Int).collect())
        }
        Requirement::Unit(unit) if *unit.mode == *"required" => {
            domains(&unit.scope).map(|_| Shown::new())
        }
        Requirement::Unit(_) | Requirement::Ring(_) | Requirement::Partition => Some(Shown::new()),
    }
}

/// Returns whether links let a device be given beside others.
pub(super) fn admits(
    question: &Question<'_, '_>,
    requirement: &Requirement,
    others: impl Iterator<Item = usize>,
    new: usize,
) -> bool {
    let (Requirement::Level(_), Some(linked)) = (requirement, &question.linked) else {
        return true;
    };
    let key = |offer: usize| question.offers[offer].1.key;
    let mut others = others.map(key);
    others.all(|other| linked.share(AffinityScope::NvLink, [other, key(new)].into_iter()))
}

/// Returns whether a device can be one of a set that the machine allows, with others.
pub(super) fn may_be_allowed(question: &Question<'_, '_>, got: &[Got], new: Got) -> bool {
    let Some(linked) = &question.linked else {
        return true;
    };
    let taking = got.iter().chain([&new]);
    let taking = taking.filter(|got| !choice(question, **got).admin);
    choice(question, new).admin
        || linked.may_be_allowed(taking.map(|got| question.offers[got.offer].1.key))
}

/// Checks that what requests have got is not what is required; the place of a constraint,
/// or none for the sets that a machine allows.
pub(super) fn is_broken(
    question: &Question<'_, '_>,
    case: &Case,
    constraint: Option<usize>,
) -> Result<(), Fault> {
    let is_about = |choice: &Choice| match constraint {
        Some(place) => choice.joins(place),
        None => !choice.admin,
    };
    for (request, asked) in question.requests.iter().enumerate() {
        let mut left = case.left(question, request);
        let is_open = |(_, choice, _): (usize, &Choice, _)| case.open(request, choice) > 0;
        let is_settled = match (left.next(), left.next()) {
            (Some(first), None) => !is_about(first.1) || !is_open(first),
            _ => !asked.alternatives.iter().any(is_about),
        };
        if !is_settled {
            let message = format!("`{}` is not settled, expected all its devices", asked.id);
            return Err((ViolationCode::CertificateRequests, "", message));
        }
    }
    let got = case.got.iter();
    let got = got.filter(|got| is_about(choice(question, **got)));
    let devices = got.map(|got| {
        let request = &question.requests[got.request];
        (&*request.id.request, question.offers[got.offer].1.key)
    });
    let devices: Vec<For<'_>> = devices.collect();
    let Some(linked) = &question.linked else {
        return Err(enough("", "nothing is required of places and links"));
    };
    let holds = match constraint.and_then(|place| question.constraints.get(place)) {
        None => linked.is_allowed(devices.iter().map(|(_, key)| *key)),
        Some(constraint) => match &constraint.kind {
            Kind::Required(requirement) => requirement.check(linked, &devices).is_ok(),
            Kind::Match | Kind::Distinct => true,
        },
    };
    if holds {
        let message = "the devices are what is required, expected others".into();
        return Err((ViolationCode::CertificateShowsNothing, "", message));
    }
    Ok(())
}

fn choice<'q>(question: &'q Question<'_, '_>, got: Got) -> &'q Choice {
    &question.requests[got.request].alternatives[got.alternative]
}
