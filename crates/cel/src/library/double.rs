//! Texts of doubles, read and written as Go does.

use crate::runtime::compare::uint_to_double;

/// Reads a double. Out of range is an error.
pub(super) fn parse(text: &str) -> Option<f64> {
    let (negative, magnitude) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if magnitude.starts_with("0x") || magnitude.starts_with("0X") {
        let value = hexadecimal(&magnitude[2..])?;
        return Some(if negative { -value } else { value });
    }
    let digits = ungrouped(text, false, u8::is_ascii_digit)?;
    let value: f64 = digits.parse().ok()?;
    // What is no number has no sign, either.
    if value.is_nan() && magnitude.len() < text.len() {
        return None;
    }
    let has_digits = text.bytes().any(|byte| byte.is_ascii_digit());
    (value.is_finite() || !has_digits).then_some(value)
}

/// Removes `_` between digits; one may follow a prefix, too.
fn ungrouped(text: &str, prefixed: bool, is_digit: fn(&u8) -> bool) -> Option<String> {
    let bytes = text.as_bytes();
    let is_digit = |index: usize| bytes.get(index).is_some_and(is_digit);
    let grouped = (0..bytes.len())
        .filter(|index| bytes[*index] == b'_')
        .all(|index| {
            let follows = match index.checked_sub(1) {
                Some(before) => is_digit(before),
                None => prefixed,
            };
            follows && is_digit(index + 1)
        });
    grouped.then(|| text.replace('_', ""))
}

/// Reads what follows `0x`: hexadecimal digits and a binary exponent.
fn hexadecimal(text: &str) -> Option<f64> {
    let text = ungrouped(text, true, u8::is_ascii_hexdigit)?;
    let (digits, exponent) = text.split_once(['p', 'P'])?;
    let signless = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    if signless.is_empty() || !signless.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // Beyond this nothing but zero and infinity is left.
    let magnitude = signless.parse::<i64>().unwrap_or(i64::MAX).min(1 << 20);
    let mut exponent = if exponent.starts_with('-') {
        -magnitude
    } else {
        magnitude
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut mantissa: u64 = 0;
    for (digit, scale) in whole
        .chars()
        .map(|digit| (digit, 4))
        .chain(fraction.chars().map(|digit| (digit, 0)))
    {
        let digit = u64::from(digit.to_digit(16)?);
        if mantissa < 1 << 58 {
            mantissa = mantissa * 16 + digit;
            exponent += scale - 4;
        } else {
            // Digits that do not fit count in rounding only.
            mantissa |= u64::from(digit > 0);
            exponent += scale;
        }
    }
    scaled(mantissa, exponent)
}

/// The double nearest to a mantissa times a power of two, ties to even.
fn scaled(mantissa: u64, exponent: i64) -> Option<f64> {
    if mantissa == 0 {
        return Some(0.0);
    }
    let bits = i64::from(u64::BITS - mantissa.leading_zeros());
    // The smallest doubles have fewer bits.
    let kept = 53.min(exponent + bits + 1074);
    let dropped = (bits - kept).max(0);
    let rounded = if dropped > bits {
        0
    } else {
        let unit = 1_u128 << dropped;
        let (quotient, rest) = (u128::from(mantissa) / unit, u128::from(mantissa) % unit);
        let is_up = rest * 2 > unit || rest * 2 == unit && quotient % 2 == 1;
        u64::try_from(quotient + u128::from(is_up)).ok()?
    };
    // Two exact steps: the power alone may be out of range.
    let power = i32::try_from(exponent + dropped).ok()?;
    let half = power / 2;
    let value = uint_to_double(rounded) * 2_f64.powi(half) * 2_f64.powi(power - half);
    value.is_finite().then_some(value)
}

/// Formats as Go's `%g`: shortest digits, an exponent below 10^-4 and from 10^6.
pub(super) fn format(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "+Inf" } else { "-Inf" }.to_owned();
    }
    let scientific = format!("{value:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..6).contains(&exponent) {
        return value.to_string();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}
