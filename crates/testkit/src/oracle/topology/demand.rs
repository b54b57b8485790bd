//! [`Demand`]: what a placement policy requires of devices.

use std::collections::BTreeSet;

use dralloc::model::PlacementPolicy;

use super::{Machine, units};
use crate::case::Case;
use crate::oracle::world::{Pick, Place};

/// Is a placement policy and the requests that it is for, all of one claim.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Demand {
    /// What is required, and what else the policy says.
    pub policy: PlacementPolicy,
    /// Places of the requests: that of the claim, and that in the claim.
    pub requests: Vec<(usize, usize)>,
}

impl Demand {
    /// Returns the places that were picked, but for administration.
    pub(in crate::oracle) fn places(&self, picks: &[Pick<'_, '_>]) -> Vec<Place> {
        let taking = picks.iter().filter(|pick| !pick.alternative.is_admin);
        let own = taking.filter(|pick| {
            let request = (pick.alternative.claim, pick.alternative.request);
            self.requests.contains(&request)
        });
        own.map(|pick| pick.place).collect()
    }

    /// Returns the places that were picked for each request of the unit, with how many of
    /// them a unit has.
    pub(in crate::oracle) fn of_unit(
        &self,
        case: &Case,
        picks: &[Pick<'_, '_>],
    ) -> Vec<(usize, Vec<Place>)> {
        let unit = self.policy.unit.iter();
        let requests = unit.flat_map(|unit| unit.requests.iter());
        let of_request = |(name, each): (&_, &i64)| {
            let is_named = |(claim, request): &&(usize, usize)| {
                case.claims[*claim].spec.devices.requests[*request].name == *name
            };
            let mut own = self.clone();
            own.requests = self.requests.iter().filter(is_named).copied().collect();
            (usize::try_from(*each).unwrap_or(1), own.places(picks))
        };
        requests.map(of_request).collect()
    }
}

/// Returns whether picks are what all demands require, and together an allowed set.
pub(in crate::oracle) fn meets(
    machine: &Machine,
    case: &Case,
    demands: &[Demand],
    picks: &[Pick<'_, '_>],
) -> bool {
    let taking = picks.iter().filter(|pick| !pick.alternative.is_admin);
    let all: Vec<Place> = taking.map(|pick| pick.place).collect();
    let all = machine.picked(&all).gpus;
    let is_allowed = |sets: &Vec<BTreeSet<usize>>| all.is_empty() || sets.contains(&all);
    machine.allowed.as_ref().is_none_or(is_allowed)
        && demands
            .iter()
            .all(|demand| is_met(machine, case, demand, picks))
}

fn is_met(machine: &Machine, case: &Case, demand: &Demand, picks: &[Pick<'_, '_>]) -> bool {
    let policy = &demand.policy;
    let places = demand.places(picks);
    let mut levels = policy.affinity.iter();
    let has_levels =
        levels.all(|level| &*level.mode != "required" || machine.share(&level.scope, &places));
    let units = demand.of_unit(case, picks);
    let has_units = policy
        .unit
        .as_ref()
        .is_none_or(|unit| units::is_met(machine, unit, &units));
    let has_ring = policy.min_ring_gbps.as_ref().is_none_or(|least| {
        let picked = machine.picked(&places);
        let gpus: Vec<usize> = picked.gpus.into_iter().collect();
        if gpus.len() + picked.outsiders < 2 {
            return true;
        }
        // A billionth is a millionth of a thousandth.
        let least = least.amount().as_nanos().unwrap_or(i128::MAX / 2);
        let (above, below) = machine.fabric.rings(&gpus);
        picked.outsiders == 0 && above * 1_000_000 >= least.saturating_mul(below)
    });
    let partitions = policy
        .fabric_partition
        .as_ref()
        .and(machine.partitions.as_ref());
    let is_partition = partitions.is_none_or(|partitions| partitions.is_one(&places));
    has_levels && has_units && has_ring && is_partition
}
