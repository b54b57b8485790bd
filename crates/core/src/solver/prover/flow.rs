//! [`deficient`]: requests that find too little between them, by a flow.

use crate::bitmap::Bitmap;
use crate::budget::Meter;
use crate::outcome::StopCause;

/// Is something that wants a number of places of some kinds.
pub(super) struct Want {
    pub(super) needed: usize,
    pub(super) kinds: Bitmap,
}

/// Returns wants that need more places together than there are of all kinds
/// that any of them can use; nothing if each can have what it needs.
///
/// By Hall's theorem there are such wants exactly if the largest flow from wants
/// to kinds is too small: those that a last want can be satisfied by.
pub(super) fn deficient(
    wants: &[Want],
    places: &[usize],
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<usize>>, StopCause> {
    let mut flow = Flow {
        wants,
        users: vec![Vec::new(); places.len()],
        places,
    };
    for (want, wanted) in wants.iter().enumerate() {
        for _ in 0..wanted.needed {
            if let Some(seen) = flow.add(want, meter)? {
                return Ok(Some(seen));
            }
        }
    }
    Ok(None)
}

struct Flow<'f> {
    wants: &'f [Want],
    /// Who uses each kind, as often as it does.
    users: Vec<Vec<usize>>,
    places: &'f [usize],
}

impl Flow<'_> {
    /// Gives a want one more place; if that is impossible, returns all wants
    /// among which places could be moved in vain.
    fn add(&mut self, want: usize, meter: &mut Meter<'_>) -> Result<Option<Vec<usize>>, StopCause> {
        // From which want a kind was reached, and over which kind a want.
        let mut from = vec![None; self.places.len()];
        let mut over = vec![None; self.wants.len()];
        let mut queue = vec![want];
        let mut next = 0;
        while let Some(current) = queue.get(next).copied() {
            next += 1;
            meter.branch()?;
            for kind in self.wants[current].kinds.iter() {
                if from[kind].is_some() || self.users[kind].contains(&current) {
                    continue;
                }
                from[kind] = Some(current);
                if self.users[kind].len() < self.places[kind] {
                    self.shift(want, kind, (&from, &over));
                    return Ok(None);
                }
                for user in &self.users[kind] {
                    if *user != want && over[*user].is_none() {
                        over[*user] = Some(kind);
                        queue.push(*user);
                    }
                }
            }
        }
        queue.sort_unstable();
        Ok(Some(queue))
    }

    /// Moves places along the way by which a free one was found.
    fn shift(
        &mut self,
        want: usize,
        free: usize,
        (from, over): (&[Option<usize>], &[Option<usize>]),
    ) {
        let mut kind = free;
        while let Some(user) = from[kind] {
            self.users[kind].push(user);
            let Some(given_up) = over[user].filter(|_| user != want) else {
                return;
            };
            self.users[given_up].retain(|other| *other != user);
            kind = given_up;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;

    fn wants(kinds: usize, all: &[(usize, &[usize])]) -> Vec<Want> {
        let want = |(needed, own): &(usize, &[usize])| {
            let mut set = Bitmap::new(kinds);
            for kind in *own {
                set.insert(*kind);
            }
            Want {
                needed: *needed,
                kinds: set,
            }
        };
        all.iter().map(want).collect()
    }

    #[test]
    fn wants_that_find_too_little_are_found_without_the_others() {
        let mut meter = Budget::new().meter();
        let mut ask =
            |wants: &[Want], places: &[usize]| deficient(wants, places, &mut meter).unwrap();
        // The first has to give way twice.
        let three = wants(3, &[(1, &[0, 1]), (1, &[0]), (1, &[1, 2])]);
        assert_eq!(ask(&three, &[1, 1, 1]), None);
        assert_eq!(ask(&three, &[1, 1, 0]), Some(vec![0, 1, 2]));
        let two = wants(4, &[(2, &[2, 3]), (2, &[0, 1]), (1, &[1])]);
        assert_eq!(ask(&two, &[1, 1, 1, 1]), Some(vec![1, 2]));
        // A kind with several places serves a want once.
        assert_eq!(ask(&wants(1, &[(2, &[0])]), &[5]), Some(vec![0]));
        assert_eq!(ask(&wants(1, &[(1, &[0]), (1, &[0])]), &[2]), None);
    }
}
