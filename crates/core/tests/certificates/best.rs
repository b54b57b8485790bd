//! Proofs that an answer is the best: accepted, and rejected for anything worse.

use std::collections::BTreeMap;

use dralloc::model::{AllocationResult, DeviceId};
use dralloc::{
    AllocateOptions, Budget, Certified, Change, OptimalityCertificate, Outcome, Policy, Snapshot,
    Step, ViolationCode, Workspace,
};
use dralloc_testkit::generate::{self, Question};

use crate::tree::kind;
use crate::{BRANCHES, cases, support};

fn snapshot(question: &Question) -> Snapshot {
    let mut engine = support::engine(&question.case);
    for health in &question.healths {
        engine.apply(Change::DeviceHealth(health.clone())).unwrap();
    }
    engine.snapshot()
}

fn options(question: &Question) -> AllocateOptions<'_> {
    let mut options = AllocateOptions::new().budget(Budget::new().branches(BRANCHES));
    if let Some(policy) = &question.policy {
        options = options.policy(policy);
    }
    if let Some(now) = question.now {
        options = options.now(now);
    }
    options
}

fn results(
    question: &Question,
    snapshot: &Snapshot,
    options: &AllocateOptions<'_>,
) -> Option<Vec<AllocationResult>> {
    let claims = snapshot.prepare(&question.case.claims).ok()?;
    let node = &question.case.node.metadata.name;
    let mut workspace = Workspace::new();
    match snapshot
        .transaction()
        .allocate(node, &claims, options, &mut workspace)
    {
        Ok(Outcome::Optimal(allocation)) => Some(allocation.results()),
        _ => None,
    }
}

/// Is a question with its best answer and the proof.
struct Proved {
    seed: u64,
    question: Question,
    snapshot: Snapshot,
    results: Vec<AllocationResult>,
    certificate: OptimalityCertificate,
}

fn proved(unrecorded: &mut Vec<u64>) -> Vec<Proved> {
    let mut all = Vec::new();
    for seed in 0..cases() / 4 {
        let question = generate::question(seed);
        let snapshot = snapshot(&question);
        let Ok(claims) = snapshot.prepare(&question.case.claims) else {
            continue;
        };
        let options = options(&question);
        let node = &question.case.node.metadata.name;
        let mut workspace = Workspace::new();
        let transaction = snapshot.transaction();
        match transaction.certificate(node, &claims, &options, &mut workspace) {
            Ok(Certified::Optimal(certificate)) => {
                let results = results(&question, &snapshot, &options).unwrap();
                all.push(Proved {
                    seed,
                    question,
                    snapshot,
                    results,
                    certificate,
                });
            }
            Ok(Certified::Unrecorded(_)) => unrecorded.push(seed),
            Ok(Certified::Infeasible(certificate)) => {
                let verdict =
                    snapshot.verify_certificate(node, &question.case.claims, &certificate);
                assert_eq!(verdict, Ok(()), "seed {seed}");
            }
            Ok(Certified::Fits) | Err(_) => {}
        }
    }
    all
}

impl Proved {
    fn verdict(
        &self,
        results: &[AllocationResult],
        certificate: &OptimalityCertificate,
    ) -> Option<(ViolationCode, String, String)> {
        let case = &self.question.case;
        let node = &case.node.metadata.name;
        let verdict = self
            .snapshot
            .verify_optimality(node, &case.claims, results, certificate);
        let violations = verdict.err()?;
        let first = &violations[0];
        Some((
            first.code(),
            first.path().to_owned(),
            first.message().to_owned(),
        ))
    }
}

#[test]
fn every_best_answer_to_random_questions_has_a_proof_that_is_accepted() {
    let mut unrecorded = Vec::new();
    let (mut largest, mut trivial) = (0, 0);
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    let all = proved(&mut unrecorded);
    for proved in &all {
        let certificate = &proved.certificate;
        let text = serde_json::to_string(certificate).unwrap();
        let read: OptimalityCertificate = serde_json::from_str(&text).unwrap();
        assert_eq!(read, *certificate);
        let verdict = proved.verdict(&proved.results, certificate);
        assert_eq!(verdict, None, "seed {}: {text}", proved.seed);
        let steps = certificate.terms.iter().flat_map(|bound| &bound.steps);
        let size = steps.clone().count();
        largest = largest.max(size);
        trivial += usize::from(size == 0);
        for step in steps {
            *kinds.entry(kind(step)).or_default() += 1;
        }
    }
    println!(
        "{} proved, {trivial} of them without a step, in at most {largest} steps: {kinds:?}; \
         not recorded: {unrecorded:?}",
        all.len()
    );
    assert!(all.len() as u64 > cases() / 16 && trivial < all.len() / 2);
    assert!(unrecorded.len() * 1_000 <= all.len(), "{unrecorded:?}");
}

#[test]
fn no_proof_is_accepted_for_an_answer_that_is_not_the_best() {
    let (mut worse, mut as_good) = (0, 0);
    for proved in proved(&mut Vec::new()) {
        let policy = Policy::Kubernetes;
        let first = options(&proved.question).policy(&policy);
        let Some(first) = results(&proved.question, &proved.snapshot, &first) else {
            continue;
        };
        let mut certificate = proved.certificate.clone();
        let mut changed = 0;
        // The values of the answer are told one by one.
        while let Some((code, path, message)) = proved.verdict(&first, &certificate)
            && code == ViolationCode::CertificateSum
            && path.ends_with("].value")
        {
            let place = path
                .trim_start_matches("terms[")
                .trim_end_matches("].value");
            let value = message.rsplit(' ').next().unwrap().parse().unwrap();
            certificate.terms[place.parse::<usize>().unwrap()].value = value;
            changed += 1;
        }
        let verdict = proved.verdict(&first, &certificate);
        if changed == 0 {
            as_good += 1;
            assert_eq!(verdict, None, "seed {}", proved.seed);
            continue;
        }
        worse += 1;
        assert!(verdict.is_some(), "seed {}", proved.seed);
    }
    println!("{worse} worse, {as_good} as good");
    assert!(worse > 50 && as_good > 50, "{worse} {as_good}");
}

#[test]
fn damaged_proofs_of_the_best_are_rejected_for_their_reason() {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for proved in proved(&mut Vec::new()) {
        let mut damages: Vec<(&str, OptimalityCertificate, ViolationCode, String)> = Vec::new();
        let mut add =
            |kind, place: usize, field: &str, code, change: &dyn Fn(&mut OptimalityCertificate)| {
                let mut certificate = proved.certificate.clone();
                change(&mut certificate);
                damages.push((kind, certificate, code, format!("terms[{place}]{field}")));
            };
        for (place, bound) in proved.certificate.terms.iter().enumerate() {
            let sum = ViolationCode::CertificateSum;
            add("value one up", place, ".value", sum, &|all| {
                all.terms[place].value += 1;
            });
            add("value one down", place, ".value", sum, &|all| {
                all.terms[place].value -= 1;
            });
            let incomplete = ViolationCode::CertificateIncomplete;
            if !bound.steps.is_empty() {
                add("steps left out", place, ".steps", incomplete, &|all| {
                    all.terms[place].steps.clear();
                });
            }
            for (at, step) in bound.steps.iter().enumerate() {
                let Step::Least { parts, requests } = step else {
                    continue;
                };
                let devices = ViolationCode::CertificateDevices;
                let field = format!(".steps[{at}].parts");
                add("part left out", place, &field, devices, &|all| {
                    let Step::Least { parts, .. } = &mut all.terms[place].steps[at] else {
                        return;
                    };
                    parts.pop();
                });
                if !parts.is_empty() {
                    add(
                        "device of a part left out",
                        place,
                        &field,
                        devices,
                        &|all| {
                            let Step::Least { parts, .. } = &mut all.terms[place].steps[at] else {
                                return;
                            };
                            parts[0].pop();
                        },
                    );
                }
                add("device of a part unknown", place, &field, devices, &|all| {
                    let Step::Least { parts, .. } = &mut all.terms[place].steps[at] else {
                        return;
                    };
                    parts.push(vec![DeviceId::new("zz.example.com", "pool", "stranger")]);
                });
                let field = format!(".steps[{at}].requests");
                if !requests.is_empty() {
                    let twice = ViolationCode::CertificateRequests;
                    add("request twice", place, &field, twice, &|all| {
                        let Step::Least { requests, .. } = &mut all.terms[place].steps[at] else {
                            return;
                        };
                        requests.extend(requests.first().cloned());
                    });
                }
            }
        }
        for (kind, certificate, code, path) in damages {
            if kind == "part left out" && certificate == proved.certificate {
                continue;
            }
            *counts.entry(kind).or_default() += 1;
            let verdict = proved.verdict(&proved.results, &certificate);
            let Some((found, place, _)) = verdict else {
                panic!("seed {}: {kind} is accepted", proved.seed)
            };
            assert_eq!((found, place), (code, path), "seed {}: {kind}", proved.seed);
        }
    }
    println!("{counts:?}");
    let kinds = [
        "device of a part left out",
        "device of a part unknown",
        "part left out",
        "request twice",
        "steps left out",
        "value one down",
        "value one up",
    ];
    assert_eq!(counts.keys().copied().collect::<Vec<_>>(), kinds);
}
