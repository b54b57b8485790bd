//! The engine's answers to random questions are those of brute force.

use std::collections::BTreeMap;

use dralloc_testkit::generate;

use crate::ask::{Said, brute_force, cases, engine};

#[test]
fn answers_are_those_of_brute_force() {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    let mut wrong = Vec::new();
    for seed in 0..cases(600) {
        let question = generate::linked_question(seed);
        let expected = brute_force(&question);
        let (found, _) = engine(&question);
        *counts
            .entry(match &expected {
                Said::Best(..) => "best",
                Said::No => "no",
                Said::Error(_) => "error",
                Said::Nothing => "too much",
            })
            .or_default() += 1;
        let is_same = match (&expected, &found) {
            (Said::Nothing, _) => true,
            _ => expected == found,
        };
        if !is_same {
            wrong.push(format!(
                "seed {seed}: expected {expected:?}, found {found:?}"
            ));
        }
    }
    println!("{counts:?}");
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong[..wrong.len().min(12)].join("\n")
    );
    assert!(
        counts.get("best") > Some(&100) && counts.get("no") > Some(&50),
        "{counts:?}"
    );
    assert_eq!(counts.get("error"), None);
}
