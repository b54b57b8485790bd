//! Checks proofs that an answer is the best.

use std::sync::Arc;

use super::super::violation::{Report, Violation, ViolationCode};
use super::case::{Case, Got};
use super::objective::Objective;
use super::walk::Walk;
use super::{Asked, Books};
use crate::engine::{Snapshot, Transaction};
use crate::model::{AllocationResult, DeviceId, ResourceClaim};
use crate::objective::Term;
use crate::proof::{OptimalityCertificate, TermBound};
use crate::state::Draft;

impl Snapshot {
    /// Checks a proof that no answer is better than one, and the answer itself.
    ///
    /// The books are those before the answer took effect: claims that have what
    /// they need are no part of it. Whether the terms are those that were to be
    /// looked at is for the caller to see. Where the proof says that claims on their
    /// way out hold nothing, the answer itself is not checked: it may take what they
    /// still hold.
    ///
    /// # Errors
    ///
    /// What is wrong with the answer, with the claims, or with the proof: of each
    /// term the first step.
    pub fn verify_optimality(
        &self,
        node: &str,
        claims: &[ResourceClaim],
        results: &[AllocationResult],
        certificate: &OptimalityCertificate,
    ) -> Result<(), Vec<Violation>> {
        if !certificate.releasing_is_free {
            let requires = !certificate.policies_are_ignored;
            self.check((node, claims), results, requires)?;
        }
        let books = Books {
            snapshot: self,
            inventory: &self.inventory,
            held: &Draft::new(Arc::clone(&self.state)),
        };
        books.check_best((node, claims), results, certificate)
    }
}

impl Transaction {
    /// Checks a proof as [`Snapshot::verify_optimality`] does, against what is
    /// held in the transaction.
    ///
    /// # Errors
    ///
    /// What is wrong with the answer, with the claims, or with the proof.
    pub fn verify_optimality(
        &self,
        node: &str,
        claims: &[ResourceClaim],
        results: &[AllocationResult],
        certificate: &OptimalityCertificate,
    ) -> Result<(), Vec<Violation>> {
        if !certificate.releasing_is_free {
            let requires = !certificate.policies_are_ignored;
            self.check((node, claims), results, requires)?;
        }
        let books = Books {
            snapshot: self.snapshot(),
            inventory: self.inventory(),
            held: &self.draft,
        };
        books.check_best((node, claims), results, certificate)
    }
}

impl Books<'_> {
    fn check_best(
        &self,
        question: (&str, &[ResourceClaim]),
        results: &[AllocationResult],
        certificate: &OptimalityCertificate,
    ) -> Result<(), Vec<Violation>> {
        let healths = self.snapshot.device_healths();
        let topologies = self.snapshot.graphs();
        let how = (
            certificate.releasing_is_free,
            certificate.policies_are_ignored,
        );
        self.ask(question, how, |asked, report| {
            let case = Case::new(asked.question);
            let Some(terms) = terms(asked, &certificate.terms, report) else {
                return;
            };
            let now = certificate.now;
            let objective = Objective::new(asked.question, &case, terms, healths, now, topologies);
            let values = values(asked, &objective, results);
            for (place, (bound, found)) in certificate.terms.iter().zip(&values).enumerate() {
                if i128::from(bound.value) != *found {
                    let message = format!("{}, expected {found}", bound.value);
                    let path = format!("terms[{place}].value");
                    report.add(ViolationCode::CertificateSum, path, message);
                    return;
                }
            }
            for (place, bound) in certificate.terms.iter().enumerate() {
                if bound.value == 0 && bound.steps.is_empty() {
                    continue;
                }
                let walk = Walk {
                    question: asked.question,
                    reached: asked.reached,
                    releasing: asked.releasing,
                    goal: values.get(..=place).map(|goal| (&objective, goal)),
                };
                walk.steps(&bound.steps, &format!("terms[{place}]."), report);
            }
        })
    }
}

/// Returns the terms with the requests that they count.
fn terms(
    asked: &Asked<'_, '_, '_>,
    bounds: &[TermBound],
    report: &mut Report,
) -> Option<Vec<(Term, Vec<bool>)>> {
    let requests = &asked.question.requests;
    let mut terms = Vec::with_capacity(bounds.len());
    for (place, bound) in bounds.iter().enumerate() {
        let counted = match &bound.requests {
            None => vec![true; requests.len()],
            Some(ids) => requests
                .iter()
                .map(|request| ids.contains(&request.id))
                .collect(),
        };
        let known = bound.requests.iter().flatten();
        let mut known = known.filter(|id| !requests.iter().any(|request| request.id == **id));
        if let Some(id) = known.next() {
            let message = format!("no request `{id}` is to be satisfied, expected one that is");
            let path = format!("terms[{place}].requests");
            report.add(ViolationCode::UnknownRequest, path, message);
            return None;
        }
        terms.push((bound.term.clone(), counted));
    }
    Some(terms)
}

/// Returns the values of an answer that is right.
fn values(
    asked: &Asked<'_, '_, '_>,
    objective: &Objective,
    results: &[AllocationResult],
) -> Vec<i128> {
    let question = asked.question;
    let mut chosen = Vec::new();
    let mut got = Vec::new();
    for (request, one) in question.requests.iter().enumerate() {
        let of_claim = results.get(one.id.claim).into_iter();
        let of_claim: Vec<_> = of_claim
            .flat_map(|result| &result.devices.results)
            .collect();
        let is_chosen = |name: &str| of_claim.iter().any(|result| *result.request == *name);
        let mut alternatives = one.alternatives.iter();
        let with_devices = alternatives.position(|choice| is_chosen(&choice.name));
        let mut alternatives = one.alternatives.iter();
        // Without devices it is the first that needs none.
        let alternative = with_devices
            .or_else(|| alternatives.position(|choice| choice.needed == 0))
            .unwrap_or(0);
        chosen.push((request, alternative));
        let Some(choice) = one.alternatives.get(alternative) else {
            continue;
        };
        let own = of_claim
            .iter()
            .filter(|result| result.request == choice.name);
        // Of several requests with one name the earlier take what they need.
        let skipped = one.id.repetition.saturating_mul(choice.needed);
        for result in own.skip(skipped).take(choice.needed) {
            let id = DeviceId::new(
                result.driver.clone(),
                result.pool.clone(),
                result.device.clone(),
            );
            if let Some(offer) = question.offer(&id) {
                got.push(Got {
                    request,
                    alternative,
                    offer,
                });
            }
        }
    }
    let count = objective.terms.len();
    let mut values = objective.of_choices(&chosen, count);
    for (value, more) in values
        .iter_mut()
        .zip(objective.of_devices(question, &got, count))
    {
        *value += more;
    }
    values
}
