//! How many requests tied by constraints find a value each.

use super::hall::Matching;
use super::needs::Needs;
use super::set::Set;
use super::values::Values;
use super::{Bundles, Choice, Shortcut};

/// Returns whether values are too few for constraints that nothing can tell apart.
///
/// Each constraint of which nothing is picked needs a value of which all its
/// requests find enough devices. A value serves as many constraints as any of
/// the classes of its devices allows, all classes together, and what is left of
/// each counter of which all devices of a class with the value take; so the sum
/// over values is never too small. Constraints that have settled for a value keep
/// devices of it for themselves: as many as they need of the same class.
/// A device with several values counts for each, and is not kept: the others
/// might do with one that has only theirs.
pub(super) fn are_short(
    shortcut: &Shortcut,
    candidates: &[Set],
    needs: &Needs,
    matching: &Matching,
) -> bool {
    shortcut.bundles.iter().any(|bundles| {
        let rest = bundles.constraints & !needs.started;
        let wanted = rest.count_ones() as usize;
        wanted > 0 && {
            let question = Question {
                shortcut,
                candidates,
                needs,
                matching,
                bundles,
            };
            !question.has_values(rest, wanted)
        }
    })
}

struct Question<'a> {
    shortcut: &'a Shortcut,
    /// By choice.
    candidates: &'a [Set],
    needs: &'a Needs,
    matching: &'a Matching,
    bundles: &'a Bundles,
}

impl Question<'_> {
    fn has_values(&self, constraints: u64, wanted: usize) -> bool {
        let mut values = 0;
        super::values::for_each_bit(constraints, |constraint| {
            values |= self.needs.common[constraint];
        });
        // Of a few members the devices are looked at once.
        let mut free = [Set::default(); 4];
        let members = &self.bundles.members;
        for (free, (class, _)) in free.iter_mut().zip(members) {
            *free = self.free(*class, constraints);
        }
        let all = (members.len() > 1 && members.len() <= free.len()).then(|| {
            let mut all = Set::default();
            for free in &free {
                all.unite(free);
            }
            all
        });
        let together: usize = members.iter().map(|(_, needed)| needed).sum();
        let shown = &self.shortcut.values[self.bundles.attribute];
        let mut served = 0;
        while values != 0 && served < wanted {
            let value = values.trailing_zeros() as usize;
            values &= values - 1;
            let mut most = wanted - served;
            for (free, (_, needed)) in free.iter().zip(members) {
                most = at_most(shown, value, free, *needed, most);
            }
            if let Some(all) = &all {
                most = at_most(shown, value, all, together, most);
            }
            for (counter, least) in self.bundles.takes.get(value).into_iter().flatten() {
                let room = self.needs.left[*counter as usize] / least;
                most = most.min(usize::try_from(room).unwrap_or(0));
            }
            served += most;
        }
        served >= wanted
    }

    /// Returns the devices of a class that no other constraint with a single
    /// value keeps for itself.
    fn free(&self, class: usize, constraints: u64) -> Set {
        let mut free = self.candidates[class];
        free.subtract(&self.needs.gone);
        for (request, ask) in self.shortcut.asks.iter().enumerate() {
            let is_same = ask.end - ask.first == 1 && self.shortcut.classes[ask.first] == class;
            let choice = &self.shortcut.choices[ask.first];
            let is_other = choice.under & constraints == 0;
            if is_same && is_other && self.needs.of[request].count > 0 && self.is_settled(choice) {
                let mut kept = *self.matching.kept(request);
                kept.subtract(&self.shortcut.values[self.bundles.attribute].several);
                free.subtract(&kept);
            }
        }
        free
    }

    /// Returns whether a choice is under a constraint that has begun, and has
    /// one value left.
    fn is_settled(&self, choice: &Choice) -> bool {
        choice.constraints.iter().any(|constraint| {
            self.shortcut.attributes[*constraint] == self.bundles.attribute
                && self.needs.started >> constraint & 1 == 1
                && self.needs.common[*constraint].is_power_of_two()
        })
    }
}

/// Returns how many times devices with a value are enough, up to a number.
fn at_most(shown: &Values, value: usize, free: &Set, needed: usize, most: usize) -> usize {
    let mut with = shown.devices[value];
    with.intersect(free);
    if most == 0 || with.has(most.saturating_mul(needed)) {
        return most;
    }
    with.len() / needed
}
