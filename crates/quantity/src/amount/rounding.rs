//! Division, and views in coarser units.

use super::{Amount, NANOS_PER_MILLI, NANOS_PER_UNIT, Store};
use num_bigint::BigInt;

impl Amount {
    /// Returns the whole units, rounded away from zero, if they fit.
    ///
    /// `Quantity.Value()` of Kubernetes does the same but wraps where this
    /// returns `None`, and rounds some negative fractions towards zero.
    pub fn value(&self) -> Option<i64> {
        self.rounded(NANOS_PER_UNIT)
    }

    /// Returns the thousandths, rounded away from zero, if they fit.
    ///
    /// `Quantity.MilliValue()` of Kubernetes; see [`Amount::value`].
    pub fn milli_value(&self) -> Option<i64> {
        self.rounded(NANOS_PER_MILLI)
    }

    /// Returns the whole units, if there is no fraction and they fit.
    pub fn exact_units(&self) -> Option<i128> {
        match &self.0 {
            Store::Small(nanos) => (nanos % NANOS_PER_UNIT == 0).then_some(nanos / NANOS_PER_UNIT),
            Store::Large(nanos) => {
                let unit = BigInt::from(NANOS_PER_UNIT);
                let units = nanos.as_ref() / &unit;
                if &units * &unit == **nanos {
                    i128::try_from(&units).ok()
                } else {
                    None
                }
            }
        }
    }

    /// Returns whether there is no fraction of a unit.
    pub fn is_integral(&self) -> bool {
        match &self.0 {
            Store::Small(nanos) => nanos % NANOS_PER_UNIT == 0,
            Store::Large(nanos) => nanos.as_ref() % NANOS_PER_UNIT == BigInt::ZERO,
        }
    }

    /// Returns how many times `divisor` goes into the amount, rounded towards
    /// positive infinity.
    ///
    /// `None` if the divisor is zero or the count does not fit.
    ///
    /// ```
    /// use dralloc_quantity::Amount;
    ///
    /// let step = Amount::from_units(4);
    /// assert_eq!(Amount::from_units(9).div_ceil(&step), Some(3));
    /// assert_eq!(Amount::from_units(-9).div_ceil(&step), Some(-2));
    /// assert_eq!(Amount::from_units(9).div_ceil(&Amount::ZERO), None);
    /// ```
    pub fn div_ceil(&self, divisor: &Self) -> Option<i128> {
        i128::try_from(&self.big_div_ceil(divisor)?).ok()
    }

    /// Returns the smallest multiple of `step` that is not below the amount.
    ///
    /// `None` if the step is zero. A negative step counts as its magnitude.
    pub fn next_multiple_of(&self, step: &Self) -> Option<Self> {
        let magnitude = if step.is_negative() {
            -step
        } else {
            step.clone()
        };
        let count = self.big_div_ceil(&magnitude)?;
        Some(Self::from_big(count * magnitude.to_big()))
    }

    /// Returns what is left after taking `divisor` out as often as it goes in;
    /// the sign is that of the amount.
    ///
    /// `None` if the divisor is zero.
    pub fn remainder(&self, divisor: &Self) -> Option<Self> {
        if divisor.is_zero() {
            return None;
        }
        if let (Store::Small(left), Store::Small(right)) = (&self.0, &divisor.0) {
            // The one overflow, the minimum by -1, leaves nothing.
            return Some(Self(Store::Small(left.checked_rem(*right).unwrap_or(0))));
        }
        Some(Self::from_big(self.to_big() % divisor.to_big()))
    }

    fn rounded(&self, unit: i128) -> Option<i64> {
        // A large amount is beyond 2^127 nano units, so it never fits.
        let nanos = self.as_nanos()?;
        let towards_zero = nanos / unit;
        let rounded = if nanos % unit == 0 {
            towards_zero
        } else {
            towards_zero + nanos.signum()
        };
        i64::try_from(rounded).ok()
    }

    fn big_div_ceil(&self, divisor: &Self) -> Option<BigInt> {
        if divisor.is_zero() {
            return None;
        }
        if let (Store::Small(left), Store::Small(right)) = (&self.0, &divisor.0)
            && let Some(quotient) = left.checked_div(*right)
        {
            let inexact = left.checked_rem(*right) != Some(0);
            // Division truncates, which is already upwards below zero.
            let upwards = inexact && (*left < 0) == (*right < 0);
            return Some(BigInt::from(quotient) + i32::from(upwards));
        }
        let (left, right) = (self.to_big(), divisor.to_big());
        let quotient = &left / &right;
        let inexact = &quotient * &right != left;
        let upwards = inexact && self.is_negative() == divisor.is_negative();
        Some(quotient + i32::from(upwards))
    }
}
