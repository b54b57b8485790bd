//! [`Walk`]: finds the first solution of a usual question.

use super::descend::Descent;
use super::search::Search;
use super::set::Set;
use super::{Choice, Run, Shortcut};
use crate::budget::Meter;
use crate::outcome::{Reason, StopCause};
use crate::state::Draft;

/// Holds the memory of walks, and the picks of the last one.
#[derive(Debug, Default)]
pub(crate) struct Walk {
    /// By choice, without what is held.
    candidates: Vec<Set>,
    descent: Descent,
    search: Search,
    picks: Vec<(usize, usize)>,
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

/// Says which devices of a node somebody holds.
#[derive(Clone, Copy)]
pub(crate) enum Holdings<'a> {
    Draft(&'a Draft),
    /// Where the bit of each device is, and the words; for nodes on which it
    /// only matters whether devices are held.
    Words(&'a [(u32, u32)], &'a [u64]),
}

impl Holdings<'_> {
    /// Returns the devices that are held, of those that a request can have.
    fn away(self, shortcut: &Shortcut) -> Set {
        let (bits, words) = match self {
            Self::Draft(draft) => return Run::held(&shortcut.runs, draft),
            Self::Words(bits, words) => (bits, words),
        };
        let mut away = Set::default();
        for (device, (word, bit)) in bits.iter().enumerate().take(Set::BOUND) {
            let word = words.get(*word as usize);
            if word.is_some_and(|word| word >> bit & 1 == 1) {
                away.insert(device);
            }
        }
        away
    }
}

/// What is held cannot be told in plain numbers.
struct Unclear;

impl Walk {
    /// Returns place of the choice and device of each pick, in order.
    pub(crate) fn picks(&self) -> &[(usize, usize)] {
        &self.picks
    }

    /// Answers a question, or gives up where only the search knows.
    pub(crate) fn answer(
        &mut self,
        shortcut: &Shortcut,
        held: Holdings<'_>,
        meter: &mut Meter<'_>,
    ) -> Short {
        self.picks.clear();
        if self.look(shortcut, held).is_err() {
            return Short::Unsure;
        }
        match self.walk(shortcut, meter) {
            Err(cause) => Short::Stopped(cause),
            Ok(None) => Short::First,
            Ok(Some(_)) if shortcut.has_invalid_pool => Short::Unsure,
            Ok(Some(reason)) => Short::Infeasible(reason),
        }
    }

    /// Returns nothing if it found a solution.
    fn walk(
        &mut self,
        shortcut: &Shortcut,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Reason>, StopCause> {
        let candidates = &self.candidates;
        for ask in &shortcut.asks {
            let request = &shortcut.choices[ask.first..ask.end];
            let mut choices = request.iter().zip(&candidates[ask.first..]);
            if !choices.any(|(choice, candidates)| candidates.has(choice.needed)) {
                let Choice { claim, request, .. } = request[0];
                return Ok(Some(Reason::Request { claim, request }));
            }
        }
        if let [one] = &*shortcut.choices {
            if shortcut.counters.is_none() && one.constraints.is_empty() {
                // Nothing but their number decides.
                let picks = candidates[0].iter().map(|device| (0, device));
                self.picks.extend(picks.take(one.needed));
                meter.branches(one.needed as u64)?;
                return Ok(None);
            }
            let mut constraints = one.constraints.iter();
            let has_value =
                |place: &usize| shortcut.shown_to(*place).serve(&candidates[0], one.needed);
            if one.needed > 1 && !constraints.all(has_value) {
                return Ok(Some(Reason::Exhausted));
            }
        }
        let left = self.search.left_mut();
        if let Ok(tries) = self
            .descent
            .run(shortcut, candidates, left, &mut self.picks)
        {
            meter.branches(tries as u64)?;
            return Ok(None);
        }
        self.search
            .run(shortcut, candidates, &mut self.picks, meter)
    }

    /// Leaves the devices that nothing but other picks can keep away.
    fn look(&mut self, shortcut: &Shortcut, held: Holdings<'_>) -> Result<(), Unclear> {
        let mut away = held.away(shortcut);
        let left = self.search.left_mut();
        left.clear();
        if let Some(counters) = &shortcut.counters {
            let Holdings::Draft(held) = held else {
                return Err(Unclear);
            };
            counters.leave(held, left).ok_or(Unclear)?;
            let mut users = counters.users;
            users.subtract(&away);
            for device in users.iter() {
                if !counters.has_room(device, left) {
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
}
