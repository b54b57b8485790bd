//! [`Walk`]: finds the first solution of a usual question.

use super::set::Set;
use super::{Choice, Run, Shortcut, Values};
use crate::outcome::{Reason, StopCause};
use crate::solver::FIRST_TRY;
use crate::solver::budget::Meter;
use crate::state::Draft;

/// Holds the memory of walks, and the picks of the last one.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    /// By choice, without what is held.
    candidates: Vec<Set>,
    /// What is left of counters.
    left: Vec<i128>,
    /// What the picks have in common, by constraint; in the search of one
    /// request by level and constraint.
    common: Vec<Option<u64>>,
    /// Where each level goes on.
    next: Vec<usize>,
    picks: Vec<(usize, usize)>,
    branches: u64,
}

/// Is what a walk came to.
pub(crate) enum Short {
    /// The first solution: the picks of the walk.
    First,
    Infeasible(Reason),
    Stopped(StopCause),
    /// Only the search knows.
    Unsure,
}

/// Nothing is known: the search has to answer.
struct Lost;

impl Walk {
    /// Returns place of the choice and device of each pick, in order.
    pub(crate) fn picks(&self) -> &[(usize, usize)] {
        &self.picks
    }

    /// Answers a question as the search would, or gives up.
    pub(crate) fn answer(
        &mut self,
        shortcut: &Shortcut,
        held: &Draft,
        meter: &mut Meter<'_>,
    ) -> Short {
        self.picks.clear();
        self.branches = 0;
        let Ok(answer) = self.walk(shortcut, held) else {
            return Short::Unsure;
        };
        // What the search counts on its way to the same place.
        if let Err(cause) = meter.branches(self.branches) {
            return Short::Stopped(cause);
        }
        match answer {
            None => Short::First,
            Some(_) if shortcut.has_invalid_pool => Short::Unsure,
            Some(reason) => Short::Infeasible(reason),
        }
    }

    /// Returns nothing if it found a solution.
    fn walk(&mut self, shortcut: &Shortcut, held: &Draft) -> Result<Option<Reason>, Lost> {
        self.look(shortcut, held)?;
        for (request, start) in requests(&shortcut.choices) {
            let mut choices = request.iter().zip(&self.candidates[start..]);
            if !choices.any(|(choice, candidates)| candidates.len() >= choice.needed) {
                let Choice { claim, request, .. } = request[0];
                return Ok(Some(Reason::Request { claim, request }));
            }
        }
        match (&*shortcut.choices, &shortcut.counters) {
            ([one], None) if one.constraints.is_empty() => {
                self.take_first(one.needed);
                Ok(None)
            }
            ([one], None) => self.search(one, &shortcut.constraints),
            _ => self.descend(shortcut).map(|()| None),
        }
    }

    /// Leaves the devices that nothing but other picks can keep away.
    fn look(&mut self, shortcut: &Shortcut, held: &Draft) -> Result<(), Lost> {
        let mut away = Run::held(&shortcut.runs, held);
        if let Some(counters) = &shortcut.counters {
            counters.leave(held, &mut self.left).ok_or(Lost)?;
            let mut users = counters.users;
            users.subtract(&away);
            for device in users.iter() {
                if !counters.has_room(device, &self.left) {
                    away.insert(device);
                }
            }
        }
        self.candidates.clear();
        let choices = shortcut.choices.iter();
        self.candidates.extend(choices.map(|choice| {
            let mut candidates = choice.candidates;
            candidates.subtract(&away);
            candidates
        }));
        Ok(())
    }

    /// Picks the first candidates of the only request, of which there are enough:
    /// nothing but their number decides, so that each branch is a pick.
    fn take_first(&mut self, needed: usize) {
        let picks = self.candidates[0].iter().map(|device| (0, device));
        self.picks.extend(picks.take(needed));
        self.branches = needed as u64;
    }

    /// Picks the first devices that fit, and gives up where there are none.
    ///
    /// A solution that is found without going back is the first. The bounds of
    /// the search refuse nothing on the way to it, since they are admissible,
    /// so that the search counts the same branches. It does not begin with an
    /// alternative that has too few devices left.
    fn descend(&mut self, shortcut: &Shortcut) -> Result<(), Lost> {
        self.common.clear();
        self.common.resize(shortcut.constraints.len(), None);
        let mut taken = Set::default();
        for (request, start) in requests(&shortcut.choices) {
            let mut choices = request.iter().zip(start..).map(|(choice, place)| {
                let mut candidates = self.candidates[place];
                candidates.subtract(&taken);
                (place, choice, candidates)
            });
            let enough =
                |(_, choice, candidates): &(usize, &Choice, Set)| candidates.len() >= choice.needed;
            let (place, choice, candidates) = choices.find(enough).ok_or(Lost)?;
            let mut next = 0;
            let mut needed = choice.needed;
            while needed > 0 {
                let device = candidates.next(next).ok_or(Lost)?;
                next = device + 1;
                self.count()?;
                if !self.pick(shortcut, choice, device)? {
                    continue;
                }
                taken.insert(device);
                self.picks.push((place, device));
                needed -= 1;
            }
        }
        Ok(())
    }

    /// Picks a device if what is picked allows it.
    fn pick(&mut self, shortcut: &Shortcut, choice: &Choice, device: usize) -> Result<bool, Lost> {
        let counters = shortcut.counters.as_ref();
        let counters = counters.filter(|counters| counters.users.contains(device));
        let room = counters.is_none_or(|counters| counters.has_room(device, &self.left));
        let common = &mut self.common;
        let mut constraints = choice.constraints.iter();
        let agrees = |place: &usize| {
            let shown = shortcut.constraints[*place].shown[device];
            common[*place].is_none_or(|common| common & shown != 0)
        };
        if !room || !constraints.all(agrees) {
            return Ok(false);
        }
        for place in &choice.constraints {
            let shown = shortcut.constraints[*place].shown[device];
            let joined = common[*place].map_or(shown, |common| common & shown);
            common[*place] = Some(joined);
        }
        if let Some(counters) = counters {
            counters.take(device, &mut self.left).ok_or(Lost)?;
        }
        Ok(true)
    }

    /// Searches all of a question with one request and no counters.
    ///
    /// Here the bounds of the search are few and cheap: each is looked at where
    /// the search looks at it, so that the branches are the same.
    fn search(&mut self, request: &Choice, all: &[Values]) -> Result<Option<Reason>, Lost> {
        let candidates = self.candidates[0];
        let width = request.constraints.len();
        let constraints = || request.constraints.iter().map(|place| &all[*place]);
        let exhausted = Ok(Some(Reason::Exhausted));
        if request.needed > 1
            && constraints().any(|values| !values.serve(!0, &candidates, 0, request.needed))
        {
            return exhausted;
        }
        self.common.clear();
        self.common.resize(width, None);
        self.next.clear();
        let mut next = 0;
        loop {
            let left = request.needed - self.picks.len();
            let level = self.picks.len() * width;
            let device = candidates.next(next).filter(|device| {
                let mut pairs = constraints().zip(&self.common[level..]);
                candidates.both_from(&candidates, *device).len() >= left
                    && pairs.all(|(values, common)| {
                        common
                            .is_none_or(|common| values.count(common, &candidates, *device) >= left)
                    })
            });
            let Some(device) = device else {
                // Nothing is left on this level: the one above goes on.
                let Some(above) = self.next.pop() else {
                    return exhausted;
                };
                next = above;
                self.picks.pop();
                self.common.truncate(level);
                continue;
            };
            next = device + 1;
            self.count()?;
            let mut allowed = true;
            for (place, values) in constraints().enumerate() {
                let shown = values.shown[device];
                let common = self.common[level + place];
                let joined = common.map_or(shown, |common| common & shown);
                allowed &= common.is_none() || joined != 0;
                allowed &= left <= 2 || values.serve(joined, &candidates, next, left - 1);
                self.common.push(Some(joined));
            }
            if !allowed {
                self.common.truncate(level + width);
                continue;
            }
            self.picks.push((0, device));
            if left == 1 {
                return Ok(None);
            }
            self.next.push(next);
        }
    }

    /// Counts a branch; after as many the search looks at errors first.
    fn count(&mut self) -> Result<(), Lost> {
        self.branches += 1;
        if self.branches > FIRST_TRY {
            return Err(Lost);
        }
        Ok(())
    }
}

/// Returns the choices of each request, with the place of the first.
fn requests(choices: &[Choice]) -> impl Iterator<Item = (&[Choice], usize)> {
    let mut start = 0;
    let same = |one: &Choice, next: &Choice| (one.claim, one.request) == (next.claim, next.request);
    choices.chunk_by(same).map(move |request| {
        let first = start;
        start += request.len();
        (request, first)
    })
}

impl Values {
    /// Returns how many candidates from a place on have one of some values.
    fn count(&self, values: u64, candidates: &Set, start: usize) -> usize {
        let mut with = Set::default();
        for_each_bit(values, |value| with.unite(&self.devices[value]));
        candidates.both_from(&with, start).len()
    }

    /// Returns whether enough candidates from a place on have the same one of some values.
    fn serve(&self, values: u64, candidates: &Set, start: usize, needed: usize) -> bool {
        let mut devices = self.devices.iter().enumerate();
        devices.any(|(value, devices)| {
            values >> value & 1 == 1 && candidates.both_from(devices, start).len() >= needed
        })
    }
}

fn for_each_bit(mut bits: u64, mut act: impl FnMut(usize)) {
    while bits != 0 {
        act(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}
