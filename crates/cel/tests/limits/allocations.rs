//! Usual selectors are evaluated without a heap.

use dralloc_cel::{Device, Options, Program, Scratch, Semver, Value, Verdict};
use dralloc_quantity::Quantity;

use dralloc_testkit::heap::measured;

fn gpu() -> Device {
    let mut device = Device::new("gpu.nvidia.com");
    for (name, text) in [
        ("architecture", "Ampere"),
        ("productName", "NVIDIA A100-SXM4-80GB"),
        ("type", "gpu"),
    ] {
        device.set_attribute(name, Value::String(text.to_owned()));
    }
    let version = Semver::parse("550.54.15").expect("a version");
    device.set_attribute("driverVersion", Value::Version(version));
    device.set_attribute("index", Value::Int(3));
    let memory = Quantity::parse("80Gi").expect("a quantity");
    device.set_capacity("memory", memory);
    device
}

/// How often the evaluation of a selector takes memory, once caches are warm.
fn allocations(selector: &str) -> usize {
    let program = Program::compile(selector, &Options::selector()).expect("a program");
    let device = gpu();
    let mut scratch = Scratch::new();
    assert_eq!(
        program.matches(&device, &mut scratch),
        Verdict::Match,
        "{selector}"
    );
    let (verdict, usage) = measured(|| program.matches(&device, &mut scratch));
    assert_eq!(verdict, Verdict::Match, "{selector}");
    usage.allocations
}

#[test]
fn usual_selectors_take_no_memory() {
    for selector in [
        r#"device.driver == "gpu.nvidia.com" && device.attributes["gpu.nvidia.com"].type == "gpu""#,
        r#"device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40Gi")) >= 0"#,
        r#"cel.bind(gpu, device.attributes["gpu.nvidia.com"], has(gpu.architecture) && gpu.architecture in ["Ampere", "Hopper"] && ["gpu", "mig"].exists(t, t == gpu.type))"#,
        r#"device.attributes["gpu.nvidia.com"].index > 2"#,
        r#"device.attributes["gpu.nvidia.com"].productName.matches("^.*A100.*$")"#,
        r#"device.attributes["gpu.nvidia.com"].productName.matches("(?i)^.*a100")"#,
        r#"device.attributes["gpu.nvidia.com"].driverVersion.compareTo(semver("550.0.0")) >= 0"#,
        r#"device.attributes["gpu.nvidia.com"].productName.startsWith("NVIDIA")"#,
        r#""type" in device.attributes["gpu.nvidia.com"]"#,
        r#"device.attributes["gpu.nvidia.com"].index in [1, 2, 3]"#,
        r#"!device.attributes["gpu.nvidia.com"].type.contains("mig") || false"#,
    ] {
        assert_eq!(allocations(selector), 0, "{selector}");
    }
}

/// The text in lower case has to be put somewhere.
#[test]
fn a_new_text_takes_memory() {
    let selector = r#"device.attributes["gpu.nvidia.com"].productName.lowerAscii().matches("^.*a100.*$") && device.attributes["gpu.nvidia.com"].driverVersion.compareTo(semver("550.0.0")) >= 0"#;
    assert_eq!(allocations(selector), 1);
}
