//! Bytes to text.

use std::borrow::Cow;

use super::{Locator, Position};
use crate::error::Error;

/// Returns the text of some bytes.
pub(crate) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, Error> {
    match bytes {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes).map(Cow::Owned),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes).map(Cow::Owned),
        [0xef, 0xbb, 0xbf, rest @ ..] => utf8(rest).map(Cow::Borrowed),
        _ => utf8(bytes).map(Cow::Borrowed),
    }
}

fn utf8(bytes: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(bytes).map_err(|error| {
        let (valid, _) = bytes.split_at(error.valid_up_to());
        let valid = std::str::from_utf8(valid).unwrap_or_default();
        let position = Locator::new(valid).position(valid.len());
        Error::malformed(position, "expected text in UTF-8")
    })
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, Error> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let mut text = String::with_capacity(pairs.len());
    let wrong = |text: &str| {
        let position: Position = Locator::new(text).position(text.len());
        Error::malformed(position, "expected text in UTF-16")
    };
    for next in char::decode_utf16(pairs.iter().map(|&pair| unit(pair))) {
        match next {
            Ok(next) => text.push(next),
            Err(_) => return Err(wrong(&text)),
        }
    }
    if rest.is_empty() {
        Ok(text)
    } else {
        Err(wrong(&text))
    }
}
