//! The first devices that fit, without going back.

use super::set::Set;
use super::values::Bits;
use super::{Choice, Shortcut};

/// With more tries than this it is better to look at bounds.
const MAX_TRIES: usize = 256;

/// Holds the memory of a descent.
#[derive(Debug, Default)]
pub(super) struct Descent {
    /// What is left of counters.
    left: Vec<i128>,
    /// What the picks have in common, by constraint.
    common: Vec<Option<Bits>>,
    tries: usize,
}

/// Going back would be needed.
pub(super) struct Lost;

impl Descent {
    /// Picks the first devices that fit, and gives up where there are none.
    ///
    /// A solution that is found without going back is the first. It does not
    /// begin with an alternative that has too few devices left; whether one is
    /// too much for its claim it does not know. Returns the number of devices
    /// that were tried.
    pub(super) fn run(
        &mut self,
        shortcut: &Shortcut,
        candidates: &[Set],
        left: &[i128],
        picks: &mut Vec<(usize, usize)>,
    ) -> Result<usize, Lost> {
        if shortcut.is_large {
            return Err(Lost);
        }
        self.tries = 0;
        self.left.clear();
        self.left.extend_from_slice(left);
        self.common.clear();
        self.common.resize(shortcut.attributes.len(), None);
        let mut taken = Set::default();
        for ask in &shortcut.asks {
            let mut places = (ask.first..ask.end).map(|place| {
                let mut candidates = candidates[place];
                candidates.subtract(&taken);
                (place, &shortcut.choices[place], candidates)
            });
            let enough =
                |(_, choice, candidates): &(usize, &Choice, Set)| candidates.has(choice.needed);
            let (place, choice, candidates) = places.find(enough).ok_or(Lost)?;
            let mut next = 0;
            let mut needed = choice.needed;
            while needed > 0 {
                let device = candidates.next(next).ok_or(Lost)?;
                next = device + 1;
                self.tries += 1;
                if self.tries > MAX_TRIES {
                    return Err(Lost);
                }
                if !self.pick(shortcut, choice, device)? {
                    continue;
                }
                taken.insert(device);
                picks.push((place, device));
                needed -= 1;
            }
        }
        Ok(self.tries)
    }

    /// Picks a device if what is picked allows it.
    fn pick(&mut self, shortcut: &Shortcut, choice: &Choice, device: usize) -> Result<bool, Lost> {
        let counters = shortcut.counters.as_ref();
        let counters = counters.filter(|counters| counters.users.contains(device));
        let room = counters.is_none_or(|counters| counters.has_room(device, &self.left));
        let common = &mut self.common;
        let mut constraints = choice.constraints.iter();
        let agrees = |place: &usize| {
            let shown = shortcut.shown_to(*place).shown[device];
            common[*place].is_none_or(|common| common & shown != 0)
        };
        if !room || !constraints.all(agrees) {
            return Ok(false);
        }
        for place in &choice.constraints {
            let shown = shortcut.shown_to(*place).shown[device];
            let joined = common[*place].map_or(shown, |common| common & shown);
            common[*place] = Some(joined);
        }
        if let Some(counters) = counters {
            counters.take(device, &mut self.left).ok_or(Lost)?;
        }
        Ok(true)
    }
}
