//! The rules of the named formats, with Kubernetes' complaints.
//!
//! Lengths count bytes.

use super::super::time;
use super::super::url;

const LABEL: &str = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const SUBDOMAIN: &str = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
const OLD_LABEL: &str = "[a-z]([-a-z0-9]*[a-z0-9])?";
const NAME: &str = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const VALUE: &str = "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?";

/// How Kubernetes words some complaints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wording {
    /// Before Kubernetes 1.35.
    Old,
    New,
}

impl Wording {
    fn too_long(self, limit: usize) -> String {
        let unit = match self {
            Self::Old => "characters",
            Self::New => "bytes",
        };
        format!("must be no more than {limit} {unit}")
    }
}

/// A complaint that shows the regular expression of the rule.
fn mismatch(message: &str, examples: &[&str], pattern: &str) -> String {
    let examples: Vec<String> = examples
        .iter()
        .map(|example| format!("'{example}', "))
        .collect();
    let examples = examples.join(" or ");
    format!("{message} (e.g. {examples}regex used for validation is '{pattern}')")
}

fn is_lower_alphanumeric(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

fn is_label(text: &[u8]) -> bool {
    let (Some(first), Some(last)) = (text.first(), text.last()) else {
        return false;
    };
    is_lower_alphanumeric(*first)
        && is_lower_alphanumeric(*last)
        && text
            .iter()
            .all(|byte| is_lower_alphanumeric(*byte) || *byte == b'-')
}

fn is_subdomain(text: &[u8]) -> bool {
    text.split(|byte| *byte == b'.').all(is_label)
}

/// Letters and digits at both ends, `-`, `_` and `.` between them.
fn is_name(text: &[u8]) -> bool {
    let (Some(first), Some(last)) = (text.first(), text.last()) else {
        return false;
    };
    first.is_ascii_alphanumeric()
        && last.is_ascii_alphanumeric()
        && text
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(byte))
}

/// The text with a dash at its end, and what is before it, made valid: as a
/// prefix of names that are generated may end.
pub(super) fn without_dash(text: &[u8]) -> Vec<u8> {
    match text {
        [start @ .., _, b'-'] => [start, b"a"].concat(),
        _ => text.to_vec(),
    }
}

pub(super) fn label(text: &[u8]) -> Vec<String> {
    let mut complaints = Vec::new();
    if text.len() > 63 {
        complaints.push(Wording::Old.too_long(63));
    }
    if !is_label(text) {
        complaints.push(if is_subdomain(text) {
            "must not contain dots".to_owned()
        } else {
            mismatch(
                "a lowercase RFC 1123 label must consist of lower case alphanumeric characters \
                 or '-', and must start and end with an alphanumeric character",
                &["my-name", "123-abc"],
                LABEL,
            )
        });
    }
    complaints
}

pub(super) fn subdomain(text: &[u8], wording: Wording) -> Vec<String> {
    let mut complaints = Vec::new();
    if text.len() > 253 {
        complaints.push(wording.too_long(253));
    }
    if !is_subdomain(text) {
        complaints.push(mismatch(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, \
             '-' or '.', and must start and end with an alphanumeric character",
            &["example.com"],
            SUBDOMAIN,
        ));
    }
    complaints
}

pub(super) fn old_label(text: &[u8]) -> Vec<String> {
    let mut complaints = Vec::new();
    if text.len() > 63 {
        complaints.push(Wording::Old.too_long(63));
    }
    if !is_label(text) || !text.first().is_some_and(u8::is_ascii_lowercase) {
        complaints.push(mismatch(
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start \
             with an alphabetic character, and end with an alphanumeric character",
            &["my-name", "abc-123"],
            OLD_LABEL,
        ));
    }
    complaints
}

pub(super) fn qualified_name(text: &[u8], wording: Wording) -> Vec<String> {
    const MESSAGE: &str = "must consist of alphanumeric characters, '-', '_' or '.', and must \
                           start and end with an alphanumeric character";
    let complaint = || mismatch(MESSAGE, &["MyName", "my.name", "123-abc"], NAME);
    let mut complaints = Vec::new();
    let parts: Vec<&[u8]> = text.split(|byte| *byte == b'/').collect();
    let name = match parts.as_slice() {
        [name] => *name,
        [prefix, name] => {
            if prefix.is_empty() {
                complaints.push("prefix part must be non-empty".to_owned());
            } else {
                let found = subdomain(prefix, wording);
                complaints.extend(found.iter().map(|found| format!("prefix part {found}")));
            }
            *name
        }
        _ => {
            let kind = match wording {
                Wording::Old => "a qualified name",
                Wording::New => "a valid label key",
            };
            let hint = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
            return vec![format!("{kind} {} {hint}", complaint())];
        }
    };
    if name.is_empty() {
        complaints.push("name part must be non-empty".to_owned());
    } else if name.len() > 63 {
        complaints.push(format!("name part {}", wording.too_long(63)));
    }
    if !is_name(name) {
        complaints.push(format!("name part {}", complaint()));
    }
    complaints
}

pub(super) fn label_value(text: &[u8], wording: Wording) -> Vec<String> {
    let mut complaints = Vec::new();
    if text.len() > 63 {
        complaints.push(wording.too_long(63));
    }
    if !text.is_empty() && !is_name(text) {
        complaints.push(mismatch(
            "a valid label must be an empty string or consist of alphanumeric characters, '-', \
             '_' or '.', and must start and end with an alphanumeric character",
            &["MyValue", "my_value", "12345"],
            VALUE,
        ));
    }
    complaints
}

pub(super) fn uri(text: &str, dialect: url::Dialect) -> Vec<String> {
    url::complaint(text, dialect).into_iter().collect()
}

fn unless(valid: bool, complaint: &str) -> Vec<String> {
    if valid {
        Vec::new()
    } else {
        vec![complaint.to_owned()]
    }
}

pub(super) fn uuid(text: &str) -> Vec<String> {
    let mut rest = text.as_bytes();
    let mut valid = true;
    for (index, length) in [8, 4, 4, 4, 12].into_iter().enumerate() {
        if index > 0 {
            rest = rest.strip_prefix(b"-").unwrap_or(rest);
        }
        valid = valid
            && rest
                .get(..length)
                .is_some_and(|group| group.iter().all(u8::is_ascii_hexdigit));
        rest = rest.get(length..).unwrap_or_default();
    }
    unless(valid && rest.is_empty(), "does not match the UUID format")
}

/// Base64 with padding, not empty.
pub(super) fn byte(text: &str) -> Vec<String> {
    let bytes = text.as_bytes();
    let digits = bytes
        .strip_suffix(b"==")
        .or_else(|| bytes.strip_suffix(b"="))
        .unwrap_or(bytes);
    let valid = !digits.is_empty()
        && bytes.len().is_multiple_of(4)
        && digits
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'));
    unless(valid, "invalid base64")
}

pub(super) fn date(text: &str) -> Vec<String> {
    unless(time::is_date(text), "invalid date")
}

/// Only what is before a second `t` counts, as in Kubernetes.
pub(super) fn datetime(text: &str) -> Vec<String> {
    let mut parts = text.split(['t', 'T']);
    let valid = parts.next().is_some_and(time::is_date)
        && parts
            .next()
            .is_some_and(|time| is_time(&time.to_ascii_lowercase()));
    unless(valid, "invalid datetime")
}

/// A time of day with an offset; any character may stand before a fraction.
fn is_time(text: &str) -> bool {
    let Some((clock, rest)) = text.split_at_checked(8) else {
        return false;
    };
    let [h1, h2, b':', m1, m2, b':', s1, s2] = clock.as_bytes() else {
        return false;
    };
    let below = |tens: &u8, ones: &u8, limit: &[u8; 2]| {
        tens.is_ascii_digit() && ones.is_ascii_digit() && [*tens, *ones] <= *limit
    };
    below(h1, h2, b"23")
        && below(m1, m2, b"59")
        && below(s1, s2, b"59")
        && (is_zone(rest) || is_zone(without_fraction(rest)))
}

fn without_fraction(text: &str) -> &str {
    let mut characters = text.chars();
    match characters.next() {
        Some(separator) if separator != '\n' => {}
        _ => return text,
    }
    let rest = characters.as_str();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 { text } else { &rest[digits..] }
}

fn is_zone(text: &str) -> bool {
    match text.as_bytes() {
        [b'z'] => true,
        [b'+' | b'-', h1, h2, b':', m1, m2] => [h1, h2, m1, m2].into_iter().all(u8::is_ascii_digit),
        _ => false,
    }
}
