//! Packing potential of free devices.

use std::cmp::Reverse;

use super::Table;
use crate::ratio::Ratio;
use crate::watch::{Unwatched, Watch};

/// What a set of the best quality counts.
const PARTS: u32 = 1000;

/// The steps that it takes to look at the rings of a set that are known.
const STEPS_OF_A_SET: u64 = 8;

impl Table {
    /// Returns the packing potential of free devices, by the definition of [`Table`].
    ///
    /// Computed for all free sets when it is first asked for, then looked up.
    pub fn potential(&self, free: u16) -> u64 {
        let Ok(potential) = self.potential_until(free, &mut Unwatched);
        potential
    }

    /// Returns what [`Table::potential`] does, unless it is stopped.
    pub(super) fn potential_until<W: Watch>(
        &self,
        free: u16,
        watch: &mut W,
    ) -> Result<u64, W::Stop> {
        let potential = if let Some(known) = self.potential.get() {
            known
        } else {
            let sum = self.potentials(watch)?;
            self.potential.get_or_init(|| sum)
        };
        Ok(potential.get(usize::from(free)).copied().unwrap_or(0))
    }

    /// Returns the packing potential by free set.
    fn potentials<W: Watch>(&self, watch: &mut W) -> Result<Vec<u64>, W::Stop> {
        let mut sum = vec![0_u64; self.links.len()];
        for &(size, weight) in &self.mix {
            if size == 0 || size > self.len() || weight == 0 {
                continue;
            }
            let factor = u64::from(weight) * size as u64;
            for (sum, packed) in sum.iter_mut().zip(self.packed(size, watch)?) {
                *sum += factor * u64::from(packed);
            }
        }
        Ok(sum)
    }

    /// Returns the greatest sum of qualities of disjoint sets of a size, by free set.
    fn packed<W: Watch>(&self, size: usize, watch: &mut W) -> Result<Vec<u32>, W::Stop> {
        // The sets of some quality, by their first device; the best first.
        let mut by_first: Vec<Vec<(u16, u32)>> = vec![Vec::new(); self.len()];
        let mut largest = 0;
        let qualities = self.qualities(size, watch)?;
        watch.steps(self.links.len() as u64)?;
        let is_whole = qualities.len() == number_of_sets(self.len(), size);
        if let Some(quality) = same(&qualities).filter(|_| is_whole) {
            // Whichever devices they are, only their number counts.
            let of_free = |free: usize| {
                u32::try_from(free.count_ones() as usize / size).unwrap_or(0) * quality
            };
            return Ok((0..self.links.len()).map(of_free).collect());
        }
        for (set, quality) in qualities {
            if quality > 0 {
                largest = largest.max(quality);
                by_first[set.trailing_zeros() as usize].push((set, quality));
            }
        }
        for sets in &mut by_first {
            sets.sort_unstable_by_key(|&(_, quality)| Reverse(quality));
        }
        let mut packed = vec![0_u32; self.links.len()];
        for free in 1..packed.len() {
            let count = u32::try_from(free.count_ones() as usize / size).unwrap_or(0);
            let Some(others) = count.checked_sub(1) else {
                continue;
            };
            // What all that come beside the first are worth at most.
            let others = others * largest;
            let first = free.trailing_zeros() as usize;
            let mut most = packed[free & (free - 1)];
            let mut looked_at = 0;
            for &(set, quality) in &by_first[first] {
                if quality + others <= most {
                    break;
                }
                looked_at += 1;
                if usize::from(set) & !free == 0 {
                    most = most.max(quality + packed[free & !usize::from(set)]);
                }
            }
            watch.steps(looked_at)?;
            packed[free] = most;
        }
        Ok(packed)
    }

    /// Returns the sets of a size that may be chosen, with their quality.
    fn qualities<W: Watch>(&self, size: usize, watch: &mut W) -> Result<Vec<(u16, u32)>, W::Stop> {
        if size == 1 {
            return Ok(self.choosable(1).map(|set| (set, PARTS)).collect());
        }
        let (mut sets, mut rings) = (Vec::new(), Vec::new());
        for set in self.choosable(size) {
            watch.steps(STEPS_OF_A_SET)?;
            if self.ring_bound(set) > 0 {
                sets.push(set);
                rings.push(self.rings_of(set, watch)?.0);
            }
        }
        let most = rings.iter().copied().max().unwrap_or(Ratio::ZERO);
        // Most sets are like another one.
        let mut known: Vec<(Ratio, u32)> = Vec::new();
        let quality = |rings: Ratio| {
            if let Some(&(_, quality)) = known.iter().find(|(of, _)| *of == rings) {
                return quality;
            }
            let quality = u32::try_from(rings.share_of(most, PARTS)).unwrap_or(PARTS);
            if known.len() < 16 {
                known.push((rings, quality));
            }
            quality
        };
        let qualities = rings.into_iter().map(quality);
        Ok(sets.into_iter().zip(qualities).collect())
    }
}

/// Returns how many sets of a size there are of so many devices.
fn number_of_sets(devices: usize, size: usize) -> usize {
    (0..size.min(devices)).fold(1, |sets, taken| sets * (devices - taken) / (taken + 1))
}

/// Returns the quality that all sets have.
fn same(qualities: &[(u16, u32)]) -> Option<u32> {
    let (_, first) = *qualities.first()?;
    let all = qualities.iter().all(|&(_, quality)| quality == first);
    all.then_some(first)
}
