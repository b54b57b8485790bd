//! [`PartScratch`]: whether needs can be met, as far as parts can tell.

use std::sync::Arc;

use super::lanes::Lanes;
use super::memo::{Memo, State};
use super::needs::{Lanewise, Need};
use super::options::Options;
use super::table::{BITS, PartTable};
use crate::budget::Meter;

/// More labels than this are not kept apart.
const LABELS: usize = 256;

/// After so many comparisons labels are not kept apart any more.
const WORK: usize = 1 << 16;

/// After so many comparisons, which take as long as so many branches, deadline and
/// cancel flag may be looked at.
const COMPARISONS: usize = 1 << 10;
const EFFORT: u64 = 16;

/// So many parts that are only looked at take as long as a branch.
const PARTS: u64 = 8;

/// Is what is still wanted, and what is there for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'q> {
    /// What is left of each counter.
    pub(crate) left: &'q [i128],
    /// Words of devices that nobody can have; those that are missing are zero.
    pub(crate) away: &'q [u64],
    pub(crate) needs: &'q [Need<'q>],
}

/// Holds the memory of questions, and what parts can give as far as it is known.
#[derive(Debug, Default)]
pub(crate) struct PartScratch {
    /// Which table the memory is about.
    identity: Option<Arc<()>>,
    pub(super) needs: Lanewise,
    pub(super) memo: Memo,
    options: Options,
    /// By part: the entry of its last state.
    pub(super) last: Vec<usize>,
    masks: Vec<u64>,
    left: Vec<i128>,
    /// The entries of parts that can give something, those that are the same together.
    parts: Vec<usize>,
    /// By entry, while they are put together: the first part that has it.
    first: Vec<usize>,
    /// By part in that order, and at the end: what it and those after it give at most.
    rest: Vec<Lanes>,
    labels: Vec<Lanes>,
    next: Vec<Lanes>,
    pub(super) plain: Plain,
}

/// Holds how many devices in no part there are for each set of needs.
#[derive(Debug, Default)]
pub(super) struct Plain {
    /// By set of lanes, as bits: the devices that at least one of them can have.
    counts: Vec<usize>,
    unions: Vec<u64>,
    /// By lane alone.
    most: Lanes,
    any: bool,
}

impl Plain {
    fn set(&mut self, table: &PartTable, needs: &Lanewise) {
        self.counts.clear();
        self.most = Lanes::default();
        let has_plain = |lane| {
            let mut pairs = needs.words(lane).iter().zip(&*table.plain);
            pairs.any(|(bits, plain)| bits & plain != 0)
        };
        self.any = (0..needs.len()).any(has_plain);
        if !self.any {
            return;
        }
        let sets = 1_usize << needs.len();
        self.counts.resize(sets, 0);
        self.unions.clear();
        self.unions.resize(sets, 0);
        for (at, plain) in table
            .plain
            .iter()
            .enumerate()
            .filter(|(_, plain)| **plain != 0)
        {
            for set in 1..sets {
                // A set is a smaller one and its first lane.
                let (first, rest) = (set.trailing_zeros() as usize, set & (set - 1));
                let union = self.unions[rest] | needs.words(first)[at] & plain;
                self.unions[set] = union;
                self.counts[set] += union.count_ones() as usize;
            }
        }
        for lane in 0..needs.len() {
            let most = Lanes::at(lane, self.counts[1 << lane]);
            self.most = self.most.plus(most, Lanes::full());
        }
    }

    /// Returns whether the plain devices can serve what is wanted.
    ///
    /// By Hall's theorem, for needs that are served with numbers of devices:
    /// each set of needs must find as many devices as it wants together.
    fn serve(&self, wanted: Lanes) -> bool {
        if wanted.is_zero() {
            return true;
        }
        self.any
            && self.most.covers(wanted)
            && (1..self.counts.len()).all(|set| {
                let lanes = (0..Lanes::COUNT).filter(|lane| set >> lane & 1 == 1);
                lanes.map(|lane| wanted.get(lane)).sum::<usize>() <= self.counts[set]
            })
    }
}

impl PartScratch {
    /// Returns whether needs can be met, as far as this relaxation knows: `false`
    /// is a proof that they cannot. If it is stopped, it knows nothing.
    pub(crate) fn can_be_met(
        &mut self,
        table: &PartTable,
        question: &Question<'_>,
        meter: &mut Meter<'_>,
    ) -> bool {
        if meter.effort(1 + table.parts.len() as u64 / PARTS).is_err() {
            return true;
        }
        self.needs.set(question, table.plain.len(), Lanes::COUNT);
        let target = self.needs.target();
        if target.is_zero() {
            return true;
        }
        if !self.sums_suffice(table, question) {
            return false;
        }
        self.plain.set(table, &self.needs);
        !self.look(table, question, meter) || self.combine(target, meter)
    }

    /// Returns whether the counters that are left out suffice in sum.
    ///
    /// Admissible: each device of a need takes at least what its least candidate does.
    fn sums_suffice(&self, table: &PartTable, question: &Question<'_>) -> bool {
        table.relaxed.iter().all(|one| {
            let least = |lane: usize| {
                let words = self.needs.words(lane);
                let has = |device: usize| words[device / BITS] >> (device % BITS) & 1 == 1;
                let own = one
                    .takers
                    .iter()
                    .filter(|(device, _)| has(*device as usize));
                let (count, least) = own.fold((0, i128::MAX), |(count, least), (_, amount)| {
                    (count + 1, least.min(*amount))
                });
                let all: u32 = words.iter().map(|bits| bits.count_ones()).sum();
                if count < all as usize || count == 0 {
                    0
                } else {
                    least
                }
            };
            let taken = (0..self.needs.len()).try_fold(0_i128, |sum, lane| {
                let count = i128::try_from(self.needs.counts[lane]).ok()?;
                sum.checked_add(least(lane).checked_mul(count)?)
            });
            // Beyond all numbers nothing is said.
            let left = question.left.get(one.counter);
            taken
                .zip(left)
                .is_none_or(|(taken, left)| taken == 0 || taken <= *left)
        })
    }

    /// Finds what each part can give; returns whether it was not stopped.
    pub(super) fn look(
        &mut self,
        table: &PartTable,
        question: &Question<'_>,
        meter: &mut Meter<'_>,
    ) -> bool {
        let identity = self.identity.as_ref();
        let is_same = identity.is_some_and(|identity| Arc::ptr_eq(identity, &table.identity));
        self.memo.begin(!is_same);
        if !is_same {
            self.identity = Some(Arc::clone(&table.identity));
        }
        self.last.resize(table.parts.len(), usize::MAX);
        self.parts.clear();
        for (place, part) in table.parts.iter().enumerate() {
            if !self.needs.masks(part, &mut self.masks) {
                continue;
            }
            self.left.clear();
            let counters = part.counters.iter();
            let left = |counter: &u32| question.left.get(*counter as usize).copied();
            self.left
                .extend(counters.map(|counter| left(counter).unwrap_or(i128::MAX)));
            let state = State {
                kind: part.kind,
                masks: &self.masks,
                left: &self.left,
            };
            if !self.memo.is_of(self.last[place], state) {
                self.last[place] = match self.memo.find(state) {
                    Ok(entry) => entry,
                    Err(slot) => {
                        let kind = &table.kinds[part.kind];
                        let options = self.options.maximal(kind, state.masks, state.left, meter);
                        // What was cut short is not kept: other calls would find it.
                        let Some(options) = options else {
                            return false;
                        };
                        self.memo.add(state, slot, options)
                    }
                };
            }
            self.parts.push(self.last[place]);
        }
        true
    }

    /// Makes parts in one state follow each other, so that their sums are alike; which
    /// number an entry has, by what was asked before, does not matter.
    fn put_together(&mut self) {
        for (place, entry) in self.parts.iter().enumerate() {
            if self.first.len() <= *entry {
                self.first.resize(*entry + 1, usize::MAX);
            }
            self.first[*entry] = self.first[*entry].min(place);
        }
        let first = &mut self.first;
        self.parts.sort_unstable_by_key(|entry| first[*entry]);
        for entry in &self.parts {
            first[*entry] = usize::MAX;
        }
    }

    /// Returns whether vectors of the parts and plain devices add up to a target.
    ///
    /// Labels are sums of vectors of the parts so far, cut off at the target;
    /// those that others cover lead nowhere that the others do not.
    fn combine(&mut self, target: Lanes, meter: &mut Meter<'_>) -> bool {
        self.put_together();
        self.rest.clear();
        self.rest.resize(self.parts.len() + 1, Lanes::default());
        for (place, entry) in self.parts.iter().enumerate().rev() {
            self.rest[place] = self.memo.most(*entry).plus(self.rest[place + 1], target);
        }
        let plain = self.plain.most.least(target);
        if !self.rest[0].plus(plain, target).covers(target) {
            return false;
        }
        self.labels.clear();
        self.labels.push(Lanes::default());
        let (mut work, mut looked) = (0, 0);
        for (place, entry) in self.parts.iter().enumerate() {
            let beyond = self.rest[place + 1].plus(plain, target);
            self.next.clear();
            for label in &self.labels {
                if work - looked > COMPARISONS {
                    looked = work;
                    if meter.effort(EFFORT).is_err() {
                        return true;
                    }
                }
                for option in self.memo.options(*entry) {
                    let sum = label.plus(*option, target);
                    if sum == target {
                        return true;
                    }
                    work += 1 + self.next.len();
                    if !sum.plus(beyond, target).covers(target)
                        || self.next.iter().any(|other| other.covers(sum))
                    {
                        continue;
                    }
                    self.next.retain(|other| !sum.covers(*other));
                    self.next.push(sum);
                    if self.next.len() > LABELS || work > WORK {
                        let most = self.next.iter().fold(sum, |most, one| most.most(*one));
                        self.next.clear();
                        self.next.push(most);
                    }
                }
            }
            std::mem::swap(&mut self.labels, &mut self.next);
            if self.labels.is_empty() {
                return false;
            }
        }
        self.labels
            .iter()
            .any(|label| self.plain.serve(target.minus(*label)))
    }
}
