//! What the engine hands out, against a plain model and under threads.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests end where they fail"
)]

mod model;
mod run;
mod threads;
mod world;

use run::Run;

/// Steps in an ordinary run; `DRALLOC_ENGINE_STEPS` asks for more, and
/// `DRALLOC_ENGINE_SEED` for other ones.
const STEPS: u64 = 20_000;

/// So many steps start with one empty engine.
const STEPS_OF_A_RUN: u64 = 1_000;

#[test]
fn whatever_happens_the_engine_does_as_a_plain_model() {
    let asked = std::env::var("DRALLOC_ENGINE_STEPS").ok();
    let steps: u64 = asked.map_or(STEPS, |text| text.parse().unwrap());
    let mut counts = run::Counts::default();
    let first = std::env::var("DRALLOC_ENGINE_SEED").ok();
    let first: u64 = first.map_or(0, |text| text.parse().unwrap());
    for seed in first..first + steps.div_ceil(STEPS_OF_A_RUN) {
        let mut run = Run::new(seed);
        for _ in 0..STEPS_OF_A_RUN {
            run.step(&mut counts);
        }
        run.finish(&mut counts);
    }
    counts.check(steps);
}
