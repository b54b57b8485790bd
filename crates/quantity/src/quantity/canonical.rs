//! Printing, by the rules of Kubernetes' `CanonicalizeBytes`.

use crate::amount::Amount;
use crate::format::Format;

/// Returns the canonical text of an amount.
pub(super) fn canonical(amount: &Amount, format: Format) -> String {
    if amount.is_zero() {
        return "0".to_owned();
    }
    let sign = if amount.is_negative() { "-" } else { "" };
    let magnitude = if amount.is_negative() {
        -amount
    } else {
        amount.clone()
    };
    let binary = format == Format::BinarySI
        && magnitude >= Amount::from_units(1024)
        && magnitude.is_integral();
    let text = match (format, binary) {
        (_, true) => binary_text(&magnitude),
        (Format::DecimalExponent, _) => exponent_text(&magnitude),
        (Format::BinarySI | Format::DecimalSI, _) => decimal_text(&magnitude),
    };
    format!("{sign}{text}")
}

/// Takes factors of 1024 out; plain digits where a suffix would be capped on
/// reading.
fn binary_text(magnitude: &Amount) -> String {
    let units = magnitude
        .exact_units()
        .and_then(|units| i64::try_from(units).ok());
    let Some(mut units) = units else {
        return magnitude.to_string();
    };
    let mut suffix = "";
    for next in ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"] {
        if units % 1024 != 0 {
            break;
        }
        units /= 1024;
        suffix = next;
    }
    format!("{units}{suffix}")
}

fn decimal_text(magnitude: &Amount) -> String {
    let (mantissa, exponent) = split_thousands(magnitude);
    let suffix = match exponent {
        -9 => "n",
        -6 => "u",
        -3 => "m",
        0 => "",
        3 => "k",
        6 => "M",
        9 => "G",
        12 => "T",
        15 => "P",
        18 => "E",
        _ => return magnitude.to_string(),
    };
    format!("{mantissa}{suffix}")
}

fn exponent_text(magnitude: &Amount) -> String {
    match split_thousands(magnitude) {
        (mantissa, 0) => mantissa,
        (mantissa, exponent) => format!("{mantissa}e{exponent}"),
    }
}

/// Splits into a whole mantissa and the largest exponent divisible by three.
fn split_thousands(magnitude: &Amount) -> (String, i64) {
    let digits = magnitude.digits();
    let mut mantissa = digits.trim_end_matches('0').to_owned();
    let zeros = digits.len() - mantissa.len();
    let padding = zeros % 3;
    mantissa.extend(std::iter::repeat_n('0', padding));
    let thousands = i64::try_from((zeros - padding) / 3).unwrap_or(i64::MAX / 3);
    (mantissa, thousands.saturating_mul(3) - 9)
}
