//! The places of what a step names: each is to be there, once and in order.

use std::collections::BTreeSet;

use super::fault::Fault;
use super::question::{Kind, Question};
use super::sum::Weighed;
use crate::proof::{CapacityWeight, ConstraintId, CounterWeight, RequestId};
use crate::verify::violation::ViolationCode;

impl Question<'_, '_> {
    /// Returns the place of a request that is to be satisfied.
    pub(super) fn place_of_request(
        &self,
        id: &RequestId,
        field: &'static str,
    ) -> Result<usize, Fault> {
        let place = self.requests.iter().position(|asked| asked.id == *id);
        place.ok_or_else(|| {
            let message = format!("no request `{id}` is to be satisfied, expected one that is");
            (ViolationCode::UnknownRequest, field, message)
        })
    }

    /// Returns the places of requests, which are to be in order.
    pub(super) fn places_of_requests(&self, ids: &[RequestId]) -> Result<Vec<usize>, Fault> {
        let places = ids.iter().map(|id| self.place_of_request(id, ".requests"));
        let places: Vec<usize> = places.collect::<Result<_, _>>()?;
        if !places.is_sorted_by(|one, other| one < other) {
            let message = "not in the order of the claims, expected each once, in order".into();
            return Err((ViolationCode::CertificateRequests, ".requests", message));
        }
        Ok(places)
    }

    /// Returns the place of a constraint of one of the two kinds.
    pub(super) fn place_of_constraint(
        &self,
        id: ConstraintId,
        is_match: bool,
    ) -> Result<usize, Fault> {
        let mut constraints = self.constraints.iter();
        let is_of_kind = |kind: &Kind| match kind {
            Kind::Match => is_match,
            Kind::Distinct => !is_match,
            Kind::Required(_) => false,
        };
        let place = constraints.position(|one| one.id == id && is_of_kind(&one.kind));
        place.ok_or_else(|| {
            let kind = if is_match {
                "matchAttribute"
            } else {
                "distinctAttribute"
            };
            let message = format!(
                "claim {} has no such constraint, expected one with `{kind}`",
                id.claim
            );
            (ViolationCode::UnknownConstraint, ".constraint", message)
        })
    }

    /// Returns the place of what a policy requires beside levels with domains.
    pub(super) fn place_of_requirement(&self, id: ConstraintId) -> Result<usize, Fault> {
        let mut constraints = self.constraints.iter();
        let is_one = |kind: &Kind| matches!(kind, Kind::Required(_));
        let place = constraints.position(|one| one.id == id && is_one(&one.kind));
        place.ok_or_else(|| {
            let message = format!(
                "claim {} has no such requirement, expected links, units or rings",
                id.claim
            );
            (ViolationCode::UnknownConstraint, ".constraint", message)
        })
    }

    /// Returns the places of counters with their weights, each once.
    pub(super) fn weighed_counters(
        &self,
        weights: &[CounterWeight],
    ) -> Result<Vec<Weighed>, Fault> {
        let mut seen = BTreeSet::new();
        let weighed = weights.iter().map(|one| {
            let is_named = |(pool, set, name): &(usize, &str, &str)| {
                let pool = &self.world.pools[*pool];
                pool.is_named(&one.driver, &one.pool)
                    && *set == &*one.counter_set
                    && *name == &*one.counter
            };
            let place = self.counters.names.iter().position(is_named);
            let place = place.filter(|place| seen.insert(*place)).ok_or_else(|| {
                let message = format!(
                    "counter `{}` of `{}` of pool `{}/{}`, expected one that there is, once",
                    one.counter, one.counter_set, one.driver, one.pool
                );
                (ViolationCode::UnknownCounter, ".counters", message)
            })?;
            Ok(Weighed::Counter(place, one.weight))
        });
        weighed.collect()
    }

    /// Returns the places of capacities of shared devices with their weights, each once.
    pub(super) fn weighed_capacities(
        &self,
        weights: &[CapacityWeight],
    ) -> Result<Vec<Weighed>, Fault> {
        let mut seen = BTreeSet::new();
        let weighed = weights.iter().map(|one| {
            let device = self
                .offer(&one.device)
                .filter(|device| self.is_shared(*device));
            let place = device.and_then(|device| {
                let mut names = self.offers[device].1.device.capacity.keys();
                let place = names.position(|name| *name == one.capacity)?;
                seen.insert((device, place)).then_some((device, place))
            });
            let (device, place) = place.ok_or_else(|| {
                let message = format!(
                    "capacity `{}` of `{}`, expected one of a shared device, once",
                    one.capacity, one.device
                );
                (ViolationCode::UnknownCapacity, ".capacities", message)
            })?;
            Ok(Weighed::Capacity(device, place, one.weight))
        });
        weighed.collect()
    }
}
