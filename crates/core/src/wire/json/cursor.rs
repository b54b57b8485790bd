//! [`Cursor`]: a place in JSON text.

use std::borrow::Cow;

use super::Failure;

/// Brackets may be open inside each other that often, as in Go's decoder.
const MAX_DEPTH: usize = 10_000;

/// Longest piece of a value that a message shows, in bytes.
const SHOWN: usize = 60;

/// Reads JSON token by token.
#[derive(Clone, Debug)]
pub(in crate::wire) struct Cursor<'t> {
    text: &'t str,
    offset: usize,
    /// So many brackets around this place were not read with it.
    depth: usize,
}

impl<'t> Cursor<'t> {
    pub(in crate::wire) fn new(text: &'t str, offset: usize) -> Self {
        Self {
            text,
            offset,
            depth: 0,
        }
    }

    /// Returns the same place, with so many brackets open around it.
    pub(in crate::wire) fn inside(mut self, depth: usize) -> Self {
        self.depth = depth;
        self
    }

    pub(in crate::wire) fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the first byte of the next token; none at the end of the text.
    pub(in crate::wire) fn peek(&mut self) -> Option<u8> {
        while let Some(byte) = self.byte() {
            match byte {
                // What is indented has many spaces after each line break.
                b'\n' => self.offset += 1 + spaces(&self.rest()[1..]),
                b' ' | b'\r' | b'\t' => self.offset += 1,
                _ => return Some(byte),
            }
        }
        None
    }

    /// Passes a punctuation mark if it comes next.
    pub(in crate::wire) fn eat(&mut self, mark: u8) -> bool {
        let found = self.peek() == Some(mark);
        self.offset += usize::from(found);
        found
    }

    /// Passes a text if it comes next, without white space before it.
    pub(super) fn eat_text(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text.as_bytes());
        self.offset += if found { text.len() } else { 0 };
        found
    }

    /// Returns the text from here to a place further on.
    pub(super) fn text_to(&self, end: &Self) -> &'t str {
        self.text.get(self.offset..end.offset).unwrap_or_default()
    }

    /// Passes a word if it comes next.
    pub(in crate::wire) fn eat_word(&mut self, word: &str) -> bool {
        self.peek();
        let found = self.rest().starts_with(word.as_bytes())
            && !self
                .rest()
                .get(word.len())
                .is_some_and(u8::is_ascii_alphanumeric);
        if found {
            self.offset += word.len();
        }
        found
    }

    /// Passes the mark before the next entry of a list or object, or the bracket after the last.
    ///
    /// Returns whether there is an entry.
    pub(in crate::wire) fn entry(&mut self, first: bool, close: u8) -> Result<bool, Failure> {
        if self.eat(close) {
            return Ok(false);
        }
        if !first {
            if !self.eat(b',') {
                return Err(self.unexpected(&format!("`,` or `{}`", char::from(close))));
            }
            if self.peek() == Some(close) {
                return Err(self.unexpected("a value after `,`"));
            }
        }
        Ok(true)
    }

    /// Reads the key of an object's entry and the colon.
    pub(in crate::wire) fn key(&mut self) -> Result<Cow<'t, str>, Failure> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("a name in double quotes"));
        }
        let key = self.string()?;
        if !self.eat(b':') {
            return Err(self.unexpected("`:` after a name"));
        }
        Ok(key)
    }

    /// Reads a string; the next token must be one.
    pub(in crate::wire) fn string(&mut self) -> Result<Cow<'t, str>, Failure> {
        let (start, escaped) = self.scan_string()?;
        let inner = &self.text[start + 1..self.offset - 1];
        if escaped {
            unescape(inner, start + 1).map(Cow::Owned)
        } else {
            Ok(Cow::Borrowed(inner))
        }
    }

    /// Passes a string and returns where it starts, and whether it has escapes.
    fn scan_string(&mut self) -> Result<(usize, bool), Failure> {
        self.peek();
        let start = self.offset;
        let mut escaped = false;
        self.offset += 1;
        loop {
            match self.byte() {
                None => return Err(Failure::new(start, "string without closing double quote")),
                Some(b'"') => {
                    self.offset += 1;
                    return Ok((start, escaped));
                }
                Some(b'\\') => {
                    escaped = true;
                    let length = match self.rest().get(1) {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => 2,
                        Some(b'u') if self.hexadecimals() => 6,
                        _ => return Err(Failure::new(self.offset, "unknown escape in a string")),
                    };
                    self.offset += length;
                }
                Some(0..0x20) => {
                    return Err(Failure::new(self.offset, "control character in a string"));
                }
                Some(_) => self.offset += plain(self.rest()),
            }
        }
    }

    fn hexadecimals(&self) -> bool {
        self.rest()
            .get(2..6)
            .is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    }

    /// Reads a number as text; the next token must be one.
    pub(in crate::wire) fn number(&mut self) -> Result<&'t str, Failure> {
        self.peek();
        let start = self.offset;
        self.offset += usize::from(self.byte() == Some(b'-'));
        let leading_zero = self.byte() == Some(b'0');
        let mut good = match self.digits() {
            0 => false,
            1 => true,
            _ => !leading_zero,
        };
        if self.byte() == Some(b'.') {
            self.offset += 1;
            good &= self.digits() > 0;
        }
        if matches!(self.byte(), Some(b'e' | b'E')) {
            self.offset += 1;
            self.offset += usize::from(matches!(self.byte(), Some(b'+' | b'-')));
            good &= self.digits() > 0;
        }
        // What goes on without a break, such as `1x`, is no number either.
        while matches!(self.byte(), Some(b'.' | b'+' | b'-' | b'_'))
            || self.byte().is_some_and(|byte| byte.is_ascii_alphanumeric())
        {
            good = false;
            self.offset += 1;
        }
        if good {
            return Ok(&self.text[start..self.offset]);
        }
        self.offset = start;
        Err(self.unexpected("a value"))
    }

    fn digits(&mut self) -> usize {
        let count = self
            .rest()
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        self.offset += count;
        count
    }

    /// Passes a value of any kind and returns its text.
    pub(in crate::wire) fn skip(&mut self) -> Result<&'t str, Failure> {
        self.skip_inside(0)
    }

    /// Like [`Cursor::skip`], where so many brackets are open already.
    pub(super) fn skip_inside(&mut self, depth: usize) -> Result<&'t str, Failure> {
        self.peek();
        let start = self.offset;
        // The closing brackets to come.
        let mut open: Vec<u8> = Vec::new();
        loop {
            let mut first = false;
            if let Some(bracket @ (b'{' | b'[')) = self.peek() {
                if open.len() + depth + self.depth >= MAX_DEPTH {
                    let message = format!("more than {MAX_DEPTH} brackets open");
                    return Err(Failure::new(self.offset, message));
                }
                self.offset += 1;
                open.push(if bracket == b'{' { b'}' } else { b']' });
                first = true;
            } else {
                self.scalar()?;
            }
            loop {
                let Some(&close) = open.last() else {
                    return Ok(&self.text[start..self.offset]);
                };
                if self.entry(first, close)? {
                    if close == b'}' {
                        self.skip_key()?;
                    }
                    break;
                }
                open.pop();
                first = false;
            }
        }
    }

    /// Passes the key of an object's entry and the colon.
    fn skip_key(&mut self) -> Result<(), Failure> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("a name in double quotes"));
        }
        self.scan_string()?;
        if self.eat(b':') {
            Ok(())
        } else {
            Err(self.unexpected("`:` after a name"))
        }
    }

    /// Passes a value that is neither list nor object.
    fn scalar(&mut self) -> Result<(), Failure> {
        match self.peek() {
            Some(b'"') => self.scan_string().map(|_| ()),
            Some(b'-' | b'0'..=b'9') => self.number().map(|_| ()),
            _ if ["null", "true", "false"]
                .iter()
                .any(|word| self.eat_word(word)) =>
            {
                Ok(())
            }
            _ => Err(self.unexpected("a value")),
        }
    }

    /// Returns a failure that names what was expected and shows what is there.
    pub(in crate::wire) fn unexpected(&mut self, expected: &str) -> Failure {
        let found = self.show();
        Failure::new(self.offset, format!("expected {expected}, found {found}"))
    }

    /// Describes the next value for a message.
    fn show(&mut self) -> String {
        match self.peek() {
            None => return "the end of the text".into(),
            Some(b'{') => return "an object".into(),
            Some(b'[') => return "a list".into(),
            Some(_) => {}
        }
        let rest = &self.text[self.offset..];
        let mut ahead = self.clone();
        let text = if rest.starts_with('"') && ahead.scan_string().is_ok() {
            &self.text[self.offset..ahead.offset]
        } else {
            // Up to where the next token could start; at least one character.
            let first = rest.chars().next().map_or(0, char::len_utf8);
            let length = rest[first..].find([' ', '\t', '\n', '\r', ',', ':', '}', ']']);
            &rest[..length.map_or(rest.len(), |length| first + length)]
        };
        if text.len() <= SHOWN {
            return format!("`{text}`");
        }
        let end = (0..=SHOWN)
            .rev()
            .find(|&end| text.is_char_boundary(end))
            .unwrap_or(0);
        format!("`{}…`", &text[..end])
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.offset).copied()
    }

    fn rest(&self) -> &[u8] {
        self.text.as_bytes().get(self.offset..).unwrap_or_default()
    }
}

/// Returns how many spaces come first, or fewer near the end of the text.
fn spaces(bytes: &[u8]) -> usize {
    const SPACES: u64 = u64::MAX / 255 * 0x20;
    let mut count = 0;
    for word in bytes.as_chunks::<8>().0 {
        let others = u64::from_le_bytes(*word) ^ SPACES;
        if others != 0 {
            return count + others.trailing_zeros() as usize / 8;
        }
        count += 8;
    }
    count
}

/// Returns how many bytes there are before one that ends a string, begins an
/// escape or controls; at least 1, since the first was looked at.
fn plain(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES << 7;
    let (words, rest) = bytes.as_chunks::<8>();
    for (index, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        // The high bit of each byte that was zero; more may be set after it.
        let zeros = |bytes: u64| bytes.wrapping_sub(ONES) & !bytes;
        let quotes = zeros(word ^ (ONES * u64::from(b'"')));
        let escapes = zeros(word ^ (ONES * u64::from(b'\\')));
        let controls = word.wrapping_sub(ONES * 0x20) & !word;
        let found = (quotes | escapes | controls) & HIGH;
        if found != 0 {
            return index * 8 + found.trailing_zeros() as usize / 8;
        }
    }
    let end = rest.iter();
    let length = end.take_while(|byte| !matches!(byte, b'"' | b'\\' | 0..0x20));
    words.len() * 8 + length.count()
}

/// Resolves the escapes of a string whose syntax was checked.
fn unescape(inner: &str, offset: usize) -> Result<String, Failure> {
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(place) = rest.find('\\') {
        text.push_str(&rest[..place]);
        let mut length = 2;
        match rest.as_bytes()[place + 1] {
            b'b' => text.push('\u{8}'),
            b'f' => text.push('\u{c}'),
            b'n' => text.push('\n'),
            b'r' => text.push('\r'),
            b't' => text.push('\t'),
            b'u' => {
                let unit = code_unit(&rest[place..]);
                let pair = unit.zip(code_unit(&rest[place + 6..]));
                let (character, taken) = match pair.and_then(|(high, low)| surrogates(high, low)) {
                    Some(character) => (Some(character), 12),
                    None => (unit.and_then(char::from_u32), 6),
                };
                let at = offset + inner.len() - rest.len() + place;
                text.push(character.ok_or_else(|| {
                    Failure::new(at, "escape in a string that is half of a surrogate pair")
                })?);
                length = taken;
            }
            other => text.push(char::from(other)),
        }
        rest = &rest[place + length..];
    }
    text.push_str(rest);
    Ok(text)
}

/// Reads `\uXXXX` at the start of a text.
fn code_unit(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    u32::from_str_radix(digits, 16).ok()
}

/// Joins the halves of a character beyond 16 bits.
fn surrogates(high: u32, low: u32) -> Option<char> {
    let both = (0xd800..0xdc00).contains(&high) && (0xdc00..0xe000).contains(&low);
    both.then(|| char::from_u32(0x1_0000 + ((high - 0xd800) << 10) + (low - 0xdc00)))
        .flatten()
}
