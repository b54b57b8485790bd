//! Answers that are not what is required, and proofs about it that prove nothing.

use dralloc::model::{AllocationResult, DeviceId, ResourceClaim};
use dralloc::{
    AllocateOptions, CarriedPolicies, Certificate, Certified, ConstraintId, OptimalityCertificate,
    Policy, RequestId, Snapshot, Step, Term, TermBound, Violation, ViolationCode, Workspace,
};
use serde_json::{Value, json};

use crate::known::{Partition, best, devices, engine, read};
use crate::partitions::{PARTITIONS, published};

/// Is something that a policy or a machine requires.
struct Rule {
    machine: &'static str,
    /// The partitions of the fabric that devices publish.
    partitions: &'static [Partition<'static>],
    policy: Value,
    /// How many devices of each class fit, the first answer, and one that is wrong.
    fits: &'static [(&'static str, usize)],
    right: &'static [&'static str],
    wrong: &'static [&'static str],
    /// A policy and numbers that cannot be had.
    never: (Value, &'static [(&'static str, usize)]),
}

fn unit(gpus: usize, more: &[(&str, &str)]) -> Value {
    let mut unit = json!({"requests": {"gpu": gpus, "nic": 1}, "mode": "required"});
    for (field, word) in more {
        unit[field] = json!(word);
    }
    json!({"unit": unit})
}

fn rules() -> Vec<Rule> {
    let level = |scope: &str| json!({"affinity": [{"scope": scope, "mode": "required"}]});
    let switch = ("scope", "pcieSwitch");
    vec![
        Rule {
            machine: "hgx-h100-pix-pairs",
            partitions: &[],
            policy: level("numaNode"),
            fits: &[("gpu", 4)],
            right: &["gpu0", "gpu1", "gpu2", "gpu3"],
            wrong: &["gpu0", "gpu1", "gpu2", "gpu4"],
            never: (level("numaNode"), &[("gpu", 5)]),
        },
        Rule {
            machine: "dgx1-v100",
            partitions: &[],
            policy: level("nvLink"),
            fits: &[("gpu", 4)],
            right: &["gpu0", "gpu1", "gpu2", "gpu3"],
            wrong: &["gpu0", "gpu1", "gpu2", "gpu4"],
            never: (level("nvLink"), &[("gpu", 5)]),
        },
        Rule {
            machine: "hgx-h100-pix-pairs",
            partitions: &[],
            policy: unit(1, &[switch]),
            fits: &[("gpu", 2), ("nic", 2)],
            right: &["gpu0", "gpu1", "nic0", "nic1"],
            wrong: &["gpu0", "gpu1", "nic0", "nic2"],
            never: (unit(3, &[switch]), &[("gpu", 3), ("nic", 1)]),
        },
        Rule {
            machine: "hgx-h100-pix-pairs",
            partitions: &[],
            policy: unit(1, &[switch, ("apartOver", "numaNode")]),
            fits: &[("gpu", 2), ("nic", 2)],
            right: &["gpu0", "gpu4", "nic0", "nic4"],
            wrong: &["gpu0", "gpu2", "nic0", "nic2"],
            never: (
                unit(1, &[switch, ("apartOver", "host")]),
                &[("gpu", 2), ("nic", 2)],
            ),
        },
        Rule {
            machine: "dgx1-v100",
            partitions: &[],
            policy: json!({"minRingGBps": "50"}),
            fits: &[("gpu", 2)],
            right: &["gpu0", "gpu3"],
            wrong: &["gpu0", "gpu1"],
            never: (json!({"minRingGBps": "150.000000001"}), &[("gpu", 8)]),
        },
        Rule {
            machine: "hgx-h100-fm-shared-nvswitch",
            partitions: &[],
            policy: json!({"policy": "kubernetes"}),
            fits: &[("gpu", 2)],
            right: &["gpu0", "gpu1"],
            wrong: &["gpu0", "gpu2"],
            never: (json!({"policy": "kubernetes"}), &[("gpu", 3)]),
        },
        Rule {
            machine: "dgx1-v100",
            partitions: PARTITIONS,
            policy: json!({"fabricPartition": "required"}),
            fits: &[("gpu", 2)],
            right: &["gpu0", "gpu2"],
            wrong: &["gpu0", "gpu1"],
            never: (json!({"fabricPartition": "required"}), &[("gpu", 3)]),
        },
    ]
}

impl Rule {
    fn snapshot(&self) -> Snapshot {
        published(self.machine, self.partitions)
    }
}

pub(crate) fn claim(requests: &[(&str, usize)], policy: &Value) -> ResourceClaim {
    let request = |(class, count): &(&str, usize)| {
        json!({"name": class, "exactly":
            {"deviceClassName": class, "allocationMode": "ExactCount", "count": count}})
    };
    let requests: Vec<Value> = requests.iter().map(request).collect();
    let mut parameters = policy.clone();
    parameters["apiVersion"] = "dralloc.dev/v1alpha1".into();
    parameters["kind"] = "PlacementPolicy".into();
    let claim = json!({"metadata": {"name": "c", "namespace": "d", "uid": "c"},
        "spec": {"devices": {"requests": requests,
            "config": [{"opaque": {"driver": "dralloc.dev", "parameters": parameters}}]}}});
    serde_json::from_value(claim).unwrap()
}

pub(crate) fn certified(
    snapshot: &Snapshot,
    claims: &[ResourceClaim],
    options: &AllocateOptions<'_>,
) -> Certified {
    let prepared = snapshot.prepare(claims).unwrap();
    let transaction = snapshot.transaction();
    let certified = transaction.certificate("n", &prepared, options, &mut Workspace::new());
    certified.unwrap()
}

/// Returns an answer with other devices, in the same order.
pub(crate) fn with(result: &AllocationResult, devices: &[&str]) -> Vec<AllocationResult> {
    let mut result = result.clone();
    assert_eq!(result.devices.results.len(), devices.len());
    for (one, device) in result.devices.results.iter_mut().zip(devices) {
        one.device = (*device).into();
    }
    vec![result]
}

#[test]
fn answers_that_are_not_what_is_required_are_rejected() {
    for rule in rules() {
        let snapshot = rule.snapshot();
        let claims = [claim(rule.fits, &rule.policy)];
        let name = format!("{} {}", rule.machine, rule.policy);
        let answer = best(&mut snapshot.transaction(), &claims[0], &Policy::Kubernetes);
        assert_eq!(devices(&answer), rule.right, "{name}");
        let results = answer.results();
        assert_eq!(snapshot.verify("n", &claims, &results), Ok(()), "{name}");
        let wrong = with(&results[0], rule.wrong);
        let violations = snapshot.verify("n", &claims, &wrong).unwrap_err();
        let codes: Vec<_> = violations.iter().map(Violation::code).collect();
        assert_eq!(codes, [ViolationCode::Placement], "{name}: {violations:?}");
    }
}

#[test]
fn proofs_that_nothing_is_what_is_required_are_read_closely() {
    for rule in rules() {
        let snapshot = rule.snapshot();
        let (policy, requests) = &rule.never;
        let name = format!("{} {policy}", rule.machine);
        let claims = [claim(requests, policy)];
        let certified = certified(&snapshot, &claims, &AllocateOptions::new());
        let Certified::Infeasible(certificate) = certified else {
            panic!("{name}: {certified:?}");
        };
        let verdict = |claims: &[ResourceClaim], certificate: &Certificate| {
            let verdict = snapshot.verify_certificate("n", claims, certificate);
            verdict.map_err(|violations| violations[0].code())
        };
        assert_eq!(verdict(&claims, &certificate), Ok(()), "{name}");
        println!("{name}: {} steps", certificate.steps.len());
        let text = serde_json::to_string(&certificate).unwrap();
        assert_eq!(
            serde_json::from_str::<Certificate>(&text).unwrap(),
            certificate
        );

        // Nothing is required of that question, or of one that fits.
        let mut ignored = certificate.clone();
        ignored.policies_are_ignored = true;
        assert!(verdict(&claims, &ignored).is_err(), "{name}");
        let fits = [claim(rule.fits, &rule.policy)];
        assert!(verdict(&fits, &certificate).is_err(), "{name}");

        let mut open = certificate.clone();
        open.steps.pop();
        let expected = Err(ViolationCode::CertificateIncomplete);
        assert_eq!(verdict(&claims, &open), expected, "{name}");
        for place in 0..certificate.steps.len() {
            if let Step::Placement { constraint } = &certificate.steps[place] {
                // Another rule, which nothing breaks or which is none of the claim's.
                let mut other = certificate.clone();
                other.steps[place] = Step::Placement {
                    constraint: match constraint {
                        Some(_) => None,
                        None => Some(ConstraintId {
                            claim: 0,
                            constraint: 0,
                        }),
                    },
                };
                let expected = match constraint {
                    Some(_) => ViolationCode::CertificateShowsNothing,
                    None => ViolationCode::UnknownConstraint,
                };
                let found = verdict(&claims, &other);
                assert!(
                    found == Err(expected) || found == Err(ViolationCode::CertificateRequests),
                    "{name}: {found:?}"
                );
                break;
            }
        }
    }
}

#[test]
fn what_is_ignored_is_no_part_of_a_proof() {
    let snapshot = engine(&read("hgx-h100-pix-pairs")).snapshot();
    let level = json!({"affinity": [{"scope": "numaNode", "mode": "required"}]});
    let options = AllocateOptions::new().carried_policies(CarriedPolicies::Ignored);
    let nine = [claim(&[("gpu", 9)], &level)];
    let Certified::Infeasible(mut certificate) = certified(&snapshot, &nine, &options) else {
        panic!("there are eight devices")
    };
    assert!(certificate.policies_are_ignored);
    let verdict = snapshot.verify_certificate("n", &nine, &certificate);
    assert_eq!(verdict, Ok(()));
    // The levels tell devices apart, which the sum does not.
    certificate.policies_are_ignored = false;
    let verdict = snapshot.verify_certificate("n", &nine, &certificate);
    assert_eq!(verdict, Ok(()));

    let five = [claim(&[("gpu", 5)], &level)];
    let pack = Policy::Pack;
    let options = options.policy(&pack);
    let certified = certified(&snapshot, &five, &options);
    let Certified::Optimal(certificate) = certified else {
        panic!("{certified:?}");
    };
    assert!(certificate.policies_are_ignored);
    let mut transaction = snapshot.transaction();
    let prepared = snapshot.prepare(&five).unwrap();
    let outcome = transaction.allocate("n", &prepared, &options, &mut Workspace::new());
    let results = outcome.unwrap().allocation().unwrap().results();
    let verdict = snapshot.verify_optimality("n", &five, &results, &certificate);
    assert_eq!(verdict, Ok(()));
    let mut required = certificate;
    required.policies_are_ignored = false;
    let verdict = snapshot.verify_optimality("n", &five, &results, &required);
    assert_eq!(verdict.unwrap_err()[0].code(), ViolationCode::Placement);
}

#[test]
fn devices_of_other_worth_are_no_group() {
    let snapshot = engine(&read("hgx-b200-gpu2-nvlink-down")).snapshot();
    let claims = [claim(&[("gpu", 2)], &json!({"policy": "kubernetes"}))];
    let ring = Term::new("ring", None).unwrap();
    let policy = Policy::Terms(vec![ring.clone()]);
    let answer = best(&mut snapshot.transaction(), &claims[0], &policy);
    let broken = with(&answer.results()[0], &["gpu0", "gpu2"]);
    assert_eq!(snapshot.verify("n", &claims, &broken), Ok(()));
    let request = RequestId::new(0, "gpu");
    let names = [
        "gpu0", "gpu1", "gpu2", "gpu3", "gpu4", "gpu5", "gpu6", "gpu7",
    ];
    let all = names.map(|name| DeviceId::new("gpu.example.com", "n", name));
    // One that is broken would stand for all.
    let mut group = all.to_vec();
    group.swap(0, 2);
    let certificate = OptimalityCertificate {
        terms: vec![TermBound {
            term: ring,
            requests: None,
            value: 2_000_000_000_000_000,
            steps: vec![
                Step::Devices {
                    request: request.clone(),
                    devices: vec![group],
                },
                Step::Least {
                    requests: vec![request.clone()],
                    parts: vec![all.to_vec()],
                },
                Step::Count {
                    requests: vec![request],
                    devices: Vec::new(),
                    needed: 2,
                    available: 0,
                },
            ],
        }],
        ..OptimalityCertificate::default()
    };
    let violations = snapshot
        .verify_optimality("n", &claims, &broken, &certificate)
        .unwrap_err();
    assert_eq!(violations[0].code(), ViolationCode::CertificateDevices);
    assert_eq!(violations[0].path(), "terms[0].steps[0].devices");
}
