//! A claim has 32 devices at most: alternatives beyond that are none.

use dralloc::model::ResourceClaim;
use dralloc::{
    AllocateOptions, Budget, Certified, OptimalityCertificate, Outcome, Policy, Snapshot, Term,
    Workspace,
};
use serde_json::{Value, json};

use super::{devices, engine, values};

/// Branches that are enough for each question here.
const FEW: u64 = 2_000;

/// So many devices alone on a node; the first of them say that they are special.
fn plain(count: usize, special: usize) -> Snapshot {
    let devices = (0..count).map(|device| {
        let attributes = json!({"special": {"bool": device < special}});
        json!({"name": format!("d{device}"), "attributes": attributes})
    });
    engine(&[devices.collect()], &json!([])).snapshot()
}

fn exactly(name: &str, count: u32) -> Value {
    json!({"name": name, "exactly":
        {"deviceClassName": "c", "allocationMode": "ExactCount", "count": count}})
}

/// A request of which one of several numbers of devices will do.
fn either(name: &str, counts: &[u32]) -> Value {
    let wanted = counts.iter().map(|count| {
        json!({"name": format!("n{count}"), "deviceClassName": "c",
            "allocationMode": "ExactCount", "count": count})
    });
    json!({"name": name, "firstAvailable": wanted.collect::<Value>()})
}

/// The same, but its first alternative asks for special devices, some or all.
fn special_or(name: &str, mode: &Value, count: u32) -> Value {
    let mut request = either(name, &[0, count]);
    let first = &mut request["firstAvailable"][0];
    *first = mode.clone();
    first["name"] = json!("special");
    first["deviceClassName"] = json!("c");
    first["selectors"] = json!([{"cel": {"expression": "device.attributes['d'].special"}}]);
    request
}

fn claims(requests: &[Value]) -> Vec<ResourceClaim> {
    let claims = requests.iter().enumerate().map(|(number, requests)| {
        let claim = json!({"metadata": {"name": format!("c{number}"), "namespace": "n"},
            "spec": {"devices": {"requests": requests}}});
        serde_json::from_value(claim).unwrap()
    });
    claims.collect()
}

/// What each request gets, in few branches and in every way: its alternative, the
/// first device and how many; with the values under a policy.
fn answers(snapshot: &Snapshot, requests: &[Value], policy: &Policy) -> (Vec<String>, Vec<i64>) {
    let prepared = snapshot.prepare(&claims(requests)).unwrap();
    let usual = AllocateOptions::new().budget(Budget::new().branches(FEW));
    let ways = [usual.shortcuts(false), usual, usual.policy(policy)];
    let mut got: Vec<(Vec<String>, Vec<i64>)> = Vec::new();
    for options in ways {
        let mut transaction = snapshot.transaction();
        let found = transaction.allocate("n0", &prepared, &options, &mut Workspace::new());
        let Outcome::Optimal(allocation) = found.unwrap() else {
            panic!("no answer that is the best")
        };
        let mut texts: Vec<(String, String, usize)> = Vec::new();
        let results = allocation.results();
        for device in results.iter().flat_map(|result| &result.devices.results) {
            match texts.last_mut() {
                Some((request, _, count)) if *request == *device.request => *count += 1,
                _ => texts.push((device.request.to_string(), device.device.to_string(), 1)),
            }
        }
        let texts = texts.iter();
        let texts = texts.map(|(request, first, count)| format!("{request} {first} {count}"));
        got.push((texts.collect(), values(&allocation)));
    }
    assert!(got[0].0 == got[1].0 && got[0].0 == got[2].0, "{got:?}");
    got.pop().unwrap()
}

fn expect(snapshot: &Snapshot, requests: &[Value], expected: &[&str], values: [i64; 5]) {
    let (got, found) = answers(snapshot, requests, &Policy::Pack);
    assert_eq!(got, expected);
    assert_eq!(found, values);
}

#[test]
fn a_claim_has_just_as_many_devices_as_it_may() {
    let snapshot = plain(40, 0);
    let most = json!([exactly("a", 16), exactly("b", 16)]);
    expect(
        &snapshot,
        &[most],
        &["a d0 16", "b d16 16"],
        [0, 0, 0, 32, 32],
    );
    let first = json!([either("a", &[17, 16]), exactly("b", 16)]);
    expect(
        &snapshot,
        &[first],
        &["a/n16 d0 16", "b d16 16"],
        [1, 0, 0, 32, 32],
    );
    // What comes later may be less, and so what comes first may be as much as that leaves.
    let last = json!([exactly("a", 16), either("b", &[17, 16])]);
    expect(
        &snapshot,
        &[last],
        &["a d0 16", "b/n16 d16 16"],
        [1, 0, 0, 32, 32],
    );
    let both = json!([either("a", &[31, 30]), either("b", &[3, 2])]);
    expect(
        &snapshot,
        &[both],
        &["a/n30 d0 30", "b/n2 d30 2"],
        [2, 0, 0, 32, 32],
    );
}

/// Each could have its first alternative, but only one of them at a time.
#[test]
fn alternatives_are_weighed_together() {
    let snapshot = plain(40, 0);
    let three = json!([
        either("a", &[20, 10]),
        either("b", &[20, 10]),
        either("c", &[12, 1])
    ]);
    let policy = Policy::Terms(vec![Term::AlternativeRank, Term::PackingPotential]);
    let (got, values) = answers(&snapshot, &[three], &policy);
    assert_eq!(got, ["a/n20 d0 20", "b/n10 d20 10", "c/n1 d30 1"]);
    assert_eq!(values, [2, 31]);
}

/// The first device is of a parent for itself, so that the first answer is not the best.
#[test]
fn what_the_limit_leaves_is_searched_for_the_best() {
    let policy = Policy::Terms(vec![
        Term::AlternativeRank,
        Term::ParentsTouched {
            attribute: Some("d/special".into()),
        },
    ]);
    let best = |requests: &[Value]| {
        let snapshot = plain(70, 1);
        let prepared = snapshot.prepare(&claims(requests)).unwrap();
        let options = AllocateOptions::new().policy(&policy);
        let options = options.budget(Budget::new().branches(FEW));
        let mut transaction = snapshot.transaction();
        let found = transaction.allocate("n0", &prepared, &options, &mut Workspace::new());
        let Outcome::Optimal(allocation) = found.unwrap() else {
            panic!("no answer that is the best")
        };
        (devices(&allocation)[0].clone(), values(&allocation))
    };
    let first = json!([either("a", &[17, 16]), exactly("b", 16)]);
    let last = json!([exactly("c", 16), either("d", &[17, 16])]);
    assert_eq!(
        best(std::slice::from_ref(&first)),
        ("d1".to_owned(), vec![1, 1])
    );
    assert_eq!(
        best(std::slice::from_ref(&last)),
        ("d1".to_owned(), vec![1, 1])
    );
    assert_eq!(best(&[first, last]), ("d1".to_owned(), vec![2, 1]));
}

/// Each claim may have 32, and together there are 40.
#[test]
fn the_limit_is_that_of_each_claim() {
    let snapshot = plain(40, 0);
    let one = json!([exactly("a", 16), either("b", &[17, 16])]);
    let before = json!([exactly("x", 1)]);
    expect(
        &snapshot,
        &[before, one.clone()],
        &["x d0 1", "a d1 16", "b/n16 d17 16"],
        [1, 0, 0, 33, 33],
    );
    // Another claim is at its limit, too.
    let again = json!([exactly("c", 16), either("d", &[17, 16])]);
    expect(
        &plain(70, 0),
        &[one.clone(), again],
        &["a d0 16", "b/n16 d16 16", "c d32 16", "d/n16 d48 16"],
        [2, 0, 0, 64, 64],
    );
    let other = json!([either("a", &[20, 8])]);
    expect(
        &snapshot,
        &[one, other],
        &["a d0 16", "b/n16 d16 16", "a/n8 d32 8"],
        [2, 0, 0, 40, 40],
    );
}

/// An alternative that finds no devices leaves the claim no smaller one.
#[test]
fn alternatives_that_cannot_be_had_do_not_count() {
    let two = json!({"allocationMode": "ExactCount", "count": 2});
    let requests = json!([either("a", &[20, 10]), special_or("b", &two, 15)]);
    let expected = ["a/n10 d0 10", "b/n15 d10 15"];
    expect(&plain(40, 1), &[requests], &expected, [2, 0, 0, 25, 25]);
    // The first request leaves two of three to the other.
    let requests = json!([exactly("a", 20), special_or("b", &two, 15)]);
    let expected = ["a d0 20", "b/special d1 2"];
    expect(&plain(40, 3), &[requests], &expected, [0, 0, 0, 22, 22]);
}

/// All devices are as many as there are.
#[test]
fn all_devices_count_too() {
    let all = json!({"allocationMode": "All"});
    let requests = json!([exactly("a", 16), special_or("b", &all, 17)]);
    let expected = ["a d16 16", "b/special d0 16"];
    expect(&plain(40, 16), &[requests], &expected, [0, 0, 0, 32, 32]);
    let requests = json!([exactly("a", 16), special_or("b", &all, 16)]);
    let expected = ["a d0 16", "b/n16 d16 16"];
    expect(&plain(40, 17), &[requests], &expected, [1, 0, 0, 32, 32]);
}

/// What is looked at for administration counts, though it takes nothing away.
#[test]
fn access_for_administration_counts_too() {
    let mut admin = exactly("a", 16);
    admin["exactly"]["adminAccess"] = json!(true);
    let requests = json!([admin, either("b", &[17, 16])]);
    let expected = ["a d0 16", "b/n16 d0 16"];
    expect(&plain(40, 0), &[requests], &expected, [1, 0, 0, 16, 16]);
}

/// That a request gets less than it may is shown by the limit.
#[test]
fn what_the_limit_costs_is_proved() {
    let snapshot = plain(40, 0);
    let pack = Policy::Terms(vec![Term::AlternativeRank]);
    let options = AllocateOptions::new().policy(&pack);
    let proved = |requests: &[Value]| {
        let claims = claims(requests);
        let prepared = snapshot.prepare(&claims).unwrap();
        let (mut transaction, mut workspace) = (snapshot.transaction(), Workspace::new());
        let certified = transaction.certificate("n0", &prepared, &options, &mut workspace);
        let Certified::Optimal(mut certificate) = certified.unwrap() else {
            panic!("no proof")
        };
        let found = transaction.allocate("n0", &prepared, &options, &mut workspace);
        let Outcome::Optimal(allocation) = found.unwrap() else {
            panic!("no answer that is the best")
        };
        let results = allocation.results();
        let verify = |certificate: &OptimalityCertificate| {
            snapshot.verify_optimality("n0", &claims, &results, certificate)
        };
        assert_eq!(verify(&certificate), Ok(()));
        certificate.terms[0].value += 1;
        assert!(verify(&certificate).is_err());
        values(&allocation)
    };
    let two = json!([exactly("a", 16), either("b", &[17, 16])]);
    assert_eq!(proved(&[two]), [1]);
    let three = json!([
        either("a", &[20, 10]),
        either("b", &[20, 10]),
        either("c", &[12, 1])
    ]);
    assert_eq!(proved(&[three]), [2]);
}
