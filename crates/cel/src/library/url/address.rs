//! IP addresses in URLs, with the complaints of Go's `net/netip` about them.

use super::super::quote::quote;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Family {
    V4,
    V6,
}

/// What is wrong and, if it shows anywhere, where.
type Complaint<'t> = (&'static str, &'t [u8]);

/// Returns the family of an address, which may have a zone.
pub(super) fn family(text: &[u8]) -> Result<Family, String> {
    let separator = text.iter().find(|byte| b".:%".contains(byte));
    let result = match separator {
        Some(b'.') => check_v4(text).map(|()| Family::V4),
        Some(b':') => check_v6(text).map(|()| Family::V6),
        Some(_) => Err(("missing IPv6 address", &text[..0])),
        None => Err(("unable to parse IP", &text[..0])),
    };
    result.map_err(|(message, place)| {
        let shown = quote(text);
        if place.is_empty() {
            format!("ParseAddr({shown}): {message}")
        } else {
            format!("ParseAddr({shown}): {message} (at {})", quote(place))
        }
    })
}

fn check_v4(text: &[u8]) -> Result<(), Complaint<'_>> {
    const NOWHERE: &[u8] = b"";
    let (mut value, mut digits, mut dots) = (0_u32, 0, 0);
    for (index, byte) in text.iter().enumerate() {
        match byte {
            b'0'..=b'9' => {
                if digits == 1 && value == 0 {
                    return Err(("IPv4 field has octet with leading zero", NOWHERE));
                }
                value = value * 10 + u32::from(byte - b'0');
                digits += 1;
                if value > 255 {
                    return Err(("IPv4 field has value >255", NOWHERE));
                }
            }
            b'.' => {
                if digits == 0 || index + 1 == text.len() {
                    let message = "IPv4 field must have at least one digit";
                    return Err((message, &text[index..]));
                }
                if dots == 3 {
                    return Err(("IPv4 address too long", NOWHERE));
                }
                dots += 1;
                (value, digits) = (0, 0);
            }
            _ => return Err(("unexpected character", &text[index..])),
        }
    }
    if dots < 3 {
        return Err(("IPv4 address too short", NOWHERE));
    }
    Ok(())
}

fn check_v6(text: &[u8]) -> Result<(), Complaint<'_>> {
    const NOWHERE: &[u8] = b"";
    let mut rest = text;
    if let Some(percent) = text.iter().position(|byte| *byte == b'%') {
        if percent + 1 == text.len() {
            return Err(("zone must be a non-empty string", NOWHERE));
        }
        rest = &text[..percent];
    }
    let mut has_ellipsis = false;
    if let Some(others) = rest.strip_prefix(b"::") {
        has_ellipsis = true;
        rest = others;
        if rest.is_empty() {
            return Ok(());
        }
    }
    let mut bytes = 0;
    while bytes < 16 {
        let length = group(rest)?;
        if rest.get(length) == Some(&b'.') {
            if !has_ellipsis && bytes != 12 {
                let message =
                    "embedded IPv4 address must replace the final 2 fields of the address";
                return Err((message, rest));
            }
            if bytes + 4 > 16 {
                let message =
                    "too many hex fields to fit an embedded IPv4 at the end of the address";
                return Err((message, rest));
            }
            check_v4(rest)?;
            rest = NOWHERE;
            bytes += 4;
            break;
        }
        bytes += 2;
        rest = &rest[length..];
        match rest {
            [] => break,
            [b':'] => return Err(("colon must be followed by more characters", rest)),
            [b':', others @ ..] => rest = others,
            _ => return Err(("unexpected character, want colon", rest)),
        }
        if let Some(others) = rest.strip_prefix(b":") {
            if has_ellipsis {
                return Err(("multiple :: in address", rest));
            }
            has_ellipsis = true;
            rest = others;
            if rest.is_empty() {
                break;
            }
        }
    }
    if !rest.is_empty() {
        return Err(("trailing garbage after address", rest));
    }
    match (bytes < 16, has_ellipsis) {
        (true, false) => Err(("address string too short", NOWHERE)),
        (false, true) => {
            let message = "the :: must expand to at least one field of zeros";
            Err((message, NOWHERE))
        }
        _ => Ok(()),
    }
}

/// Returns the number of digits of the group at the start.
fn group(text: &[u8]) -> Result<usize, Complaint<'_>> {
    let digits = text
        .iter()
        .take_while(|byte| byte.is_ascii_hexdigit())
        .count();
    match digits {
        0 => {
            let message = "each colon-separated field must have at least one digit";
            Err((message, text))
        }
        1..=4 => Ok(digits),
        _ => Err(("each group must have 4 or less digits", text)),
    }
}
