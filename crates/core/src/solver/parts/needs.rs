//! [`Need`]: devices that are wanted, and the lanes in which needs are counted.

use super::lanes::Lanes;
use super::query::Question;
use super::table::{BITS, Part};

/// Is a number of devices wanted from candidates.
///
/// Needs with the same candidates count as one. More than eight different ones
/// are merged, as a relaxation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Need<'q> {
    /// Words of the candidates.
    pub(crate) words: &'q [u64],
    /// Candidates before this one do not count.
    pub(crate) from: usize,
    pub(crate) count: usize,
}

/// Holds needs by lane.
#[derive(Debug, Default)]
pub(super) struct Lanewise {
    /// By lane: which need it was made from, how much of it is wanted.
    of: Vec<usize>,
    pub(super) counts: Vec<usize>,
    /// By lane: words of what can be had.
    words: Vec<u64>,
    width: usize,
}

impl Lanewise {
    /// Makes lanes of needs, no more than a number.
    pub(super) fn set(&mut self, question: &Question<'_>, width: usize, lanes: usize) {
        self.of.clear();
        self.counts.clear();
        self.words.clear();
        self.width = width;
        let lanes = lanes.clamp(1, Lanes::COUNT);
        for (place, need) in question.needs.iter().enumerate() {
            if need.count == 0 {
                continue;
            }
            let same = |other: &usize| {
                let other = &question.needs[*other];
                other.from == need.from
                    && (std::ptr::eq(other.words, need.words) || other.words == need.words)
            };
            if let Some(lane) = self.of.iter().position(same) {
                self.counts[lane] = self.counts[lane].saturating_add(need.count);
                continue;
            }
            let word = |word: usize| {
                let bits = need.words.get(word).copied().unwrap_or(0);
                let away = question.away.get(word).copied().unwrap_or(0);
                let mask = match (word + 1) * BITS {
                    end if end <= need.from => 0,
                    end if end - need.from >= BITS => !0,
                    end => !0 << (BITS - (end - need.from)),
                };
                bits & !away & mask
            };
            if self.of.len() < lanes {
                self.of.push(place);
                self.counts.push(need.count);
                self.words.extend((0..width).map(word));
                continue;
            }
            // Admissible: who merges needs lets each have what is for the other.
            let common = |lane: &usize| {
                let words = self.words[lane * width..].iter().take(width);
                let common = words.enumerate().map(|(at, bits)| bits & word(at));
                common.map(u64::count_ones).sum::<u32>()
            };
            let lane = (0..lanes).max_by_key(common).unwrap_or(0);
            self.counts[lane] = self.counts[lane].saturating_add(need.count);
            let words = self.words[lane * width..].iter_mut().take(width);
            for (at, bits) in words.enumerate() {
                *bits |= word(at);
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        self.of.len()
    }

    pub(super) fn words(&self, lane: usize) -> &[u64] {
        &self.words[lane * self.width..(lane + 1) * self.width]
    }

    /// Returns how much is wanted of each.
    pub(super) fn target(&self) -> Lanes {
        let counts = self.counts.iter().enumerate();
        counts.fold(Lanes::default(), |all, (lane, count)| {
            all.plus(Lanes::at(lane, *count), Lanes::full())
        })
    }

    /// Writes down which devices of a part each lane can have; returns whether
    /// any can have one.
    pub(super) fn masks(&self, part: &Part, masks: &mut Vec<u64>) -> bool {
        masks.clear();
        masks.extend((0..self.len()).map(|lane| part.local(self.words(lane))));
        masks.iter().any(|mask| *mask != 0)
    }
}
