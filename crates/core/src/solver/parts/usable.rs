//! How much of each counter devices can take together.

use std::collections::BTreeMap;

use super::options::{STEPS, give, has_room, take};
use super::table::{Kind, PartTable};

impl PartTable {
    /// Returns how much of each counter the devices can take at most, each counter for
    /// itself: the most that any set of them takes that has room.
    ///
    /// Where a part can be used in too many ways to try them, or a counter connects too
    /// many devices, it is what its devices take in sum, so never too little. `uses` are
    /// what the table was made of; no more is said to be usable than is left.
    pub(crate) fn usable<'u>(
        &self,
        uses: impl Fn(usize) -> &'u [(u32, i128)],
        left: &[i128],
    ) -> Vec<i128> {
        let mut usable = vec![0_i128; left.len()];
        for device in 0..self.devices {
            for (counter, amount) in uses(device) {
                if let Some(sum) = usable.get_mut(*counter as usize) {
                    *sum = sum.saturating_add(*amount);
                }
            }
        }
        for (sum, left) in usable.iter_mut().zip(left) {
            *sum = (*sum).min(*left).max(0);
        }
        let mut known: BTreeMap<(usize, Vec<i128>), Vec<i128>> = BTreeMap::new();
        for part in &self.parts {
            let of_part = part.counters.iter();
            let of_part: Vec<i128> = of_part.map(|counter| left[*counter as usize]).collect();
            let most = known.entry((part.kind, of_part)).or_insert_with_key(|key| {
                let kind = &self.kinds[part.kind];
                (0..)
                    .zip(&key.1)
                    .map(|(counter, _)| Packing::most(kind, &key.1, counter))
                    .collect()
            });
            for (counter, most) in part.counters.iter().zip(most) {
                usable[*counter as usize] = *most;
            }
        }
        usable
    }
}

/// Looks for the devices of a part that take most of one counter.
struct Packing<'k> {
    kind: &'k Kind,
    counter: u32,
    /// Devices that take of the counter, the most first, and those that take the same
    /// in a row.
    devices: Vec<(i128, u32, usize)>,
    /// By device: what it and those after it take.
    rest: Vec<i128>,
    left: Vec<i128>,
    best: i128,
    steps: usize,
}

impl<'k> Packing<'k> {
    fn most(kind: &'k Kind, left: &[i128], counter: u32) -> i128 {
        let amount = |device: usize| {
            let mut uses = kind.uses[device].iter();
            let found = uses.find(|(other, _)| *other == counter);
            found.map(|(_, amount)| *amount)
        };
        let devices = (0..kind.uses.len()).filter(|device| has_room(&kind.uses[*device], left));
        let devices =
            devices.filter_map(|device| Some((amount(device)?, kind.class[device], device)));
        let mut devices: Vec<_> = devices.collect();
        devices.sort_unstable_by(|one, other| other.cmp(one));
        let mut rest = vec![0_i128; devices.len() + 1];
        for (place, (amount, ..)) in devices.iter().enumerate().rev() {
            rest[place] = rest[place + 1].saturating_add(*amount);
        }
        let mut packing = Self {
            kind,
            counter,
            devices,
            rest,
            left: left.to_vec(),
            best: 0,
            steps: 0,
        };
        let bound = packing.bound(0, 0);
        packing.go(0, 0);
        if packing.steps > STEPS {
            bound
        } else {
            packing.best
        }
    }

    /// Returns what can be reached at most.
    fn bound(&self, place: usize, sum: i128) -> i128 {
        sum.saturating_add(self.rest[place].min(self.left[self.counter as usize]))
    }

    /// Decides about the devices from a place on; as deep as there are, so 64.
    fn go(&mut self, place: usize, sum: i128) {
        self.steps += 1;
        self.best = self.best.max(sum);
        if self.steps > STEPS || self.bound(place, sum) <= self.best {
            return;
        }
        let Some((amount, class, device)) = self.devices.get(place).copied() else {
            return;
        };
        let uses = &self.kind.uses[device];
        if has_room(uses, &self.left) {
            take(uses, &mut self.left);
            self.go(place + 1, sum.saturating_add(amount));
            give(uses, &mut self.left);
        }
        // Who does without one does without those that are alike.
        let same = self.devices[place..]
            .iter()
            .take_while(|(_, other, _)| *other == class);
        let next = place + same.count();
        self.go(next, sum);
    }
}
