//! Partitions of a fabric that devices publish: wrong answers and proofs are rejected.

use dralloc::model::ResourceClaim;
use dralloc::{
    AllocateOptions, Certified, OptimalityCertificate, Policy, Snapshot, Step, Term, Violation,
    ViolationCode,
};
use dralloc_topology::NO_RING;
use serde_json::json;

use crate::known::{Partition, best, devices, engine, publish, read, values};
use crate::rejected::{certified, claim, with};

/// Two halves, and pairs of which the second alone has two links, as the first pair of all
/// with two links has that is no partition.
pub(crate) const PARTITIONS: &[Partition<'static>] = &[
    (4, &[0, 1, 2, 3]),
    (4, &[4, 5, 6, 7]),
    (2, &[0, 2]),
    (2, &[1, 5]),
    (2, &[3, 7]),
    (2, &[4, 6]),
];

/// Returns a machine of which the devices publish partitions.
pub(crate) fn published(machine: &str, partitions: &[Partition<'_>]) -> Snapshot {
    let mut document = read(machine);
    publish(&mut document, partitions);
    engine(&document).snapshot()
}

fn whole(count: usize) -> ResourceClaim {
    claim(&[("gpu", count)], &json!({"fabricPartition": "required"}))
}

/// Returns the partitions with a device more, which those of its size do not have.
fn wider() -> Vec<Partition<'static>> {
    let mut partitions = PARTITIONS.to_vec();
    partitions[2] = (2, &[0, 2, 6]);
    partitions[5] = (2, &[4]);
    partitions.push((3, &[0, 2, 6]));
    partitions
}

#[test]
fn of_all_sets_the_partitions_alone_are_right() {
    let snapshot = published("dgx1-v100", PARTITIONS);
    let pair = best(&mut snapshot.transaction(), &whole(2), &Policy::Kubernetes).results();
    for count in 1..=8 {
        let plain = claim(&[("gpu", count)], &json!({"policy": "kubernetes"}));
        let mut first = best(&mut snapshot.transaction(), &plain, &Policy::Kubernetes).results();
        first[0].devices.config.clone_from(&pair[0].devices.config);
        for set in 0..256_usize {
            let places: Vec<usize> = (0..8).filter(|place| set >> place & 1 == 1).collect();
            if places.len() != count {
                continue;
            }
            let names: Vec<String> = places.iter().map(|place| format!("gpu{place}")).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let verdict = snapshot.verify("n", &[whole(count)], &with(&first[0], &names));
            let found = verdict.map_err(|violations| {
                let codes = violations.iter().map(Violation::code);
                codes.collect::<Vec<_>>()
            });
            let is_partition = PARTITIONS
                .iter()
                .any(|(_, partition)| **partition == *places);
            let expected = if is_partition {
                Ok(())
            } else {
                Err(vec![ViolationCode::Placement])
            };
            assert_eq!(found, expected, "{names:?}");
        }
    }
}

#[test]
fn what_a_partition_is_decides_the_devices_that_are_there_now() {
    let (before, after) = (
        published("dgx1-v100", PARTITIONS),
        published("dgx1-v100", &wider()),
    );
    let answer = best(&mut before.transaction(), &whole(2), &Policy::Kubernetes);
    assert_eq!(devices(&answer), ["gpu0", "gpu2"]);
    let pair = answer.results();
    assert_eq!(before.verify("n", &[whole(2)], &pair), Ok(()));
    let violations = after.verify("n", &[whole(2)], &pair).unwrap_err();
    assert_eq!(violations[0].code(), ViolationCode::Placement);
    let now = best(&mut after.transaction(), &whole(2), &Policy::Kubernetes);
    assert_eq!(devices(&now), ["gpu1", "gpu5"]);

    // Nor does a proof hold that three devices are none.
    let options = AllocateOptions::new();
    let Certified::Infeasible(none) = certified(&before, &[whole(3)], &options) else {
        panic!("no partition has three devices");
    };
    let verdict = |snapshot: &Snapshot| {
        let verdict = snapshot.verify_certificate("n", &[whole(3)], &none);
        verdict.map_err(|violations| violations[0].code())
    };
    assert_eq!(verdict(&before), Ok(()));
    assert_eq!(verdict(&after), Err(ViolationCode::CertificateShowsNothing));
    let three = best(&mut after.transaction(), &whole(3), &Policy::Kubernetes);
    assert_eq!(devices(&three), ["gpu0", "gpu2", "gpu6"]);
}

#[test]
fn the_best_partition_is_proved_and_no_other() {
    // A pair without links, and two with one; those with two are no partitions.
    let pairs: [Partition<'_>; 3] = [(2, &[0, 5]), (2, &[1, 3]), (2, &[2, 6])];
    let snapshot = published("dgx1-v100", &pairs);
    let ring = Policy::Terms(vec![Term::new("ring", None).unwrap()]);
    let claims = [whole(2)];
    let answer = best(&mut snapshot.transaction(), &claims[0], &ring);
    assert_eq!(devices(&answer), ["gpu1", "gpu3"]);
    // A link of 25 GB/s.
    assert_eq!(values(&answer), [40_000_000_000]);
    let options = AllocateOptions::new().policy(&ring);
    let Certified::Optimal(certificate) = certified(&snapshot, &claims, &options) else {
        panic!("expected a proof");
    };
    let results = answer.results();
    let verdict = |devices: &[&str], certificate: &OptimalityCertificate| {
        let results = with(&results[0], devices);
        let verdict = snapshot.verify_optimality("n", &claims, &results, certificate);
        verdict.map_err(|violations| violations[0].code())
    };
    let right = ["gpu1", "gpu3"];
    assert_eq!(verdict(&right, &certificate), Ok(()));
    // The ring is better, and they are no partition.
    let found = verdict(&["gpu0", "gpu3"], &certificate);
    assert_eq!(found, Err(ViolationCode::Placement));
    // A partition, of which the ring is worse than what is said.
    let found = verdict(&["gpu0", "gpu5"], &certificate);
    assert_eq!(found, Err(ViolationCode::CertificateSum));
    // What is said of the best is too good, or too bad.
    for change in [-1, 1] {
        let mut other = certificate.clone();
        other.terms[0].value += change;
        let found = verdict(&right, &other);
        assert_eq!(found, Err(ViolationCode::CertificateSum));
    }
    // The worse partition is not the best, though its value is told as it is.
    let mut honest = certificate.clone();
    honest.terms[0].value = NO_RING;
    assert!(verdict(&["gpu0", "gpu5"], &honest).is_err());
    // Each step is needed.
    let steps = &certificate.terms[0].steps;
    let mut rules = steps.iter();
    assert!(
        rules.any(|step| matches!(step, Step::Placement { .. })),
        "{steps:?}"
    );
    for place in 0..steps.len() {
        let mut without = certificate.clone();
        without.terms[0].steps.remove(place);
        assert!(verdict(&right, &without).is_err(), "{place}: {steps:?}");
    }
}
