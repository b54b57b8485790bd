//! [`Usage`]: how much of cards and devices is used.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use dralloc::model::{Quantity, Str};
use dralloc::{DeviceState, Stock, StockedDevice, StockedPool};
use serde::{Serialize, Serializer};

use super::group::Groups;

/// All of a thing, in millionths.
const WHOLE: u64 = 1_000_000;

/// Is how much is used of things: of cards that are divided, each one thing however many
/// partitions it has, and of all other devices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Usage {
    things: u64,
    millionths: u64,
}

impl Usage {
    /// Returns that of one thing; a thing is never used as a whole or not at all unless
    /// that is true.
    fn of(parts: &[Part]) -> Self {
        let known: Vec<u64> = parts.iter().filter_map(Part::millionths).collect();
        let count = u64::try_from(known.len()).unwrap_or(u64::MAX);
        let mean = known.iter().sum::<u64>().checked_div(count);
        Self {
            things: 1,
            // Where nothing says how much is taken, all is.
            millionths: mean.unwrap_or(WHOLE),
        }
    }

    /// Returns that of a thing of which all is used, or nothing.
    fn all_or_nothing(is_used: bool) -> Self {
        Self {
            things: 1,
            millionths: if is_used { WHOLE } else { 0 },
        }
    }

    /// Returns how much is used, in whole percent, rounded to neither nothing nor all of it;
    /// nothing if there is nothing to use.
    pub(super) fn percent(self) -> Option<u64> {
        let (used, all) = self.parts();
        match used {
            _ if all == 0 => None,
            0 => Some(0),
            used if used == all => Some(100),
            used => Some((used / (all / 100)).clamp(1, 99)),
        }
    }

    /// Returns how much is used of how much, both in millionths of a thing.
    pub(super) fn parts(self) -> (u64, u64) {
        (self.millionths, self.things * WHOLE)
    }
}

impl AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.things += other.things;
        self.millionths += other.millionths;
    }
}

impl Serialize for Usage {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.percent().serialize(serializer)
    }
}

/// Is what there is of a counter or a capacity, and what is left of it.
struct Part {
    total: Quantity,
    left: Quantity,
}

impl Part {
    /// Returns how much of it is taken; nothing if there is nothing to take.
    fn millionths(&self) -> Option<u64> {
        let total = self.total.amount();
        if total.sign() <= 0 {
            return None;
        }
        let taken = total - self.left.amount();
        if taken.sign() <= 0 {
            return Some(0);
        }
        let millionths = (&taken * WHOLE).div_ceil(total)?;
        let millionths = u64::try_from(millionths).unwrap_or(WHOLE).min(WHOLE);
        let is_all = self.left.amount().sign() <= 0;
        Some(if is_all {
            WHOLE
        } else {
            millionths.min(WHOLE - 1)
        })
    }
}

/// Finds out how much is used of everything, and notes it in the groups.
pub(super) fn usage(stock: &Stock, groups: &mut Groups) -> Usage {
    let mut total = Usage::default();
    for pool in stock.pools() {
        let cards = cards(stock, pool);
        for place in pool.devices.clone() {
            let device = &stock.devices()[place];
            let mut consumed = device.device().consumes_counters.iter();
            if !consumed.any(|one| cards.contains_key(&one.counter_set)) {
                let usage = of_device(device);
                total += usage;
                groups.note_usage(&[place], usage);
            }
        }
        for (usage, devices) in cards.into_values() {
            total += usage;
            groups.note_usage(&devices, usage);
        }
    }
    total
}

/// Returns the cards of a pool by counter set, each with its devices.
fn cards<'s>(stock: &'s Stock, pool: &'s StockedPool) -> BTreeMap<&'s Str, (Usage, Vec<usize>)> {
    let sets = pool.counters.chunk_by(|one, other| one.set == other.set);
    let cards = sets.map(|set| {
        let parts = set.iter().map(|counter| Part {
            total: counter.total.clone(),
            left: counter.left.clone(),
        });
        let usage = Usage::of(&parts.collect::<Vec<Part>>());
        (&set[0].set, (usage, Vec::new()))
    });
    let mut cards: BTreeMap<&Str, (Usage, Vec<usize>)> = cards.collect();
    for place in pool.devices.clone() {
        for one in &stock.devices()[place].device().consumes_counters {
            if let Some((_, devices)) = cards.get_mut(&one.counter_set) {
                devices.push(place);
            }
        }
    }
    // A set that no device uses is no card.
    cards.retain(|_, (_, devices)| !devices.is_empty());
    cards
}

/// Returns how much is used of a device that is no part of a card.
fn of_device(device: &StockedDevice) -> Usage {
    match device.state() {
        DeviceState::Shared => {
            let parts = device.capacity().map(|capacity| Part {
                total: capacity.total.clone(),
                left: capacity.left,
            });
            Usage::of(&parts.collect::<Vec<Part>>())
        }
        state => Usage::all_or_nothing(matches!(state, DeviceState::Held | DeviceState::Blocked)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(total: &str, left: &str) -> Part {
        Part {
            total: total.parse().unwrap(),
            left: left.parse().unwrap(),
        }
    }

    #[test]
    fn the_mean_of_all_parts_is_used() {
        for (parts, percent) in [
            (&[part("80Gi", "40Gi")][..], 50),
            (&[part("7", "4"), part("4", "0"), part("4", "4")], 47),
            (&[part("1", "1"), part("0", "0")], 0),
            (&[part("3", "0"), part("80Gi", "0")], 100),
            // Never nothing and never all unless that is true.
            (&[part("1Ti", "1099511627775")], 1),
            (&[part("1Ti", "1")], 99),
            (&[], 100),
        ] {
            assert_eq!(Usage::of(parts).percent(), Some(percent));
        }
    }

    #[test]
    fn things_count_alike() {
        let mut usage = Usage::default();
        assert_eq!(usage.percent(), None);
        usage += Usage::of(&[part("80Gi", "40Gi")]);
        usage += Usage::all_or_nothing(true);
        assert_eq!(
            (usage.percent(), usage.parts()),
            (Some(75), (1_500_000, 2_000_000))
        );
    }
}
