//! [`Objective`]: the value of each term on a complete answer, by its definition.

mod health;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use dralloc::Term;
use dralloc::model::{DeviceAttribute, DeviceId};
use dralloc_quantity::Amount;

use super::constraints::{Item, items};
use super::counters;
use super::failure::Failure;
use super::optimum::{Wish, WishScope};
use super::requests::{Alternative, Request};
use super::search::{Progress, candidates};
use super::topology::{self, Demand, Machine};
use super::world::{Offer, Pick, Place, World};

/// A share of something is counted in parts per million.
const WHOLE: i128 = 1_000_000;

/// Is an answer of which the requests of a scope are looked at.
pub(super) struct Objective<'a, 'w, 'o> {
    world: &'o World<'a>,
    claims: &'o [Vec<Request<'a>>],
    wish: &'o Wish,
    machine: &'o Machine,
    /// The alternatives that were chosen in the scope.
    chosen: Vec<&'w Alternative<'a>>,
    /// The devices that were picked in the scope.
    picks: Vec<Pick<'a, 'w>>,
}

/// Is what devices have in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Parent {
    CounterSet { pool: usize, set: String },
    Uuid { driver: String, uuid: String },
    Value(Item),
    Device(DeviceId),
}

impl<'a, 'w, 'o> Objective<'a, 'w, 'o> {
    pub(super) fn new(
        world: &'o World<'a>,
        claims: &'o [Vec<Request<'a>>],
        (wish, machine): (&'o Wish, &'o Machine),
        scope: &WishScope,
        progress: &Progress<'a, 'w>,
    ) -> Self {
        let is_in = |alternative: &Alternative<'_>| {
            let request = (alternative.claim, alternative.request);
            scope.requests.contains(&request)
        };
        let chosen = progress.chosen.iter().copied();
        let picks = progress.picks.iter();
        Self {
            world,
            claims,
            wish,
            machine,
            chosen: chosen.filter(|chosen| is_in(chosen)).collect(),
            picks: picks.filter(|it| is_in(it.alternative)).cloned().collect(),
        }
    }

    /// Returns the value of a term.
    pub(super) fn value(&self, term: &Term) -> Result<i64, Failure> {
        let value = match term {
            Term::AlternativeRank => self.alternative_rank(),
            Term::HealthPenalty => self.health_penalty(),
            Term::Waste => self.waste()?,
            Term::PackingPotential => self.packing_potential(),
            Term::ParentsTouched { attribute } => self.parents_touched(attribute.as_deref()),
            Term::Evenness { attribute } => self.evenness(attribute.as_deref()),
            other => {
                let places: Vec<Place> = self.taking().map(|pick| pick.place).collect();
                let value = topology::value(self.machine, other.as_str(), &places);
                value.unwrap_or_else(|| unreachable!("term {other} is not known here"))
            }
        };
        Ok(i64::try_from(value).unwrap_or(i64::MAX))
    }

    /// Returns the values of preferred levels and units, the most important first.
    pub(super) fn preferences(&self, scope: &WishScope, picks: &[Pick<'_, '_>]) -> Vec<i64> {
        let demand = Demand {
            policy: scope.preferred.clone(),
            requests: scope.requests.clone(),
        };
        let places = demand.places(picks);
        let levels = demand.policy.affinity.iter();
        let levels = levels.filter(|level| &*level.mode == "preferred");
        let levels = levels.map(|level| topology::level_value(self.machine, level, &places));
        let unit = demand.policy.unit.iter();
        let unit = unit.filter(|unit| &*unit.mode == "preferred");
        let of_unit = demand.of_unit(self.world.case, picks);
        let unit = unit.filter_map(|unit| topology::unit_value(self.machine, unit, &of_unit));
        let values = levels.chain(unit);
        let values = values.map(|value| i64::try_from(value).unwrap_or(i64::MAX));
        values.collect()
    }

    /// The places of the chosen alternatives in their lists, summed.
    fn alternative_rank(&self) -> i128 {
        let place = |chosen: &&Alternative<'_>| {
            let alternatives = &self.claims[chosen.claim][chosen.request].alternatives;
            let mut places = alternatives.iter();
            let place = places.position(|other| other.sub_name == chosen.sub_name);
            i128::try_from(place.unwrap_or_default()).unwrap_or_default()
        };
        self.chosen.iter().map(place).sum()
    }

    fn health_penalty(&self) -> i128 {
        let node = &*self.world.case.node.metadata.name;
        let penalty = |pick: &Pick<'_, '_>| {
            let offer = self.world.offer(pick.place);
            health::penalty(&self.wish.healths, self.wish.now, node, offer)
        };
        self.picks.iter().map(penalty).sum()
    }

    /// Picks that take something away: not those with access for administration.
    fn taking(&self) -> impl Iterator<Item = &Pick<'a, 'w>> {
        self.picks.iter().filter(|pick| !pick.alternative.is_admin)
    }

    /// Of partitions what they are larger than the smallest that would do, of
    /// shares what they are larger than what was asked for.
    fn waste(&self) -> Result<i128, Failure> {
        let mut waste = 0;
        for pick in self.taking() {
            let offer = self.world.offer(pick.place);
            if !offer.device.consumes_counters.is_empty() {
                let places = candidates(self.world, pick.alternative)?;
                let least = places.iter().map(|place| self.size(*place)).min();
                waste += self.size(pick.place) - least.unwrap_or_default();
            }
            let asked = pick.alternative.capacity.iter();
            for (name, asked) in asked.flat_map(|capacity| capacity.requests.iter()) {
                let capacity = offer.device.capacity.get(name);
                if let Some((amount, capacity)) = pick.amounts.get(name).zip(capacity) {
                    waste += share(&(amount - asked.amount()), capacity.value.amount());
                }
            }
        }
        Ok(waste)
    }

    /// The average share of the counters of its sets that a device consumes.
    fn size(&self, place: Place) -> i128 {
        let offer = self.world.offer(place);
        let pool = &self.world.pools[place.pool];
        let names = offer.device.consumes_counters.iter();
        let names: BTreeSet<&str> = names.map(|set| &*set.counter_set).collect();
        let sets = pool.counter_sets.iter();
        let counters = sets
            .filter(|set| names.contains(&*set.name))
            .flat_map(|set| set.counters.iter().map(move |counter| (set, counter)));
        let (mut sum, mut count) = (0, 0);
        for (set, (counter, total)) in counters {
            let consumed = counters::consumed(offer, &set.name, counter);
            sum += share(&consumed, total.value.amount());
            count += 1;
        }
        (sum + count - 1).checked_div(count).unwrap_or_default()
    }

    /// How many devices could be had before and cannot afterwards.
    fn packing_potential(&self) -> i128 {
        let taking: Vec<Pick<'_, '_>> = self.taking().cloned().collect();
        let places = self.world.places().into_iter();
        let lost = places
            .filter(|place| self.can_be_had(&[], *place) && !self.can_be_had(&taking, *place));
        i128::try_from(lost.count()).unwrap_or(i128::MAX)
    }

    /// Whether nobody has a device, in part or whole, and its counters are left.
    fn can_be_had(&self, picks: &[Pick<'_, '_>], place: Place) -> bool {
        !self.is_held(place)
            && picks.iter().all(|pick| pick.place != place)
            && counters::are_left(self.world, picks, place)
    }

    fn is_held(&self, place: Place) -> bool {
        let id = &self.world.offer(place).id;
        self.world.is_held_whole(id) || self.world.has_held_shares(id)
    }

    fn parents_touched(&self, attribute: Option<&str>) -> i128 {
        let held: BTreeSet<Parent> = self.held(attribute).into_iter().collect();
        let picked: BTreeSet<Parent> = self.picked(attribute).into_iter().collect();
        i128::try_from(picked.difference(&held).count()).unwrap_or(i128::MAX)
    }

    /// How much the squares of what is held of each parent grow.
    fn evenness(&self, attribute: Option<&str>) -> i128 {
        let held = self.held(attribute);
        let picked = self.picked(attribute);
        let parents: BTreeSet<&Parent> = picked.iter().collect();
        let count = |list: &[Parent], parent: &Parent| {
            let count = list.iter().filter(|other| *other == parent).count();
            i128::try_from(count).unwrap_or(i128::MAX)
        };
        let growth = parents.into_iter().map(|parent| {
            let before = count(&held, parent);
            let after = before + count(&picked, parent);
            after * after - before * before
        });
        growth.sum()
    }

    /// The parents of all devices that are held, each as often as that is so.
    fn held(&self, attribute: Option<&str>) -> Vec<Parent> {
        let places = self.world.places().into_iter();
        let held = places.filter(|place| self.is_held(*place));
        held.flat_map(|place| self.parents(place, attribute))
            .collect()
    }

    /// The parents of all picks, each as often as there are picks.
    fn picked(&self, attribute: Option<&str>) -> Vec<Parent> {
        self.taking()
            .flat_map(|pick| self.parents(pick.place, attribute))
            .collect()
    }

    fn parents(&self, place: Place, attribute: Option<&str>) -> BTreeSet<Parent> {
        let offer = self.world.offer(place);
        let alone = || BTreeSet::from([Parent::Device(offer.id.clone())]);
        if let Some(attribute) = attribute {
            let values = published(offer, attribute).map(items).unwrap_or_default();
            let values: BTreeSet<_> = values.into_iter().map(Parent::Value).collect();
            return if values.is_empty() { alone() } else { values };
        }
        let sets: BTreeSet<Parent> = offer
            .device
            .consumes_counters
            .iter()
            .map(|consumption| Parent::CounterSet {
                pool: place.pool,
                set: consumption.counter_set.to_string(),
            })
            .collect();
        if !sets.is_empty() {
            return sets;
        }
        let driver = offer.id.driver.to_string();
        match published(offer, &format!("{driver}/parentUUID")) {
            Some(DeviceAttribute::String(uuid)) => {
                let uuid = uuid.to_string();
                BTreeSet::from([Parent::Uuid { driver, uuid }])
            }
            _ => alone(),
        }
    }
}

/// Returns what a device publishes under a full name.
pub(super) fn published<'a>(offer: &Offer<'a>, name: &str) -> Option<&'a DeviceAttribute> {
    let attributes = &offer.device.attributes;
    attributes.get(name).or_else(|| {
        let (domain, id) = name.split_once('/')?;
        attributes.get(id).filter(|_| *domain == *offer.id.driver)
    })
}

/// Returns a share of something, rounded up; what is negative is none of it.
fn share(part: &Amount, whole: &Amount) -> i128 {
    if part.sign() <= 0 {
        return 0;
    }
    let share = (part * WHOLE).div_ceil(whole);
    share.filter(|_| whole.sign() > 0).unwrap_or(WHOLE)
}
