//! Numbers and names as people read them.

use dralloc_topology::{Exactness, Rate, Ratio, Ring, Unit};

use crate::style;

/// So many names of a list are shown at most, of longer ones the first and the last.
pub(super) const SHOWN: usize = 8;

/// So many characters of a name are shown.
const LONGEST: usize = 32;

/// So many characters of a remark are shown.
const LONGEST_LINE: usize = 160;

/// Returns a user's text in backticks, on one line and not too long.
pub(super) fn quoted(text: &str) -> String {
    format!("`{}`", short(text))
}

/// Returns a name on one line and not too long.
pub(super) fn short(text: &str) -> String {
    cut(text, LONGEST)
}

/// Returns a remark on one line and not too long.
pub(super) fn line(text: &str) -> String {
    cut(text, LONGEST_LINE)
}

/// Returns the first characters of a text, of which none controls a terminal.
pub(super) fn cut(text: &str, most: usize) -> String {
    let mut shown: String = text.chars().take(most).collect();
    if text.chars().nth(most).is_some() {
        shown.push('…');
    }
    let shown = style::harmless(&shown);
    shown.replace('\n', "\\n").replace('\t', "\\t")
}

/// Returns names, or the first and the last where there are many.
pub(super) fn list(names: &[String]) -> String {
    match names {
        [first, .., last] if names.len() > SHOWN => format!("{first} … {last}"),
        _ => names.join(", "),
    }
}

/// Returns a fraction as a decimal, rounded to four digits: as many as the tables of
/// optima have.
pub(super) fn decimal(ratio: Ratio) -> String {
    const DIGITS: u128 = 10_000;
    let (above, below) = (
        u128::from(ratio.numerator()),
        u128::from(ratio.denominator()),
    );
    let rounded = (above * DIGITS * 2 + below) / (below * 2);
    let (whole, rest) = (rounded / DIGITS, rounded % DIGITS);
    let text = format!("{whole}.{rest:04}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns the rate of rings in GB/s, where the rate of a unit is known.
pub(super) fn ring_rate(ring: &Ring, unit: Unit) -> Option<String> {
    let rate: Rate = unit.rate()?;
    let above = ring.rings.numerator().checked_mul(rate.thousandths())?;
    let below = ring.rings.denominator().checked_mul(1000)?;
    Ratio::new(above, below).map(decimal)
}

/// Returns rings in words, such as `4 rings, 100 GB/s`.
pub(super) fn rings(ring: &Ring, unit: Unit) -> String {
    let rings = decimal(ring.rings);
    if rings == "0" {
        return "no ring over links".to_owned();
    }
    let at_most = match ring.exactness {
        Exactness::Exact => "",
        Exactness::AtMost => "at most ",
    };
    let plural = if rings == "1" { "" } else { "s" };
    match ring_rate(ring, unit) {
        Some(rate) if unit.is_link() => {
            format!("{at_most}{rate} GB/s ({rings} ring{plural})")
        }
        Some(rate) => format!("{at_most}{rate} GB/s"),
        None => format!("{at_most}{rings} ring{plural} of one link"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_rounded_to_four_digits() {
        for (above, below, text) in [
            (4, 1, "4"),
            (8, 3, "2.6667"),
            (1, 3, "0.3333"),
            (1, 100_000, "0"),
            (1, 20_000, "0.0001"),
            (99_999, 100_000, "1"),
            (u64::MAX, 1, "18446744073709551615"),
            (0, 1, "0"),
        ] {
            assert_eq!(Ratio::new(above, below).map(decimal).as_deref(), Some(text));
        }
    }

    #[test]
    fn names_are_cut_and_harmless() {
        assert_eq!(short("gpu'0\u{1b}[1m"), "gpu'0\\u{1b}[1m");
        assert_eq!(quoted(&"x".repeat(40)), format!("`{}…`", "x".repeat(32)));
        assert_eq!(quoted(""), "``");
    }
}
