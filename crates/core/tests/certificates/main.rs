//! Proofs that nothing fits: made for every "no", accepted, and rejected when changed.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    reason = "a test ends at what it did not expect, and builders take what they use"
)]

mod best;
mod damage;
mod families;
#[allow(dead_code, reason = "other tests use more of it")]
#[path = "../support/mod.rs"]
mod support;
mod tree;

use std::collections::BTreeMap;

use dralloc::model::ResourceClaim;
use dralloc::{
    AllocateOptions, Budget, Certificate, Certified, Outcome, Snapshot, ViolationCode, Workspace,
};
use dralloc_testkit::case::{Allocated, Case};
use dralloc_testkit::generate::{self, Profile};
use tree::kind;

/// Cases in an ordinary run; `DRALLOC_PROPERTY_CASES` asks for more.
const CASES: u64 = 4_000;

/// Branches after which an answer or a proof is given up.
const BRANCHES: u64 = 1_000_000;

fn cases() -> u64 {
    let asked = std::env::var("DRALLOC_PROPERTY_CASES").ok();
    asked.map_or(CASES, |text| text.parse().unwrap())
}

fn certify(node: &str, snapshot: &Snapshot, claims: &[ResourceClaim]) -> Option<Certified> {
    let claims = snapshot.prepare(claims).ok()?;
    let options = AllocateOptions::new().budget(Budget::new().branches(BRANCHES));
    let mut workspace = Workspace::new();
    let transaction = snapshot.transaction();
    transaction
        .certificate(node, &claims, &options, &mut workspace)
        .ok()
}

/// Returns the random cases to which the answer is no, with proofs.
fn proved() -> impl Iterator<Item = (u64, Case, Certificate)> {
    (0..cases()).filter_map(|seed| {
        let case = generate::case(seed, Profile::Small);
        let snapshot = support::snapshot(&case);
        match certify(&case.node.metadata.name, &snapshot, &case.claims)? {
            Certified::Infeasible(certificate) => Some((seed, case, certificate)),
            Certified::Fits | Certified::Optimal(_) => None,
            Certified::Unrecorded(why) => panic!("seed {seed}: {why:?}"),
        }
    })
}

#[test]
fn every_no_to_random_questions_has_a_proof_that_is_accepted() {
    let (mut count, mut largest) = (0_u64, 0);
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    for (seed, case, certificate) in proved() {
        count += 1;
        largest = largest.max(certificate.steps.len());
        for step in &certificate.steps {
            *kinds.entry(kind(step)).or_default() += 1;
        }
        let text = serde_json::to_string(&certificate).unwrap();
        assert_eq!(
            serde_json::from_str::<Certificate>(&text).unwrap(),
            certificate
        );
        let snapshot = support::snapshot(&case);
        let node = &case.node.metadata.name;
        let verdict = snapshot.verify_certificate(node, &case.claims, &certificate);
        let question = || generate::json(seed, Profile::Small);
        assert_eq!(verdict, Ok(()), "seed {seed}: {text}\n{}", question());
    }
    println!("{count} proved in at most {largest} steps: {kinds:?}");
    assert!(count > cases() / 5, "{count}");
    // Constraints of different requests seldom need the same values; the families do.
    kinds.remove("groups");
    let expected = [
        "alternatives",
        "count",
        "counters",
        "devices",
        "distinct",
        "parts",
        "values",
    ];
    assert_eq!(kinds.keys().copied().collect::<Vec<_>>(), expected);
}

#[test]
fn every_no_of_the_families_has_a_small_proof() {
    let mut sizes = Vec::new();
    for question in families::all() {
        let certified = certify("node-1", &question.snapshot, &question.claims);
        let Some(Certified::Infeasible(certificate)) = certified else {
            panic!("{}: {certified:?}", question.name)
        };
        let verdict =
            question
                .snapshot
                .verify_certificate("node-1", &question.claims, &certificate);
        assert_eq!(verdict, Ok(()), "{}", question.name);
        let kinds: Vec<&str> = certificate.steps.iter().map(kind).take(4).collect();
        sizes.push((question.name, certificate.steps.len(), kinds));
    }
    println!("{sizes:#?}");
    for (name, size, _) in sizes {
        assert!(size <= 100, "{name}: {size}");
    }
}

#[test]
fn a_device_that_is_held_whole_has_not_paid_for_others() {
    let question = families::held_whole();
    let certified = certify("node-1", &question.snapshot, &question.claims);
    let Some(Certified::Infeasible(certificate)) = certified else {
        panic!("{certified:?}")
    };
    let verdict = question
        .snapshot
        .verify_certificate("node-1", &question.claims, &certificate);
    assert_eq!(verdict, Ok(()));
}

#[test]
fn constraints_of_one_request_share_its_devices() {
    let question = families::constrained_twice();
    let certified = certify("node-1", &question.snapshot, &question.claims);
    assert_eq!(certified, Some(Certified::Fits));
    let verdict = |available: usize| {
        let request = serde_json::json!({"claim": 0, "request": "one"});
        let certificate = serde_json::json!({"steps": [{"groups": {
            "constraints": [{"claim": 0, "constraint": 0}, {"claim": 0, "constraint": 1}],
            "values": [{"value": {"int": 7}, "requests": [request, request],
                "available": available}],
            "available": available}}]});
        let certificate: Certificate = serde_json::from_value(certificate).unwrap();
        let verdict =
            question
                .snapshot
                .verify_certificate("node-1", &question.claims, &certificate);
        verdict.map_err(|violations| violations[0].code())
    };
    // Both have the device of the request that they have in common.
    assert_eq!(verdict(1), Err(ViolationCode::CertificateSum));
    assert_eq!(verdict(2), Err(ViolationCode::CertificateShowsNothing));
}

#[test]
fn damaged_proofs_are_rejected_for_their_reason() {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut look = |name: &str,
                    snapshot: &Snapshot,
                    node: &str,
                    claims: &[ResourceClaim],
                    certificate: &Certificate| {
        for damage in damage::all(certificate) {
            let verdict = snapshot.verify_certificate(node, claims, &damage.certificate);
            let count = counts.entry(damage.kind).or_default();
            count.0 += 1;
            count.1 += usize::from(verdict.is_ok());
            let is_as_expected = match &verdict {
                Ok(()) => damage.expected.is_empty(),
                Err(violations) => {
                    damage.expected.is_empty()
                        || damage.expected.contains(&violations[0].code())
                            && violations[0].path().starts_with(&damage.path)
                }
            };
            if !is_as_expected {
                wrong.push((name.to_owned(), damage.kind, verdict, damage.path));
            }
        }
    };
    for (seed, case, certificate) in proved() {
        let snapshot = support::snapshot(&case);
        let node = &case.node.metadata.name;
        look(
            &format!("seed {seed}"),
            &snapshot,
            node,
            &case.claims,
            &certificate,
        );
    }
    for question in families::all() {
        let certified = certify("node-1", &question.snapshot, &question.claims);
        let Some(Certified::Infeasible(certificate)) = certified else {
            panic!("{}: {certified:?}", question.name)
        };
        look(
            &question.name,
            &question.snapshot,
            "node-1",
            &question.claims,
            &certificate,
        );
    }
    println!("damaged and right all the same by kind: {counts:#?}");
    // Requests that two constraints share may stand for either.
    for (kind, (total, right)) in &counts {
        let may_be_right = *kind == "requests of a value turned round";
        assert!(right < total && (*right == 0 || may_be_right), "{kind}");
    }
    assert_eq!(counts.keys().copied().collect::<Vec<_>>(), damage::KINDS);
    assert!(
        wrong.is_empty(),
        "{}: {:#?}",
        wrong.len(),
        &wrong[..wrong.len().min(5)]
    );
}

/// Returns the same question with something made easier.
fn easier(case: &Case) -> Vec<(&'static str, Case)> {
    let mut all = Vec::new();
    let mut free = case.clone();
    free.allocated = Allocated::default();
    all.push(("nothing held", free));
    for claim in 0..case.claims.len() {
        let devices = &case.claims[claim].spec.devices;
        for constraint in 0..devices.constraints.len() {
            let mut looser = case.clone();
            looser.claims[claim]
                .spec
                .devices
                .constraints
                .remove(constraint);
            all.push(("constraint dropped", looser));
        }
        for request in 0..devices.requests.len() {
            let mut fewer = case.clone();
            if let Some(exactly) = &mut fewer.claims[claim].spec.devices.requests[request].exactly {
                exactly.count = (exactly.count - 1).max(1);
                all.push(("one less asked for", fewer));
            }
            let mut wider = case.clone();
            if let Some(exactly) = &mut wider.claims[claim].spec.devices.requests[request].exactly {
                exactly.selectors = Vec::default();
                all.push(("selectors dropped", wider));
            }
        }
    }
    all
}

#[test]
fn what_a_proof_is_accepted_for_never_fits() {
    let mut counts: BTreeMap<&str, [usize; 3]> = BTreeMap::new();
    let options = AllocateOptions::new().budget(Budget::new().branches(BRANCHES));
    for (seed, case, certificate) in proved() {
        for (kind, case) in easier(&case) {
            let snapshot = support::snapshot(&case);
            let node = &case.node.metadata.name;
            let is_accepted = snapshot
                .verify_certificate(node, &case.claims, &certificate)
                .is_ok();
            let Ok(claims) = snapshot.prepare(&case.claims) else {
                continue;
            };
            let mut transaction = snapshot.transaction();
            let mut workspace = Workspace::new();
            let outcome = transaction.allocate(node, &claims, &options, &mut workspace);
            let fits = matches!(outcome, Ok(Outcome::Optimal(_)));
            assert!(!(is_accepted && fits), "seed {seed}: {kind}");
            let count = counts.entry(kind).or_default();
            count[0] += usize::from(fits);
            count[1] += usize::from(is_accepted);
            count[2] += usize::from(!fits && !is_accepted);
        }
    }
    println!("fits, accepted, neither: {counts:#?}");
    assert!(
        counts
            .values()
            .all(|[fits, accepted, _]| *fits > 0 && *accepted > 0)
    );
}
