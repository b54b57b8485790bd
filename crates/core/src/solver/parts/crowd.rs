//! [`Crowd`]: many plain devices of which the number that is picked counts.

use std::ops::Range;

use super::PartCost;
use super::lanes::Lanes;
use super::needs::Lanewise;
use super::table::{BITS, PartTable};
use super::terms::Terms;
use crate::budget::Meter;
use crate::outcome::StopCause;

/// More vectors of a crowd are not looked at.
const VECTORS: usize = 1 << 10;

/// Is a group that is too large for a part, of devices that share no counters.
#[derive(Debug)]
pub(super) struct Crowd {
    pub(super) group: usize,
    /// The word of the first device.
    first: usize,
    words: Box<[u64]>,
}

impl Crowd {
    /// Makes a crowd of a group, if all its devices are among those in no part and in
    /// no crowd; they are taken out of those.
    pub(super) fn new(group: usize, devices: &[u32], plain: &mut [u64]) -> Option<Self> {
        let place = |device: u32| (device as usize / BITS, 1_u64 << (device as usize % BITS));
        let is_plain = |device: &u32| {
            let (word, bit) = place(*device);
            plain.get(word).is_some_and(|plain| plain & bit != 0)
        };
        if !devices.iter().all(is_plain) {
            return None;
        }
        let first = place(*devices.iter().min()?).0;
        let last = place(*devices.iter().max()?).0;
        let mut words = vec![0; last + 1 - first];
        for device in devices {
            let (word, bit) = place(*device);
            words[word - first] |= bit;
            plain[word] &= !bit;
        }
        Some(Self {
            group,
            first,
            words: words.into(),
        })
    }

    /// Returns the memory that it takes, in words of 8 bytes and roughly.
    pub(super) fn weight(&self) -> usize {
        4 + self.words.len()
    }

    fn devices(&self, needs: &Lanewise, mut each: impl FnMut(usize)) -> Lanes {
        let mut most = [0_usize; Lanes::COUNT];
        for (at, own) in (self.first..).zip(&self.words) {
            let mut devices = 0;
            for (lane, most) in most.iter_mut().enumerate().take(needs.len()) {
                let bits = needs.words(lane)[at] & own;
                *most += bits.count_ones() as usize;
                devices |= bits;
            }
            while devices != 0 {
                each(at * BITS + devices.trailing_zeros() as usize);
                devices &= devices - 1;
            }
        }
        let most = most.iter().enumerate();
        most.fold(Lanes::default(), |all, (lane, most)| {
            all.most(Lanes::at(lane, *most))
        })
    }
}

/// Adds what crowds can give: their cheapest devices, whichever needs they serve, and
/// what so many of them cost beside each alone.
///
/// Admissible: of a number of devices the cheapest cost least, and which of them can
/// serve which need is left out; with one need it is exact.
///
/// # Errors
///
/// If it is stopped.
pub(super) fn add<C: PartCost>(
    table: &PartTable,
    needs: &Lanewise,
    terms: &mut Terms<'_, C>,
    meter: &mut Meter<'_>,
) -> Result<(), StopCause> {
    let target = terms.target;
    let mut made: Vec<Range<usize>> = Vec::new();
    for crowd in &table.crowds {
        let mut costs: Vec<C::Cost> = Vec::new();
        let most = crowd.devices(needs, |device| costs.push(terms.cost.of_plain(device)));
        meter.effort(1 + costs.len() as u64)?;
        let most = most.least(target);
        let wanted = (0..needs.len()).map(|lane| most.get(lane));
        let vectors = wanted.clone().map(|most| most + 1);
        if vectors.fold(1, usize::saturating_mul) > VECTORS {
            terms.slack = terms.slack.plus(most, target);
            continue;
        }
        costs.sort_unstable();
        costs.truncate(wanted.sum());
        let mut sum = terms.cost.zero();
        let mut sums = vec![sum.clone()];
        for (count, cost) in (1..).zip(&costs) {
            sum = terms.cost.add(&sum, cost);
            let together = terms.cost.of_crowd(crowd.group, count);
            sums.push(terms.cost.add(&sum, &together));
        }
        let mut given = vec![(Lanes::default(), 0)];
        for lane in 0..needs.len() {
            for place in 0..given.len() {
                let (lanes, count) = given[place];
                let more = most.get(lane).min(costs.len() - count);
                let more = 1..=more;
                given.extend(more.map(|more| {
                    let lanes = lanes.plus(Lanes::at(lane, more), Lanes::full());
                    (lanes, count + more)
                }));
            }
        }
        meter.effort(1 + given.len() as u64 / 8)?;
        let options = given.iter();
        let options = options.map(|(lanes, count)| (*lanes, sums[*count].clone()));
        let options: Vec<_> = options.collect();
        let known = made.iter().find(|range| terms.is_same(range, &options));
        if let Some(range) = known {
            terms.order.push(range.clone());
        } else {
            terms.add_options(options);
            made.extend(terms.order.last().cloned());
        }
    }
    Ok(())
}
