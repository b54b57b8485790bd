//! Literals, and the simplest expressions of types that have none.

use super::text::{Flavour, quote};
use super::types::Type;
use crate::generate::Random;

const INTS: [&str; 20] = [
    "0",
    "1",
    "-1",
    "2",
    "3",
    "5",
    "7",
    "10",
    "47",
    "48",
    "64",
    "-2",
    "0x1F",
    "-0x10",
    "1000",
    "9223372036854775807",
    "-9223372036854775808",
    "0x7fffffffffffffff",
    "9007199254740993",
    "-0",
];
const UINTS: [&str; 9] = [
    "0u",
    "1u",
    "2U",
    "3u",
    "7u",
    "0xFFu",
    "18446744073709551615u",
    "1000u",
    "9007199254740993u",
];
const DOUBLES: [&str; 20] = [
    "0.0",
    "1.0",
    "1.5",
    "-0.5",
    "2.0",
    "3.0",
    "1e3",
    "1.0E-5",
    "-0.0",
    "1e308",
    "9007199254740993.0",
    "9.223372036854776e18",
    "1.8446744073709552e19",
    "-9.3e18",
    "3.14159",
    ".5",
    "1e-320",
    "0.1",
    "100000000000000000000.0",
    "2.5e+10",
];
/// Literals that are too large, or none at all.
const BAD: [&str; 16] = [
    "9223372036854775808",
    "18446744073709551616u",
    "1e999",
    "-1u",
    "0x",
    "1.",
    "'\\q'",
    "\"a\nb\"",
    "b'\\u0041'",
    "\"\\U00110000\"",
    "\"\\ud800\"",
    "'abc",
    "0b1",
    "1_000",
    "\"\\x4\"",
    "-9223372036854775809",
];
const BYTES: [&str; 9] = [
    "b\"\"",
    "b\"abc\"",
    "b'\\xff\\x00'",
    "b\"é\"",
    "b'\\303\\251'",
    "br\"\\n\"",
    "B'''a'b'''",
    "rb'x'",
    "b\"日本\"",
];
const KINDS: [&str; 12] = [
    "int",
    "uint",
    "double",
    "string",
    "bool",
    "bytes",
    "list",
    "map",
    "null_type",
    "type",
    "google.protobuf.Timestamp",
    "optional_type",
];

/// Returns a string literal with text of a sort.
pub(super) fn text(flavour: Flavour, random: &mut Random) -> String {
    quote(flavour.text(random), random)
}

/// Returns something that does not even scan, or not as a number of its type.
pub(super) fn bad(random: &mut Random) -> &'static str {
    random.pick(&BAD)
}

/// Returns an expression of a type that reads nothing and calls little.
pub(super) fn literal(wanted: &Type, random: &mut Random) -> String {
    let call = |function: &str, flavour: Flavour, random: &mut Random| {
        format!("{function}({})", text(flavour, random))
    };
    match wanted {
        Type::Bool => random.pick(&["true", "false"]).to_owned(),
        Type::Int => random.pick(&INTS).to_owned(),
        Type::Uint => random.pick(&UINTS).to_owned(),
        Type::Double => double(random),
        Type::String => text(Flavour::Any, random),
        Type::Bytes => random.pick(&BYTES).to_owned(),
        Type::Null => "null".to_owned(),
        Type::Duration => call("duration", Flavour::Duration, random),
        Type::Timestamp if random.chance(20) => format!("timestamp({})", random.pick(&INTS)),
        Type::Timestamp => call("timestamp", Flavour::Timestamp, random),
        Type::Quantity => call("quantity", Flavour::Quantity, random),
        Type::Version => call("semver", Flavour::Version, random),
        Type::Address => call("ip", Flavour::Address, random),
        Type::Network => call("cidr", Flavour::Network, random),
        Type::Url => call("url", Flavour::Url, random),
        Type::Format => format!("format.{}()", Flavour::FormatName.text(random)),
        Type::Kind => random.pick(&KINDS).to_owned(),
        Type::Dyn => format!("dyn({})", literal(&Type::simple(random), random)),
        Type::List(element) => {
            let items: Vec<String> = (0..random.below(4))
                .map(|_| literal(element, random))
                .collect();
            format!("[{}]", items.join(", "))
        }
        Type::Map(key, value) => {
            // Two keys have an order that is random in Kubernetes.
            let count = [0, 1, 1, 1, 2][random.below(5)];
            let entries: Vec<String> = (0..count)
                .map(|_| format!("{}: {}", literal(key, random), literal(value, random)))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
        Type::Optional(value) => match random.below(3) {
            0 => "optional.none()".to_owned(),
            _ => format!("optional.of({})", literal(value, random)),
        },
    }
}

fn double(random: &mut Random) -> String {
    match random.below(12) {
        0 => format!(
            "double(\"{}\")",
            random.pick(&["NaN", "Infinity", "-Infinity"])
        ),
        _ => random.pick(&DOUBLES).to_owned(),
    }
}
