//! The short way gives the answers of the search, cold and warm.
//!
//! Each way has bounds of its own and so takes branches of its own: under a
//! budget of branches one may be stopped where the other answers. Which of them
//! answers a question does not depend on chance, so that each gives the same
//! answer always; and they are compared where neither was stopped.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests end where they fail"
)]

#[expect(dead_code, reason = "only the question is needed here")]
mod support;

use dralloc::{
    AllocateOptions, Budget, Error, ErrorMode, Outcome, PreparedClaims, Snapshot, StopCause,
    Workspace,
};
use dralloc_testkit::generate::{self, Profile};

const CASES: u64 = 1_500;

/// Budgets of branches around what usual answers take; none at last.
const BUDGETS: [Option<u64>; 8] = [
    Some(0),
    Some(1),
    Some(2),
    Some(3),
    Some(5),
    Some(9),
    Some(300),
    None,
];

fn options(branches: Option<u64>, errors: ErrorMode) -> AllocateOptions<'static> {
    let budget = branches.map_or(Budget::new(), |branches| Budget::new().branches(branches));
    AllocateOptions::new().budget(budget).errors(errors)
}

/// Everything that can be seen of an answer.
fn seen(answer: Result<Outcome, Error>) -> String {
    match answer {
        Ok(Outcome::Optimal(allocation)) => {
            let devices: Vec<_> = allocation.devices().collect();
            format!("{devices:?} {:?}", allocation.results())
        }
        other => format!("{other:?}"),
    }
}

fn ask(
    snapshot: &Snapshot,
    node: &str,
    claims: &PreparedClaims,
    options: &AllocateOptions<'_>,
    workspace: &mut Workspace,
) -> String {
    let mut transaction = snapshot.transaction();
    seen(transaction.allocate(node, claims, options, workspace))
}

#[test]
fn the_short_way_gives_the_answers_of_the_search() {
    let asked = std::env::var("DRALLOC_PROPERTY_CASES").ok();
    let cases = asked.map_or(CASES, |text| text.parse().unwrap());
    let stopped = seen(Ok(Outcome::Unknown(StopCause::Branches)));
    let mut answered = 0;
    for seed in 0..cases {
        let case = generate::case(seed, Profile::Small);
        let snapshot = support::snapshot(&case);
        let Ok(claims) = snapshot.prepare(&case.claims) else {
            continue;
        };
        let node = &case.node.metadata.name;
        let (mut warm, mut warm_many) = (Workspace::new(), Workspace::new());
        for errors in [ErrorMode::Abort, ErrorMode::Skip] {
            for branches in BUDGETS {
                let options = options(branches, errors);
                let long = options.shortcuts(false);
                let expected = ask(&snapshot, node, &claims, &long, &mut Workspace::new());
                let cold = ask(&snapshot, node, &claims, &options, &mut Workspace::new());
                let neither = ![&cold, &expected].contains(&&stopped);
                answered += u32::from(neither);
                assert!(
                    !neither || cold == expected,
                    "seed {seed}, {branches:?}, {errors:?}: {cold}, {expected}"
                );
                let again = ask(&snapshot, node, &claims, &options, &mut warm);
                assert_eq!(again, cold, "seed {seed}, {branches:?}, {errors:?}, warm");
                let options = options.many(true);
                let many = ask(&snapshot, node, &claims, &options, &mut Workspace::new());
                assert!(
                    [&many, &expected].contains(&&stopped) || many == expected,
                    "seed {seed}, {branches:?}, {errors:?}, many: {many}, {expected}"
                );
                let again = ask(&snapshot, node, &claims, &options, &mut warm_many);
                assert_eq!(
                    again, many,
                    "seed {seed}, {branches:?}, {errors:?}, many, warm"
                );
            }
        }
    }
    assert!(u64::from(answered) > 8 * cases, "{answered}");
}

/// What is held changes from call to call, and nothing of it stays behind.
#[test]
fn a_node_fills_up_the_same_way() {
    let mut filled = 0;
    for seed in 0..CASES / 5 {
        let case = generate::case(seed, Profile::Small);
        let snapshot = support::snapshot(&case);
        let Ok(first) = snapshot.prepare(&case.claims) else {
            continue;
        };
        let node = &case.node.metadata.name;
        let (mut warm, mut warm_many) = (Workspace::new(), Workspace::new());
        let (mut short, mut long) = (snapshot.transaction(), snapshot.transaction());
        let mut many = snapshot.transaction();
        for round in 0..6 {
            // The same claims, released before each round or under other names.
            let mut others = case.claims.clone();
            for claim in &mut others {
                claim.metadata.uid = Some(format!("{round}-{:?}", claim.metadata.uid).into());
            }
            let claims = match snapshot.prepare(&others) {
                Ok(claims) if round % 2 == 1 => claims,
                _ => {
                    for claim in &case.claims {
                        assert_eq!(short.release(claim), long.release(claim));
                        many.release(claim);
                    }
                    first.clone()
                }
            };
            let options = options(Some(10_000), ErrorMode::Abort);
            let by_search = options.shortcuts(false);
            let expected = long.allocate(node, &claims, &by_search, &mut Workspace::new());
            filled += u32::from(matches!(expected, Ok(Outcome::Optimal(_))));
            let expected = seen(expected);
            let answer = short.allocate(node, &claims, &options, &mut warm);
            assert_eq!(seen(answer), expected, "seed {seed}, round {round}");
            let answer = many.allocate(node, &claims, &options.many(true), &mut warm_many);
            assert_eq!(seen(answer), expected, "seed {seed}, round {round}, many");
        }
    }
    assert!(filled > 200, "{filled}");
}
