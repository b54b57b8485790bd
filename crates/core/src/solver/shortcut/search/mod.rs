//! [`Search`]: the first solution of a usual question, by going back and forth.

#[cfg(test)]
mod tests;

use super::bundles;
use super::cards;
use super::hall::{Matching, Need};
use super::narrow::settle;
use super::needs::{Mark, Needs};
use super::set::Set;
use super::{Choice, Shortcut};
use crate::budget::Meter;
use crate::outcome::{Reason, StopCause};
use crate::rules::MAX_DEVICES;
use crate::solver::parts::PartScratch;

/// Walks in canonical order, with an explicit stack.
///
/// After each pick it asks whether what is left can still be had, as far as
/// that can be told: values of constraints ([`settle`]), devices for all
/// requests ([`Matching`]), values for constraints that are alike
/// ([`bundles`]), counters ([`cards`]). Each of them lets through whatever has a solution, so that
/// the first one is the first in canonical order.
#[derive(Debug, Default)]
pub(super) struct Search {
    needs: Needs,
    matching: Matching,
    parts: PartScratch,
    levels: Vec<Level>,
    /// By request that has begun: where its picks begin.
    starts: Vec<usize>,
}

/// Is a choice that can be changed.
#[derive(Clone, Copy, Debug)]
struct Level {
    request: usize,
    kind: Kind,
    /// The next to try.
    next: usize,
    /// Devices of which nothing tells them apart from those that were tried.
    tried: Set,
    mark: Mark,
    picks: usize,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Which alternative; `next` is its place among the choices.
    Alternative,
    /// Which device for a choice.
    Device(usize),
}

/// Is what is asked, and where the answer is written down.
struct Question<'a> {
    shortcut: &'a Shortcut,
    /// By choice: the devices that nothing but other picks can keep away.
    candidates: &'a [Set],
    picks: &'a mut Vec<(usize, usize)>,
}

impl Search {
    /// Returns where to write down what is left of counters, before a search.
    pub(super) fn left_mut(&mut self) -> &mut Vec<i128> {
        &mut self.needs.left
    }

    /// Finds the first solution; returns nothing if it did, and why there is none
    /// otherwise. Each request has an alternative with enough candidates.
    pub(super) fn run(
        &mut self,
        shortcut: &Shortcut,
        candidates: &[Set],
        picks: &mut Vec<(usize, usize)>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Reason>, StopCause> {
        picks.clear();
        self.needs.reset(shortcut, candidates);
        self.matching.reset(shortcut.asks.len());
        self.levels.clear();
        self.starts.clear();
        if !self.matching.meets(&self.needs.of, &self.needs.gone) {
            return Ok(Some(Reason::Count));
        }
        let mut question = Question {
            shortcut,
            candidates,
            picks,
        };
        let places = 0..shortcut.attributes.len();
        let constraints = places.fold(0, |all, place| all | 1 << place);
        let found = self.is_open(&question, constraints, &Set::default(), meter)
            && self.walk(&mut question, meter)?;
        Ok((!found).then_some(Reason::Exhausted))
    }

    fn walk(
        &mut self,
        question: &mut Question<'_>,
        meter: &mut Meter<'_>,
    ) -> Result<bool, StopCause> {
        self.enter(question, 0);
        while let Some(level) = self.levels.last().copied() {
            self.needs.undo(level.mark);
            question.picks.truncate(level.picks);
            let goes_on = match level.kind {
                Kind::Alternative => self.next_alternative(question, level, meter),
                Kind::Device(place) => {
                    let Some(left) = self.next_device(question, level, place, meter)? else {
                        self.levels.pop();
                        continue;
                    };
                    if left > 0 {
                        self.push(question, level.request, Kind::Device(place), None);
                    } else if level.request + 1 == question.shortcut.asks.len() {
                        return Ok(true);
                    } else {
                        self.enter(question, level.request + 1);
                    }
                    true
                }
            };
            if !goes_on {
                self.levels.pop();
            }
        }
        Ok(false)
    }

    /// Begins with a request.
    fn enter(&mut self, question: &Question<'_>, request: usize) {
        self.starts.truncate(request);
        self.starts.push(question.picks.len());
        let ask = &question.shortcut.asks[request];
        let twin = self.twin(question, request);
        if ask.end - ask.first == 1 {
            let next = twin.map_or(0, |(_, device)| device + 1);
            self.push(question, request, Kind::Device(ask.first), Some(next));
        } else {
            let next = twin.map_or(ask.first, |(alternative, _)| ask.first + alternative);
            self.push(question, request, Kind::Alternative, Some(next));
        }
    }

    /// Returns the place of the alternative and the first device of the twin of a
    /// request.
    fn twin(&self, question: &Question<'_>, request: usize) -> Option<(usize, usize)> {
        let twin = question.shortcut.asks[request].twin?;
        let (place, device) = question.picks.get(*self.starts.get(twin)?)?;
        Some((place - question.shortcut.asks[twin].first, *device))
    }

    fn push(&mut self, question: &Question<'_>, request: usize, kind: Kind, next: Option<usize>) {
        let last = question.picks.last().map_or(0, |(_, device)| device + 1);
        self.levels.push(Level {
            request,
            kind,
            next: next.unwrap_or(last),
            tried: Set::default(),
            mark: self.needs.mark(),
            picks: question.picks.len(),
        });
    }

    fn go_on_from(&mut self, next: usize) {
        if let Some(level) = self.levels.last_mut() {
            level.next = next;
        }
    }

    /// Decides for the next alternative of a request; returns whether there is one.
    fn next_alternative(
        &mut self,
        question: &Question<'_>,
        level: Level,
        meter: &mut Meter<'_>,
    ) -> bool {
        let shortcut = question.shortcut;
        let ask = &shortcut.asks[level.request];
        for place in level.next..ask.end {
            let choice = &shortcut.choices[place];
            let candidates = &question.candidates[place];
            if !candidates.has(choice.needed) || self.is_too_much(question, level.request, choice) {
                continue;
            }
            let mut devices = *candidates;
            devices.subtract(&self.needs.gone);
            for constraint in &choice.constraints {
                let is_open = self.needs.started >> constraint & 1 == 0;
                let common = self.needs.common[*constraint];
                let shown = shortcut.shown_to(*constraint);
                // As long as nothing is picked or dropped, one device may have no value.
                if !is_open || common != shown.all() {
                    devices.intersect(&shown.with(common));
                }
            }
            self.needs.decide(level.request, choice, devices);
            let none = Set::default();
            if devices.has(choice.needed) && self.is_open(question, choice.under, &none, meter) {
                self.go_on_from(place + 1);
                let twin = self.twin(question, level.request);
                let same = twin.filter(|(alternative, _)| ask.first + alternative == place);
                let next = same.map_or(0, |(_, device)| device + 1);
                self.push(question, level.request, Kind::Device(place), Some(next));
                return true;
            }
            self.needs.undo(level.mark);
        }
        false
    }

    /// Returns whether an alternative is too much for its claim, beside what is
    /// picked for it and what its other requests want at least.
    fn is_too_much(&self, question: &Question<'_>, request: usize, choice: &Choice) -> bool {
        let shortcut = question.shortcut;
        if !shortcut.is_large {
            return false;
        }
        let is_same = |place: usize| shortcut.choices[place].claim == choice.claim;
        let picked = question.picks.iter().filter(|(place, _)| is_same(*place));
        let later = shortcut.asks.iter().zip(&self.needs.of).skip(request + 1);
        let later = later.filter(|(ask, _)| is_same(ask.first));
        let least: usize = later.map(|(_, need)| need.count).sum();
        picked.count() + choice.needed + least > MAX_DEVICES
    }

    /// Picks the next device; returns how many more are needed then, or nothing
    /// if there is none.
    ///
    /// Where nothing came of a device, nothing comes of one that nothing tells
    /// apart from it: in a first solution with the later one, the two could
    /// change places, and that would come before it.
    fn next_device(
        &mut self,
        question: &mut Question<'_>,
        level: Level,
        place: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<usize>, StopCause> {
        let mut rest = self.needs.of[level.request].devices;
        rest.subtract(&self.needs.gone);
        rest.subtract(&level.tried);
        rest.remove_below(level.next);
        let mut tried = level.tried;
        while let Some(device) = rest.next(level.next) {
            meter.branch()?;
            let same = question.shortcut.same_as(device);
            if self.pick(question, (level.request, place), device, meter) {
                tried.unite(same);
                if let Some(level) = self.levels.last_mut() {
                    level.tried = tried;
                }
                question.picks.push((place, device));
                return Ok(Some(self.needs.of[level.request].count));
            }
            self.needs.undo(level.mark);
            tried.unite(same);
            rest.subtract(same);
        }
        Ok(None)
    }

    /// Picks a device; returns whether something can come of it.
    fn pick(
        &mut self,
        question: &Question<'_>,
        (request, place): (usize, usize),
        device: usize,
        meter: &mut Meter<'_>,
    ) -> bool {
        let choice = &question.shortcut.choices[place];
        let mut lost = Set::default();
        lost.insert(device);
        if !self.join(question.shortcut, choice, device)
            || !self.take_counters(question.shortcut, device, &mut lost)
        {
            return false;
        }
        self.needs.lose(&lost);
        let need = self.needs.of[request];
        let mut rest = Need {
            count: need.count - 1,
            ..need
        };
        rest.devices.remove_below(device + 1);
        if rest.count == 0 {
            rest.devices = Set::default();
        }
        self.needs.set_need(request, rest);
        self.is_open(question, choice.under, &lost, meter)
    }

    /// Lets the constraints of a choice have the values of a device only.
    fn join(&mut self, shortcut: &Shortcut, choice: &Choice, device: usize) -> bool {
        for constraint in &choice.constraints {
            let shown = shortcut.shown_to(*constraint).shown[device];
            let common = self.needs.common[*constraint];
            let has_begun = self.needs.started >> constraint & 1 == 1;
            if has_begun && common & shown == 0 {
                return false;
            }
            if common & shown != common {
                self.needs.set_common(*constraint, common & shown);
            }
        }
        self.needs.start(choice.under);
        true
    }

    /// Takes what a device takes of counters, and adds the devices for which
    /// too little is left to those that are lost.
    fn take_counters(&mut self, shortcut: &Shortcut, device: usize, lost: &mut Set) -> bool {
        let Some(counters) = &shortcut.counters else {
            return true;
        };
        if !counters.users.contains(device) {
            return true;
        }
        if !counters.has_room(device, &self.needs.left) {
            return false;
        }
        for (counter, amount) in counters.of(device) {
            if self.needs.take(*counter as usize, *amount).is_none() {
                return false;
            }
        }
        let mut beside = *counters.beside(device);
        beside.subtract(&self.needs.gone);
        for other in beside.iter() {
            if !counters.has_room(other, &self.needs.left) {
                lost.insert(other);
            }
        }
        true
    }

    /// Returns whether what is left may have a solution; devices were lost, and
    /// constraints changed.
    fn is_open(
        &mut self,
        question: &Question<'_>,
        changed: u64,
        lost: &Set,
        meter: &mut Meter<'_>,
    ) -> bool {
        let shortcut = question.shortcut;
        self.look_at_undecided(question, lost)
            && settle(shortcut, &mut self.needs, changed, lost)
            && self.matching.meets(&self.needs.of, &self.needs.gone)
            && !bundles::are_short(shortcut, question.candidates, &self.needs, &self.matching)
            && self.counters_suffice(shortcut, meter)
    }

    fn counters_suffice(&mut self, shortcut: &Shortcut, meter: &mut Meter<'_>) -> bool {
        let counters = shortcut.counters.as_ref();
        let parts = counters.and_then(|counters| counters.parts());
        parts.is_none_or(|parts| cards::suffice(parts, &mut self.parts, &self.needs, meter))
    }

    /// Drops alternatives that have too few devices left, where none is decided
    /// for; returns whether each request has one.
    fn look_at_undecided(&mut self, question: &Question<'_>, lost: &Set) -> bool {
        let mut undecided = self.needs.undecided;
        while undecided != 0 {
            let request = undecided.trailing_zeros() as usize;
            undecided &= undecided - 1;
            let before = self.needs.of[request];
            let mut touched = before.devices;
            touched.intersect(lost);
            if touched.is_empty() {
                continue;
            }
            let ask = &question.shortcut.asks[request];
            let mut need = Need {
                count: usize::MAX,
                ..Need::default()
            };
            for place in ask.first..ask.end {
                let needed = question.shortcut.choices[place].needed;
                let mut candidates = question.candidates[place];
                candidates.subtract(&self.needs.gone);
                if candidates.has(needed) {
                    need.devices.unite(&candidates);
                    need.count = need.count.min(needed);
                }
            }
            if need.devices.is_empty() {
                return false;
            }
            need.devices.intersect(&before.devices);
            self.needs.set_need(request, need);
        }
        true
    }
}
