//! Values of terms in the words of people: rates, levels and scopes instead of numbers
//! that only have the right order.

use dralloc_topology::{Level, NO_NIC, NO_RING, Scope};

use super::Term;

/// What a step of the worst level counts in alignments.
const WORST: i64 = 1_000_000;

impl Term {
    /// Returns a value of the term as people read it: `300 GB/s` for rings, `SYS` for a
    /// worst pair, `numaNode` for a span; the number itself for terms that count.
    ///
    /// # Examples
    ///
    /// ```
    /// use dralloc::Term;
    ///
    /// assert_eq!(Term::Ring.words(3_333_333_334), "300 GB/s");
    /// assert_eq!(Term::NicAlignment.words(2_000_004), "PHB (4 in all)");
    /// assert_eq!(Term::Waste.words(428_572), "428572");
    /// ```
    pub fn words(&self, value: i64) -> String {
        match self {
            Self::Ring => rate(value, "no ring"),
            Self::HostUplink => rate(value, "no NIC"),
            Self::Bottleneck => Level::of_cost(value).to_string(),
            Self::NicAlignment if value == NO_NIC => "no NIC".to_owned(),
            Self::NicAlignment if value > 0 => {
                let worst = Level::of_steps(value / WORST);
                format!("{worst} ({} in all)", value % WORST)
            }
            Self::Span => {
                let scope = Scope::ALL.into_iter().find(|scope| *scope as i64 == value);
                scope.unwrap_or(Scope::Fabric).to_string()
            }
            _ => value.to_string(),
        }
    }
}

/// Returns the rate at which a terabyte takes so many nanoseconds, to a thousandth.
fn rate(value: i64, none: &str) -> String {
    // Nanoseconds at a thousandth of GB/s.
    const ONE: i64 = 1_000_000_000_000_000;
    match value {
        ..=0 => "none needed".to_owned(),
        NO_RING.. => none.to_owned(),
        value => {
            let thousandths = (ONE + value / 2) / value;
            let (whole, rest) = (thousandths / 1000, thousandths % 1000);
            let text = format!("{whole}.{rest:03}");
            let text = text.trim_end_matches('0').trim_end_matches('.');
            format!("{text} GB/s")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_in_words() {
        for (term, value, words) in [
            (Term::Ring, 0, "none needed"),
            (Term::Ring, 6_666_666_667, "150 GB/s"),
            (Term::Ring, 80_000_000_000, "12.5 GB/s"),
            (Term::Ring, 1_000_000_000_000_000, "0.001 GB/s"),
            (Term::Ring, NO_RING, "no ring"),
            (Term::HostUplink, 20_000_000_000, "50 GB/s"),
            (Term::HostUplink, NO_RING, "no NIC"),
            (Term::Bottleneck, 0, "X"),
            (Term::Bottleneck, 9_999_999_988, "NV12"),
            (Term::Bottleneck, 19_999_999_996, "XGMI4"),
            (Term::Bottleneck, 20_000_000_000, "PIX"),
            (Term::Bottleneck, 70_000_000_000, "NET"),
            (Term::NicAlignment, 0, "0"),
            (Term::NicAlignment, 5_000_009, "NET (9 in all)"),
            (Term::NicAlignment, NO_NIC, "no NIC"),
            (Term::Span, 0, "device"),
            (Term::Span, 3, "numaNode"),
            (Term::Span, 9, "fabric"),
            (Term::Links, 7, "7"),
        ] {
            assert_eq!(term.words(value), words, "{term} {value}");
        }
    }
}
