//! Selectors A to E: compiled, and evaluated on one device.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use dralloc_benches::SELECTORS;
use dralloc_cel::{Options, Program};

fn compile(criterion: &mut Criterion) {
    for (name, source) in SELECTORS {
        criterion.bench_function(&format!("compile/{name}"), |bencher| {
            bencher.iter(|| Program::compile(black_box(source), &Options::selector()));
        });
    }
}

criterion_group!(benches, compile);
criterion_main!(benches);
