//! Splitting a text into sign, digits and suffix.

use crate::error::{ParseError, ParseErrorKind};

/// Are the letters a suffix may hold; which words are suffixes comes later.
const SUFFIX_LETTERS: &str = "eEinumkKMGTP";

/// The parts of a text.
pub(super) struct Scanned<'a> {
    pub(super) negative: bool,
    /// Digits before the point without leading zeros; `0` if none are left.
    pub(super) numerator: &'a str,
    /// Digits after the point, zeros kept.
    pub(super) fraction: &'a str,
    /// Whether the text has any digit in front of the suffix.
    pub(super) has_digits: bool,
    pub(super) suffix: &'a str,
}

impl Scanned<'_> {
    pub(super) fn is_zero(&self) -> bool {
        let nonzero = |text: &str| text.bytes().any(|byte| byte != b'0');
        !nonzero(self.numerator) && !nonzero(self.fraction)
    }
}

/// Splits a text, sign first, then digits, point, digits and suffix.
///
/// Every part may be missing, the digits too: Kubernetes reads `+`, `.` and
/// `k` as zero.
pub(super) fn scan(text: &str) -> Result<Scanned<'_>, ParseError> {
    let (negative, unsigned) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, rest) = split_digits(unsigned);
    let (fraction, suffix) = match rest.strip_prefix('.') {
        Some(rest) => split_digits(rest),
        None => ("", rest),
    };
    check_suffix(text, suffix)?;
    let numerator = whole.trim_start_matches('0');
    Ok(Scanned {
        negative,
        numerator: if numerator.is_empty() { "0" } else { numerator },
        fraction,
        has_digits: !whole.is_empty() || !fraction.is_empty(),
        suffix,
    })
}

/// Accepts letters, one sign and digits, in this order; each may be missing.
fn check_suffix(text: &str, suffix: &str) -> Result<(), ParseError> {
    let rest = suffix.trim_start_matches(|letter| SUFFIX_LETTERS.contains(letter));
    let rest = rest.strip_prefix(['-', '+']).unwrap_or(rest);
    let (_, rest) = split_digits(rest);
    match rest.chars().next() {
        None => Ok(()),
        Some(found) => {
            let expected = format!("a number and a suffix, found `{}`", found.escape_debug());
            Err(ParseError::new(ParseErrorKind::Malformed, text, &expected))
        }
    }
}

fn split_digits(text: &str) -> (&str, &str) {
    let end = text
        .bytes()
        .position(|byte| !byte.is_ascii_digit())
        .unwrap_or(text.len());
    text.split_at(end)
}
