//! Reading a quantity, by the rules of Kubernetes' `ParseQuantity`.

mod scan;
mod suffix;

use crate::amount::Amount;
use crate::error::{ParseError, ParseErrorKind};
use crate::format::Format;
use crate::quantity::Representation;
use num_bigint::BigInt;
use scan::Scanned;
use std::borrow::Cow;
use suffix::Suffix;

/// Is the longest text that parses, in bytes.
///
/// Kubernetes has no such limit.
pub const MAX_TEXT_LENGTH: usize = 1024;

/// Is the power of ten that every parsed magnitude stays below.
///
/// Kubernetes has no such limit: it takes `1e1000000000`, and needs gigabytes
/// of memory as soon as it computes with it. It also keeps only the low 32
/// bits of an exponent, so that it reads `1e4294967296` as 1.
pub const MAX_MAGNITUDE: u32 = 1000;

/// Is the largest magnitude of a binary quantity; larger ones are capped.
const BINARY_LIMIT: Amount = Amount::from_units(i64::MAX);

/// Kubernetes keeps decimal mantissas of up to this many digits in 64 bits.
const INTEGER_DIGITS: i64 = 18;

/// The decimal exponent of a nano unit.
const NANO: i64 = -9;

/// What a text says, besides the text itself.
pub(crate) struct Parsed {
    pub(crate) amount: Amount,
    pub(crate) format: Format,
    pub(crate) representation: Representation,
}

/// Reads one quantity.
pub(crate) fn parse(text: &str) -> Result<Parsed, ParseError> {
    if text.is_empty() {
        return Err(ParseError::new(
            ParseErrorKind::Empty,
            text,
            "a number such as `4`, `500m`, `1.5Gi` or `1e3`",
        ));
    }
    if text.len() > MAX_TEXT_LENGTH {
        let expected = format!("at most {MAX_TEXT_LENGTH} bytes");
        return Err(ParseError::new(ParseErrorKind::TooLong, text, &expected));
    }
    let scanned = scan::scan(text)?;
    let suffix = suffix::interpret(scanned.suffix).ok_or_else(|| {
        ParseError::new(
            ParseErrorKind::Suffix,
            text,
            "a suffix out of n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei, \
             or an exponent such as `e3`",
        )
    })?;
    let representation = represent(&scanned, suffix);
    if representation.is_decimal() && !scanned.has_digits {
        // Kubernetes reads a missing number as zero in its 64-bit path only.
        return Err(ParseError::new(
            ParseErrorKind::Number,
            text,
            "at least one digit before the suffix",
        ));
    }
    let magnitude = magnitude(&scanned, suffix).ok_or_else(|| {
        let expected = format!("a magnitude below 10^{MAX_MAGNITUDE}");
        ParseError::new(ParseErrorKind::Magnitude, text, &expected)
    })?;
    Ok(finish(magnitude, scanned.negative, suffix, representation))
}

/// Applies the cap of binary quantities, the format rule and the sign.
fn finish(
    magnitude: Amount,
    negative: bool,
    suffix: Suffix,
    mut representation: Representation,
) -> Parsed {
    let mut amount = magnitude;
    let mut format = suffix.format();
    if representation.is_decimal() && format == Format::BinarySI {
        if amount > BINARY_LIMIT {
            amount = BINARY_LIMIT;
            representation = Representation::decimal(0);
        }
        if !amount.is_zero() && amount < Amount::from_units(1) {
            format = Format::DecimalSI;
        }
    }
    if negative {
        amount = -&amount;
    }
    Parsed {
        amount,
        format,
        representation,
    }
}

/// Tells how Kubernetes would hold the number, which decides some of its
/// answers (see [`Representation`]).
fn represent(scanned: &Scanned<'_>, suffix: Suffix) -> Representation {
    let digits = length(scanned.numerator) + length(scanned.fraction);
    let places = length(scanned.fraction);
    match suffix {
        Suffix::Decimal { exponent, .. } => {
            let exponent = exponent.saturating_sub(places);
            if digits <= INTEGER_DIGITS && exponent >= NANO {
                Representation::integer(exponent)
            } else if scanned.is_zero() {
                // Zero is the one number Kubernetes does not round to nano.
                Representation::decimal(exponent)
            } else {
                Representation::decimal(NANO)
            }
        }
        Suffix::Binary { shift } => {
            // Kubernetes counts three digits for each binary prefix, out of 14.
            let room = 14 - i64::from(shift) * 3 / 10;
            if places == 0 && digits <= room {
                Representation::integer(0)
            } else if scanned.is_zero() {
                Representation::decimal(-places)
            } else {
                Representation::decimal(NANO)
            }
        }
    }
}

/// Returns the unsigned value, rounded up to nano units, or `None` if it
/// reaches the limit of magnitudes.
fn magnitude(scanned: &Scanned<'_>, suffix: Suffix) -> Option<Amount> {
    if scanned.is_zero() {
        return Some(Amount::ZERO);
    }
    let digits = if scanned.fraction.is_empty() {
        Cow::Borrowed(scanned.numerator)
    } else {
        Cow::Owned([scanned.numerator, scanned.fraction].concat())
    };
    let digits = digits.trim_start_matches('0');
    let (exponent, shift) = match suffix {
        Suffix::Decimal { exponent, .. } => (exponent, 0),
        Suffix::Binary { shift } => (0, shift),
    };
    let exponent = exponent.saturating_sub(length(scanned.fraction));
    // The value is below 10 to this power, before a binary shift; binary
    // values are capped far below the limit.
    let power = exponent.saturating_add(length(digits));
    if power > i64::from(MAX_MAGNITUDE) && shift == 0 {
        return None;
    }
    let nano_exponent = exponent.saturating_sub(NANO);
    if nano_exponent.saturating_add(length(digits)) < -30 {
        // Far below one nano unit, whatever the shift: rounds up to one.
        return Some(Amount::from_nanos(1));
    }
    if let Some(nanos) = small_nanos(digits, shift, nano_exponent) {
        return Some(Amount::from_nanos(nanos));
    }
    let mantissa: BigInt = digits.parse().ok()?;
    let shifted = mantissa << shift;
    let steps = u32::try_from(nano_exponent.unsigned_abs()).ok()?;
    let ten = BigInt::from(10).pow(steps);
    if nano_exponent >= 0 {
        return Some(Amount::from_big(shifted * ten));
    }
    let quotient = &shifted / &ten;
    let inexact = &quotient * &ten != shifted;
    Some(Amount::from_big(quotient + i32::from(inexact)))
}

/// Computes the usual case without allocating; `None` if a step overflows.
fn small_nanos(digits: &str, shift: u32, nano_exponent: i64) -> Option<i128> {
    let mantissa = i128::from(digits.parse::<u64>().ok()?);
    let shifted = mantissa.checked_mul(1_i128.checked_shl(shift)?)?;
    let steps = u32::try_from(nano_exponent.unsigned_abs()).ok()?;
    let ten = 10_i128.checked_pow(steps)?;
    if nano_exponent >= 0 {
        shifted.checked_mul(ten)
    } else {
        Some(shifted / ten + i128::from(shifted % ten != 0))
    }
}

/// Returns a length as a signed number; texts are at most 1024 bytes.
fn length(text: &str) -> i64 {
    i64::try_from(text.len()).unwrap_or(i64::MAX)
}

/// Returns whether Kubernetes' `String` gives this text back unchanged, which
/// it does for texts it takes for canonical already.
pub(crate) fn is_kept(text: &str) -> bool {
    if text == "0" {
        return true;
    }
    let Ok(scanned) = scan::scan(text) else {
        return false;
    };
    let Some(suffix) = suffix::interpret(scanned.suffix) else {
        return false;
    };
    let representation = represent(&scanned, suffix);
    if representation.is_decimal() {
        return false;
    }
    match suffix {
        Suffix::Binary { .. } => {
            let eighths = scanned.numerator.parse::<u64>().unwrap_or(0) % 8;
            eighths != 0
        }
        Suffix::Decimal { .. } => {
            let thousands = format!("{}{}", scanned.numerator, scanned.fraction).ends_with("000");
            representation.exponent() % 3 == 0 && !thousands && !scanned.numerator.starts_with('0')
        }
    }
}
