//! [`largest_count`]: how many devices could be had at most.

use crate::claims::{PreparedClaims, Rule};
use crate::rules;
use crate::topology::Machine;

/// Returns the largest count below what is asked for that fits, in whole groups of so many;
/// 0 if there is none, and none if an answer is not known.
///
/// If fewer are never harder to have, few counts are asked about; else each that a claim
/// may have.
pub(super) fn largest_count(
    asked: usize,
    group: usize,
    is_monotone: bool,
    mut ask: impl FnMut(usize) -> Option<bool>,
) -> Option<usize> {
    let mut too_many = asked.div_ceil(group);
    if !is_monotone {
        too_many = too_many.min(rules::MAX_DEVICES / group + 1);
        for groups in (1..too_many).rev() {
            if ask(groups * group)? {
                return Some(groups * group);
            }
        }
        return Some(0);
    }
    if too_many < 2 || !ask(group)? {
        return Some(0);
    }
    // Near to what is asked for it is most likely.
    let (mut fits, mut step) = (1, 1);
    while too_many - fits > 1 {
        let groups = too_many.saturating_sub(step).max(fits + 1);
        if ask(groups * group)? {
            fits = groups;
            step = (too_many - fits).div_ceil(2);
        } else {
            too_many = groups;
            step *= 2;
        }
    }
    Some(fits * group)
}

/// Returns whether fewer devices are never harder to have: nothing asks for a whole set,
/// for a ring, or for groups.
pub(super) fn is_monotone(claims: &PreparedClaims, machine: Option<&Machine>) -> bool {
    let mut demands = claims.claims().iter().flat_map(|claim| claim.demands());
    let is_closed = demands.all(|demand| match demand.rule {
        Rule::Level(_) => true,
        Rule::Ring(_) | Rule::Unit(_) | Rule::Partition => false,
    });
    is_closed && machine.is_none_or(|machine| machine.allowed_sets().is_none())
}

#[cfg(test)]
mod tests {
    use super::largest_count;

    #[test]
    fn the_largest_count_that_fits_is_found() {
        for asked in 1..=32 {
            for most in 0..asked {
                let fits = |count| Some(count <= most);
                assert_eq!(largest_count(asked, 1, true, fits), Some(most));
                assert_eq!(largest_count(asked, 1, false, fits), Some(most));
            }
        }
        let fits = |count| Some(count == 4 || count == 2);
        assert_eq!(largest_count(8, 1, false, fits), Some(4));
        let only_whole = |count| Some(count % 3 == 0 && count < 7);
        assert_eq!(largest_count(9, 3, false, only_whole), Some(6));
        assert_eq!(largest_count(3, 3, false, |_| Some(true)), Some(0));
        assert_eq!(largest_count(8, 1, true, |_| None), None);
    }
}
