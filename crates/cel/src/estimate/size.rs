//! Bounds on sizes, and arithmetic on costs.
//!
//! Everything saturates where cel-go's estimate does and wraps where it wraps:
//! both show in the result.

use crate::library::cost::scaled;

/// The bounds of a size: characters, bytes, elements or entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    pub(super) min: u64,
    pub(super) max: u64,
}

impl Size {
    pub(super) const UNKNOWN: Self = Self {
        min: 0,
        max: u64::MAX,
    };

    pub(super) const ONE: Self = Self::fixed(1);

    pub(super) const fn fixed(size: u64) -> Self {
        Self {
            min: size,
            max: size,
        }
    }

    pub(super) const fn up_to(max: u64) -> Self {
        Self { min: 0, max }
    }

    pub(super) fn add(self, other: Self) -> Self {
        Self {
            min: self.min.saturating_add(other.min),
            max: self.max.saturating_add(other.max),
        }
    }

    pub(super) fn multiply(self, other: Self) -> Self {
        Self {
            min: self.min.saturating_mul(other.min),
            max: self.max.saturating_mul(other.max),
        }
    }

    /// The bounds of what may be of one size or of the other.
    pub(super) fn union(self, other: Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// The greatest cost of a visit with this cost per unit.
    pub(super) fn scaled(self, factor: f64) -> u64 {
        scaled(self.max, factor)
    }
}

/// What is known of the elements of a list, or of the keys and values of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EntrySize {
    pub(super) container: Container,
    pub(super) key: Size,
    pub(super) value: Size,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Container {
    List,
    Map,
}

impl EntrySize {
    /// The elements of a list whose elements are of this size.
    pub(super) fn list(value: Size) -> Self {
        Self {
            container: Container::List,
            key: Size::ONE,
            value,
        }
    }

    /// The entries of what may be one container or the other.
    pub(super) fn union(left: Option<Self>, right: Option<Self>) -> Option<Self> {
        let (left, right) = (left?, right?);
        Some(Self {
            container: left.container,
            key: left.key.union(right.key),
            value: left.value.union(right.value),
        })
    }
}

/// The bounds of several sizes; those of nothing are 0.
pub(super) fn joined(sizes: impl Iterator<Item = Size>) -> Size {
    sizes.reduce(Size::union).unwrap_or(Size::fixed(0))
}

/// The quotient rounded up, as cel-go computes it: in floating point, and
/// converted back with what an amd64 processor makes of 2^64.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "rounding errors are part of the estimate"
)]
pub(super) fn quotient(dividend: u64, divisor: u64) -> u64 {
    const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;
    let quotient = (dividend as f64 / divisor as f64).ceil();
    if quotient == TWO_TO_64 {
        1 << 63
    } else {
        quotient as u64
    }
}
