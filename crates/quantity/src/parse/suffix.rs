//! The suffixes of quantities.

use crate::format::Format;

/// What a suffix multiplies by.
#[derive(Clone, Copy)]
pub(super) enum Suffix {
    /// Ten to the power of the exponent.
    Decimal { exponent: i64, format: Format },
    /// Two to the power of the shift.
    Binary { shift: u32 },
}

impl Suffix {
    pub(super) fn format(self) -> Format {
        match self {
            Self::Decimal { format, .. } => format,
            Self::Binary { .. } => Format::BinarySI,
        }
    }
}

/// Returns the meaning of a suffix, or `None` if it has none.
pub(super) fn interpret(suffix: &str) -> Option<Suffix> {
    let decimal = |exponent| {
        Some(Suffix::Decimal {
            exponent,
            format: Format::DecimalSI,
        })
    };
    let binary = |shift| Some(Suffix::Binary { shift });
    match suffix {
        "n" => decimal(-9),
        "u" => decimal(-6),
        "m" => decimal(-3),
        "" => decimal(0),
        "k" => decimal(3),
        "M" => decimal(6),
        "G" => decimal(9),
        "T" => decimal(12),
        "P" => decimal(15),
        "E" => decimal(18),
        "Ki" => binary(10),
        "Mi" => binary(20),
        "Gi" => binary(30),
        "Ti" => binary(40),
        "Pi" => binary(50),
        "Ei" => binary(60),
        _ => exponent(suffix),
    }
}

/// Reads `e` or `E`, an optional sign and digits, within 64 bits.
fn exponent(suffix: &str) -> Option<Suffix> {
    let digits = suffix.strip_prefix(['e', 'E'])?;
    Some(Suffix::Decimal {
        exponent: digits.parse().ok()?,
        format: Format::DecimalExponent,
    })
}
