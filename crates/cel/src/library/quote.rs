//! Text between quotation marks, as Go's `%q` writes it.

use std::fmt::Write;
use std::sync::LazyLock;

use ::regex::Regex;

/// Letters, marks, numbers, punctuation and symbols of the version of Unicode
/// that Go knows.
static PRINTABLE: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"^[\p{L}\p{M}\p{N}\p{P}\p{S}&&\p{age:15.0}]$").ok());

fn is_printable(character: char) -> bool {
    if character.is_ascii() {
        return character == ' ' || character.is_ascii_graphic();
    }
    let mut buffer = [0; 4];
    let text: &str = character.encode_utf8(&mut buffer);
    PRINTABLE
        .as_ref()
        .is_some_and(|printable| printable.is_match(text))
}

/// Quotes text that may be no UTF-8.
pub(super) fn quote(text: &[u8]) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for chunk in text.utf8_chunks() {
        for character in chunk.valid().chars() {
            push(&mut quoted, character);
        }
        for byte in chunk.invalid() {
            push_byte(&mut quoted, *byte);
        }
    }
    quoted.push('"');
    quoted
}

fn push_byte(quoted: &mut String, byte: u8) {
    // Writing to a string cannot fail.
    let _ = write!(quoted, "\\x{byte:02x}");
}

/// The escape of a character that has one of its own.
pub(super) fn escape(character: char) -> Option<&'static str> {
    Some(match character {
        '"' => "\\\"",
        '\\' => "\\\\",
        '\u{7}' => "\\a",
        '\u{8}' => "\\b",
        '\u{c}' => "\\f",
        '\n' => "\\n",
        '\r' => "\\r",
        '\t' => "\\t",
        '\u{b}' => "\\v",
        _ => return None,
    })
}

fn push(quoted: &mut String, character: char) {
    if let Some(escape) = escape(character) {
        quoted.push_str(escape);
    } else if is_printable(character) {
        quoted.push(character);
    } else {
        let code = u32::from(character);
        // Writing to a string cannot fail.
        let _ = match code {
            0..0x20 | 0x7f => write!(quoted, "\\x{code:02x}"),
            0x80..0x1_0000 => write!(quoted, "\\u{code:04x}"),
            _ => write!(quoted, "\\U{code:08x}"),
        };
    }
}
