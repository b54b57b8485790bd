//! Doubles in the format of American English, as Go's `x/text` writes them.

/// Default number of digits after the point.
pub(super) const DEFAULT_PRECISION: u64 = 6;

/// More digits after the point than any double has.
const ENOUGH: u16 = 1100;

/// The largest precision or width that the format strings of Go take.
const MAX_DIRECTIVE: u64 = 1_000_000;

/// What is written where a precision or width is too large.
const NO_VERB: &str = "%!(NOVERB)";

const SUPERSCRIPTS: [char; 10] = [
    '\u{2070}', '\u{b9}', '\u{b2}', '\u{b3}', '\u{2074}', '\u{2075}', '\u{2076}', '\u{2077}',
    '\u{2078}', '\u{2079}',
];

/// Whether Go gives up on a number in a format string: as soon as a digit
/// follows a number that is larger than it takes.
fn is_too_large(number: u64) -> bool {
    number / 10 > MAX_DIRECTIVE
}

fn special(value: f64) -> Option<&'static str> {
    if value.is_nan() {
        Some("NaN")
    } else if value == f64::INFINITY {
        Some("\u{221e}")
    } else if value == f64::NEG_INFINITY {
        Some("-\u{221e}")
    } else {
        None
    }
}

/// Digits of a number that is not negative: 0.`digits` times ten to the `exponent`.
struct Decimal {
    digits: Vec<u8>,
    exponent: i32,
}

impl Decimal {
    /// The shortest digits that tell the double from all others.
    fn shortest(value: f64) -> Self {
        Self::parse(&format!("{value:e}"))
    }

    /// The digits up to seven, wherever they stand.
    fn significant(value: f64) -> Self {
        Self::parse(&format!("{value:.6e}"))
    }

    fn parse(text: &str) -> Self {
        let (digits, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let exponent: i32 = exponent.parse().unwrap_or(0);
        Self {
            digits: digits.bytes().filter(u8::is_ascii_digit).collect(),
            exponent: exponent + 1,
        }
        .normalized()
    }

    /// The digits up to a number of digits after the point.
    fn fixed(value: f64, fraction: u16) -> Self {
        let fraction = usize::from(fraction.min(ENOUGH));
        let text = format!("{value:.fraction$}");
        let whole = text.find('.').unwrap_or(text.len());
        Self {
            digits: text.bytes().filter(u8::is_ascii_digit).collect(),
            exponent: i32::try_from(whole).unwrap_or(i32::MAX),
        }
        .normalized()
    }

    fn normalized(mut self) -> Self {
        let zeros = self
            .digits
            .iter()
            .take_while(|digit| **digit == b'0')
            .count();
        self.digits.drain(..zeros);
        self.exponent -= i32::try_from(zeros).unwrap_or(i32::MAX);
        while self.digits.last() == Some(&b'0') {
            self.digits.pop();
        }
        if self.digits.is_empty() {
            self.exponent = 0;
        }
        self
    }
}

/// `%f`: groups of three digits, a number of digits after the point.
pub(super) fn fixed(value: f64, precision: u64) -> String {
    if is_too_large(precision) {
        return NO_VERB.to_owned();
    }
    if let Some(special) = special(value) {
        return special.to_owned();
    }
    // Go keeps the bounds in 16 and 8 bits and drops what is above.
    let [low, high, ..] = precision.to_le_bytes();
    let decimal = match u16::from_le_bytes([low, high]) {
        most if most.cast_signed() >= 0 => Decimal::fixed(value.abs(), most),
        _ => Decimal::shortest(value.abs()),
    };
    let sign = if value < 0.0 { "-" } else { "" };
    let whole = usize::try_from(decimal.exponent).unwrap_or(0);
    let zeros = usize::try_from(-decimal.exponent).unwrap_or(0);
    let (before, after) = decimal.digits.split_at(whole.min(decimal.digits.len()));
    let mut text = sign.to_owned();
    for position in (0..whole.max(1)).rev() {
        let index = whole.max(1) - 1 - position;
        text.push(before.get(index).map_or('0', |digit| char::from(*digit)));
        if position > 0 && position % 3 == 0 {
            text.push(',');
        }
    }
    let least = usize::from(low);
    let written = if after.is_empty() {
        0
    } else {
        zeros + after.len()
    };
    if least.max(written) > 0 {
        text.push('.');
    }
    if written > 0 {
        text.extend(std::iter::repeat_n('0', zeros));
        text.extend(after.iter().map(|digit| char::from(*digit)));
    }
    text.extend(std::iter::repeat_n('0', least.saturating_sub(written)));
    text
}

/// `%e`: always six digits after the point; what looks like a precision is
/// the width that is filled with spaces.
pub(super) fn scientific(value: f64, width: u64) -> String {
    if is_too_large(width) {
        return NO_VERB.to_owned();
    }
    let text = special(value).map_or_else(|| finite_scientific(value), str::to_owned);
    let [low, high, ..] = width.to_le_bytes();
    let width = usize::from(u16::from_le_bytes([low, high]));
    format!("{text:>width$}")
}

fn finite_scientific(value: f64) -> String {
    let decimal = Decimal::significant(value.abs());
    let exponent = if decimal.digits.is_empty() {
        0
    } else {
        decimal.exponent - 1
    };
    let mut digits = decimal.digits.iter().map(|digit| char::from(*digit));
    let mut text = if value < 0.0 { "-" } else { "" }.to_owned();
    text.push(digits.next().unwrap_or('0'));
    text.push('.');
    text.extend(digits.chain(std::iter::repeat('0')).take(6));
    text.push_str("\u{d7}10");
    if exponent < 0 {
        text.push('\u{207b}');
    }
    let exponent = format!("{:02}", exponent.abs());
    text.extend(
        exponent
            .bytes()
            .map(|digit| SUPERSCRIPTS[usize::from(digit - b'0') % 10]),
    );
    text
}
