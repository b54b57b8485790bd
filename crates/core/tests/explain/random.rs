//! Explanations of random questions are true when they are asked again.

use std::collections::BTreeMap;

use dralloc::{Arithmetic, Class, Workspace};
use dralloc_testkit::generate::{self, Profile};

use crate::question::{Kept, Question, options};

/// Cases in an ordinary run; `DRALLOC_PROPERTY_CASES` asks for more.
const CASES: u64 = 1_000;

/// A case in which a share that is given back leaves less.
const FOUND: [u64; 1] = [13_981];

#[test]
fn conflicts_are_irreducible_and_classes_are_right() {
    let asked = std::env::var("DRALLOC_PROPERTY_CASES").ok();
    let cases = asked.map_or(CASES, |text| text.parse().unwrap());
    let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
    let mut members = [0_u64; 3];
    let (mut conflicts, mut measured) = (0, 0);
    for seed in (0..cases).chain(FOUND) {
        let case = generate::case(seed, Profile::Small);
        let question = Question { case: &case };
        let owners = question.owners();
        let snapshot = question.snapshot(|_| true);
        let Ok(prepared) = snapshot.prepare(&case.claims) else {
            continue;
        };
        let (node, mut workspace) = (&case.node.metadata.name, Workspace::new());
        let explanation =
            snapshot
                .transaction()
                .explain(node, &prepared, &options(), &mut workspace);
        let Ok(explanation) = explanation else {
            continue;
        };
        let fits = question.fits_where(|_| true);
        let class = match &explanation.class {
            Some(class) => class.as_str(),
            None => "none",
        };
        *seen.entry(class).or_default() += 1;
        match &explanation.class {
            None => assert_eq!(fits, Ok(true), "seed {seed}"),
            Some(Class::BadInput { error }) => {
                // It may be met by those alone who come first.
                let empty = question.fits_where(|_| false);
                let error = Err(error.clone());
                assert!(fits == error || empty == error, "seed {seed}");
            }
            Some(Class::NeverPossible) => {
                assert_eq!(fits, Ok(false), "seed {seed}");
                assert_eq!(question.fits_where(|_| false), Ok(false), "seed {seed}");
            }
            Some(Class::AfterRelease { holders }) => {
                assert_eq!(fits, Ok(false), "seed {seed}");
                let frees = |but: Option<usize>| {
                    question.fits_where(|owner| {
                        let mut holders = holders.iter().enumerate();
                        !holders.any(|(place, one)| *one.owner == *owner && Some(place) != but)
                    })
                };
                assert_eq!(frees(None), Ok(true), "seed {seed}: {holders:?}");
                for but in 0..holders.len() {
                    assert_ne!(frees(Some(but)), Ok(true), "seed {seed}: {holders:?}");
                }
                if holders.len() > 1 {
                    for owner in &owners {
                        let alone = question.fits_where(|other| *other != **owner);
                        assert_ne!(alone, Ok(true), "seed {seed}: {owner}");
                    }
                }
            }
            Some(other) => panic!("{other:?}"),
        }
        assert_eq!(
            explanation.conflict.is_some(),
            fits == Ok(false),
            "seed {seed}"
        );
        let Some(conflict) = &explanation.conflict else {
            continue;
        };
        assert!(conflict.irreducible, "seed {seed}");
        let kept = Kept::of(conflict);
        assert_eq!(question.fits(&kept), Ok(false), "seed {seed}: {conflict:?}");
        for less in kept.without_one() {
            // There may be devices of which no answer can be made.
            assert_ne!(question.fits(&less), Ok(false), "seed {seed}: {conflict:?}");
        }
        for arithmetic in &explanation.arithmetic {
            check_numbers(arithmetic, seed);
        }
        measured += u64::from(!explanation.arithmetic.is_empty());
        conflicts += 1;
        members[0] += u64::from(kept.requests.len() > 1);
        members[1] += u64::from(!kept.constraints.is_empty());
        members[2] += u64::from(!kept.owners.is_empty());
    }
    // The generator must reach every class and every sort of member.
    let share = |class: &str| seen.get(class).copied().unwrap_or(0) * 1000 / cases;
    assert!(share("neverPossible") >= 100, "{seen:?}");
    assert!(share("afterRelease") >= 20, "{seen:?}");
    assert!(share("badInput") >= 5, "{seen:?}");
    assert!(measured * 10 > conflicts * 9, "{measured} of {conflicts}");
    assert!(
        members.iter().all(|count| count * 200 >= cases),
        "{members:?}"
    );
}

/// Checks that less is there than is needed, and that a release makes it no less.
fn check_numbers(arithmetic: &Arithmetic, seed: u64) {
    match arithmetic {
        Arithmetic::Count {
            needed,
            available,
            after_release,
            ..
        }
        | Arithmetic::Values {
            needed,
            available,
            after_release,
            ..
        }
        | Arithmetic::Distinct {
            needed,
            available,
            after_release,
            ..
        } => {
            assert!(available < needed, "seed {seed}: {arithmetic}");
            let then = after_release.unwrap_or(*available);
            assert!(then >= *available, "seed {seed}: {arithmetic}");
        }
        Arithmetic::AtOnce {
            needed, available, ..
        } => assert!(available < needed, "seed {seed}: {arithmetic}"),
        Arithmetic::Counters {
            needed,
            left,
            after_release,
            ..
        }
        | Arithmetic::Capacities {
            needed,
            left,
            after_release,
            ..
        }
        | Arithmetic::Rings {
            needed,
            available: left,
            after_release,
            ..
        } => {
            assert!(left < needed, "seed {seed}: {arithmetic}");
            let then = after_release.as_ref().unwrap_or(left);
            assert!(then >= left, "seed {seed}: {arithmetic}");
        }
        other => panic!("{other:?}"),
    }
}
