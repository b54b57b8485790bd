//! How many of the devices that conflict can be had at once.

use super::asker::{Asker, Reply};
use super::largest_count::{is_monotone, largest_count};
use super::members::Found;
use crate::claims::{Needed, Rule};
use crate::solver::Arithmetic;
use crate::topology::Machine;

/// Counts the devices that requests of a conflict can have together, if that can
/// be told: for requests of one device each, and for a single request.
pub(super) fn count(
    conflict: &Found,
    machine: Option<&Machine>,
    asker: &mut Asker<'_>,
) -> Option<Arithmetic> {
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
        let demands = claims.iter().flat_map(|claim| claim.demands());
        let groups = demands.filter_map(|demand| match &demand.rule {
            Rule::Unit(unit) => unit.count_of(one.name.request()),
            _ => None,
        });
        let group = groups.max().unwrap_or(1);
        let is_monotone = is_monotone(&conflict.claims, machine);
        let fits = largest_count(needed, group, is_monotone, |count| {
            let claims = conflict.claims.with_count(count);
            match asker.ask(&claims, conflict.others.iter()) {
                Reply::Fits | Reply::Fails => Some(true),
                Reply::Infeasible => Some(false),
                Reply::Unknown => None,
            }
        })?;
        (needed, fits)
    };
    let constraints = claims.iter().flat_map(|claim| &claim.constraints);
    Some(Arithmetic::AtOnce {
        attributes: constraints.map(|one| one.attribute.clone()).collect(),
        needed,
        available,
    })
}
