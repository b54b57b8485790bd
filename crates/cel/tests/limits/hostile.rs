//! Hostile expressions stay within the limits on memory and cost.

use dralloc_cel::{Device, Options, Program, Scratch, Value};

use crate::counter::measured;
use crate::inputs::inputs;

/// As little stack as hosts call with.
const STACK: usize = 512 * 1024;

/// Bytes that a compilation and an evaluation may hold at once.
const MEMORY: usize = 64 << 20;

/// What the limit on cost lets pass: it is noticed after the call that exceeds it.
const COST: u64 = 3_000_000;

/// Compiles and evaluates; returns the cost.
fn run(expression: &str) -> u64 {
    let mut device = Device::new("gpu.example.com");
    device.set_attribute("ints", Value::Ints((0..10).collect()));
    let mut scratch = Scratch::new();
    if let Ok(program) = Program::compile(expression, &Options::selector()) {
        let _ = program.matches(&device, &mut scratch);
    }
    scratch.cost()
}

#[test]
fn memory_and_cost_are_limited() {
    let mut over = Vec::new();
    for (name, expression) in inputs() {
        let (cost, usage) = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn(move || measured(|| run(&expression)))
            .expect("a thread")
            .join()
            .expect("no panic");
        if usage.peak > MEMORY || cost > COST {
            over.push(format!("{name}: {} bytes, cost {cost}", usage.peak));
        }
    }
    assert!(over.is_empty(), "{}", over.join("\n"));
}
