//! The families of `peers` as they are asked again and again of one node.
//!
//! Before each call a device is held and released, so that nothing that depends
//! on the state can be kept; what is timed is the call alone, with one reading of
//! the clock (20 to 40 ns). `peers` compares the same shapes with others.

mod shapes;

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use dralloc::model::{AllocationResult, DeviceRequestAllocationResult, ResourceClaim};
use dralloc::{AllocateOptions, Budget, Engine, Outcome, Transaction, Workspace};

use shapes::{NODE, Shape};

/// Branches after which a question counts as not answered.
const BRANCHES: u64 = 200_000;

/// Holds and releases a device, and begins a transaction after that.
fn stir(engine: &mut Engine, device: &DeviceRequestAllocationResult) -> Option<Transaction> {
    let mut claim = ResourceClaim::default();
    claim.metadata.name = "stir".into();
    let mut allocation = AllocationResult::default();
    allocation.devices.results.push(device.clone());
    let mut transaction = engine.snapshot().transaction();
    transaction.hold(&claim, &allocation);
    transaction.commit(engine).ok()?;
    let mut transaction = engine.snapshot().transaction();
    transaction.release(&claim);
    transaction.commit(engine).ok()?;
    Some(engine.snapshot().transaction())
}

fn measure(
    criterion: &mut Criterion,
    family: &str,
    shapes: Vec<Shape>,
    options: &AllocateOptions<'_>,
) {
    let options = options.budget(Budget::new().branches(BRANCHES));
    let mut group = criterion.benchmark_group(family);
    for mut shape in shapes {
        let snapshot = shape.engine.snapshot();
        let Ok(claims) = snapshot.prepare(std::slice::from_ref(&shape.claim)) else {
            eprintln!("{family}/{}: the claim cannot be prepared", shape.name);
            continue;
        };
        let mut workspace = Workspace::new();
        let answer = snapshot
            .transaction()
            .allocate(NODE, &claims, &options, &mut workspace);
        match answer {
            Ok(Outcome::Unknown(cause)) => {
                eprintln!("{family}/{}: no answer, {cause:?}", shape.name);
                continue;
            }
            Ok(Outcome::Infeasible(_)) if !shape.fits => {}
            Ok(Outcome::Optimal(_) | Outcome::Feasible { .. }) if shape.fits => {}
            other => {
                eprintln!(
                    "{family}/{}: {other:?}, expected {}",
                    shape.name, shape.fits
                );
                continue;
            }
        }
        let stirred = DeviceRequestAllocationResult {
            driver: dralloc_testkit::partitions::DRIVER.into(),
            pool: NODE.into(),
            device: "gpu-0".into(),
            request: "stir".into(),
            ..Default::default()
        };
        group.bench_function(shape.name, |bencher| {
            bencher.iter_batched_ref(
                || stir(&mut shape.engine, &stirred),
                |transaction| {
                    let transaction = transaction.as_mut()?;
                    Some(black_box(transaction.allocate(
                        NODE,
                        &claims,
                        &options,
                        &mut workspace,
                    )))
                },
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

fn families(criterion: &mut Criterion) {
    let options = AllocateOptions::new();
    measure(criterion, "b_pairs", shapes::pairs(), &options);
    measure(criterion, "c_partitions", shapes::partitions(), &options);
    measure(criterion, "d_counting", shapes::counting(), &options);
    measure(
        criterion,
        "e_alternatives",
        shapes::alternatives(),
        &options,
    );
    measure(criterion, "f_shares", shapes::shares(), &options);
}

criterion_group!(benches, families);
criterion_main!(benches);
