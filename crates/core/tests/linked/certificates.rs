//! Every answer to a random question has a certificate that is accepted.

use std::collections::BTreeMap;

use dralloc::{
    CarriedPolicies, Certificate, Certified, OptimalityCertificate, Step, ViolationCode, Workspace,
};
use dralloc_testkit::generate::{self, LinkedQuestion};

use crate::ask::{Said, cases, engine, options, snapshot};

fn certified(question: &LinkedQuestion) -> Option<Certified> {
    let snapshot = snapshot(question);
    let claims = snapshot.prepare(&question.case.claims).ok()?;
    let node = &question.case.node.metadata.name;
    let transaction = snapshot.transaction();
    transaction
        .certificate(node, &claims, &options(question), &mut Workspace::new())
        .ok()
}

#[test]
fn certificates_are_accepted() {
    let mut counts: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for seed in 0..cases(600) {
        let question = generate::linked_question(seed);
        let (answer, results) = engine(&question);
        let snapshot = snapshot(&question);
        let (node, claims) = (&question.case.node.metadata.name, &question.case.claims);
        let kind = match certified(&question) {
            Some(Certified::Optimal(certificate)) => {
                let verdict = snapshot.verify_optimality(node, claims, &results, &certificate);
                assert_eq!(verdict, Ok(()), "seed {seed}: {certificate:?}");
                if certificate.terms.iter().all(|bound| bound.steps.is_empty()) {
                    "best at a glance"
                } else {
                    "best"
                }
            }
            Some(Certified::Infeasible(certificate)) => {
                let verdict = snapshot.verify_certificate(node, claims, &certificate);
                assert_eq!(verdict, Ok(()), "seed {seed}: {certificate:?}");
                assert_eq!(answer, Said::No, "seed {seed}");
                "no"
            }
            Some(Certified::Fits) => {
                assert_eq!(
                    snapshot.verify(node, claims, &results),
                    Ok(()),
                    "seed {seed}"
                );
                "first"
            }
            Some(Certified::Unrecorded(_)) => {
                if !results.is_empty() {
                    assert_eq!(
                        snapshot.verify(node, claims, &results),
                        Ok(()),
                        "seed {seed}"
                    );
                }
                "unrecorded"
            }
            None => "nothing",
        };
        counts.entry(kind).or_default().push(seed);
        if has_demands(&question) && ["best", "no"].contains(&kind) {
            let kind = if kind == "no" {
                "no, required"
            } else {
                "best, required"
            };
            counts.entry(kind).or_default().push(seed);
        }
    }
    let numbers = counts.iter().map(|(kind, seeds)| (kind, seeds.len()));
    println!(
        "{:?}; unrecorded: {:?}",
        numbers.collect::<Vec<_>>(),
        counts.get("unrecorded")
    );
    for kind in ["best", "no", "best, required", "no, required"] {
        assert!(counts.get(kind).map_or(0, Vec::len) > 40, "{kind}");
    }
    assert!(counts.get("unrecorded").map_or(0, Vec::len) * 50 < 600);
}

/// Returns whether something is required of places and links.
fn has_demands(question: &LinkedQuestion) -> bool {
    let limits = question.topologies.iter();
    let mut limits = limits.map(|topology| !topology.spec.allowed_sets.is_empty());
    let mut policies = question.demands.iter().map(|demand| &demand.policy);
    limits.any(|limits| limits)
        || policies.any(|policy| {
            let mut levels = policy.affinity.iter();
            policy.min_ring_gbps.is_some()
                || policy.fabric_partition.is_some()
                || levels.any(|level| *level.mode == *"required")
                || policy
                    .unit
                    .as_ref()
                    .is_some_and(|unit| *unit.mode == *"required")
        })
}

#[test]
fn damaged_certificates_that_nothing_fits_are_rejected() {
    let (mut damaged, mut by_rules, mut fit_otherwise) = (0, 0, 0);
    for seed in 0..cases(600) / 2 {
        let question = generate::linked_question(seed);
        let Some(Certified::Infeasible(certificate)) = certified(&question) else {
            continue;
        };
        let snapshot = snapshot(&question);
        let (node, claims) = (&question.case.node.metadata.name, &question.case.claims);
        let verdict = |certificate: &Certificate| {
            let verdict = snapshot.verify_certificate(node, claims, certificate);
            verdict.unwrap_err()[0].code()
        };
        let mut open = certificate.clone();
        open.steps.pop();
        assert_eq!(
            verdict(&open),
            ViolationCode::CertificateIncomplete,
            "seed {seed}"
        );
        let mut surplus = certificate.clone();
        surplus.steps.extend(certificate.steps.last().cloned());
        assert_eq!(
            verdict(&surplus),
            ViolationCode::CertificateSurplus,
            "seed {seed}"
        );
        damaged += 1;
        // Where the rest of the question fits, what is required must be what refutes it.
        let options = options(&question).carried_policies(CarriedPolicies::Ignored);
        let prepared = snapshot.prepare(claims).unwrap();
        let mut transaction = snapshot.transaction();
        let outcome = transaction.allocate(node, &prepared, &options, &mut Workspace::new());
        if outcome.is_ok_and(|outcome| outcome.allocation().is_some()) {
            let mut ignored = certificate.clone();
            ignored.policies_are_ignored = true;
            let verdict = snapshot.verify_certificate(node, claims, &ignored);
            assert!(verdict.is_err(), "seed {seed}: {certificate:?}");
            fit_otherwise += 1;
        }
        let is_rule = |step: &Step| matches!(step, Step::Placement { .. });
        if certificate.steps.iter().any(is_rule) {
            // Nothing is settled at first.
            let mut first = certificate.clone();
            first.steps.retain(is_rule);
            first.steps.truncate(1);
            assert_eq!(
                verdict(&first),
                ViolationCode::CertificateRequests,
                "seed {seed}"
            );
            by_rules += 1;
        }
    }
    println!("{damaged} {by_rules} {fit_otherwise}");
    assert!(damaged > 40 && by_rules > 5 && fit_otherwise > 20);
}

#[test]
fn damaged_certificates_are_rejected() {
    let mut damaged = 0;
    for seed in 0..cases(600) / 2 {
        let question = generate::linked_question(seed);
        let Some(Certified::Optimal(certificate)) = certified(&question) else {
            continue;
        };
        let (_, results) = engine(&question);
        let snapshot = snapshot(&question);
        let (node, claims) = (&question.case.node.metadata.name, &question.case.claims);
        let verdict = |certificate: &OptimalityCertificate| {
            let verdict = snapshot.verify_optimality(node, claims, &results, certificate);
            verdict.unwrap_err()[0].code()
        };
        for place in 0..certificate.terms.len() {
            let mut better = certificate.clone();
            better.terms[place].value -= 1;
            assert_eq!(
                verdict(&better),
                ViolationCode::CertificateSum,
                "seed {seed}"
            );
            if certificate.terms[place].steps.is_empty() {
                continue;
            }
            let mut open = certificate.clone();
            open.terms[place].steps.pop();
            assert_eq!(
                verdict(&open),
                ViolationCode::CertificateIncomplete,
                "seed {seed}"
            );
            damaged += 1;
        }
    }
    println!("{damaged}");
    assert!(damaged > 50, "{damaged}");
}
