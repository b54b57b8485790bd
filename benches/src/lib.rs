//! What the benchmarks of dralloc share: selectors and devices.

mod devices;
mod rows;

pub use devices::{ATTRIBUTES, CAPACITY, DRIVER, Fact, gpu};
pub use rows::ResolvedRow;

/// The selectors A to E whose speed is tracked: usual ones, from the simplest
/// comparison to a loop with a bound variable.
pub const SELECTORS: [(&str, &str); 5] = [
    (
        "A",
        r#"device.driver == "gpu.nvidia.com" && device.attributes["gpu.nvidia.com"].type == "gpu""#,
    ),
    (
        "B",
        r#"device.capacity["gpu.nvidia.com"].memory.compareTo(quantity("40Gi")) >= 0"#,
    ),
    (
        "C",
        r#"device.attributes["gpu.nvidia.com"].productName.lowerAscii().matches("^.*a100.*$") && device.attributes["gpu.nvidia.com"].driverVersion.compareTo(semver("550.0.0")) >= 0"#,
    ),
    (
        "D",
        r#"cel.bind(gpu, device.attributes["gpu.nvidia.com"], has(gpu.architecture) && gpu.architecture in ["Ampere", "Hopper"] && ["gpu", "mig"].exists(t, t == gpu.type))"#,
    ),
    ("E", r#"device.attributes["gpu.nvidia.com"].index > 2"#),
];
