//! [`Amounts`]: sums of what is shared, counters of cards and capacities of devices.

use std::collections::BTreeMap;

use dralloc::model::{Quantity, Str};
use dralloc::{DeviceState, Stock};
use dralloc_quantity::{Amount, Format};
use serde::{Serialize, Serializer};

use super::group::Groups;
use super::partitions::product;

/// Is the sum of one counter or capacity over all that have it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Sum {
    pub(super) product: Str,
    pub(super) name: Str,
    /// How many cards or devices have it.
    pub(super) count: usize,
    #[serde(serialize_with = "as_text")]
    pub(super) total: Quantity,
    #[serde(serialize_with = "as_text")]
    pub(super) left: Quantity,
    /// What of it is left, and of no use to anybody.
    #[serde(serialize_with = "as_text")]
    pub(super) stranded: Quantity,
}

fn as_text<S: Serializer>(quantity: &Quantity, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&quantity.canonical())
}

impl Sum {
    /// Returns what is taken.
    pub(super) fn taken(&self) -> Quantity {
        Quantity::new(
            self.total.amount() - self.left.amount(),
            self.total.format(),
        )
    }

    fn add(&mut self, total: &Quantity, left: &Quantity, stranded: &Quantity) {
        let sum = |one: &mut Quantity, other: &Quantity| {
            // Of amounts that are written in two ways the first counts.
            let format = if one.amount().is_zero() {
                other.format()
            } else {
                one.format()
            };
            *one = Quantity::new(one.amount() + other.amount(), format);
        };
        self.count += 1;
        sum(&mut self.total, total);
        sum(&mut self.left, left);
        sum(&mut self.stranded, stranded);
    }
}

type Sums = BTreeMap<(Str, Str), Sum>;

fn entry<'s>(sums: &'s mut Sums, product: &Str, name: &Str) -> &'s mut Sum {
    sums.entry((product.clone(), name.clone()))
        .or_insert_with(|| Sum {
            product: product.clone(),
            name: name.clone(),
            count: 0,
            total: nothing(),
            left: nothing(),
            stranded: nothing(),
        })
}

fn nothing() -> Quantity {
    Quantity::new(Amount::ZERO, Format::DecimalSI)
}

/// Sums up the counters of all pools, by product and name, and notes in the groups of which
/// cards something is stranded.
pub(super) fn counters(stock: &Stock, groups: &mut Groups) -> Vec<Sum> {
    let mut sums = Sums::new();
    for pool in stock
        .pools()
        .iter()
        .filter(|pool| !pool.counters.is_empty())
    {
        let mut users: BTreeMap<&Str, usize> = BTreeMap::new();
        for place in pool.devices.clone() {
            for consumption in &stock.devices()[place].device().consumes_counters {
                users.entry(&consumption.counter_set).or_insert(place);
            }
        }
        for counters in pool.counters.chunk_by(|one, other| one.set == other.set) {
            // A set that no device uses says of nothing that it is left.
            let Some(user) = users.get(&counters[0].set) else {
                continue;
            };
            let product = product(&stock.devices()[*user]);
            for counter in counters {
                let sum = entry(&mut sums, &product, &counter.name);
                sum.add(&counter.total, &counter.left, &counter.stranded);
            }
            if counters
                .iter()
                .any(|counter| !counter.stranded.amount().is_zero())
            {
                groups.note_stranded(*user);
            }
        }
    }
    sums.into_values().collect()
}

/// Sums up the capacities of all devices that claims can share, by product and name, and
/// notes in the groups of which devices something is stranded.
pub(super) fn capacities(stock: &Stock, groups: &mut Groups) -> Vec<Sum> {
    let mut sums = Sums::new();
    for (place, device) in stock.devices().iter().enumerate() {
        let product = product(device);
        let is_stranded = device.is_exhausted() && device.state() != DeviceState::Held;
        let mut strands = false;
        for capacity in device.capacity() {
            let none = nothing();
            let stranded = if is_stranded { &capacity.left } else { &none };
            strands |= stranded.amount().sign() > 0;
            let sum = entry(&mut sums, &product, &Str::from(&**capacity.name));
            sum.add(capacity.total, &capacity.left, stranded);
        }
        if strands {
            groups.note_stranded(place);
        }
    }
    sums.into_values().collect()
}
