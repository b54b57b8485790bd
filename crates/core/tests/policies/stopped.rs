//! Who is stopped, wherever that is, leaves nothing behind that is not so.

use dralloc::{AllocateOptions, Budget, Engine, Error, Outcome, Policy, Workspace};
use dralloc_testkit::generate;

use super::random::Patience;
use super::{devices, values};

/// Questions in an ordinary run; `DRALLOC_PROPERTY_CASES` asks for more.
const QUESTIONS: u64 = 500;

/// A question of which the first answer and the best cannot be written down.
const FOUND: [u64; 1] = [4_820];

/// After so many looks at the deadline it is over.
const LOOKS: [usize; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 30, 60, 120];

/// Whether there is an answer, its devices and its values.
#[derive(Debug, PartialEq)]
enum Answer {
    Best(Vec<String>, Vec<i64>),
    Some(Vec<i64>),
    Nothing,
    Unknown,
    Error(String),
}

fn answer(outcome: Result<Outcome, Error>) -> Answer {
    match outcome {
        Ok(Outcome::Optimal(allocation)) => Answer::Best(devices(&allocation), values(&allocation)),
        Ok(Outcome::Feasible { allocation, .. }) => Answer::Some(values(&allocation)),
        Ok(Outcome::Infeasible(_)) => Answer::Nothing,
        Ok(Outcome::Unknown(_)) => Answer::Unknown,
        Err(error) => Answer::Error(error.to_string()),
    }
}

#[test]
fn who_was_stopped_gets_the_same_answer_afterwards() {
    let asked = std::env::var("DRALLOC_PROPERTY_CASES").ok();
    let questions = asked.map_or(QUESTIONS, |text| text.parse().unwrap());
    let (mut stopped, mut ended) = (0, 0);
    for seed in (0..questions).chain(FOUND) {
        let case = generate::question(seed).case;
        let engine: Engine = crate::support::engine(&case);
        let snapshot = engine.snapshot();
        let Ok(claims) = snapshot.prepare(&case.claims) else {
            continue;
        };
        let node = &case.node.metadata.name;
        let policy = [Policy::Pack, Policy::Spread][usize::try_from(seed % 2).unwrap()].clone();
        let usual = AllocateOptions::new().policy(&Policy::Kubernetes);
        for options in [
            usual,
            usual.many(true),
            usual.shortcuts(false),
            usual.policy(&policy),
        ] {
            let ask = |budget: Budget<'_>, workspace: &mut Workspace| {
                let mut transaction = snapshot.transaction();
                let options = options.budget(budget);
                answer(transaction.allocate(node, &claims, &options, workspace))
            };
            let least = Budget::new().branches(20_000);
            let expected = ask(least, &mut Workspace::new());
            if matches!(expected, Answer::Unknown | Answer::Some(_)) {
                continue;
            }
            let mut workspace = Workspace::new();
            for looks in LOOKS {
                let patience = Patience::new(looks);
                match ask(Budget::new().deadline(&patience), &mut workspace) {
                    Answer::Unknown | Answer::Some(_) => stopped += 1,
                    other => {
                        ended += 1;
                        assert_eq!(other, expected, "seed {seed}, {looks} looks");
                    }
                }
                let after = ask(Budget::new(), &mut workspace);
                assert_eq!(after, expected, "seed {seed} after {looks} looks");
                // What was compiled is forgotten from time to time.
                if looks % 2 == 1 {
                    workspace = Workspace::new();
                }
            }
        }
    }
    assert!(stopped > questions && ended > questions);
}
