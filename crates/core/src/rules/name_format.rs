//! The letters of names; how long one may be depends on what it names.
//!
//! Source: `apimachinery/pkg/api/validate/content` of Kubernetes 1.37.

/// Is a DNS label (RFC 1123), of any length.
pub(crate) fn is_dns_label(text: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    text.bytes().all(|byte| inner(byte) || byte == b'-') && ends_are(text, inner)
}

/// Is DNS labels joined by dots, of any length.
pub(crate) fn is_dns_subdomain(text: &str) -> bool {
    text.split('.').all(is_dns_label)
}

/// Is letters, digits, `-`, `_` and `.` between two alphanumeric ends, of any length.
pub(crate) fn is_label_name(text: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_alphanumeric();
    text.bytes()
        .all(|byte| inner(byte) || matches!(byte, b'-' | b'_' | b'.'))
        && ends_are(text, inner)
}

fn ends_are(text: &str, allowed: impl Fn(u8) -> bool) -> bool {
    match (text.bytes().next(), text.bytes().next_back()) {
        (Some(first), Some(last)) => allowed(first) && allowed(last),
        _ => false,
    }
}
