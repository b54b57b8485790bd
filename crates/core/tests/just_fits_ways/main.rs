//! Questions where a bound of a short way just fits: one more, and there would be no
//! answer or another one.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests end where they fail"
)]

mod alternatives;
#[path = "../support/node.rs"]
mod node;
mod pools;
mod question;
mod values;

/// What a question is about, the question, and the answer.
type Case = (&'static str, &'static str, &'static str);

fn check(cases: &[Case]) {
    for (name, question, expected) in cases {
        assert_eq!(question::answer(question), *expected, "{name}");
    }
}
