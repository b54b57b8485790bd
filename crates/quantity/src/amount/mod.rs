//! The bare number behind a quantity.

mod arithmetic;
mod rounding;
#[cfg(test)]
mod tests;

use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;
use std::fmt;

/// Nano units in one whole unit.
pub(crate) const NANOS_PER_UNIT: i128 = 1_000_000_000;
/// Nano units in one thousandth of a unit.
pub(crate) const NANOS_PER_MILLI: i128 = 1_000_000;

/// Holds an exact signed number, a whole count of nano units (10^-9).
///
/// Any size is possible; up to 2^127 nano units lie inline and clone without
/// allocating. Comparison and hashing go by value.
///
/// ```
/// use dralloc_quantity::Amount;
///
/// let half = Amount::from_nanos(500_000_000);
/// let sum = &Amount::from_units(1) + &half;
/// assert_eq!(sum.to_string(), "1.5");
/// assert_eq!(sum.value(), Some(2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Amount(Store);

/// INVARIANT: `Large` holds only what does not fit `Small`, so that equal
/// amounts have equal stores.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Store {
    Small(i128),
    Large(Box<BigInt>),
}

impl Amount {
    /// The amount zero.
    pub const ZERO: Self = Self(Store::Small(0));

    /// Returns the amount of that many whole units.
    pub const fn from_units(units: i64) -> Self {
        // Widening; `i128::from` is not const.
        Self(Store::Small(units as i128 * NANOS_PER_UNIT))
    }

    /// Returns the amount of that many nano units.
    pub const fn from_nanos(nanos: i128) -> Self {
        Self(Store::Small(nanos))
    }

    pub(crate) fn from_big(nanos: BigInt) -> Self {
        match i128::try_from(&nanos) {
            Ok(small) => Self(Store::Small(small)),
            Err(_) => Self(Store::Large(Box::new(nanos))),
        }
    }

    pub(crate) fn to_big(&self) -> BigInt {
        match &self.0 {
            Store::Small(nanos) => BigInt::from(*nanos),
            Store::Large(nanos) => nanos.as_ref().clone(),
        }
    }

    /// Returns the count of nano units, if it fits.
    pub fn as_nanos(&self) -> Option<i128> {
        match &self.0 {
            Store::Small(nanos) => Some(*nanos),
            Store::Large(_) => None,
        }
    }

    /// Returns whether the amount is zero.
    pub fn is_zero(&self) -> bool {
        self.0 == Store::Small(0)
    }

    /// Returns whether the amount is below zero.
    pub fn is_negative(&self) -> bool {
        self.sign() < 0
    }

    /// Returns -1, 0 or 1: the sign.
    pub fn sign(&self) -> i32 {
        let ordering = match &self.0 {
            Store::Small(nanos) => nanos.cmp(&0),
            Store::Large(nanos) => match nanos.sign() {
                Sign::Minus => Ordering::Less,
                Sign::NoSign => Ordering::Equal,
                Sign::Plus => Ordering::Greater,
            },
        };
        ordering as i32
    }

    /// Returns the magnitude in nano units as decimal digits, without a sign.
    pub(crate) fn digits(&self) -> String {
        match &self.0 {
            Store::Small(nanos) => nanos.unsigned_abs().to_string(),
            Store::Large(nanos) => nanos.magnitude().to_string(),
        }
    }
}

impl Default for Amount {
    fn default() -> Self {
        Self::ZERO
    }
}

impl Ord for Amount {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Store::Small(left), Store::Small(right)) => left.cmp(right),
            (Store::Large(left), Store::Large(right)) => left.cmp(right),
            // A large amount lies outside the whole range of small ones.
            (Store::Small(_), Store::Large(_)) => 0.cmp(&other.sign()),
            (Store::Large(_), Store::Small(_)) => self.sign().cmp(&0),
        }
    }
}

impl PartialOrd for Amount {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Prints plain decimal digits in whole units: `1.5`, `-0.000000001`.
impl fmt::Display for Amount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = format!("{:0>10}", self.digits());
        let (units, nanos) = digits.split_at(digits.len() - 9);
        let fraction = nanos.trim_end_matches('0');
        let text = if fraction.is_empty() {
            units.to_owned()
        } else {
            format!("{units}.{fraction}")
        };
        formatter.pad_integral(!self.is_negative(), "", &text)
    }
}

impl From<i64> for Amount {
    fn from(units: i64) -> Self {
        Self::from_units(units)
    }
}
