//! [`ManyWalk`]: finds the first solution among many devices.

use super::ManyQuestion;
use super::fits::has_room;
use super::left::Left;
use super::question::Place;
use crate::budget::Meter;
use crate::outcome::Reason;
use crate::solver::search::FIRST_TRY;
use crate::solver::shortcut::Short;
use crate::state::HeldDevice;

/// Holds the memory of walks, and the picks of the last one.
#[derive(Debug, Default)]
pub(crate) struct ManyWalk {
    pub(super) left: Left,
    /// What the picks have in common: parts of `values`, by constraint; in the
    /// search of one request by level and constraint.
    pub(super) common: Vec<Option<Common>>,
    values: Vec<u32>,
    /// Where each level goes on.
    pub(super) next: Vec<usize>,
    /// Place of the request and device.
    pub(super) picks: Vec<(usize, usize)>,
    pub(super) branches: u64,
    /// By request: its first pick, and the branches before it.
    firsts: Vec<(usize, u64)>,
}

/// Is where the values that picks have in common start and end.
pub(super) type Common = (usize, usize);

/// Nothing is known: the search has to answer, unless the walk was stopped.
#[derive(Debug)]
pub(super) struct Lost;

impl ManyWalk {
    /// Returns place of the request and device of each pick, in order.
    pub(crate) fn picks(&self) -> &[(usize, usize)] {
        &self.picks
    }

    /// Answers a question as the search would, or gives up.
    pub(crate) fn answer(&mut self, question: &ManyQuestion<'_>, meter: &mut Meter<'_>) -> Short {
        self.start(question);
        let Ok(answer) = self.walk(question, meter) else {
            return match meter.ended() {
                Some(cause) => Short::Stopped(cause),
                None => Short::Unsure,
            };
        };
        // What the search counts on its way to the same place.
        for _ in 0..self.branches {
            if let Err(cause) = meter.branch() {
                return Short::Stopped(cause);
            }
        }
        match answer {
            None => Short::First,
            Some(_) if question.has_invalid_pool => Short::Unsure,
            Some(reason) => Short::Infeasible(reason),
        }
    }

    /// Forgets the last walk.
    pub(super) fn start(&mut self, question: &ManyQuestion<'_>) {
        self.left.start(question);
        self.common.clear();
        self.values.clear();
        self.next.clear();
        self.picks.clear();
        self.branches = 0;
    }

    /// Returns nothing if it found a solution.
    fn walk(
        &mut self,
        question: &ManyQuestion<'_>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Reason>, Lost> {
        if let [one] = question.requests() {
            return self.search(question, meter, one);
        }
        if self.descend(question, meter)? {
            return Ok(None);
        }
        // Requests that find too few for themselves are looked at first.
        self.branches = 0;
        self.hopeless(question, meter)?.ok_or(Lost).map(Some)
    }

    /// Returns the first request that finds too few devices for itself.
    pub(super) fn hopeless(
        &mut self,
        question: &ManyQuestion<'_>,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Reason>, Lost> {
        for (place, request) in question.requests().iter().enumerate() {
            if !self.has_enough(question, meter, place, 0, request.needed)? {
                let (claim, request) = (request.claim, request.place);
                return Ok(Some(Reason::Request { claim, request }));
            }
        }
        Ok(None)
    }

    /// Returns whether a request has so many candidates from a device on.
    pub(super) fn has_enough(
        &mut self,
        question: &ManyQuestion<'_>,
        meter: &mut Meter<'_>,
        request: usize,
        start: usize,
        needed: usize,
    ) -> Result<bool, Lost> {
        let mut next = start;
        for _ in 0..needed {
            match self.next_candidate(question, meter, request, next)? {
                Some(device) => next = device + 1,
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Returns the first device from a place on that nothing but other picks
    /// can keep away.
    pub(super) fn next_candidate(
        &mut self,
        question: &ManyQuestion<'_>,
        meter: &mut Meter<'_>,
        request: usize,
        start: usize,
    ) -> Result<Option<usize>, Lost> {
        let mut next = start;
        while let Some(device) = question.next(request, next, meter)? {
            if meter.effort(1).is_err() {
                return Err(Lost);
            }
            let place = question.place(device);
            if !question.draws(place) {
                return Ok(Some(device));
            }
            if self.left.is_used_up(place, question) {
                next = question.after_pool(device);
                continue;
            }
            if self.has_counters(question, place)? {
                return Ok(Some(device));
            }
            next = device + 1;
        }
        Ok(None)
    }

    /// Returns whether what is held leaves a device to a request.
    pub(super) fn is_free(
        &mut self,
        question: &ManyQuestion<'_>,
        meter: &mut Meter<'_>,
        request: usize,
        place: Place,
    ) -> Result<bool, Lost> {
        Ok(question.fits(request, place, meter)? && self.has_counters(question, place)?)
    }

    /// Returns whether what is held leaves enough of the counters of a device.
    fn has_counters(&mut self, question: &ManyQuestion<'_>, place: Place) -> Result<bool, Lost> {
        // If it is shared they are paid, but those of its pool must be known.
        Ok(self.left.had_room(place, question)? || !question.pays(place))
    }

    /// Picks the first devices that fit; returns false where there are none.
    ///
    /// A solution that is found without going back is the first. The bounds of
    /// the search refuse nothing on the way to it, since they are admissible,
    /// so that the search counts the same branches.
    fn descend(
        &mut self,
        question: &ManyQuestion<'_>,
        meter: &mut Meter<'_>,
    ) -> Result<bool, Lost> {
        self.common.resize(question.constraints(), None);
        self.firsts.clear();
        for (place, request) in question.requests().iter().enumerate() {
            let equal = question.equal_before(place);
            let (mut next, passed) = equal.map_or((0, 0), |other| self.firsts[other]);
            self.pass(passed)?;
            let mut needed = request.needed;
            let mut first = None;
            let before = self.branches - passed;
            while needed > 0 {
                let Some(device) = self.next_candidate(question, meter, place, next)? else {
                    return Ok(false);
                };
                next = device + 1;
                let is_taken = self.picks.iter().any(|(_, other)| *other == device);
                if is_taken && !question.is_shareable(question.place(device)) {
                    continue;
                }
                let counted = self.branches - before;
                self.count()?;
                if self.pick(question, place, device, is_taken)? {
                    needed -= 1;
                    first.get_or_insert((device, counted));
                }
            }
            self.firsts.push(first.unwrap_or_default());
        }
        Ok(true)
    }

    /// Counts the branches that the search takes to come to where an equal request began.
    fn pass(&mut self, branches: u64) -> Result<(), Lost> {
        self.branches += branches;
        if self.branches > FIRST_TRY {
            return Err(Lost);
        }
        Ok(())
    }

    /// Picks a device if what is picked allows it.
    fn pick(
        &mut self,
        question: &ManyQuestion<'_>,
        request: usize,
        device: usize,
        is_taken: bool,
    ) -> Result<bool, Lost> {
        let place = question.place(device);
        let shareable = question.is_shareable(place);
        let is_paid = is_taken || !question.draws(place) || !question.pays(place);
        if !is_paid && !self.left.has_room(place, question)? {
            return Ok(false);
        }
        let constraints = || question.request(request).constraints.iter().copied();
        let agrees = |constraint: usize| {
            let shown = question.shown(constraint, device);
            self.agrees(self.common[constraint], shown)
        };
        if !constraints().all(agrees) {
            return Ok(false);
        }
        if shareable && is_taken {
            let picks = self.picks.iter().filter(|(_, other)| *other == device);
            let taken = picks.map(|(other, _)| question.amounts_of(*other, place));
            let (entry, held) = (question.entry(place), question.held(place));
            if !has_room(entry, question.amounts_of(request, place), held, &taken) {
                return Ok(false);
            }
        }
        for constraint in constraints() {
            let shown = question.shown(constraint, device);
            self.common[constraint] = Some(self.join(self.common[constraint], shown));
        }
        if !is_paid {
            self.left.take(place, false, question)?;
        }
        self.picks.push((request, device));
        Ok(true)
    }

    /// Returns whether a device shows something that the picks have in common.
    pub(super) fn agrees(&self, common: Option<Common>, shown: &[u32]) -> bool {
        common.is_none_or(|(first, end)| {
            let mut common = self.values[first..end].iter();
            common.any(|value| shown.contains(value))
        })
    }

    /// Writes down what is in common after a pick.
    pub(super) fn join(&mut self, common: Option<Common>, shown: &[u32]) -> Common {
        let start = self.values.len();
        match common {
            None => self.values.extend_from_slice(shown),
            Some((first, end)) => {
                for place in first..end {
                    let value = self.values[place];
                    if shown.contains(&value) {
                        self.values.push(value);
                    }
                }
            }
        }
        (start, self.values.len())
    }

    /// Returns one of the values that picks have in common.
    pub(super) fn value(&self, place: usize) -> u32 {
        self.values[place]
    }

    /// Forgets what picks from a level on have in common.
    pub(super) fn forget_from(&mut self, level: usize) {
        if let Some((first, _)) = self.common.get(level).copied().flatten() {
            self.values.truncate(first);
        }
        self.common.truncate(level);
    }

    /// Counts a branch; after as many the search looks at errors first.
    pub(super) fn count(&mut self) -> Result<(), Lost> {
        self.branches += 1;
        if self.branches > FIRST_TRY {
            return Err(Lost);
        }
        Ok(())
    }
}

impl ManyQuestion<'_> {
    /// Returns an earlier request that asks for the same.
    ///
    /// What it was refused is refused to the later one, too: picks leave less and
    /// have less in common the more they are, and who could not have a device
    /// before has it no more.
    fn equal_before(&self, place: usize) -> Option<usize> {
        let request = self.request(place);
        let is_equal = |other: &usize| {
            self.request(*other).constraints == request.constraints && self.are_alike(*other, place)
        };
        (0..place).rev().find(is_equal)
    }

    /// Returns whether two requests have the same candidates, and take the same of them.
    pub(super) fn are_alike(&self, one: usize, other: usize) -> bool {
        let mut parts = self.parts.iter().map(|part| &part.many.requests);
        parts.all(|requests| requests[one].class == requests[other].class)
    }

    /// Returns whether a device takes counters; if a share of it is held, they
    /// are paid.
    pub(super) fn pays(&self, place: Place) -> bool {
        let is_shared = self.held(place).is_some_and(HeldDevice::is_shared);
        !(is_shared && self.is_shareable(place))
    }
}
