//! [`StockedPool`]: a pool with its shared counters.

use std::ops::Range;

use dralloc_quantity::{Amount, Format};

use crate::model::{Quantity, Str};
use crate::store::PoolFault;

/// Is a pool, in its newest generation.
#[derive(Clone, Debug)]
pub struct StockedPool {
    /// Name of the driver.
    pub driver: Str,
    /// Name of the pool.
    pub name: Str,
    /// How many slices of it there are.
    pub slices: usize,
    /// Why its devices cannot be allocated.
    pub fault: Option<PoolFault>,
    /// Its devices, as places in [`Stock::devices`](super::Stock::devices).
    pub devices: Range<usize>,
    /// Its counters by set and name; none if there is a fault.
    pub counters: Vec<StockedCounter>,
}

/// Is a counter that devices of a pool share.
#[derive(Clone, Debug)]
pub struct StockedCounter {
    /// Name of the counter set.
    pub set: Str,
    /// Name of the counter.
    pub name: Str,
    /// What there is of it while nothing is held.
    pub total: Quantity,
    /// What is left of it; never less than nothing.
    pub left: Quantity,
    /// The part of what is left that no devices of the pool can take, whichever of those
    /// that can still be had were held together.
    pub stranded: Quantity,
}

impl StockedCounter {
    pub(super) fn new(
        (set, name): (Str, Str),
        total: &Amount,
        left: &Amount,
        usable: i128,
    ) -> Self {
        let nothing = Amount::default();
        let left = left.max(&nothing).clone();
        let stranded = &left - &Amount::from_nanos(usable);
        let format = format_of(total);
        let quantity = |amount: Amount| Quantity::new(amount, format);
        Self {
            set,
            name,
            total: quantity(total.clone()),
            stranded: quantity(stranded.max(nothing)),
            left: quantity(left),
        }
    }
}

/// Returns how a person writes an amount: large ones in powers of 1,024, if they are whole
/// numbers of these.
pub(super) fn format_of(amount: &Amount) -> Format {
    let mebi = 1_i128 << 20;
    match amount.exact_units() {
        Some(units) if units >= mebi && units % mebi == 0 => Format::BinarySI,
        _ => Format::DecimalSI,
    }
}
