//! From Go's dialect to that of the `regex` crate.
//!
//! What is written out differs in spelling only: every literal is escaped,
//! Perl's classes are spelled out as the ASCII ranges they are in Go, and
//! captures, which nobody reads, become plain groups. What Go rejects is
//! rejected here.

use std::iter::Peekable;
use std::str::Chars;

use regex::{Regex, RegexBuilder};

use super::class;
use crate::runtime::excerpt;

/// Most repetitions, nested ones multiplied (Go's limit).
const MAX_REPEAT: u32 = 1000;

/// Bytes that a compiled pattern may take.
pub(super) const SIZE_LIMIT: usize = 4 << 20;

/// Bytes that are tried first.
const SMALL: usize = 8 << 10;

/// Bytes that are tried first for each class of Unicode.
const CLASS: usize = 16 << 10;

/// Deepest nesting of groups (Go's limit).
const MAX_HEIGHT: u32 = 1000;

/// Compiles a pattern; needs a grown stack.
///
/// Time and memory go by the bytes that it may take, so ever larger numbers of
/// them are tried, and `spend` is asked before each. Returns none for a
/// pattern that is too large.
///
/// # Errors
/// Fails on what is no pattern, and where `spend` does.
pub(super) fn compile<E>(
    pattern: &str,
    illegal: impl Fn(String) -> E,
    mut spend: impl FnMut(usize) -> Result<(), E>,
) -> Result<Option<Regex>, E> {
    // Reading a class of Unicode takes long, too, in either case all the more.
    let classes = pattern.matches("\\p").count() + pattern.matches("\\P").count();
    let class = if pattern.contains("(?") {
        CLASS * 2
    } else {
        CLASS
    };
    let size = classes.saturating_mul(class).saturating_add(SMALL);
    let mut size = size.max(pattern.len());
    if size > SIZE_LIMIT {
        return Ok(None);
    }
    spend(size)?;
    let translated = Translator::new(pattern).translate().map_err(&illegal)?;
    loop {
        let built = RegexBuilder::new(&translated)
            .size_limit(size)
            .nest_limit(MAX_HEIGHT)
            .build();
        match built {
            Ok(regex) => return Ok(Some(regex)),
            Err(regex::Error::CompiledTooBig(_)) if size < SIZE_LIMIT => {
                size = size.saturating_mul(4).min(SIZE_LIMIT);
                spend(size)?;
            }
            Err(regex::Error::CompiledTooBig(_)) => return Ok(None),
            Err(_) => return Err(illegal(format!("cannot use `{}`", excerpt(pattern)))),
        }
    }
}

pub(super) struct Translator<'p> {
    pub(super) input: Peekable<Chars<'p>>,
    output: String,
    groups: Vec<Group>,
    /// Whether letters match in either case.
    fold: bool,
    /// What a repetition operator would apply to.
    last: Last,
}

/// A group that is still open.
struct Group {
    /// Where its text starts in the output.
    fold_outside: bool,
    /// Largest product of nested repetitions inside.
    repeats: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// Nothing: a repetition has no argument.
    Nothing,
    /// Something in which repetitions multiply to the given number.
    Item(u32),
    /// Something already repeated.
    Repeated,
}

type Translated<T> = Result<T, String>;

impl<'p> Translator<'p> {
    fn new(pattern: &'p str) -> Self {
        Self {
            input: pattern.chars().peekable(),
            output: String::with_capacity(pattern.len() * 2),
            groups: vec![Group {
                fold_outside: false,
                repeats: 1,
            }],
            fold: false,
            last: Last::Nothing,
        }
    }

    fn translate(mut self) -> Translated<String> {
        while let Some(character) = self.input.next() {
            self.item(character)?;
        }
        if self.groups.len() > 1 {
            return Err("missing closing )".to_owned());
        }
        Ok(self.output)
    }

    fn item(&mut self, character: char) -> Translated<()> {
        match character {
            '(' => self.open(),
            ')' => self.close(),
            '|' => {
                self.output.push('|');
                self.last = Last::Nothing;
                Ok(())
            }
            '*' | '+' | '?' => self.repeat(&character.to_string(), 1),
            '{' => {
                if let Some((text, count)) = self.counts() {
                    let count = count?;
                    return self.repeat(&text, count);
                }
                self.literal('{');
                Ok(())
            }
            '[' => {
                let class = class::class(self)?;
                self.push(&class);
                Ok(())
            }
            '\\' => self.escape(),
            '.' | '^' | '$' => {
                self.push(&character.to_string());
                Ok(())
            }
            other => {
                self.literal(other);
                Ok(())
            }
        }
    }

    fn push(&mut self, text: &str) {
        self.output.push_str(text);
        self.last = Last::Item(1);
    }

    fn literal(&mut self, character: char) {
        let escaped = escaped(character);
        self.push(&escaped);
    }

    fn repeat(&mut self, operator: &str, count: u32) -> Translated<()> {
        let inside = match self.last {
            Last::Nothing => {
                return Err(format!(
                    "missing argument to repetition operator: `{operator}`"
                ));
            }
            Last::Repeated => {
                return Err(format!("invalid nested repetition operator: `{operator}`"));
            }
            Last::Item(inside) => inside,
        };
        let product = inside.saturating_mul(count.max(1));
        if count >= 2 && product > MAX_REPEAT {
            return Err(format!("invalid repeat count: `{operator}`"));
        }
        self.output.push_str(operator);
        if self.input.next_if_eq(&'?').is_some() {
            self.output.push('?');
        }
        if let Some(group) = self.groups.last_mut() {
            group.repeats = group.repeats.max(product);
        }
        self.last = Last::Repeated;
        Ok(())
    }

    /// Reads `{n}`, `{n,}` or `{n,m}` after the brace, as text and the larger
    /// number; nothing is read if it is no repetition.
    fn counts(&mut self) -> Option<(String, Translated<u32>)> {
        let mut ahead = self.input.clone();
        let minimum = number(&mut ahead)?;
        let maximum = if ahead.next_if_eq(&',').is_some() {
            if ahead.peek() == Some(&'}') {
                None
            } else {
                Some(number(&mut ahead)?)
            }
        } else {
            Some(minimum)
        };
        if ahead.next() != Some('}') {
            return None;
        }
        self.input = ahead;
        let text = match maximum {
            Some(maximum) => format!("{{{minimum},{maximum}}}"),
            None => format!("{{{minimum},}}"),
        };
        let valid = minimum <= MAX_REPEAT
            && maximum.is_none_or(|maximum| minimum <= maximum && maximum <= MAX_REPEAT);
        let count = if valid {
            Ok(maximum.unwrap_or(minimum))
        } else {
            Err(format!("invalid repeat count: `{text}`"))
        };
        Some((text, count))
    }

    fn open(&mut self) -> Translated<()> {
        let fold_outside = self.fold;
        if self.input.next_if_eq(&'?').is_some() {
            let mut ahead = self.input.clone();
            let first = ahead.next();
            let second = ahead.next();
            match (first, second) {
                (Some('P'), Some('<')) => {
                    self.input = ahead;
                    self.name()?;
                    self.output.push_str("(?:");
                }
                (Some('<'), _) => {
                    self.input.next();
                    self.name()?;
                    self.output.push_str("(?:");
                }
                _ => {
                    if !self.flags()? {
                        return Ok(());
                    }
                }
            }
        } else {
            self.output.push_str("(?:");
        }
        if self.groups.len() > 1000 {
            return Err("expression nests too deeply".to_owned());
        }
        self.groups.push(Group {
            fold_outside,
            repeats: 1,
        });
        self.last = Last::Nothing;
        Ok(())
    }

    /// Reads the name of a capture.
    fn name(&mut self) -> Translated<()> {
        let mut length = 0;
        loop {
            match self.input.next() {
                Some('>') if length > 0 => return Ok(()),
                Some(character) if character.is_ascii_alphanumeric() || character == '_' => {
                    length += 1;
                }
                _ => return Err("invalid named capture".to_owned()),
            }
        }
    }

    /// Reads flags; returns whether they open a group.
    fn flags(&mut self) -> Translated<bool> {
        let mut text = String::from("(?");
        let mut negative = false;
        let mut any = false;
        loop {
            let character = self.input.next();
            match character {
                Some(flag @ ('i' | 'm' | 's' | 'U')) => {
                    if flag == 'i' {
                        self.fold = !negative;
                    }
                    any = true;
                    text.push(flag);
                }
                Some('-') if !negative => {
                    negative = true;
                    any = false;
                    text.push('-');
                }
                Some(end @ (':' | ')')) if !negative || any => {
                    let is_group = end == ':';
                    if is_group || any {
                        text.push(end);
                        self.output.push_str(&text);
                    }
                    if !is_group {
                        self.last = Last::Nothing;
                    }
                    return Ok(is_group);
                }
                _ => return Err("invalid or unsupported Perl syntax".to_owned()),
            }
        }
    }

    fn close(&mut self) -> Translated<()> {
        if self.groups.len() < 2 {
            return Err("unexpected )".to_owned());
        }
        let Some(group) = self.groups.pop() else {
            return Err("unexpected )".to_owned());
        };
        self.fold = group.fold_outside;
        self.output.push(')');
        if let Some(outer) = self.groups.last_mut() {
            outer.repeats = outer.repeats.max(group.repeats);
        }
        self.last = Last::Item(group.repeats);
        Ok(())
    }

    fn escape(&mut self) -> Translated<()> {
        match self.input.peek().copied() {
            None => return Err("trailing backslash at end of expression".to_owned()),
            Some('A') => self.push("\\A"),
            Some('z') => self.push("\\z"),
            Some('b') => self.push("(?-u:\\b)"),
            Some('B') => self.push("(?-u:\\B)"),
            Some('Q') => {
                self.input.next();
                self.quoted();
                return Ok(());
            }
            Some(_) => {
                if let Some(set) = class::set(self)? {
                    // Go does not fold the case of Perl's classes.
                    let text = if set.starts_with("\\p") || set.starts_with("\\P") {
                        format!("[{set}]")
                    } else {
                        format!("(?-i:[{set}])")
                    };
                    self.push(&text);
                    return Ok(());
                }
                let character = self.escaped_character()?;
                self.literal(character);
                return Ok(());
            }
        }
        self.input.next();
        Ok(())
    }

    /// Reads up to `\E`, all of it literal.
    fn quoted(&mut self) {
        while let Some(character) = self.input.next() {
            if character == '\\' && self.input.next_if_eq(&'E').is_some() {
                return;
            }
            self.literal(character);
        }
    }

    /// Reads an escape that stands for one character, after its backslash.
    pub(super) fn escaped_character(&mut self) -> Translated<char> {
        let invalid = || "invalid escape sequence".to_owned();
        let character = self.input.next().ok_or_else(invalid)?;
        match character {
            'a' => Ok('\u{7}'),
            'f' => Ok('\u{c}'),
            'n' => Ok('\n'),
            'r' => Ok('\r'),
            't' => Ok('\t'),
            'v' => Ok('\u{b}'),
            'x' => self.hexadecimal().ok_or_else(invalid),
            // One digit alone would be a reference to a capture.
            '1'..='7' if !matches!(self.input.peek(), Some('0'..='7')) => Err(invalid()),
            '0'..='7' => {
                let mut value = character.to_digit(8).unwrap_or(0);
                for _ in 0..2 {
                    let Some(digit) = self.input.peek().and_then(|next| next.to_digit(8)) else {
                        break;
                    };
                    self.input.next();
                    value = value * 8 + digit;
                }
                char::from_u32(value).ok_or_else(invalid)
            }
            other if other.is_ascii() && !other.is_ascii_alphanumeric() => Ok(other),
            _ => Err(invalid()),
        }
    }

    fn hexadecimal(&mut self) -> Option<char> {
        let mut value: u32 = 0;
        if self.input.next_if_eq(&'{').is_some() {
            let mut length = 0;
            loop {
                match self.input.next()? {
                    '}' if length > 0 => return char::from_u32(value),
                    digit => value = value.checked_mul(16)?.checked_add(digit.to_digit(16)?)?,
                }
                length += 1;
            }
        }
        for _ in 0..2 {
            value = value * 16 + self.input.next()?.to_digit(16)?;
        }
        char::from_u32(value)
    }
}

/// Reads a decimal number; numbers too large count as just that.
fn number(input: &mut Peekable<Chars<'_>>) -> Option<u32> {
    let mut text = String::new();
    while let Some(digit) = input.next_if(char::is_ascii_digit) {
        text.push(digit);
    }
    if text.is_empty() || (text.len() > 1 && text.starts_with('0')) {
        return None;
    }
    Some(text.parse().unwrap_or(u32::MAX))
}

/// The character so that it means itself everywhere in a pattern.
pub(super) fn escaped(character: char) -> String {
    if character.is_alphanumeric() {
        character.to_string()
    } else {
        format!("\\x{{{:x}}}", u32::from(character))
    }
}
