//! [`Needs`]: what requests still want, and what is left for them.

use super::hall::Need;
use super::set::Set;
use super::values::{Bits, for_each_bit};
use super::{Choice, Shortcut};

/// Keeps what the picks so far leave; each change can be undone.
#[derive(Debug, Default)]
pub(super) struct Needs {
    /// By request. Whose alternative is not decided wants the least number of
    /// them, from any of their devices.
    pub(super) of: Vec<Need>,
    /// Devices that nobody can have any more.
    pub(super) gone: Set,
    /// By constraint: the values that all its devices may have in the end.
    pub(super) common: Vec<Bits>,
    /// By constraint: the requests that are sure to be under it, as bits.
    pub(super) members: Vec<u64>,
    /// Constraints of which a device is picked.
    pub(super) started: u64,
    /// Requests whose alternative is not decided.
    pub(super) undecided: u64,
    /// What is left of counters.
    pub(super) left: Vec<i128>,
    trail: Vec<Undo>,
}

/// Says what was before a change.
#[derive(Debug)]
enum Undo {
    Need(usize, Need),
    Gone(Set),
    Common(usize, Bits),
    Members(usize, u64),
    Started(u64),
    Undecided(u64),
    Left(usize, i128),
}

/// Is a place to which changes can be undone.
pub(super) type Mark = usize;

impl Needs {
    /// Begins with nothing picked, when candidates are known by choice.
    ///
    /// What is left of counters is left as it is.
    pub(super) fn reset(&mut self, shortcut: &Shortcut, candidates: &[Set]) {
        self.gone = Set::default();
        self.started = 0;
        self.undecided = 0;
        self.trail.clear();
        self.common.clear();
        let constraints = 0..shortcut.attributes.len();
        let all = constraints.map(|constraint| shortcut.shown_to(constraint).all());
        self.common.extend(all);
        self.members.clear();
        self.members.resize(shortcut.attributes.len(), 0);
        self.of.clear();
        for (request, ask) in shortcut.asks.iter().enumerate() {
            let choices = &shortcut.choices[ask.first..ask.end];
            let mut need = Need {
                count: usize::MAX,
                ..Need::default()
            };
            let mut under = !0;
            for (choice, candidates) in choices.iter().zip(&candidates[ask.first..]) {
                if candidates.has(choice.needed) {
                    need.devices.unite(candidates);
                    need.count = need.count.min(choice.needed);
                    under &= choice.under;
                }
            }
            if choices.len() > 1 {
                self.undecided |= 1 << request;
            }
            for_each_bit(under, |constraint| {
                if let Some(members) = self.members.get_mut(constraint) {
                    *members |= 1 << request;
                }
            });
            self.of.push(need);
        }
    }

    pub(super) fn mark(&self) -> Mark {
        self.trail.len()
    }

    pub(super) fn undo(&mut self, mark: Mark) {
        while self.trail.len() > mark
            && let Some(undo) = self.trail.pop()
        {
            match undo {
                Undo::Need(request, need) => self.of[request] = need,
                Undo::Gone(gone) => self.gone = gone,
                Undo::Common(constraint, common) => self.common[constraint] = common,
                Undo::Members(constraint, members) => self.members[constraint] = members,
                Undo::Started(started) => self.started = started,
                Undo::Undecided(undecided) => self.undecided = undecided,
                Undo::Left(counter, left) => self.left[counter] = left,
            }
        }
    }

    pub(super) fn set_need(&mut self, request: usize, need: Need) {
        self.trail.push(Undo::Need(request, self.of[request]));
        self.of[request] = need;
    }

    pub(super) fn set_common(&mut self, constraint: usize, values: Bits) {
        self.trail
            .push(Undo::Common(constraint, self.common[constraint]));
        self.common[constraint] = values;
    }

    /// Takes devices away from all.
    pub(super) fn lose(&mut self, devices: &Set) {
        self.trail.push(Undo::Gone(self.gone));
        self.gone.unite(devices);
    }

    pub(super) fn start(&mut self, constraints: u64) {
        if constraints & !self.started != 0 {
            self.trail.push(Undo::Started(self.started));
            self.started |= constraints;
        }
    }

    /// Takes something of a counter; returns nothing if that is beyond all numbers.
    pub(super) fn take(&mut self, counter: usize, amount: i128) -> Option<()> {
        let left = self.left[counter].checked_sub(amount)?;
        self.trail.push(Undo::Left(counter, self.left[counter]));
        self.left[counter] = left;
        Some(())
    }

    /// Decides for an alternative.
    pub(super) fn decide(&mut self, request: usize, choice: &Choice, devices: Set) {
        self.trail.push(Undo::Undecided(self.undecided));
        self.undecided &= !(1 << request);
        self.set_need(
            request,
            Need {
                devices,
                count: choice.needed,
            },
        );
        for constraint in &choice.constraints {
            let members = self.members[*constraint];
            if members >> request & 1 == 0 {
                self.trail.push(Undo::Members(*constraint, members));
                self.members[*constraint] = members | 1 << request;
            }
        }
    }
}
