//! What a plain scalar of YAML means to Kubernetes.
//!
//! `kubectl` reads YAML 1.1 through `sigs.k8s.io/yaml`: `yes` is a boolean,
//! `0x10` and `010` are integers, dates stay text. The difference here is that
//! no number passes through a float: its digits stay as written.

use std::borrow::Cow;

use granit_parser::{ScalarStyle, Tag};

/// Is the JSON value of a scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Scalar<'t> {
    Null,
    Bool(bool),
    /// A number, in JSON's syntax.
    Number(Cow<'t, str>),
    Text,
    /// An infinity or no number, which JSON cannot say.
    NotFinite,
}

impl<'t> Scalar<'t> {
    /// Resolves a scalar, by its tag if it has one.
    pub(super) fn of(text: &'t str, style: ScalarStyle, tag: Option<&Tag>) -> Result<Self, String> {
        match tag {
            None if style == ScalarStyle::Plain => Ok(Self::of_plain(text)),
            None => Ok(Self::Text),
            Some(tag) => Self::of_tagged(text, tag),
        }
    }

    fn of_tagged(text: &'t str, tag: &Tag) -> Result<Self, String> {
        let Some(name) = tag.suffix_in_namespace("tag:yaml.org,2002:") else {
            return Ok(Self::Text);
        };
        let scalar = Self::of_plain(text);
        match (&*name, &scalar) {
            ("null", Self::Null)
            | ("bool", Self::Bool(_))
            | ("float", Self::Number(_) | Self::NotFinite) => Ok(scalar),
            ("int", Self::Number(number)) if !number.contains(['.', 'e', 'E']) => Ok(scalar),
            ("null" | "bool" | "int" | "float", _) => Err(format!("`{text}` is no `!!{name}`")),
            ("binary", _) => Err("tag `!!binary` is not supported, expected plain text".into()),
            _ => Ok(Self::Text),
        }
    }

    /// Resolves a scalar without quotes and tag.
    pub(super) fn of_plain(text: &'t str) -> Self {
        match text {
            "" | "~" | "null" | "Null" | "NULL" => return Self::Null,
            "true" | "True" | "TRUE" | "y" | "Y" | "yes" | "Yes" | "YES" | "on" | "On" | "ON" => {
                return Self::Bool(true);
            }
            "false" | "False" | "FALSE" | "n" | "N" | "no" | "No" | "NO" | "off" | "Off"
            | "OFF" => return Self::Bool(false),
            _ => {}
        }
        if !text.starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first)) {
            return Self::Text;
        }
        match text.strip_prefix(['+', '-']).unwrap_or(text) {
            ".inf" | ".Inf" | ".INF" => return Self::NotFinite,
            _ if matches!(text, ".nan" | ".NaN" | ".NAN") => return Self::NotFinite,
            _ => {}
        }
        if is_json_number(text) {
            return Self::finite(Cow::Borrowed(text));
        }
        let plain = text.replace('_', "");
        match integer(&plain).or_else(|| decimal(&plain)) {
            Some(number) => Self::finite(Cow::Owned(number)),
            None => Self::Text,
        }
    }

    /// What is too large for a float is text to Kubernetes.
    fn finite(number: Cow<'t, str>) -> Self {
        if number.parse().is_ok_and(f64::is_finite) {
            Self::Number(number)
        } else {
            Self::Text
        }
    }
}

/// Returns whether a text can stand without quotes, for Kubernetes and for
/// readers of YAML 1.1 and 1.2 that also know dates and base-60 numbers.
pub(crate) fn is_plain_text(text: &str) -> bool {
    let is_safe =
        |next: char| next.is_ascii_alphanumeric() || "-_./+=,;()<>&|!'\"$^".contains(next);
    let starts_well = text.starts_with(|first: char| {
        first.is_ascii_alphanumeric() || matches!(first, '_' | '/' | '.' | '+' | '-' | '$' | '(')
    });
    let is_like_date = text
        .starts_with(|first: char| first.is_ascii_digit() || "+-.".contains(first))
        && text
            .chars()
            .all(|next| next.is_ascii_digit() || " :.+-_TtZzeE".contains(next));
    // A mark that YAML reads in some places only: a colon or number sign beside a space.
    let inner_marks_are_safe = text.split(' ').all(|word| {
        !word.is_empty()
            && !word.starts_with('#')
            && !word.ends_with(':')
            && word
                .chars()
                .all(|next| is_safe(next) || matches!(next, ':' | '@' | '#' | '*' | '%'))
    });
    starts_well
        && inner_marks_are_safe
        && !is_like_date
        && text != "-"
        && !text.starts_with("- ")
        && !text.starts_with("---")
        && !text.starts_with("...")
        && Scalar::of_plain(text) == Scalar::Text
}

/// Returns whether a text is a number in JSON.
fn is_json_number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let has_padding = digits.len() > 1 && digits.starts_with('0');
    let is_padded = has_padding && digits[1..].starts_with(|next: char| next.is_ascii_digit());
    !is_padded && decimal(text).is_some_and(|number| number == text)
}

/// Reads an integer with a prefix for its base; a bare `0` is one for octal.
fn integer(text: &str) -> Option<String> {
    let (sign, digits) = split_sign(text);
    let prefix = digits.get(..2).unwrap_or_default();
    let (radix, digits) = match prefix {
        "0x" | "0X" => (16, &digits[2..]),
        "0o" | "0O" => (8, &digits[2..]),
        "0b" | "0B" => (2, &digits[2..]),
        _ if prefix.starts_with('0') => (8, &digits[1..]),
        _ => return None,
    };
    // `from_str_radix` would take a second sign.
    let is_signed = digits.starts_with(['+', '-']);
    let number = u64::from_str_radix(digits, radix)
        .ok()
        .filter(|_| !is_signed)?;
    let largest = match sign {
        "-" => 1 << 63,
        "+" => (1 << 63) - 1,
        _ => u64::MAX,
    };
    let minus = if sign == "-" && number != 0 { "-" } else { "" };
    (number <= largest).then(|| format!("{minus}{number}"))
}

/// Turns a decimal number of YAML into one of JSON.
fn decimal(text: &str) -> Option<String> {
    let (sign, rest) = split_sign(text);
    let (mantissa, exponent) = match rest.find(['e', 'E']) {
        Some(place) => rest.split_at(place),
        None => (rest, ""),
    };
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let exponent_digits = exponent
        .get(1..)
        .map(split_sign)
        .map_or("0", |(_, digits)| digits);
    let is_number = is_digits(integer)
        && is_digits(fraction)
        && !(integer.is_empty() && fraction.is_empty())
        && is_digits(exponent_digits)
        && !exponent_digits.is_empty();
    if !is_number {
        return None;
    }
    let minus = if sign == "-" { "-" } else { "" };
    let integer = match integer.trim_start_matches('0') {
        "" => "0",
        digits => digits,
    };
    let point = if fraction.is_empty() { "" } else { "." };
    Some(format!("{minus}{integer}{point}{fraction}{exponent}"))
}

fn split_sign(text: &str) -> (&str, &str) {
    text.split_at(usize::from(text.starts_with(['+', '-'])))
}
