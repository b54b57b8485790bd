//! The devices that selectors are evaluated on.

use std::error::Error;

use dralloc_cel::{Device, Semver, Value};
use dralloc_quantity::Quantity;

/// The driver of the devices.
pub const DRIVER: &str = "gpu.nvidia.com";

/// What an attribute of a device is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// An integer.
    Int(i64),
    /// A string.
    String(&'static str),
    /// A semantic version.
    Version(&'static str),
}

/// The attributes of device 3, as NVIDIA's driver publishes them; all of the
/// selectors match it.
pub const ATTRIBUTES: [(&str, Fact); 12] = [
    ("architecture", Fact::String("Ampere")),
    ("brand", Fact::String("Nvidia")),
    ("cudaComputeCapability", Fact::Version("8.0.0")),
    ("cudaDriverVersion", Fact::Version("12.4.0")),
    ("driverVersion", Fact::Version("550.54.15")),
    ("index", Fact::Int(3)),
    ("minor", Fact::Int(3)),
    ("productName", Fact::String("NVIDIA A100-SXM4-80GB")),
    (
        "resource.kubernetes.io/pciBusID",
        Fact::String("0000:00:03.0"),
    ),
    (
        "resource.kubernetes.io/pcieRoot",
        Fact::String("pci0000:00"),
    ),
    ("type", Fact::String("gpu")),
    (
        "uuid",
        Fact::String("GPU-4cf8db2d-06c0-7d70-1a51-000000000003"),
    ),
];

/// The capacity of every device.
pub const CAPACITY: [(&str, &str); 3] = [
    ("copy-engines", "5"),
    ("memory", "80Gi"),
    ("multiprocessors", "108"),
];

/// Builds one of many devices: the indices, the identifier and the address are its own.
///
/// # Errors
/// Fails if a version or a quantity above does not parse.
pub fn gpu(number: u32) -> Result<Device, Box<dyn Error>> {
    let mut device = Device::new(DRIVER);
    for (name, fact) in ATTRIBUTES {
        let value = match (name, fact) {
            ("index" | "minor", _) => Value::Int(i64::from(number)),
            ("uuid", _) => Value::String(format!("GPU-4cf8db2d-06c0-7d70-1a51-{number:012}")),
            ("resource.kubernetes.io/pciBusID", _) => Value::String(format!(
                "0000:{:02x}:{:02x}.0",
                number / 32 % 256,
                number % 32
            )),
            (_, Fact::Int(value)) => Value::Int(value),
            (_, Fact::String(text)) => Value::String(text.to_owned()),
            (_, Fact::Version(text)) => Value::Version(Semver::parse(text)?),
        };
        device.set_attribute(name, value);
    }
    for (name, text) in CAPACITY {
        device.set_capacity(name, Quantity::parse(text)?);
    }
    Ok(device)
}
