//! Selectors: any text compiles or is refused, and evaluates within its budget.

#![no_main]

use std::sync::LazyLock;

use dralloc_cel::{Device, Options, Program, Scratch, Value};
use dralloc_quantity::Quantity;
use libfuzzer_sys::fuzz_target;

/// A bare device, and one that has what expressions usually read.
static DEVICES: LazyLock<[Device; 2]> = LazyLock::new(|| {
    let mut device = Device::new("gpu.example.com");
    device.set_attribute("index", Value::Int(3));
    device.set_attribute("healthy", Value::Bool(true));
    device.set_attribute("model", Value::String("h100".into()));
    device.set_attribute("resource.kubernetes.io/numaNode", Value::Int(0));
    if let Ok(memory) = Quantity::parse("80Gi") {
        device.set_capacity("memory", memory);
    }
    device.set_allow_multiple_allocations(true);
    [Device::new("gpu.example.com"), device]
});

fuzz_target!(|text: &str| {
    let mut scratch = Scratch::new();
    for options in [Options::selector(), Options::derived_attribute()] {
        let Ok(program) = Program::compile(text, &options) else {
            continue;
        };
        for device in DEVICES.iter() {
            // The same device and expression give the same answer and cost.
            let verdict = program.matches(device, &mut scratch);
            let cost = scratch.cost();
            assert_eq!(program.matches(device, &mut scratch), verdict);
            assert_eq!(scratch.cost(), cost);
            let _ = program.evaluate(device, &mut scratch);
        }
    }
});
