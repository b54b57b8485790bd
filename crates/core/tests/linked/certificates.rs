//! Every answer to a random question has a certificate that is accepted.

use std::collections::BTreeMap;

use dralloc::{Certified, OptimalityCertificate, Unrecorded, ViolationCode, Workspace};
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
            Some(Certified::Unrecorded(why)) => {
                if !results.is_empty() {
                    assert_eq!(
                        snapshot.verify(node, claims, &results),
                        Ok(()),
                        "seed {seed}"
                    );
                }
                if why == Unrecorded::Placement {
                    "required"
                } else {
                    "unrecorded"
                }
            }
            None => "nothing",
        };
        counts.entry(kind).or_default().push(seed);
    }
    let numbers = counts.iter().map(|(kind, seeds)| (kind, seeds.len()));
    println!(
        "{:?}; unrecorded: {:?}",
        numbers.collect::<Vec<_>>(),
        counts.get("unrecorded")
    );
    for kind in ["best", "no"] {
        assert!(counts.get(kind).map_or(0, Vec::len) > 40, "{kind}");
    }
    assert!(counts.get("unrecorded").map_or(0, Vec::len) * 50 < 600);
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
