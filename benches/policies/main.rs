//! The best answer under policies, proved: how long a question to one node takes.
//!
//! Before each call one device is taken or given back elsewhere on the node, so
//! that no call asks what was asked before. `anytime` asks the same with little time.

#![allow(
    clippy::expect_used,
    reason = "a measurement of what is not answered says nothing"
)]

mod clock;
mod questions;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use dralloc::{AllocateOptions, Outcome, Workspace};

use clock::spent_so_far;
use questions::{Question, hold, questions};

fn ask(question: &mut Question, workspace: &mut Workspace, rounds: u64) -> Duration {
    let options = AllocateOptions::new().policy(&question.policy);
    let mut spent = Duration::ZERO;
    for round in 0..rounds {
        let noise: &[String] = if round % 2 == 0 {
            &["noise".to_owned()]
        } else {
            &[]
        };
        hold(&mut question.transaction, "noise", noise);
        let start = spent_so_far();
        let outcome = question
            .transaction
            .consider("n", &question.claims, &options, workspace);
        spent += spent_so_far().saturating_sub(start);
        let outcome = black_box(outcome).expect("an outcome");
        assert!(
            matches!(outcome, Outcome::Optimal(_)),
            "{}: {outcome:?}",
            question.name
        );
    }
    spent
}

fn policies(criterion: &mut Criterion) {
    let mut workspace = Workspace::new();
    for mut question in questions() {
        criterion.bench_function(question.name, |bencher| {
            bencher.iter_custom(|rounds| ask(&mut question, &mut workspace, rounds));
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
    targets = policies
}
criterion_main!(benches);
