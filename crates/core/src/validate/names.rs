//! The formats of names.
//!
//! Sources: `apimachinery/pkg/api/validate/content` and
//! `pkg/apis/resource/validation/validation.go` of Kubernetes 1.37.

use super::limits;
use super::report::{Fault, Quoted};
use crate::rules::{is_dns_label, is_dns_subdomain, is_extended_resource, is_label_name};

type Outcome = Result<(), Fault>;

/// Checks a DNS label (RFC 1123), such as `gpu-0`.
pub(super) fn dns_label(text: &str) -> Outcome {
    within(text, limits::DNS_LABEL_BYTES)?;
    expect(
        text,
        is_dns_label(text),
        "a DNS label of lower-case letters, digits and `-`",
    )
}

/// Checks a DNS subdomain (RFC 1123), such as `gpu.example.com`.
pub(super) fn dns_subdomain(text: &str) -> Outcome {
    within(text, limits::DNS_SUBDOMAIN_BYTES)?;
    expect(
        text,
        is_dns_subdomain(text),
        "a DNS name of lower-case letters, digits, `-` and `.`",
    )
}

/// Checks the name of a driver: a short DNS subdomain in any case.
pub(super) fn driver(text: &str) -> Outcome {
    within(text, limits::DRIVER_BYTES)?;
    let valid = is_dns_subdomain(&text.to_ascii_lowercase());
    expect(text, valid, "a DNS name of letters, digits, `-` and `.`")
}

/// Checks the name of a pool: DNS subdomains separated by slashes.
pub(super) fn pool(text: &str) -> Outcome {
    within(text, limits::POOL_BYTES)?;
    let valid = text.split('/').all(is_dns_subdomain);
    expect(text, valid, "DNS names separated by `/`")
}

/// Checks the name of an attribute or capacity, `[domain/]identifier`.
///
/// Kubernetes takes any text with two or more slashes, by an oversight; here
/// it is refused.
pub(super) fn qualified(text: &str) -> Outcome {
    match text.split_once('/') {
        None => identifier(text),
        Some((domain, name)) => {
            driver(domain)?;
            identifier(name)
        }
    }
}

/// Checks the name of an attribute with its domain, `domain/identifier`.
pub(super) fn fully_qualified(text: &str) -> Outcome {
    if !text.contains('/') {
        return expect(text, false, "a domain and a name separated by `/`");
    }
    qualified(text)
}

/// Checks a label key, taint key or condition type, `[domain/]name`.
pub(super) fn label_key(text: &str) -> Outcome {
    let name = match text.split_once('/') {
        None => text,
        Some((domain, name)) => {
            dns_subdomain(domain)?;
            name
        }
    };
    within(name, limits::LABEL_BYTES)?;
    expect(
        text,
        is_label_name(name),
        "letters, digits, `-`, `_` and `.` after an optional domain",
    )
}

/// Checks a label value; it may be empty.
pub(super) fn label_value(text: &str) -> Outcome {
    within(text, limits::LABEL_BYTES)?;
    expect(
        text,
        text.is_empty() || is_label_name(text),
        "letters, digits, `-`, `_` and `.`",
    )
}

/// Checks the name of a finalizer: a label key with a domain, or one that Kubernetes has.
pub(super) fn finalizer(text: &str) -> Outcome {
    label_key(text)?;
    let known = matches!(text, "kubernetes" | "orphan" | "foregroundDeletion");
    expect(
        text,
        known || text.contains('/'),
        "a domain and a name separated by `/`",
    )
}

/// Checks the version of an API, `[group/]version`.
pub(super) fn api_version(text: &str) -> Outcome {
    let version = text.split_once('/').map_or(text, |(_, version)| version);
    let valid = !version.is_empty() && !version.contains('/');
    expect(text, valid, "an API version such as `v1` or `apps/v1`")
}

/// Checks the name of an extended resource, such as `example.com/gpu`.
pub(super) fn extended_resource(text: &str) -> Outcome {
    expect(
        text,
        is_extended_resource(text),
        "a resource name with a domain outside of `kubernetes.io`",
    )
}

/// Checks a UUID as RFC 4122 writes it, in lower case.
pub(super) fn uuid(text: &str) -> Outcome {
    let valid = text.len() == 36
        && text
            .bytes()
            .enumerate()
            .all(|(position, byte)| match position {
                8 | 13 | 18 | 23 => byte == b'-',
                _ => byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'),
            });
    expect(text, valid, "a UUID in lower case")
}

/// Checks a time in RFC 3339, such as `2026-01-31T12:00:00Z`.
pub(super) fn timestamp(text: &str) -> Outcome {
    let valid = is_timestamp(text).unwrap_or(false);
    expect(text, valid, "a time such as `2026-01-31T12:00:00Z`")
}

/// Checks a semantic version 2.0.0 of any number of digits.
pub(super) fn version(text: &str) -> Outcome {
    expect(text, is_version(text), "a semantic version such as `1.2.3`")?;
    within(text, limits::ATTRIBUTE_VALUE_BYTES)
}

fn identifier(text: &str) -> Outcome {
    within(text, limits::IDENTIFIER_BYTES)?;
    let valid = text
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && text
            .bytes()
            .next()
            .is_some_and(|first| !first.is_ascii_digit());
    expect(text, valid, "a C identifier of letters, digits and `_`")
}

fn within(text: &str, limit: usize) -> Outcome {
    if text.len() > limit {
        Err(Fault::too_long(limit, text))
    } else {
        Ok(())
    }
}

fn expect(text: &str, valid: bool, what: &str) -> Outcome {
    if valid {
        Ok(())
    } else {
        Err(Fault::invalid(format!(
            "expected {what}, found {}",
            Quoted(text)
        )))
    }
}

/// Returns nothing where the text is too short.
fn is_timestamp(text: &str) -> Option<bool> {
    let number = |text: &str, range: std::ops::RangeInclusive<u32>| {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        digits && text.parse().is_ok_and(|number| range.contains(&number))
    };
    let (date, rest) = text.split_at_checked(10)?;
    let (time, rest) = rest.split_at_checked(9)?;
    let (year, month, day) = (date.get(..4)?, date.get(5..7)?, date.get(8..)?);
    let leap = matches!(
        year.parse::<u32>(),
        Ok(year) if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    );
    let days = match month {
        "02" if leap => 29,
        "02" => 28,
        "04" | "06" | "09" | "11" => 30,
        _ => 31,
    };
    let is_date = number(year, 0..=9999) && number(month, 1..=12) && number(day, 1..=days);
    let (hours, minutes, seconds) = (time.get(1..3)?, time.get(4..6)?, time.get(7..)?);
    let is_time = number(hours, 0..=23) && number(minutes, 0..=59) && number(seconds, 0..=59);
    let marks = [4, 7, 10, 13, 16].map(|place| text.as_bytes().get(place).copied());
    let marks = marks == [b'-', b'-', b'T', b':', b':'].map(Some);
    let offset = match rest.strip_prefix('.') {
        None => rest,
        Some(fraction) => {
            let offset = fraction.trim_start_matches(|digit: char| digit.is_ascii_digit());
            if offset.len() == fraction.len() {
                return Some(false);
            }
            offset
        }
    };
    let is_offset = match offset.strip_prefix(['+', '-']) {
        None => offset == "Z",
        Some(offset) => {
            let (hours, minutes) = offset.split_once(':')?;
            let is_short = hours.len() == 2 && minutes.len() == 2;
            is_short && number(hours, 0..=23) && number(minutes, 0..=59)
        }
    };
    Some(is_date && is_time && marks && is_offset)
}

fn is_version(text: &str) -> bool {
    let (text, build) = split_suffix(text, '+');
    let (core, pre_release) = split_suffix(text, '-');
    core.split('.').count() == 3
        && core.split('.').all(is_version_number)
        && build.is_none_or(|build| build.split('.').all(is_version_word))
        && pre_release.is_none_or(|words| {
            words.split('.').all(|word| {
                let number = word.bytes().all(|byte| byte.is_ascii_digit());
                if number {
                    is_version_number(word)
                } else {
                    is_version_word(word)
                }
            })
        })
}

fn split_suffix(text: &str, separator: char) -> (&str, Option<&str>) {
    match text.split_once(separator) {
        None => (text, None),
        Some((before, after)) => (before, Some(after)),
    }
}

fn is_version_number(text: &str) -> bool {
    !text.is_empty()
        && text.bytes().all(|byte| byte.is_ascii_digit())
        && (text == "0" || !text.starts_with('0'))
}

fn is_version_word(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}
