//! [`Verdicts`]: what selectors say of slices, evaluated once.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use super::evaluator::{Effort, Evaluator};
use super::projection::Projections;
use super::slice_verdicts::SliceVerdicts;
use crate::bitmap::Bitmap;
use crate::claims::{ExpressionId, PreparedClaims};
use crate::error::Error;
use crate::model::Str;
use crate::outcome::StopCause;
use crate::store::{NodeView, StoredSlice};

/// With more selectors than this, all verdicts are forgotten.
const MAX_SELECTORS: usize = 4096;

/// With more words of 8 bytes than this (128 MiB), all verdicts are forgotten.
const MAX_WEIGHT: usize = if cfg!(test) { 1 << 17 } else { 1 << 24 };

/// Slices that are gone are looked for when there are twice as many as after
/// the last look, and more than this.
const MIN_SLICES: usize = 64;

/// Is a selector: minor version of Kubernetes, whether the dialect is the
/// relaxed one, and the text.
type Key = (u32, bool, Str);

/// Keeps what each selector says of the devices of each slice.
///
/// A verdict depends on the text of the expression, the language that it is
/// in and the content of the slice, and on nothing else. It is found when it is first asked for, device
/// by device.
#[derive(Debug, Default)]
pub(crate) struct Verdicts {
    numbers: BTreeMap<Key, u32>,
    /// By number.
    selectors: Vec<Projections>,
    /// Numbers of the expressions of the claims that were asked about last.
    last: Option<(PreparedClaims, Vec<u32>)>,
    /// By revision.
    slices: BTreeMap<u64, OfSlice>,
    /// Slices at which those that are gone are looked for.
    limit: usize,
    /// Memory of all verdicts, in words and roughly.
    weight: usize,
    effort: Effort,
    asked: Vec<u64>,
}

/// Is what is known of one slice.
#[derive(Debug)]
struct OfSlice {
    /// Revisions are counted by each engine for itself: the slice must be the same, too.
    stored: Weak<StoredSlice>,
    /// By the number of the selector.
    verdicts: Vec<(u32, SliceVerdicts)>,
}

/// Is what the selectors of a request say of the devices of a node.
#[derive(Debug)]
pub(crate) struct Selected {
    /// Devices that all selectors match.
    pub(crate) matches: Bitmap,
    /// Devices on which a selector fails before another says no.
    pub(crate) failing: Bitmap,
    /// Their errors, in order, with the place of the selector.
    pub(crate) errors: Vec<(usize, usize, Arc<Error>)>,
}

/// Is told of each evaluation and its worth in branches of a search, and may stop it.
///
/// What was evaluated before counts as if it were evaluated again, so that the
/// end of a budget of branches does not depend on what is known; only an
/// evaluation that is worth less than a branch may go unmentioned then.
pub(crate) type Charge<'a> = dyn FnMut(u64) -> Result<(), StopCause> + 'a;

impl Verdicts {
    /// Returns what selectors say of all devices of a node, each asked only
    /// where those before it match.
    ///
    /// # Errors
    ///
    /// If it is stopped; what was found out is kept.
    pub(crate) fn select(
        &mut self,
        claims: &PreparedClaims,
        selectors: &[ExpressionId],
        view: &NodeView,
        charge: &mut Charge<'_>,
    ) -> Result<Selected, StopCause> {
        self.forget();
        self.number(claims);
        let devices = view.devices.len();
        if selectors.is_empty() {
            return Ok(Selected {
                matches: Bitmap::full(devices),
                failing: Bitmap::new(devices),
                errors: Vec::new(),
            });
        }
        let mut selected = Selected {
            matches: Bitmap::new(devices),
            failing: Bitmap::new(devices),
            errors: Vec::new(),
        };
        let mut first = 0;
        while let Some(entry) = view.devices.get(first) {
            self.ask(
                claims,
                selectors,
                &entry.stored,
                charge,
                |device, place, error| {
                    selected.failing.insert(first + device);
                    selected
                        .errors
                        .push((first + device, place, Arc::clone(error)));
                },
            )?;
            selected.matches.insert_words(first, &self.asked);
            first += entry.stored.devices.len();
        }
        selected.errors.sort_by_key(|(device, ..)| *device);
        Ok(selected)
    }

    /// Returns which devices of a slice match all selectors, as words.
    ///
    /// # Errors
    ///
    /// If it is stopped; what was found out is kept.
    pub(crate) fn of_slice(
        &mut self,
        claims: &PreparedClaims,
        selectors: &[ExpressionId],
        stored: &Arc<StoredSlice>,
        charge: &mut Charge<'_>,
    ) -> Result<&[u64], StopCause> {
        self.forget();
        self.number(claims);
        self.ask(claims, selectors, stored, charge, |_, _, _| {})?;
        Ok(&self.asked)
    }

    /// Leaves those devices of a slice in `asked` that all selectors match.
    fn ask(
        &mut self,
        claims: &PreparedClaims,
        selectors: &[ExpressionId],
        stored: &Arc<StoredSlice>,
        charge: &mut Charge<'_>,
        mut failing: impl FnMut(usize, usize, &Arc<Error>),
    ) -> Result<(), StopCause> {
        let devices = stored.devices.len();
        fill(&mut self.asked, devices);
        let of_slice = self
            .slices
            .entry(stored.revision)
            .or_insert_with(|| OfSlice::new(stored));
        if !std::ptr::eq(of_slice.stored.as_ptr(), Arc::as_ptr(stored)) {
            self.weight = self.weight.saturating_sub(of_slice.weight());
            *of_slice = OfSlice::new(stored);
        }
        let numbers = self.last.as_ref().map_or(&[][..], |(_, numbers)| numbers);
        for (place, id) in selectors.iter().enumerate() {
            if self.asked.iter().all(|word| *word == 0) {
                break;
            }
            let number = numbers[id.index()];
            let verdicts = of_slice.of_selector(number, devices, &mut self.weight);
            let branches = verdicts.branches(&self.asked);
            if branches > 0 {
                charge(branches)?;
            }
            let first =
                (0..self.asked.len()).find(|word| verdicts.unknown(*word, &self.asked) != 0);
            if let Some(word) = first {
                let expression = claims.expression(*id);
                let projections = &mut self.selectors[number as usize];
                let evaluator = Evaluator::new(expression, stored, projections, &mut self.effort);
                let before = verdicts.weight();
                let done = complete(verdicts, word, &self.asked, evaluator, charge);
                self.weight += verdicts.weight().saturating_sub(before);
                done?;
            }
            verdicts.keep_matches(&mut self.asked, |device, error| {
                failing(device, place, error);
            });
        }
        Ok(())
    }

    /// Gives numbers to the expressions of claims, unless they are those of the last call.
    fn number(&mut self, claims: &PreparedClaims) {
        if self
            .last
            .as_ref()
            .is_some_and(|(last, _)| last.is_same(claims))
        {
            return;
        }
        let mut numbers = Vec::with_capacity(claims.expressions().len());
        let features = claims.features();
        for expression in claims.expressions() {
            let source = expression.source.clone();
            let key = (
                features.kubernetes_minor,
                features.relaxed_selectors,
                source,
            );
            let known = self.numbers.get(&key).copied();
            let number = known.unwrap_or_else(|| {
                // There are a few thousand at most.
                let next = u32::try_from(self.selectors.len()).unwrap_or(u32::MAX);
                self.numbers.insert(key, next);
                self.selectors.push(Projections::default());
                next
            });
            numbers.push(number);
        }
        self.last = Some((claims.clone(), numbers));
    }

    /// Forgets slices that are gone, or all if there is too much.
    fn forget(&mut self) {
        if self.selectors.len() > MAX_SELECTORS || self.weight + self.effort.weight > MAX_WEIGHT {
            let evaluations = self.effort.evaluations;
            *self = Self::default();
            self.effort.evaluations = evaluations;
        }
        if self.slices.len() > self.limit.max(MIN_SLICES) {
            let weight = &mut self.weight;
            self.slices.retain(|_, of_slice| {
                let is_there = of_slice.stored.strong_count() > 0;
                if !is_there {
                    *weight = weight.saturating_sub(of_slice.weight());
                }
                is_there
            });
            self.limit = 2 * self.slices.len();
        }
    }
}

#[cfg(test)]
impl Verdicts {
    /// Returns how often a device was evaluated.
    pub(crate) fn evaluations(&self) -> u64 {
        self.effort.evaluations
    }

    /// Returns the number of slices, and the memory of their verdicts.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.slices.len(), self.weight)
    }

    /// Returns the number of projections of all selectors.
    pub(super) fn projections(&self) -> usize {
        self.selectors.iter().map(Projections::len).sum()
    }

    pub(super) fn selectors(&self) -> usize {
        self.selectors.len()
    }
}

/// Evaluates an expression on the devices asked about that are not known, from
/// a word on.
fn complete(
    verdicts: &mut SliceVerdicts,
    first: usize,
    asked: &[u64],
    mut evaluator: Evaluator<'_>,
    charge: &mut Charge<'_>,
) -> Result<(), StopCause> {
    for word in first..asked.len() {
        let mut unknown = verdicts.unknown(word, asked);
        while unknown != 0 {
            let device = word * 64 + unknown.trailing_zeros() as usize;
            unknown &= unknown - 1;
            let judged = evaluator.judge(device);
            let branches = judged.branches;
            verdicts.insert(device, judged);
            charge(branches)?;
        }
    }
    Ok(())
}

impl OfSlice {
    fn new(stored: &Arc<StoredSlice>) -> Self {
        Self {
            stored: Arc::downgrade(stored),
            verdicts: Vec::new(),
        }
    }

    /// Returns the verdicts of a selector; their weight is added if they are new.
    fn of_selector(
        &mut self,
        number: u32,
        devices: usize,
        weight: &mut usize,
    ) -> &mut SliceVerdicts {
        let place = self
            .verdicts
            .binary_search_by_key(&number, |(number, _)| *number);
        let place = place.unwrap_or_else(|place| {
            let verdicts = SliceVerdicts::new(devices);
            *weight += verdicts.weight();
            self.verdicts.insert(place, (number, verdicts));
            place
        });
        &mut self.verdicts[place].1
    }

    fn weight(&self) -> usize {
        self.verdicts
            .iter()
            .map(|(_, verdicts)| verdicts.weight())
            .sum()
    }
}

/// Sets the first bits of words, and no others.
fn fill(words: &mut Vec<u64>, bits: usize) {
    words.clear();
    words.resize(bits.div_ceil(64), !0);
    if let (Some(last), rest @ 1..) = (words.last_mut(), bits % 64) {
        *last = (1 << rest) - 1;
    }
}
