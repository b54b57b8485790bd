//! The values of literals: numbers, and strings with their escapes.

use std::fmt::Write as _;

/// The value of an integer without its sign: decimal, or hexadecimal after `0x`.
fn digits(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(hexadecimal) => u64::from_str_radix(hexadecimal, 16).ok(),
        None => text.parse().ok(),
    }
}

/// The value of an `int`, unless it takes more than 64 bits.
pub(super) fn int(text: &str, negative: bool) -> Option<i64> {
    let magnitude = digits(text)?;
    if negative {
        0i64.checked_sub_unsigned(magnitude)
    } else {
        i64::try_from(magnitude).ok()
    }
}

/// The value of a `uint`, unless it takes more than 64 bits.
pub(super) fn uint(text: &str) -> Option<u64> {
    digits(text.strip_suffix(['u', 'U']).unwrap_or(text))
}

/// The value of a `double`, unless it is too large for one. One that is too
/// small is zero.
pub(super) fn double(text: &str, negative: bool) -> Option<f64> {
    let magnitude: f64 = text.parse().ok()?;
    if magnitude.is_infinite() {
        return None;
    }
    Some(if negative { -magnitude } else { magnitude })
}

/// What is wrong with an escape sequence: how many bytes, and the message.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BadEscape {
    pub(super) length: usize,
    pub(super) message: String,
}

/// Reads the escape sequence that starts with the backslash of `text`: its
/// value and its length. In bytes the value is a byte, else a character.
pub(super) fn escape(text: &str, is_bytes: bool) -> Result<(u32, usize), BadEscape> {
    let sequence = text.as_bytes();
    let value = match sequence.get(1) {
        Some(b'a') => 0x07,
        Some(b'b') => 0x08,
        Some(b'f') => 0x0c,
        Some(b'n') => 0x0a,
        Some(b'r') => 0x0d,
        Some(b't') => 0x09,
        Some(b'v') => 0x0b,
        Some(same @ (b'"' | b'\'' | b'\\' | b'?' | b'`')) => u32::from(*same),
        Some(b'x' | b'X') => return number(text, 2, 2, 16, is_bytes),
        Some(b'u' | b'U') if is_bytes => {
            return Err(bad(text, 2, "expected an escape sequence of one byte"));
        }
        Some(b'u') => return number(text, 2, 4, 16, is_bytes),
        Some(b'U') => return number(text, 2, 8, 16, is_bytes),
        Some(b'0'..=b'3') => return number(text, 1, 3, 8, is_bytes),
        _ => {
            let length = text.chars().take(2).map(char::len_utf8).sum();
            let expected = r"expected an escape sequence like `\n` or `\x41`";
            return Err(bad(text, length, expected));
        }
    };
    Ok((value, 2))
}

/// An escape sequence with exactly `count` digits from the byte `start` on.
fn number(
    text: &str,
    start: usize,
    count: usize,
    radix: u32,
    is_bytes: bool,
) -> Result<(u32, usize), BadEscape> {
    let length = start + count;
    let found = text[start..]
        .chars()
        .take(count)
        .take_while(|character| character.is_digit(radix))
        .count();
    if found < count {
        let prefix = &text[..start];
        let kind = if radix == 8 { "octal" } else { "hexadecimal" };
        let expected = format!("expected {count} {kind} digits after `{prefix}`");
        return Err(bad(text, start + found, &expected));
    }
    let value = u32::from_str_radix(&text[start..length], radix).unwrap_or(u32::MAX);
    if !is_bytes && char::from_u32(value).is_none() {
        return Err(bad(text, length, "expected a character of Unicode"));
    }
    Ok((value, length))
}

fn bad(text: &str, length: usize, expected: &str) -> BadEscape {
    let mut message = expected.to_owned();
    let found = &text[..length];
    if found.contains(|character: char| character.is_control()) || length < 2 {
        message.push_str(", found the end of the line");
    } else {
        // Writing to a string does not fail.
        let _ = write!(message, ", found `{found}`");
    }
    BadEscape { length, message }
}

/// The parts of a string or bytes literal as it is written.
struct Quoted<'s> {
    content: &'s str,
    is_raw: bool,
}

fn quoted(text: &str) -> Quoted<'_> {
    let unprefixed = text.trim_start_matches(['b', 'B', 'r', 'R']);
    let is_raw = text[..text.len() - unprefixed.len()].contains(['r', 'R']);
    let triple = unprefixed.len() >= 6
        && (unprefixed.starts_with(r#"""""#) || unprefixed.starts_with("'''"));
    let quote = if triple { 3 } else { 1 };
    let content = unprefixed
        .get(quote..unprefixed.len() - quote)
        .unwrap_or_default();
    Quoted { content, is_raw }
}

/// The value of a string literal that the lexer accepted.
pub(super) fn string(text: &str) -> String {
    let Quoted { content, is_raw } = quoted(text);
    if !content.contains(['\\', '\r']) {
        return content.to_owned();
    }
    let mut value = String::with_capacity(content.len());
    decode(content, is_raw, false, |part| match part {
        Part::Text(text) => value.push_str(text),
        Part::Escape(code) => value.extend(char::from_u32(code)),
    });
    value
}

/// The value of a bytes literal that the lexer accepted.
pub(super) fn bytes(text: &str) -> Vec<u8> {
    let Quoted { content, is_raw } = quoted(text);
    let mut value = Vec::with_capacity(content.len());
    decode(content, is_raw, true, |part| match part {
        Part::Text(text) => value.extend_from_slice(text.as_bytes()),
        Part::Escape(code) => value.extend(u8::try_from(code)),
    });
    value
}

enum Part<'s> {
    Text(&'s str),
    Escape(u32),
}

/// Splits the content of a literal into plain text and escapes. Any end of a
/// line is one line feed.
fn decode(content: &str, is_raw: bool, is_bytes: bool, mut take: impl FnMut(Part<'_>)) {
    let mut rest = content;
    while let Some(index) = rest.find(['\\', '\r']) {
        take(Part::Text(&rest[..index]));
        rest = &rest[index..];
        if let Some(after) = rest.strip_prefix('\r') {
            take(Part::Text("\n"));
            rest = after.strip_prefix('\n').unwrap_or(after);
            continue;
        }
        if !is_raw && let Ok((code, length)) = escape(rest, is_bytes) {
            take(Part::Escape(code));
            rest = &rest[length..];
        } else {
            take(Part::Text(&rest[..1]));
            rest = &rest[1..];
        }
    }
    take(Part::Text(rest));
}
