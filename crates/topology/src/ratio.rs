//! [`Ratio`]: an exact fraction.

use std::cmp::Ordering;
use std::fmt;

/// Is a fraction of whole numbers, in lowest terms.
///
/// # Examples
///
/// ```
/// use dralloc_topology::Ratio;
///
/// assert_eq!(Ratio::new(16, 6).map(|ratio| ratio.to_string()), Some("8/3".to_owned()));
/// assert!(Ratio::new(8, 3) < Ratio::new(3, 1));
/// assert_eq!(Ratio::new(1, 0), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    numerator: u64,
    denominator: u64,
}

impl Ratio {
    /// No rings at all.
    pub const ZERO: Self = Self::whole(0);

    /// Returns a whole number.
    pub const fn whole(number: u64) -> Self {
        Self {
            numerator: number,
            denominator: 1,
        }
    }

    /// Returns a fraction; nothing for a denominator of zero.
    pub fn new(numerator: u64, denominator: u64) -> Option<Self> {
        let divisor = gcd(u128::from(numerator), u128::from(denominator));
        let divisor = u64::try_from(divisor).ok()?;
        Some(Self {
            numerator: numerator.checked_div(divisor)?,
            denominator: denominator
                .checked_div(divisor)
                .filter(|&number| number > 0)?,
        })
    }

    /// Returns a fraction that is known to be in lowest terms.
    pub(crate) const fn lowest(numerator: u64, denominator: u64) -> Self {
        Self {
            numerator,
            denominator,
        }
    }

    /// Returns a fraction of numbers that may be large; nothing where it does not fit.
    pub(crate) fn reduced(numerator: u128, denominator: u128) -> Option<Self> {
        let divisor = gcd(numerator, denominator);
        let part = |number: u128| u64::try_from(number.checked_div(divisor)?).ok();
        Some(Self {
            numerator: part(numerator)?,
            denominator: part(denominator).filter(|&number| number > 0)?,
        })
    }

    /// Returns the number above the line.
    pub fn numerator(self) -> u64 {
        self.numerator
    }

    /// Returns the number below the line.
    pub fn denominator(self) -> u64 {
        self.denominator
    }

    /// Returns the product with a whole number, rounded down to a whole number; at most
    /// the largest.
    pub fn times(self, factor: u64) -> u64 {
        let product = u128::from(self.numerator) * u128::from(factor);
        u64::try_from(product / u128::from(self.denominator)).unwrap_or(u64::MAX)
    }

    /// Returns this as a share of another in parts of `parts`, rounded down; nothing of
    /// nothing.
    pub fn share_of(self, whole: Self, parts: u32) -> u64 {
        if whole.numerator == 0 {
            return 0;
        }
        // 64 bits and 32 bits for the number above the line: a few more than 128 bits
        // with a third factor of 64, so divide what divides.
        let cross = gcd(u128::from(self.denominator), u128::from(whole.denominator)).max(1);
        let above = u128::from(self.numerator) * (u128::from(whole.denominator) / cross);
        let below = u128::from(self.denominator) / cross;
        let below = below.saturating_mul(u128::from(whole.numerator)).max(1);
        let share = above.checked_mul(u128::from(parts)).map_or_else(
            || (above / below).saturating_mul(u128::from(parts)),
            |above| above / below,
        );
        u64::try_from(share).unwrap_or(u64::MAX)
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        let left = u128::from(self.numerator) * u128::from(other.denominator);
        let right = u128::from(other.numerator) * u128::from(self.denominator);
        left.cmp(&right)
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator == 1 {
            write!(formatter, "{}", self.numerator)
        } else {
            write!(formatter, "{}/{}", self.numerator, self.denominator)
        }
    }
}

/// Returns the greatest common divisor; zero has every divisor.
pub(crate) fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}
