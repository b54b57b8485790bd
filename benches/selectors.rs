//! Selectors A to E: compiled, evaluated on one device, and on many.

#![expect(clippy::expect_used, reason = "a benchmark fails like a test")]

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use dralloc_benches::{ResolvedRow, SELECTORS, gpu};
use dralloc_cel::{Device, Options, Program, Scratch, Verdict};

fn program(source: &str) -> Program {
    Program::compile(source, &Options::selector()).expect("a program")
}

fn compile(criterion: &mut Criterion) {
    for (name, source) in SELECTORS {
        criterion.bench_function(&format!("compile/{name}"), |bencher| {
            bencher.iter(|| Program::compile(black_box(source), &Options::selector()));
        });
    }
}

/// What the program reads was looked up beforehand, as an engine does it.
fn evaluate(criterion: &mut Criterion) {
    let device = gpu(3).expect("a device");
    let mut scratch = Scratch::new();
    for (name, source) in SELECTORS {
        let program = program(source);
        let row = ResolvedRow::new(&device, &program);
        assert_eq!(program.matches(&row, &mut scratch), Verdict::Match);
        criterion.bench_function(&format!("evaluate/{name}"), |bencher| {
            bencher.iter(|| program.matches(black_box(&row), &mut scratch));
        });
    }
}

/// The device finds attributes by name, in ordered maps.
fn evaluate_by_name(criterion: &mut Criterion) {
    let device = gpu(3).expect("a device");
    let mut scratch = Scratch::new();
    for (name, source) in SELECTORS {
        let program = program(source);
        assert_eq!(program.matches(&device, &mut scratch), Verdict::Match);
        criterion.bench_function(&format!("evaluate-by-name/{name}"), |bencher| {
            bencher.iter(|| program.matches(black_box(&device), &mut scratch));
        });
    }
}

/// One selector on 5 000 devices, each with facts of its own.
fn cold(criterion: &mut Criterion) {
    let devices: Vec<Device> = (0..5_000)
        .map(|number| gpu(number).expect("a device"))
        .collect();
    for (name, source) in SELECTORS {
        criterion.bench_function(&format!("cold/{name}"), |bencher| {
            bencher.iter(|| {
                let program = program(black_box(source));
                let mut scratch = Scratch::new();
                devices
                    .iter()
                    .filter(|device| program.matches(*device, &mut scratch) == Verdict::Match)
                    .count()
            });
        });
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = compile, evaluate, evaluate_by_name, cold
}
criterion_main!(benches);
