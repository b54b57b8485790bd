//! How a quantity prints.

/// Names the three ways Kubernetes prints a quantity.
///
/// The format follows the suffix the quantity was read with; it never takes
/// part in comparisons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// A power of ten written as an exponent: `12e6`.
    DecimalExponent,
    /// A power of 1024: `12Mi`.
    BinarySI,
    /// A power of 1000, or no suffix at all: `12M`, `12`.
    #[default]
    DecimalSI,
}
