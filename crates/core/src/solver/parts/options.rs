//! [`Options`]: what one part can give.

use super::lanes::Lanes;
use super::table::Kind;
use crate::budget::Meter;

/// After so many steps a part is not looked at any closer.
pub(super) const STEPS: usize = 1 << 13;

/// With more vectors than this of which none covers another it is not either.
const VECTORS: usize = 256;

/// After so many steps deadline and cancel flag may be looked at; so many of them
/// take as long as a branch, or that many vectors that each is compared with.
const POLL: usize = 64;
const STEPS_OF_A_BRANCH: usize = 8;
const VECTORS_OF_A_BRANCH: usize = 16;

/// Says that nothing was picked, where a place of a lane is expected.
const NONE: u32 = u32::MAX;

/// Finds all that a part can give; holds the memory for it.
#[derive(Debug, Default)]
pub(super) struct Options {
    items: Vec<Item>,
    /// By item: how much it and those after it could give.
    rest: Vec<Lanes>,
    left: Vec<i128>,
    found: Vec<Lanes>,
    steps: usize,
    is_stopped: bool,
}

/// Is a device that can be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Item {
    class: u32,
    /// The needs that it serves, as bits.
    lanes: u32,
    device: usize,
}

impl Options {
    /// Returns what a part can give at most: vectors of which none covers another.
    ///
    /// Devices that take and serve the same are picked in order, so that none of
    /// their permutations is tried; what cannot go beyond a vector that is known
    /// is left alone. If that takes too long, the most of each need is the one
    /// vector, which covers all. Nothing if it is stopped.
    pub(super) fn maximal(
        &mut self,
        kind: &Kind,
        masks: &[u64],
        left: &[i128],
        meter: &mut Meter<'_>,
    ) -> Option<&[Lanes]> {
        self.prepare(kind, masks, left);
        self.go(kind, 0, Lanes::default(), NONE, meter);
        if self.is_stopped || meter.effort(1).is_err() {
            return None;
        }
        if self.steps > STEPS {
            self.found.clear();
            self.found.push(most(kind, masks, &self.left));
        }
        Some(&self.found)
    }

    fn prepare(&mut self, kind: &Kind, masks: &[u64], left: &[i128]) {
        self.steps = 0;
        self.is_stopped = false;
        self.found.clear();
        self.left.clear();
        self.left.extend_from_slice(left);
        self.items.clear();
        let mut devices = masks.iter().fold(0, |all, mask| all | mask);
        while devices != 0 {
            let device = devices.trailing_zeros() as usize;
            devices &= devices - 1;
            if has_room(&kind.uses[device], &self.left) {
                let lanes = masks.iter().enumerate();
                let lanes = lanes.fold(0, |bits, (lane, mask)| {
                    bits | u32::from(mask >> device & 1 == 1) << lane
                });
                self.items.push(Item {
                    class: kind.class[device],
                    lanes,
                    device,
                });
            }
        }
        self.items.sort_unstable();
        self.rest.clear();
        self.rest.resize(self.items.len() + 1, Lanes::default());
        let limit = Lanes::full();
        for (place, item) in self.items.iter().enumerate().rev() {
            let lanes = (0..Lanes::COUNT).filter(|lane| item.lanes >> lane & 1 == 1);
            self.rest[place] = lanes.fold(self.rest[place + 1], |sum, lane| {
                sum.plus(Lanes::at(lane, 1), limit)
            });
        }
    }

    /// Decides about the items from a place on; as deep as there are items, so 64.
    fn go(&mut self, kind: &Kind, place: usize, sum: Lanes, before: u32, meter: &mut Meter<'_>) {
        self.steps += 1;
        if self.steps.is_multiple_of(POLL) {
            let compared = self.found.len() / VECTORS_OF_A_BRANCH;
            let effort = (POLL * (1 + compared) / STEPS_OF_A_BRANCH) as u64;
            self.is_stopped |= meter.effort(effort).is_err();
        }
        let bound = sum.plus(self.rest[place], Lanes::full());
        if self.steps > STEPS
            || self.is_stopped
            || self.found.iter().any(|found| found.covers(bound))
        {
            return;
        }
        let Some(item) = self.items.get(place).copied() else {
            self.found.retain(|found| !sum.covers(*found));
            self.found.push(sum);
            if self.found.len() > VECTORS {
                // To compare each with all others would take too long.
                self.steps = STEPS + 1;
            }
            return;
        };
        let is_alike = place > 0 && {
            let last = self.items[place - 1];
            (last.class, last.lanes) == (item.class, item.lanes)
        };
        // Of those that are alike the first are picked, for the first needs.
        let first = if is_alike { before } else { 0 };
        let uses = &kind.uses[item.device];
        if first < NONE && has_room(uses, &self.left) {
            take(uses, &mut self.left);
            let mut lanes = item.lanes >> first << first;
            while lanes != 0 {
                let lane = lanes.trailing_zeros();
                lanes &= lanes - 1;
                let sum = sum.plus(Lanes::at(lane as usize, 1), Lanes::full());
                self.go(kind, place + 1, sum, lane, meter);
            }
            give(uses, &mut self.left);
        }
        self.go(kind, place + 1, sum, NONE, meter);
    }
}

/// Returns the most of each need for itself, by the devices and by each counter.
pub(super) fn most(kind: &Kind, masks: &[u64], left: &[i128]) -> Lanes {
    let lanes = masks.iter().enumerate();
    lanes.fold(Lanes::default(), |all, (lane, mask)| {
        let devices = || (0..kind.uses.len()).filter(|device| mask >> device & 1 == 1);
        let devices = || devices().filter(|device| has_room(&kind.uses[*device], left));
        let mut most = devices().count();
        for (counter, left) in (0..).zip(left) {
            let amount = |device: usize| {
                let mut uses = kind.uses[device].iter();
                uses.find(|(other, _)| *other == counter)
                    .map_or(0, |(_, amount)| *amount)
            };
            if let Some(least @ 1..) = devices().map(amount).min() {
                most = most.min(usize::try_from(left / least).unwrap_or(usize::MAX));
            }
        }
        all.plus(Lanes::at(lane, most), Lanes::full())
    })
}

/// Returns whether enough is left for a device.
pub(super) fn has_room(uses: &[(u32, i128)], left: &[i128]) -> bool {
    uses.iter()
        .all(|(counter, amount)| left[*counter as usize] >= *amount)
}

/// Takes what there is room for; amounts are not negative, so nothing overflows.
pub(super) fn take(uses: &[(u32, i128)], left: &mut [i128]) {
    for (counter, amount) in uses {
        left[*counter as usize] -= amount;
    }
}

/// Gives back what was taken.
pub(super) fn give(uses: &[(u32, i128)], left: &mut [i128]) {
    for (counter, amount) in uses {
        left[*counter as usize] += amount;
    }
}
