//! Rings of sets, computed once.

use std::sync::PoisonError;
use std::sync::atomic::Ordering;

use super::alike::Alike;
use super::{Table, members};
use crate::ratio::Ratio;
use crate::ring::{Exactness, Ring, ring};
use crate::watch::{Unwatched, Watch};

impl Table {
    /// Returns the rings of a set.
    pub fn ring(&self, set: u16) -> Ring {
        let Ok((rings, exact)) = self.rings_of(set, &mut Unwatched);
        let exactness = if exact {
            Exactness::Exact
        } else {
            Exactness::AtMost
        };
        Ring { rings, exactness }
    }

    /// Returns the rings of a set, and whether they are exact; of sets that look alike they
    /// are computed once.
    pub(super) fn rings_of<W: Watch>(
        &self,
        set: u16,
        watch: &mut W,
    ) -> Result<(Ratio, bool), W::Stop> {
        let Some(kept) = self.rings.get(usize::from(set)) else {
            return Ok((Ratio::ZERO, true));
        };
        if set.count_ones() == 2 {
            let (one, other) = (set.trailing_zeros(), set.ilog2());
            let links = self.shape.part.pair(one as usize, other as usize);
            return Ok((Ratio::whole(links), true));
        }
        // Whoever comes second finds the same: the value depends on the set alone.
        if let Some(known) = unpack(kept.load(Ordering::Relaxed)) {
            return Ok(known);
        }
        let alike = self.alike.get_or_init(|| Alike::new(&self.shape.part));
        let key = alike.as_ref().and_then(|alike| alike.key(set));
        let key = key.map(|key| (set.count_ones(), key));
        // Whoever watches may ask the same table: nothing is locked meanwhile.
        let known = || self.alike_rings.lock();
        let known = || known().unwrap_or_else(PoisonError::into_inner);
        let like = key.and_then(|key| known().get(&key).copied());
        let rings = if let Some(rings) = like {
            rings
        } else {
            let found = ring(&self.shape.part.of(&members(usize::from(set))), watch)?;
            let rings = (found.rings, found.exactness == Exactness::Exact);
            known().extend(key.map(|key| (key, rings)));
            rings
        };
        self.keep(set, rings);
        Ok(rings)
    }

    /// Keeps the rings of a set.
    fn keep(&self, set: u16, rings: (Ratio, bool)) {
        if let (Some(kept), Some(packed)) = (self.rings.get(usize::from(set)), pack(rings)) {
            kept.store(packed, Ordering::Relaxed);
        }
    }
}

const EXACT: u64 = 1 << 63;

/// Returns a value in one word; none where it does not fit.
fn pack((rings, exact): (Ratio, bool)) -> Option<u64> {
    let above = u64::from(u32::try_from(rings.numerator()).ok()?);
    let below = u64::from(
        u32::try_from(rings.denominator())
            .ok()
            .filter(|&below| below < 1 << 31)?,
    );
    Some(above | below << 32 | if exact { EXACT } else { 0 })
}

fn unpack(word: u64) -> Option<(Ratio, bool)> {
    let below = word >> 32 & 0x7fff_ffff;
    (below > 0).then(|| (Ratio::lowest(word & 0xffff_ffff, below), word & EXACT != 0))
}
