//! Percent encoding, part by part of a URL.

use super::super::quote::quote;

/// The parts of a URL, which differ in what stands for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Path,
    Host,
    Zone,
    UserInfo,
    Query,
    Fragment,
}

impl Part {
    /// Whether a byte must be encoded in this part.
    fn must_encode(self, byte: u8) -> bool {
        if byte.is_ascii_alphanumeric() {
            return false;
        }
        if matches!(self, Self::Host | Self::Zone) && br#"!$&'()*+,;=:[]<>""#.contains(&byte) {
            return false;
        }
        match byte {
            b'-' | b'_' | b'.' | b'~' => false,
            b'$' | b'&' | b'+' | b',' | b'/' | b':' | b';' | b'=' | b'?' | b'@' => match self {
                Self::Path => byte == b'?',
                Self::UserInfo => matches!(byte, b'@' | b'/' | b'?' | b':'),
                Self::Fragment => false,
                Self::Query | Self::Host | Self::Zone => true,
            },
            b'!' | b'(' | b')' | b'*' => self != Self::Fragment,
            _ => true,
        }
    }

    /// Whether text is encoded as it should be in a path or a fragment;
    /// brackets and the separators of sub-parts may stand for themselves.
    pub(super) fn is_encoded(self, text: &[u8]) -> bool {
        text.iter()
            .all(|byte| b"!$&'()*+,;=:@[]%".contains(byte) || !self.must_encode(*byte))
    }

    pub(super) fn encode(self, text: &[u8]) -> Vec<u8> {
        let mut encoded = Vec::with_capacity(text.len());
        for byte in text {
            if !self.must_encode(*byte) {
                encoded.push(*byte);
            } else if *byte == b' ' && self == Self::Query {
                encoded.push(b'+');
            } else {
                encoded.push(b'%');
                encoded.push(hexadecimal(byte >> 4));
                encoded.push(hexadecimal(byte & 15));
            }
        }
        encoded
    }

    /// Decodes text, or says what is wrong with it.
    pub(super) fn decode(self, text: &[u8]) -> Result<Vec<u8>, String> {
        let mut decoded = Vec::with_capacity(text.len());
        let mut rest = text;
        while let Some((first, others)) = rest.split_first() {
            match first {
                b'%' => {
                    let (Some(high), Some(low)) = (digit(others, 0), digit(others, 1)) else {
                        return Err(invalid_escape(&rest[..rest.len().min(3)]));
                    };
                    let byte = high << 4 | low;
                    let allowed = match self {
                        Self::Host => byte >= 0x80 || &others[..2] == b"25",
                        Self::Zone => {
                            &others[..2] == b"25" || byte == b' ' || !Self::Host.must_encode(byte)
                        }
                        _ => true,
                    };
                    if !allowed {
                        return Err(invalid_escape(&rest[..3]));
                    }
                    decoded.push(byte);
                    rest = &others[2..];
                    continue;
                }
                b'+' if self == Self::Query => decoded.push(b' '),
                byte if matches!(self, Self::Host | Self::Zone)
                    && byte.is_ascii()
                    && self.must_encode(*byte) =>
                {
                    let shown = quote(&[*byte]);
                    return Err(format!("invalid character {shown} in host name"));
                }
                byte => decoded.push(*byte),
            }
            rest = others;
        }
        Ok(decoded)
    }
}

fn hexadecimal(nibble: u8) -> u8 {
    b"0123456789ABCDEF"[usize::from(nibble & 15)]
}

fn digit(text: &[u8], index: usize) -> Option<u8> {
    let digit = char::from(*text.get(index)?).to_digit(16)?;
    u8::try_from(digit).ok()
}

fn invalid_escape(escape: &[u8]) -> String {
    format!("invalid URL escape {}", quote(escape))
}
