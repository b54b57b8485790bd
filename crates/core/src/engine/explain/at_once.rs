//! How many of the devices that conflict can be had at once.

use super::asker::{Asker, Reply};
use super::members::Found;
use crate::claims::{Needed, Rule};
use crate::solver::Arithmetic;

/// Counts the devices that requests of a conflict can have together, if that can
/// be told: for requests of one device each, and for a single request.
pub(super) fn count(conflict: &Found, asker: &mut Asker<'_>) -> Option<Arithmetic> {
    let claims = conflict.claims.claims();
    let alternatives = || claims.iter().flat_map(|claim| claim.alternatives());
    let is_single = alternatives().all(|one| one.needed == Needed::Count(1));
    let requests = conflict.requests.len();
    let (needed, available) = if is_single && requests > 1 && conflict.irreducible {
        // Without any one of them the others fit.
        (requests, requests - 1)
    } else {
        let mut only = alternatives();
        let (Some(one), None) = (only.next(), only.next()) else {
            return None;
        };
        let Needed::Count(needed) = one.needed else {
            return None;
        };
        // Fewer are never harder to have, but for parts of a partition.
        let mut demands = claims.iter().flat_map(|claim| claim.demands());
        let is_partition = demands.any(|demand| demand.rule == Rule::Partition);
        let (mut fits, mut too_many) = (0, needed);
        while too_many - fits > 1 {
            let middle = fits + (too_many - fits) / 2;
            let count = if is_partition { too_many - 1 } else { middle };
            let claims = conflict.claims.with_count(count);
            match asker.ask(&claims, conflict.others.iter()) {
                Reply::Fits | Reply::Fails => fits = count,
                Reply::Infeasible => too_many = count,
                Reply::Unknown => return None,
            }
        }
        (needed, fits)
    };
    let constraints = claims.iter().flat_map(|claim| &claim.constraints);
    Some(Arithmetic::AtOnce {
        attributes: constraints.map(|one| one.attribute.clone()).collect(),
        needed,
        available,
    })
}
