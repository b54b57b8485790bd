//! [`Flavour`]: what the texts of string literals look like, and how they are quoted.

mod language;
mod libraries;

use crate::generate::Random;
use language::{ANY, BOOL, DURATION, NUMBER, REGEX, TIMESTAMP, ZONE};
use libraries::{ADDRESS, FORMAT_NAME, FORMATTED, NETWORK, QUANTITY, URL, VERSION};

/// What a text is made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flavour {
    Any,
    Bool,
    Number,
    Regex,
    Zone,
    Duration,
    Timestamp,
    Quantity,
    Version,
    Address,
    Network,
    Url,
    FormatName,
    Formatted,
}

const ALL: [Flavour; 14] = [
    Flavour::Any,
    Flavour::Bool,
    Flavour::Number,
    Flavour::Regex,
    Flavour::Zone,
    Flavour::Duration,
    Flavour::Timestamp,
    Flavour::Quantity,
    Flavour::Version,
    Flavour::Address,
    Flavour::Network,
    Flavour::Url,
    Flavour::FormatName,
    Flavour::Formatted,
];

impl Flavour {
    fn texts(self) -> &'static [&'static str] {
        match self {
            Self::Any => ANY,
            Self::Bool => BOOL,
            Self::Number => NUMBER,
            Self::Regex => REGEX,
            Self::Zone => ZONE,
            Self::Duration => DURATION,
            Self::Timestamp => TIMESTAMP,
            Self::Quantity => QUANTITY,
            Self::Version => VERSION,
            Self::Address => ADDRESS,
            Self::Network => NETWORK,
            Self::Url => URL,
            Self::FormatName => FORMAT_NAME,
            Self::Formatted => FORMATTED,
        }
    }

    /// How many texts at the start of the list are good ones.
    fn good(self) -> usize {
        match self {
            Self::Any | Self::FormatName | Self::Formatted => self.texts().len(),
            Self::Bool | Self::Number | Self::Duration => 4,
            Self::Timestamp | Self::Url => 5,
            Self::Zone => 8,
            Self::Network => 10,
            Self::Version | Self::Address => 12,
            Self::Regex => 15,
            Self::Quantity => 18,
        }
    }

    /// Returns a text that is a good one of this sort.
    pub(super) fn good_text(self, random: &mut Random) -> &'static str {
        self.texts()[random.below(self.good())]
    }

    /// Returns a text of this sort: two thirds of the time a good one.
    pub(super) fn text(self, random: &mut Random) -> &'static str {
        let texts = self.texts();
        if random.chance(66) {
            self.good_text(random)
        } else if random.chance(85) {
            random.pick(texts)
        } else {
            let other = ALL[random.below(ALL.len())];
            random.pick(other.texts())
        }
    }
}

/// Writes a text as a literal, mostly in double quotes.
pub(super) fn quote(text: &str, random: &mut Random) -> String {
    if random.chance(85) {
        return quoted(text, '"', 0, random);
    }
    match random.below(6) {
        0 => quoted(text, '\'', 0, random),
        1 => format!("\"\"{}\"\"", quoted(text, '"', 0, random)),
        2 => format!("''{}''", quoted(text, '\'', 0, random)),
        3 if !text.contains(['"', '\n', '\\']) => format!("r\"{text}\""),
        4 if !text.contains(['\'', '\n', '\\']) => format!("R'{text}'"),
        _ => quoted(text, '"', 60, random),
    }
}

/// Writes a text between quotes; so many of 100 characters are escaped without need.
fn quoted(text: &str, mark: char, escapes: usize, random: &mut Random) -> String {
    let mut literal = String::from(mark);
    for character in text.chars() {
        let code = u32::from(character);
        let written = match character {
            '\n' => "\\n".to_owned(),
            '\\' => "\\\\".to_owned(),
            _ if character == mark => format!("\\{mark}"),
            '\0'..='\u{1f}' | '\u{7f}' => format!("\\x{code:02x}"),
            _ if random.chance(escapes) => match random.below(4) {
                0 if code < 128 => format!("\\x{code:02X}"),
                1 if code < 128 => format!("\\{code:03o}"),
                2 if code < 0x1_0000 => format!("\\u{code:04x}"),
                _ => format!("\\U{code:08X}"),
            },
            _ => character.to_string(),
        };
        literal.push_str(&written);
    }
    literal.push(mark);
    literal
}
