//! Sums and products, exact at any size.

use super::{Amount, Store};
use num_bigint::BigInt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

impl Amount {
    /// Adds `other` in place.
    pub fn add_assign(&mut self, other: &Self) {
        *self = &*self + other;
    }

    /// Subtracts `other` in place.
    pub fn sub_assign(&mut self, other: &Self) {
        *self = &*self - other;
    }
}

impl Add<&Amount> for &Amount {
    type Output = Amount;

    fn add(self, other: &Amount) -> Amount {
        if let (Store::Small(left), Store::Small(right)) = (&self.0, &other.0)
            && let Some(sum) = left.checked_add(*right)
        {
            return Amount(Store::Small(sum));
        }
        Amount::from_big(self.to_big() + other.to_big())
    }
}

impl Sub<&Amount> for &Amount {
    type Output = Amount;

    fn sub(self, other: &Amount) -> Amount {
        if let (Store::Small(left), Store::Small(right)) = (&self.0, &other.0)
            && let Some(difference) = left.checked_sub(*right)
        {
            return Amount(Store::Small(difference));
        }
        Amount::from_big(self.to_big() - other.to_big())
    }
}

impl Mul<i128> for &Amount {
    type Output = Amount;

    fn mul(self, factor: i128) -> Amount {
        if let Store::Small(nanos) = &self.0
            && let Some(product) = nanos.checked_mul(factor)
        {
            return Amount(Store::Small(product));
        }
        Amount::from_big(self.to_big() * BigInt::from(factor))
    }
}

impl Mul<u64> for &Amount {
    type Output = Amount;

    fn mul(self, factor: u64) -> Amount {
        self * i128::from(factor)
    }
}

impl Neg for &Amount {
    type Output = Amount;

    fn neg(self) -> Amount {
        self * -1_i128
    }
}

impl AddAssign<&Amount> for Amount {
    fn add_assign(&mut self, other: &Amount) {
        *self = &*self + other;
    }
}

impl SubAssign<&Amount> for Amount {
    fn sub_assign(&mut self, other: &Amount) {
        *self = &*self - other;
    }
}

impl<'a> Sum<&'a Amount> for Amount {
    fn sum<I: Iterator<Item = &'a Amount>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, |total, amount| &total + amount)
    }
}
