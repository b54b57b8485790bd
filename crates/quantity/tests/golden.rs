//! Compares with what Kubernetes' own code answered; `testdata/golden` holds
//! the program that asked it.

#![allow(missing_docs, clippy::unwrap_used, reason = "test code")]

use dralloc_quantity::{Format, ParseErrorKind, Quantity};
use serde::Deserialize;
use std::fs;
use std::path::Path;

#[derive(Deserialize)]
struct Record {
    input: String,
    error: Option<String>,
    format: Option<String>,
    canonical: Option<String>,
    stored: Option<String>,
    value: i64,
    milli: i64,
    sign: i32,
    nanos: Option<String>,
    integer: Option<i64>,
    float: Option<String>,
}

#[derive(Deserialize)]
struct Pair {
    left: String,
    right: String,
    compare: i32,
    sum: Record,
    difference: Record,
}

/// What differs from Kubernetes, on purpose, in one file.
#[derive(Debug, Default, PartialEq, Eq)]
struct Deviations {
    /// Texts whose magnitude is refused.
    refused: Vec<String>,
    /// Printed by Kubernetes so that it reads back as another value.
    printed: Vec<String>,
    /// Values or thousandths beyond 64 bits, which wrap in Kubernetes.
    wrapped: usize,
    /// Negative fractions rounded towards zero by Kubernetes.
    rounded: usize,
    compared: usize,
}

fn lines(name: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("testdata")
        .join(name);
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// Returns the nano units of a plain decimal.
fn nanos(plain: &str) -> String {
    let (units, fraction) = plain.split_once('.').unwrap_or((plain, ""));
    let (sign, units) = match units.strip_prefix('-') {
        Some(units) => ("-", units),
        None => ("", units),
    };
    let digits = format!("{units}{fraction:0<9}");
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        "0".to_owned()
    } else {
        format!("{sign}{digits}")
    }
}

/// Compares one whole or milli value; both are rounded away from zero.
fn compare_rounded(
    ours: Option<i64>,
    theirs: i64,
    record: &Record,
    places: usize,
    seen: &mut Deviations,
) {
    let all = record.nanos.clone().unwrap();
    let negative = all.starts_with('-');
    let digits = format!("{:0>10}", all.trim_start_matches('-'));
    let (whole, rest) = digits.split_at(digits.len() - places);
    let inexact = rest.bytes().any(|byte| byte != b'0');
    let truth = whole.parse::<i128>().ok().map(|whole| {
        let whole = whole + i128::from(inexact);
        if negative { -whole } else { whole }
    });
    let truth = truth.and_then(|truth| i64::try_from(truth).ok());
    assert_eq!(ours, truth, "{}", record.input);
    match ours {
        None => seen.wrapped += 1,
        // Kubernetes' division also takes the low 64 bits of any big negative.
        Some(ours) if ours != theirs && negative && all.parse::<i64>().is_err() => {
            seen.wrapped += 1;
        }
        // Truncated upwards by Kubernetes, then incremented.
        Some(ours) if ours != theirs => {
            assert!(negative && inexact, "{}: {ours} {theirs}", record.input);
            assert_eq!(theirs - ours, 2, "{}", record.input);
            seen.rounded += 1;
        }
        Some(_) => {}
    }
}

fn compare(quantity: &Quantity, record: &Record, seen: &mut Deviations) {
    let input = &record.input;
    seen.compared += 1;
    assert_eq!(
        &nanos(&quantity.amount().to_string()),
        record.nanos.as_ref().unwrap(),
        "{input}"
    );
    assert_eq!(
        &format!("{:?}", quantity.format()),
        record.format.as_ref().unwrap(),
        "{input}"
    );
    assert_eq!(quantity.sign(), record.sign, "{input}");
    assert_eq!(quantity.as_integer(), record.integer, "{input}");
    compare_rounded(quantity.amount().value(), record.value, record, 9, seen);
    compare_rounded(
        quantity.amount().milli_value(),
        record.milli,
        record,
        6,
        seen,
    );

    let theirs = u64::from_str_radix(record.float.as_ref().unwrap(), 16).unwrap();
    if f64::from_bits(theirs).is_nan() {
        // Zero by an infinite power of ten.
        assert!(quantity.amount().is_zero(), "{input}");
        assert_eq!(quantity.as_approximate_float().to_bits(), 0, "{input}");
    } else {
        let ours = quantity.as_approximate_float().to_bits();
        assert_eq!(ours, theirs, "{input}");
    }

    let theirs = record.canonical.as_ref().unwrap();
    let ours = quantity.canonical();
    assert_eq!(&Quantity::parse(&ours).unwrap(), quantity, "{input}");
    if &ours != theirs {
        assert_ne!(&Quantity::parse(theirs).unwrap(), quantity, "{input}");
        assert_eq!(ours, quantity.amount().to_string(), "{input}");
        seen.printed.push(input.clone());
    } else if quantity.text().is_some() {
        assert_eq!(
            &quantity.as_stored().to_string(),
            record.stored.as_ref().unwrap(),
            "{input}"
        );
    }
}

#[test]
fn parsing_agrees_with_kubernetes() {
    let mut seen = Deviations::default();
    for line in lines("quantities.jsonl") {
        let record: Record = serde_json::from_str(&line).unwrap();
        let expected = match record.error.as_deref() {
            Some("format") => Some(ParseErrorKind::Malformed),
            Some("number") => Some(ParseErrorKind::Number),
            Some("suffix") => Some(ParseErrorKind::Suffix),
            _ => None,
        };
        match Quantity::parse(&record.input) {
            Err(error) if error.kind() == ParseErrorKind::Magnitude => {
                assert_eq!(expected, None, "{}", record.input);
                seen.refused.push(record.input);
            }
            Err(error) if record.input.is_empty() => {
                assert_eq!(error.kind(), ParseErrorKind::Empty);
            }
            Err(error) => assert_eq!(Some(error.kind()), expected, "{}", record.input),
            Ok(quantity) => {
                assert_eq!(expected, None, "{}", record.input);
                assert_eq!(quantity.to_string(), record.input);
                compare(&quantity, &record, &mut seen);
            }
        }
    }
    let expected = Deviations {
        refused: [
            "1e1000",
            "1e1001",
            "0.1e1001",
            "-1e1000",
            "1e4000",
            "1e32768",
            "1e1000000",
            "1e1000000000",
            "1e2147483647",
            "1e4294967296",
            "1e4294967299",
            "1e9223372036854775807",
        ]
        .map(str::to_owned)
        .to_vec(),
        printed: ["1000E", "1000000E", "1000E"].map(str::to_owned).to_vec(),
        wrapped: 498,
        rounded: 76,
        compared: 1240,
    };
    assert_eq!(seen, expected);
}

#[test]
fn sums_agree_with_kubernetes() {
    let mut seen = Deviations::default();
    for line in lines("sums.jsonl") {
        let pair: Pair = serde_json::from_str(&line).unwrap();
        let left = Quantity::parse(&pair.left).unwrap();
        let right = Quantity::parse(&pair.right).unwrap();
        assert_eq!(left.cmp(&right) as i32, pair.compare, "{line}");
        compare(&left.add(&right), &pair.sum, &mut seen);
        compare(&left.sub(&right), &pair.difference, &mut seen);
    }
    let expected = Deviations {
        refused: Vec::new(),
        printed: [
            "1Ki + 1e21",
            "1Ki - 1e21",
            "1Ki + 1e30",
            "1Ki - 1e30",
            "7Ei + 7Ei",
            "7Ei + 1e21",
            "7Ei - 1e21",
            "7Ei + 1e30",
            "7Ei - 1e30",
            "10Ei + 1",
            "10Ei - -1",
            "10Ei + 1000m",
            "-10Ei - 1",
            "-10Ei + -1",
            "-10Ei - 1000m",
        ]
        .map(str::to_owned)
        .to_vec(),
        wrapped: 1422,
        rounded: 62,
        compared: 1568,
    };
    assert_eq!(seen, expected);
}

#[test]
fn formats_have_their_names() {
    let names = [Format::DecimalExponent, Format::BinarySI, Format::DecimalSI];
    let names = names.map(|format| format!("{format:?}"));
    assert_eq!(names, ["DecimalExponent", "BinarySI", "DecimalSI"]);
}
