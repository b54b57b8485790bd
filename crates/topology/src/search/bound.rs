//! What a set that is settled in part can become at best.

use super::{LARGEST_SEARCH, Partial, Search, places};
use crate::ratio::Ratio;
use crate::select::Term;

impl Search {
    /// Returns an upper bound of a term over all that a partial set can become.
    pub(super) fn bound(&self, partial: Partial, term: Option<&Term>) -> Ratio {
        match term {
            Some(Term::Ring) => Ratio::whole(self.ring_bound(partial)),
            Some(Term::Links) => Ratio::whole(self.links_bound(partial)),
            _ => Ratio::ZERO,
        }
    }

    /// Each device that comes brings its links to the chosen ones, and half of those to
    /// the others that come: at most half of its best.
    fn links_bound(&self, partial: Partial) -> u64 {
        let mut brings = Largest::of(partial.more);
        for device in places(partial.open) {
            let mut others = Largest::of(partial.more.saturating_sub(1));
            for other in places(partial.open & !(1 << device)) {
                others.add(self.count(device, other));
            }
            let near = self.links_to(device, partial.chosen);
            brings.add(others.sum().saturating_add(near.saturating_mul(2)));
        }
        self.links(partial.chosen).saturating_add(brings.sum() / 2)
    }

    /// Every ring enters and leaves each device, so none has more rings than links to what
    /// the set can become; of those that come the one with the fewest counts.
    fn ring_bound(&self, partial: Partial) -> u64 {
        let through = |device: usize, more: usize| {
            let apart = !(1 << device);
            let (mut near, mut far) = (0_u64, Largest::of(more));
            for other in places(partial.chosen & apart) {
                near = near.saturating_add(self.part.direct(device, other));
            }
            for other in places(partial.open & apart) {
                far.add(self.part.direct(device, other));
            }
            let mut others = places((partial.chosen | partial.open) & apart);
            let switched = others.any(|other| self.part.is_switched(device, other));
            let port = if switched { self.part.port(device) } else { 0 };
            near.saturating_add(far.sum()).saturating_add(port)
        };
        let settled = places(partial.chosen).map(|device| through(device, partial.more));
        let settled = settled.min();
        if partial.more == 0 {
            return settled.unwrap_or(0);
        }
        let mut coming = Largest::of(partial.more);
        for device in places(partial.open) {
            coming.add(through(device, partial.more - 1));
        }
        settled.map_or(coming.last(), |settled| settled.min(coming.last()))
    }
}

/// Keeps the largest of some numbers, in order.
struct Largest {
    numbers: [u64; LARGEST_SEARCH],
    most: usize,
    len: usize,
}

impl Largest {
    fn of(most: usize) -> Self {
        Self {
            numbers: [0; LARGEST_SEARCH],
            most: most.min(LARGEST_SEARCH),
            len: 0,
        }
    }

    fn add(&mut self, number: u64) {
        let kept = self.numbers.iter().take(self.len);
        let place = kept.take_while(|&&kept| kept >= number).count();
        if place < self.most {
            self.len = self.most.min(self.len + 1);
            if let Some(behind) = self.numbers.get_mut(place..self.len) {
                behind.rotate_right(1);
                if let Some(first) = behind.first_mut() {
                    *first = number;
                }
            }
        }
    }

    fn sum(&self) -> u64 {
        self.numbers
            .iter()
            .fold(0, |sum, &number| sum.saturating_add(number))
    }

    /// Returns the last that is kept; zero where there are not as many.
    fn last(&self) -> u64 {
        let last = self.most.checked_sub(1);
        last.and_then(|last| self.numbers.get(last).copied())
            .unwrap_or(0)
    }
}
