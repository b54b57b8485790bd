//! Bounds for sets of which only some members are settled.

use std::cmp::Reverse;

use super::{FARTHEST, NO_NIC, Nics, WORST, places};
use crate::cost;
use crate::ratio::Ratio;

/// Is a set that is to have `count` members: those chosen, and others out of the open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Partial {
    /// Places that are in the set.
    pub chosen: u64,
    /// Places that may come in.
    pub open: u64,
    /// How many the set has in the end.
    pub count: usize,
}

impl Partial {
    /// Returns this within the places that there are, and how many are to come; none where
    /// no set can become of it.
    fn within(self, len: usize) -> Option<(Self, usize)> {
        let chosen = self.chosen & places(len);
        let open = self.open & places(len) & !chosen;
        let more = self.count.checked_sub(chosen.count_ones() as usize)?;
        let within = Self {
            chosen,
            open,
            count: self.count,
        };
        (more <= open.count_ones() as usize).then_some((within, more))
    }
}

impl Nics {
    /// Returns a lower bound of [`Nics::alignment`] over all that two partial sets can
    /// become; none where they cannot become anything.
    ///
    /// All open NICs take GPUs, as if they were chosen, and those of the open GPUs come
    /// that fit best. So it is exact where no NIC is open. Takes as long as the alignment
    /// of all open ones.
    pub fn alignment_bound(&self, gpus: Partial, nics: Partial) -> Option<i64> {
        let (gpus, more) = gpus.within(self.gpus)?;
        let (nics, _) = nics.within(self.width)?;
        if gpus.count == 0 {
            return Some(0);
        }
        if nics.count == 0 {
            return Some(NO_NIC);
        }
        let capacity = gpus.count.div_ceil(nics.count);
        let members =
            |set: u64| -> Vec<usize> { (0..self.gpus).filter(|gpu| set >> gpu & 1 == 1).collect() };
        let (chosen, open) = (members(gpus.chosen), members(gpus.open));
        let mut assignment = self.assignment(nics.chosen | nics.open, capacity);
        for worst in 0..=FARTHEST {
            let level = u8::try_from(worst).unwrap_or(u8::MAX);
            if let Some(sum) = assignment.least(level, &chosen, &open, more) {
                return Some(worst * WORST + sum);
            }
        }
        // There is room for all, and no level is worse than the last.
        Some(NO_NIC)
    }

    /// Returns a lower bound of [`Nics::uplink_cost`] over all that a partial set can
    /// become; none where it cannot become anything.
    ///
    /// Each GPU that comes adds at most the NICs of its own that do not serve yet; so the
    /// rate is at most that of those with the most, and of all NICs that can serve at all.
    /// Exact where no GPU, or one, is to come. Takes a step per open GPU and its NICs.
    pub fn uplink_bound(&self, gpus: Partial) -> Option<i64> {
        let (gpus, more) = gpus.within(self.gpus)?;
        if gpus.count == 0 {
            return Some(0);
        }
        let serving = self.serving(gpus.chosen);
        let open = (0..self.gpus).filter(|gpu| gpus.open >> gpu & 1 == 1);
        let mut adds: Vec<u64> = open
            .map(|gpu| self.sum(self.serving(1 << gpu) & !serving))
            .collect();
        adds.sort_unstable_by_key(|&rate| Reverse(rate));
        let adds = adds.into_iter().take(more);
        let most = adds.fold(self.sum(serving), u64::saturating_add);
        let all = if more == 0 {
            most
        } else {
            self.sum(self.serving(gpus.chosen | gpus.open))
        };
        Some(cost::around(Ratio::whole(most.min(all))))
    }
}
