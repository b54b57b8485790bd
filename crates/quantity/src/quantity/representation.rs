//! How Kubernetes would hold a number in memory.

use crate::amount::Amount;
use num_bigint::BigInt;

/// Remembers whether Kubernetes would hold the number as a 64-bit integer or
/// as a big decimal, and the power of ten it would count in.
///
/// The value does not depend on it. `isInteger`, `asInteger` and the last bit
/// of `asApproximateFloat` in Kubernetes' CEL do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Representation {
    decimal: bool,
    exponent: i16,
}

/// No parsed number has an exponent beyond this, except zero, whose exponent
/// is cut here.
const EXPONENT_LIMIT: i64 = 2048;

impl Default for Representation {
    fn default() -> Self {
        Self::integer(0)
    }
}

impl Representation {
    pub(crate) fn integer(exponent: i64) -> Self {
        Self::with(false, exponent)
    }

    pub(crate) fn decimal(exponent: i64) -> Self {
        Self::with(true, exponent)
    }

    fn with(decimal: bool, exponent: i64) -> Self {
        let exponent = exponent.clamp(-EXPONENT_LIMIT, EXPONENT_LIMIT);
        Self {
            decimal,
            exponent: i16::try_from(exponent).unwrap_or(0),
        }
    }

    /// Returns the natural representation of an amount that was not read.
    pub(crate) fn of(amount: &Amount) -> Self {
        let exponent = if amount.is_integral() { 0 } else { -9 };
        let integer = Self::integer(exponent);
        if integer.fits(amount) {
            integer
        } else {
            Self::decimal(exponent)
        }
    }

    pub(crate) fn is_decimal(self) -> bool {
        self.decimal
    }

    pub(crate) fn exponent(self) -> i32 {
        self.exponent.into()
    }

    /// Returns the representation of the sum or difference of two amounts.
    pub(crate) fn combine(
        self,
        left: &Amount,
        other: Self,
        right: &Amount,
        result: &Amount,
    ) -> Self {
        let lower = i64::from(self.exponent.min(other.exponent));
        if self.decimal || other.decimal {
            return Self::decimal(lower);
        }
        if right.is_zero() {
            return self;
        }
        if left.is_zero() {
            return other;
        }
        let integer = Self::integer(lower);
        if [left, right, result]
            .into_iter()
            .all(|amount| integer.fits(amount))
        {
            integer
        } else {
            Self::decimal(lower)
        }
    }

    /// Returns the float Kubernetes would compute: the mantissa, rounded, by
    /// the power of ten, rounded again.
    pub(crate) fn approximate_float(self, amount: &Amount) -> f64 {
        if amount.is_zero() {
            return 0.0;
        }
        let base = float(&self.mantissa(amount));
        if self.exponent == 0 {
            base
        } else {
            base * power_of_ten(self.exponent())
        }
    }

    /// Whether the amount is held as the smallest 64-bit integer.
    pub(crate) fn is_least(self, amount: &Amount) -> bool {
        !self.decimal && i64::try_from(&self.mantissa(amount)) == Ok(i64::MIN)
    }

    fn fits(self, amount: &Amount) -> bool {
        i64::try_from(&self.mantissa(amount)).is_ok()
    }

    /// Returns the amount counted in the power of ten; exact, as the exponent
    /// is that of the digits the amount came from.
    fn mantissa(self, amount: &Amount) -> BigInt {
        let steps = self.exponent() + 9;
        let ten = BigInt::from(10).pow(steps.unsigned_abs());
        if steps >= 0 {
            amount.to_big() / ten
        } else {
            amount.to_big() * ten
        }
    }
}

/// Rounds to the nearest float, ties to even; the standard library's reading
/// of digits does that at every length.
fn float(mantissa: &BigInt) -> f64 {
    mantissa.to_string().parse().unwrap_or(f64::NAN)
}

/// Returns what Go's `math.Pow10` returns: two table entries combined, which
/// is not always the nearest float.
fn power_of_ten(exponent: i32) -> f64 {
    let magnitude = exponent.unsigned_abs();
    let fine = nearest_power("", magnitude % 32);
    let coarse = magnitude / 32 * 32;
    match exponent {
        309.. => f64::INFINITY,
        0..=308 => nearest_power("", coarse) * fine,
        -323..=-1 => nearest_power("-", coarse) / fine,
        _ => 0.0,
    }
}

fn nearest_power(sign: &str, exponent: u32) -> f64 {
    format!("1e{sign}{exponent}").parse().unwrap_or(f64::NAN)
}
