//! Sums of quantities.

use super::Quantity;
use crate::amount::Amount;
use std::ops::{Add, Sub};

impl Quantity {
    /// Returns the exact sum; it has no text.
    ///
    /// The format is that of `self`, or that of `other` if `self` is zero.
    #[must_use]
    pub fn add(&self, other: &Self) -> Self {
        self.combine(other, &self.amount + &other.amount)
    }

    /// Returns the exact difference; it has no text.
    ///
    /// The format is that of `self`, or that of `other` if `self` is zero.
    #[must_use]
    pub fn sub(&self, other: &Self) -> Self {
        self.combine(other, &self.amount - &other.amount)
    }

    /// Returns the difference as Kubernetes computes it, which takes the
    /// smallest 64-bit integer for its own negation.
    ///
    /// ```
    /// use dralloc_quantity::Quantity;
    ///
    /// let (one, least) = (Quantity::from_units(1), Quantity::from_units(i64::MIN));
    /// assert_eq!(one.sub_wrapping(&least), Quantity::from_units(i64::MIN + 1));
    /// ```
    #[must_use]
    pub fn sub_wrapping(&self, other: &Self) -> Self {
        let is_wrapped =
            !self.representation.is_decimal() && other.representation.is_least(&other.amount);
        if is_wrapped {
            let sum = self.add(other);
            if !sum.representation.is_decimal() {
                return sum;
            }
        }
        self.sub(other)
    }

    fn combine(&self, other: &Self, amount: Amount) -> Self {
        let format = if self.amount.is_zero() {
            other.format
        } else {
            self.format
        };
        let representation =
            self.representation
                .combine(&self.amount, other.representation, &other.amount, &amount);
        Self {
            amount,
            text: None,
            representation,
            format,
        }
    }
}

impl Add<&Quantity> for &Quantity {
    type Output = Quantity;

    fn add(self, other: &Quantity) -> Quantity {
        Quantity::add(self, other)
    }
}

impl Sub<&Quantity> for &Quantity {
    type Output = Quantity;

    fn sub(self, other: &Quantity) -> Quantity {
        Quantity::sub(self, other)
    }
}
