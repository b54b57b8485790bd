//! Field names between backticks, which came with cel-go 0.29.

use super::Checker;
use crate::CompileError;
use crate::library::CEL_GO_29;

impl Checker<'_> {
    /// Rejects escaped field names where Kubernetes does not know them yet.
    pub(super) fn check_escapes(&self) -> Result<(), CompileError> {
        if self.language.minor >= CEL_GO_29 {
            return Ok(());
        }
        let Some(start) = first_backtick(self.source) else {
            return Ok(());
        };
        let message = format!("field names between backticks need Kubernetes 1.{CEL_GO_29}");
        Err(CompileError::new(self.source, start..start + 1, message))
    }
}

/// Finds the first backtick outside of strings and comments of an expression
/// whose syntax is right.
fn first_backtick(source: &str) -> Option<usize> {
    let bytes = source.as_bytes();
    let mut index = 0;
    while let Some(byte) = bytes.get(index) {
        match byte {
            b'`' => return Some(index),
            b'/' if bytes.get(index + 1) == Some(&b'/') => {
                let length = source[index..].find(['\n', '\r', '\u{c}']);
                index += length.unwrap_or(source.len() - index);
            }
            b'"' | b'\'' => index = after_string(bytes, index),
            _ => index += 1,
        }
    }
    None
}

/// The index after a string whose first quotation mark is at `start`.
fn after_string(bytes: &[u8], start: usize) -> usize {
    let quote = bytes[start];
    let is_raw = bytes[..start]
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_')
        .any(|byte| byte.eq_ignore_ascii_case(&b'r'));
    let closing: &[u8] = if bytes[start..].starts_with(&[quote; 3]) {
        &[quote; 3]
    } else {
        &[quote]
    };
    let mut index = start + closing.len();
    while index < bytes.len() && !bytes[index..].starts_with(closing) {
        index += if bytes[index] == b'\\' && !is_raw {
            2
        } else {
            1
        };
    }
    index + closing.len()
}

#[cfg(test)]
mod tests {
    use super::first_backtick;

    #[test]
    fn backticks_in_strings_and_comments_do_not_count() {
        let table: &[(&str, Option<usize>)] = &[
            ("a.`b`", Some(2)),
            ("'`' + \"`\" == r'\\' // `", None),
            ("'\\'`' + a.`b`", Some(10)),
            ("'''`'`''' == \"\"\"`\"`\"\"\"", None),
            ("bR'\\' == b'`' && a.`b`", Some(19)),
            ("'' + a.`b`", Some(7)),
            ("1 // `\n + a.`b`", Some(12)),
        ];
        for (source, expected) in table {
            assert_eq!(first_backtick(source), *expected, "{source}");
        }
    }
}
