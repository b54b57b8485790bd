//! Names, and the quantities that cases write.

use serde_json::{Value, json};

use super::{Random, Weights};

pub(super) const DRIVERS: [&str; 3] = ["gpu.example.com", "nic.example.com", "tpu.example.com"];

/// The node to allocate for.
pub(super) const NODE: &str = "node-1";

const SMALL: [&str; 8] = ["1", "2", "3", "4", "2e0", "4000m", "1.0", "0.003k"];
const BINARY: [&str; 8] = [
    "1Gi",
    "2Gi",
    "4Gi",
    "2048Mi",
    "1073741824",
    "3Gi",
    "0.5Gi",
    "8589934592",
];
const MILLI: [&str; 9] = [
    "100m", "250m", "0.5", "1", "1500m", "750m", "2", "0.1", "200m",
];
const ODD: [&str; 20] = [
    "0",
    "-1",
    "-500m",
    "1n",
    "1u",
    "0.0000000001",
    "1500m",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "8Ei",
    "1e30",
    "123456789012345678901234567890",
    "1000000000000000000000",
    "0.1",
    "999999999999999999999n",
    "-0",
    "+3",
    "1e-3",
    "7E",
];

/// Which texts a quantity is drawn from.
#[derive(Clone, Copy)]
pub(super) enum Scale {
    Units,
    Bytes,
    Milli,
}

/// Returns a quantity, sometimes an odd one or a bare number.
pub(super) fn quantity(scale: Scale, weights: &Weights, random: &mut Random) -> Value {
    if random.chance(weights.odd_quantities) {
        return json!(random.pick(&ODD));
    }
    match scale {
        Scale::Units if random.chance(10) => json!(random.between(1, 4)),
        Scale::Units => json!(random.pick(&SMALL)),
        Scale::Bytes => json!(random.pick(&BINARY)),
        Scale::Milli => json!(random.pick(&MILLI)),
    }
}

/// Spells an attribute's name bare or with its driver's domain.
pub(super) fn spell(name: &str, driver: &str, random: &mut Random) -> String {
    if random.chance(20) {
        format!("{driver}/{name}")
    } else {
        name.to_owned()
    }
}
