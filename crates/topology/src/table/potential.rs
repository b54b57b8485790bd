//! Packing potential of free devices.

use super::Table;
use super::rank::each_set;
use crate::ratio::Ratio;

/// What a set of the best quality counts.
const PARTS: u32 = 1000;

impl Table {
    /// Returns the packing potential of free devices, by the definition of [`Table`].
    ///
    /// Computed for all free sets when it is first asked for, then looked up.
    pub fn potential(&self, free: u16) -> u64 {
        let potential = self.potential.get_or_init(|| {
            let mut sum = vec![0_u64; self.links.len()];
            for &(size, weight) in &self.mix {
                if size == 0 || size > self.len() || weight == 0 {
                    continue;
                }
                let factor = u64::from(weight) * size as u64;
                for (sum, packed) in sum.iter_mut().zip(self.packed(size)) {
                    *sum += factor * u64::from(packed);
                }
            }
            sum
        });
        potential.get(usize::from(free)).copied().unwrap_or(0)
    }

    /// Returns the greatest sum of qualities of disjoint sets of a size, by free set.
    fn packed(&self, size: usize) -> Vec<u32> {
        // The sets of some quality, by their first device.
        let mut by_first: Vec<Vec<(u16, u32)>> = vec![Vec::new(); self.len()];
        let mut largest = 0;
        let qualities = self.qualities(size);
        let mut sets = 0;
        each_set(self.len(), size, |_| sets += 1);
        if let Some(quality) = same(&qualities).filter(|_| qualities.len() == sets) {
            // Whichever devices they are, only their number counts.
            let of_free = |free: usize| {
                u32::try_from(free.count_ones() as usize / size).unwrap_or(0) * quality
            };
            return (0..self.links.len()).map(of_free).collect();
        }
        for (set, quality) in qualities {
            if quality > 0 {
                largest = largest.max(quality);
                by_first[set.trailing_zeros() as usize].push((set, quality));
            }
        }
        let mut packed = vec![0_u32; self.links.len()];
        for free in 1..packed.len() {
            let first = free.trailing_zeros() as usize;
            let mut most = packed[free & (free - 1)];
            let limit = u32::try_from(free.count_ones() as usize / size).unwrap_or(0) * largest;
            for &(set, quality) in &by_first[first] {
                if most == limit {
                    break;
                }
                if usize::from(set) & !free == 0 {
                    most = most.max(quality + packed[free & !usize::from(set)]);
                }
            }
            packed[free] = most;
        }
        packed
    }

    /// Returns the sets of a size that may be chosen, with their quality.
    fn qualities(&self, size: usize) -> Vec<(u16, u32)> {
        let mut sets = Vec::new();
        each_set(self.len(), size, |set| {
            if self.is_allowed(set) {
                sets.push(set);
            }
        });
        if size == 1 {
            return sets.into_iter().map(|set| (set, PARTS)).collect();
        }
        let sets: Vec<u16> = sets
            .into_iter()
            .filter(|&set| self.ring_bound(set) > 0)
            .collect();
        let rings: Vec<Ratio> = sets.iter().map(|&set| self.rings_of(set).0).collect();
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
        sets.into_iter()
            .zip(rings.into_iter().map(quality))
            .collect()
    }
}

/// Returns the quality that all sets have.
fn same(qualities: &[(u16, u32)]) -> Option<u32> {
    let (_, first) = *qualities.first()?;
    let all = qualities.iter().all(|&(_, quality)| quality == first);
    all.then_some(first)
}
