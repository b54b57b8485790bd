//! Plain amounts of nodes, such as `cpu`, `memory` and `pods`: who uses what, and
//! whether there is enough for more.

mod draft;
mod in_use;
mod node_use;
mod shortage;

pub(crate) use draft::{AmountsDraft, DraftedUse};
pub(crate) use in_use::AmountsInUse;
pub use node_use::NodeUse;
pub(crate) use node_use::check;
pub(crate) use shortage::{Asked, Shortage};

use std::collections::BTreeMap;

use dralloc_quantity::Amount;

use crate::model::Str;

/// Sums by the name of the amount; exact, so that what was added can be taken away.
pub(crate) type Sums = BTreeMap<Str, Amount>;

/// Adds what somebody uses.
fn add(sums: &mut Sums, used: &NodeUse) {
    for (name, quantity) in &used.amounts {
        *sums.entry(name.clone()).or_insert(Amount::ZERO) += quantity.amount();
    }
}

/// Takes away what somebody used; sums of nothing are left out.
fn remove(sums: &mut Sums, used: &NodeUse) {
    for (name, quantity) in &used.amounts {
        if let Some(sum) = sums.get_mut(name) {
            *sum -= quantity.amount();
            if sum.is_zero() {
                sums.remove(name);
            }
        }
    }
}
