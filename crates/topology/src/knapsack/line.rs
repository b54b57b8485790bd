//! [`Line`]: devices in the order in which they serve rings and links.

use std::cmp::Reverse;

use super::filter::{Filter, State};

/// Has those of some devices that may be taken: required ones first, then the others,
/// those with the most links into switches first.
///
/// The first `j` are the best `j` of them.
pub(super) struct Line {
    open: Vec<Open>,
    required: usize,
}

/// Is a device that may be taken.
struct Open {
    required: bool,
    links: u32,
    device: usize,
}

impl Line {
    pub(super) fn new(
        devices: impl Iterator<Item = usize>,
        links: &[u32],
        filter: &Filter,
    ) -> Self {
        let open = devices.filter(|&device| filter.is_open(device));
        let mut open: Vec<Open> = open
            .map(|device| Open {
                required: filter.get(device) == State::Must,
                links: links[device],
                device,
            })
            .collect();
        open.sort_unstable_by_key(|open| {
            (Reverse(open.required), Reverse(open.links), open.device)
        });
        Self {
            required: open.iter().filter(|open| open.required).count(),
            open,
        }
    }

    /// Returns how many devices are required.
    pub(super) fn required(&self) -> usize {
        self.required
    }

    /// Returns the first so many, if there are as many and no fewer are required.
    fn first(&self, count: usize) -> Option<&[Open]> {
        self.open.get(..count).filter(|_| self.required <= count)
    }

    /// Returns the fewest links of the first so many.
    pub(super) fn least(&self, count: usize) -> Option<u32> {
        let first = self.first(count)?.iter();
        first.map(|open| open.links).min()
    }

    /// Returns the links between the first so many.
    pub(super) fn pairs(&self, count: usize) -> Option<u64> {
        let first = self.first(count)?.iter();
        Some(pairs(
            &mut first.map(|open| open.links).collect::<Vec<u32>>(),
        ))
    }

    /// Sets what may become of the devices where the best so many by links are wanted:
    /// those with more links than the last that fits must be taken, those with fewer are
    /// left.
    ///
    /// In order of their links, each device counts what it has for every one before it,
    /// so the first counts nothing by itself: it may be any that is not below the second.
    pub(super) fn sort_out(&self, count: usize, filter: &mut Filter) {
        let taken = self.first(count).unwrap_or_default();
        let mut links: Vec<u32> = taken.iter().map(|open| open.links).collect();
        links.sort_unstable_by_key(|&links| Reverse(links));
        let (first, second) = (links.first().copied(), links.get(1).copied().unwrap_or(0));
        let chosen = taken.get(self.required..).unwrap_or_default();
        // The first device is alone above the others, and not required.
        let alone = first > Some(second) && chosen.first().map(|open| open.links) == first;
        let cut = match chosen {
            // Only required devices fit.
            [] => None,
            [_] if alone => Some(second),
            [.., last] => Some(last.links),
        };
        for open in &self.open {
            let state = match cut {
                _ if open.required => State::Must,
                Some(cut) if open.links > cut && !(alone && cut == second) => State::Must,
                Some(cut) if open.links >= cut => State::Open,
                _ => State::Left,
            };
            filter.set(open.device, state);
        }
    }

    /// Sets what may become of the devices where all with so many links will do.
    pub(super) fn allow(&self, least: u32, filter: &mut Filter) {
        for open in &self.open {
            if open.required {
                filter.set(open.device, State::Must);
            } else if open.links >= least {
                filter.set(open.device, State::Open);
            }
        }
    }
}

/// Returns the sum over pairs of the smaller number.
pub(super) fn pairs(links: &mut [u32]) -> u64 {
    links.sort_unstable_by_key(|&links| Reverse(links));
    let larger = 0_u64..;
    let sums = links
        .iter()
        .zip(larger)
        .map(|(&links, larger)| u64::from(links) * larger);
    sums.fold(0, u64::saturating_add)
}
