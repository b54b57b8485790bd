//! Finds out who has to give something back before claims fit.

use super::asker::{Asker, Reply};
use crate::claims::PreparedClaims;
use crate::model::Str;

/// Returns holders such that claims fit once these hold nothing, while they do if
/// nobody holds anything.
///
/// Both lists have those first who hold least. Those who are enough alone must be among the
/// suspects, a set without which no conflict is solved: the first of them is returned. If
/// none of them is, as many of all as can be keep what they have, those who hold most first.
pub(super) fn find(
    claims: &PreparedClaims,
    suspects: &[Str],
    owners: &[Str],
    asker: &mut Asker<'_>,
) -> Vec<Str> {
    for owner in suspects {
        if asker.ask(claims, std::iter::once(owner)) == Reply::Fits {
            return vec![owner.clone()];
        }
    }
    let mut released: Vec<Str> = owners.iter().rev().cloned().collect();
    let (mut place, mut size) = (0, 1);
    while place < released.len() {
        let end = (place + size).min(released.len());
        let rest = released[..place].iter().chain(&released[end..]);
        if asker.ask(claims, rest) == Reply::Fits {
            released.drain(place..end);
            size *= 2;
        } else if end - place > 1 {
            size = (end - place).div_ceil(4);
        } else {
            place += 1;
        }
    }
    released.sort_unstable();
    released
}
