//! Picks as equal groups, cut in all ways.

use dralloc::model::PlacementUnit;

use super::Machine;
use crate::oracle::world::Place;

/// Is one way to cut picks into groups.
pub(super) type Cut = Vec<Vec<Place>>;

/// Returns all ways to cut picks into groups; of each request a group has so many.
pub(super) fn cuts(picks: &[(usize, Vec<Place>)]) -> Vec<Cut> {
    let groups = picks.iter().map(|(each, places)| places.len() / each);
    let groups = groups.max().unwrap_or(0);
    if picks
        .iter()
        .any(|(each, places)| places.len() != each * groups)
    {
        return Vec::new();
    }
    let mut cuts = vec![vec![Vec::new(); groups]];
    let mut full = 0;
    for (each, places) in picks {
        full += each;
        for place in places {
            cuts = cuts
                .iter()
                .flat_map(|cut| with(cut, *place, full))
                .collect();
        }
    }
    cuts
}

/// Returns the ways to put one more pick into a group that is not full.
fn with(cut: &Cut, place: Place, full: usize) -> Vec<Cut> {
    // Groups that are still empty are alike.
    let first_empty = cut.iter().position(Vec::is_empty);
    let last = first_empty.unwrap_or(cut.len());
    let open = (0..cut.len()).filter(|group| *group <= last && cut[*group].len() < full);
    open.map(|group| {
        let mut cut = cut.clone();
        cut[group].push(place);
        cut
    })
    .collect()
}

/// Returns whether no device has what keeps groups apart in common with one of another.
pub(super) fn are_apart(machine: &Machine, unit: &PlacementUnit, cut: &Cut) -> bool {
    let Some(scope) = &unit.apart_over else {
        return true;
    };
    let together = |one: &[Place], other: &[Place]| {
        let mut pairs = one
            .iter()
            .flat_map(|one| other.iter().map(move |other| [*one, *other]));
        pairs.any(|pair| machine.share(scope, &pair))
    };
    let mut pairs = cut
        .iter()
        .enumerate()
        .flat_map(|(place, one)| cut[..place].iter().map(move |other| (one, other)));
    pairs.all(|(one, other)| !together(one, other))
}

/// Returns whether some cut has in every group what a unit requires.
pub(super) fn is_met(
    machine: &Machine,
    unit: &PlacementUnit,
    picks: &[(usize, Vec<Place>)],
) -> bool {
    let is_required = &*unit.mode == "required";
    cuts(picks).iter().any(|cut| {
        let mut groups = cut.iter();
        are_apart(machine, unit, cut)
            && (!is_required || groups.all(|group| machine.share(&unit.scope, group)))
    })
}
