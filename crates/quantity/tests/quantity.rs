//! Reading, printing and decoding quantities.

#![allow(missing_docs, clippy::unwrap_used, reason = "test code")]

use dralloc_quantity::{Amount, Format, MAX_TEXT_LENGTH, ParseErrorKind, Quantity};
use std::hash::{DefaultHasher, Hash, Hasher};

fn quantity(text: &str) -> Quantity {
    Quantity::parse(text).unwrap()
}

fn failure(text: &str) -> (ParseErrorKind, String) {
    let error = Quantity::parse(text).unwrap_err();
    (error.kind(), error.to_string())
}

#[test]
fn errors_say_what_was_expected() {
    let suffixes = "expected a suffix out of n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei, \
                    or an exponent such as `e3`";
    let cases = [
        (
            "",
            ParseErrorKind::Empty,
            "empty quantity: expected a number such as `4`, `500m`, `1.5Gi` or `1e3`".to_owned(),
        ),
        (
            "1 Gi",
            ParseErrorKind::Malformed,
            "invalid quantity `1 Gi`: expected a number and a suffix, found ` `".to_owned(),
        ),
        (
            "1\n",
            ParseErrorKind::Malformed,
            "invalid quantity `1\\n`: expected a number and a suffix, found `\\n`".to_owned(),
        ),
        (
            "Ei",
            ParseErrorKind::Number,
            "invalid quantity `Ei`: expected at least one digit before the suffix".to_owned(),
        ),
        (
            "1K",
            ParseErrorKind::Suffix,
            format!("invalid quantity `1K`: {suffixes}"),
        ),
        (
            "1e1000",
            ParseErrorKind::Magnitude,
            "invalid quantity `1e1000`: expected a magnitude below 10^1000".to_owned(),
        ),
    ];
    for (text, kind, message) in cases {
        assert_eq!(failure(text), (kind, message));
    }
}

#[test]
fn absurd_texts_are_refused_at_once() {
    let hostile = [
        "1e1000000000",
        "1e2147483648",
        "1e4294967296",
        "-9e9223372036854775807",
        "0.000001e1007",
    ];
    for text in hostile {
        assert_eq!(failure(text).0, ParseErrorKind::Magnitude, "{text}");
    }
    assert_eq!(quantity("1e-1000000000").amount(), &Amount::from_nanos(1));
    assert_eq!(
        quantity("-1e-9223372036854775808").amount(),
        &Amount::from_nanos(-1)
    );
    assert_eq!(quantity("0e9223372036854775807").amount(), &Amount::ZERO);
    assert_eq!(failure("1e9223372036854775808").0, ParseErrorKind::Suffix);

    let longest = format!("{}Ki", "9".repeat(MAX_TEXT_LENGTH - 2));
    assert_eq!(quantity(&longest).amount(), &Amount::from_units(i64::MAX));
    let (kind, message) = failure(&"9".repeat(MAX_TEXT_LENGTH + 1));
    assert_eq!(kind, ParseErrorKind::TooLong);
    assert_eq!(
        message,
        format!(
            "invalid quantity `{}...`: expected at most 1024 bytes",
            "9".repeat(64)
        )
    );
}

#[test]
fn the_largest_values_read_and_print() {
    let text = format!("-{}.999999999", "9".repeat(1000));
    let largest = quantity(&text);
    assert_eq!(largest.amount().to_string(), text);
    assert_eq!(quantity(&largest.canonical()), largest);
    assert_eq!(quantity("9e999").canonical(), "9e999");
    let zero_padded = format!("0.{}1", "0".repeat(1000));
    assert_eq!(quantity(&zero_padded).amount(), &Amount::from_nanos(1));
}

#[test]
fn values_kubernetes_destroys_print_as_digits() {
    let plain = "1000000000000000000000";
    let quantity_of = |format| Quantity::new(quantity(plain).into_amount(), format);
    assert_eq!(quantity_of(Format::DecimalSI).to_string(), plain);
    assert_eq!(quantity_of(Format::BinarySI).to_string(), plain);
    assert_eq!(quantity_of(Format::DecimalExponent).to_string(), "1e21");
    let eight_exbi = quantity("4Ei").add(&quantity("4Ei"));
    assert_eq!(eight_exbi.to_string(), "9223372036854775808");
    assert_eq!(quantity(&eight_exbi.to_string()), eight_exbi);
}

#[test]
fn text_is_kept_and_value_compared() {
    let read = quantity("1024Mi");
    let other = quantity("1Gi");
    assert_eq!(read.to_string(), "1024Mi");
    assert_eq!(read.text(), Some("1024Mi"));
    assert_eq!(read.canonical(), "1Gi");
    assert_eq!(read, other);
    let hash = |value: &Quantity| {
        let mut hasher = DefaultHasher::new();
        value.hash(&mut hasher);
        hasher.finish()
    };
    assert_eq!(hash(&read), hash(&other));
    assert!(quantity("1023Mi") < read);
    assert_eq!(read.add(&Quantity::default()).text(), None);
    assert_eq!(Quantity::default().add(&read).format(), Format::BinarySI);
    assert_eq!(format!("{read:>8}"), "  1024Mi");
    assert_eq!(size_of::<Quantity>(), 64);
}

#[test]
fn integers_follow_the_way_of_writing() {
    let cases = [
        ("1", Some(1)),
        ("50k", Some(50_000)),
        ("1Ki", Some(1024)),
        ("9223372036854775807", None),
        ("1.0", None),
        ("1000m", None),
        ("1.5Ki", None),
        ("10Ei", None),
        ("1e19", None),
    ];
    for (text, expected) in cases {
        assert_eq!(quantity(text).as_integer(), expected, "{text}");
        assert_eq!(quantity(text).is_integer(), expected.is_some(), "{text}");
    }
    assert_eq!(quantity("1000m").as_stored().as_integer(), Some(1));
    assert_eq!(quantity("1.500").as_stored().to_string(), "1.500");
    assert_eq!(quantity("500m").add(&quantity("500m")).as_integer(), None);
    assert_eq!(Quantity::from_units(i64::MIN).as_integer(), Some(i64::MIN));
}

#[test]
fn documents_hold_strings_or_numbers() {
    let cases = [
        (r#""1.5Gi""#, "1.5Gi"),
        (r#"" 2Ki\n""#, "2Ki"),
        ("4", "4"),
        ("-4", "-4"),
        ("18446744073709551615", "18446744073709551615"),
        ("0.1", "0.1"),
        ("1.25", "1.25"),
        ("1e3", "1000"),
        ("1e-12", "1e-12"),
        ("1e300", "1e300"),
        ("-0.0", "-0"),
    ];
    for (json, expected) in cases {
        let read: Quantity = serde_json::from_str(json).unwrap();
        assert_eq!(read.to_string(), expected, "{json}");
        let written = serde_json::to_string(&read).unwrap();
        assert_eq!(written, format!("\"{expected}\""));
        let again: Quantity = serde_json::from_str(&written).unwrap();
        assert_eq!(again, read);
    }
    let zero: Quantity = serde_json::from_str("null").unwrap();
    assert_eq!(zero, Quantity::from_units(0));
    for json in ["true", "[]", "{}", r#""""#, r#""1 Gi""#, "1e1000"] {
        assert!(serde_json::from_str::<Quantity>(json).is_err(), "{json}");
    }
    assert_eq!(
        serde_json::from_str::<Quantity>("true")
            .unwrap_err()
            .to_string(),
        "invalid type: boolean `true`, expected a quantity as a string or a number at line 1 column 4"
    );
}
