//! [`Question`]: what a certificate is about, read anew from the objects.

use std::collections::{BTreeMap, BTreeSet};

use dralloc_quantity::Amount;

use super::super::linked::Linked;
use super::super::placement::Requirement;
use super::super::pools::{Condition, Offer};
use super::super::requests::{Alternative, Needed, Request};
use super::super::selectors::Expressions;
use super::super::{World, constraints, counters, devices};
use super::others::Others;
use super::required::{self, Known};
use crate::bitmap::Bitmap;
use crate::model::{DeviceId, ResourceClaim, Str};
use crate::proof::{ConstraintId, RequestId};
use crate::rules::AttributeValue;

/// Is what a device shows to a constraint; empty if it cannot be compared.
pub(super) type Shown = BTreeSet<AttributeValue>;

/// Is the whole question, before anything is assumed.
pub(super) struct Question<'w, 'a> {
    pub(super) world: &'w World<'a>,
    /// Devices of complete pools, by their full names.
    pub(super) offers: Vec<(DeviceId, &'w Offer<'a>)>,
    pub(super) requests: Vec<Asked>,
    pub(super) constraints: Vec<Constraint>,
    /// For each device the others that are physically the same.
    pub(super) same: Vec<Vec<usize>>,
    pub(super) counters: Counters<'w>,
    /// How devices are linked, where something is required of that.
    pub(super) linked: Option<Linked>,
}

/// Is one request of the question.
pub(super) struct Asked {
    pub(super) id: RequestId,
    pub(super) alternatives: Vec<Choice>,
}

/// Is one alternative of a request.
pub(super) struct Choice {
    /// `request` or `request/subrequest`.
    pub(super) name: Str,
    pub(super) needed: usize,
    pub(super) admin: bool,
    /// The devices that nothing but other devices keeps away.
    pub(super) candidates: Bitmap,
    /// What it asks of capacities.
    pub(super) asked: BTreeMap<String, Amount>,
    /// What it takes of the capacities of shared devices, in their order.
    pub(super) amounts: BTreeMap<usize, Vec<Amount>>,
    /// Its constraints, with what each candidate shows.
    pub(super) shown: Vec<(usize, BTreeMap<usize, Shown>)>,
}

impl Choice {
    /// Returns what a device shows to a constraint, if that is for the alternative.
    pub(super) fn shows(&self, constraint: usize, offer: usize) -> Option<&Shown> {
        let (_, shown) = self.shown.iter().find(|(own, _)| *own == constraint)?;
        shown.get(&offer)
    }

    pub(super) fn joins(&self, constraint: usize) -> bool {
        self.shown.iter().any(|(own, _)| *own == constraint)
    }
}

pub(super) struct Constraint {
    pub(super) id: ConstraintId,
    pub(super) kind: Kind,
}

/// Says what holds between the devices of a constraint.
pub(super) enum Kind {
    /// They have a value in common, or a domain of a level.
    Match,
    /// No two have a value in common.
    Distinct,
    /// What a policy requires beside levels with domains.
    Required(Requirement),
}

/// Is what a device shows to a constraint of an alternative.
enum Compared<'c> {
    Attribute(&'c str),
    Requirement(&'c Requirement),
}

/// Is what there is of counters, and who takes them.
#[derive(Default)]
pub(super) struct Counters<'w> {
    /// Place of the pool, set and name.
    pub(super) names: Vec<(usize, &'w str, &'w str)>,
    pub(super) left: Vec<Amount>,
    /// What each device takes; nothing if that is paid.
    pub(super) taken: Vec<Vec<(usize, Amount)>>,
    /// Devices of pools of which it cannot be known what is left.
    pub(super) unknown: Bitmap,
}

impl<'w, 'a> Question<'w, 'a> {
    /// Reads the requests that are to be satisfied; those of claims that have
    /// what they need are empty.
    pub(super) fn new(
        world: &'w World<'a>,
        claims: &'w [ResourceClaim],
        requests: &'w [Vec<Request<'a>>],
        known: Option<Known>,
    ) -> Self {
        let (linked, requirements) = known.map_or((None, Vec::new()), |known| {
            (Some(known.linked), known.requirements)
        });
        let complete = world
            .pools
            .iter()
            .filter(|pool| pool.condition == Condition::Complete);
        let mut offers: Vec<(DeviceId, &Offer<'a>)> = complete
            .flat_map(|pool| &pool.devices)
            .map(|offer| (offer.id(), offer))
            .collect();
        offers.sort_by(|one, other| one.0.cmp(&other.0));
        let mut question = Self {
            world,
            counters: Counters::new(world, &offers),
            offers,
            requests: Vec::new(),
            constraints: Vec::new(),
            same: Vec::new(),
            linked,
        };
        let is_twin_held = question.find_same();
        let mut expressions = Expressions::new(*world.features);
        for (claim, requests) in requests.iter().enumerate() {
            let first = question.constraints.len();
            let listed = claims
                .get(claim)
                .map_or(&[][..], |one| &*one.spec.devices.constraints);
            for (place, constraint) in listed.iter().enumerate() {
                question.constraints.push(Constraint {
                    id: ConstraintId {
                        claim,
                        constraint: place,
                    },
                    kind: match constraint.match_attribute {
                        Some(_) => Kind::Match,
                        None => Kind::Distinct,
                    },
                });
            }
            let required = requirements.get(claim).map_or(&[][..], |of_claim| of_claim);
            for (place, (requirement, _)) in required.iter().enumerate() {
                question.constraints.push(Constraint {
                    id: ConstraintId {
                        claim,
                        constraint: listed.len() + place,
                    },
                    kind: required::kind(requirement),
                });
            }
            for (of_claim, request) in requests.iter().enumerate() {
                let mut asked = Asked {
                    id: RequestId::new(claim, request.name)
                        .after(question.requests.iter().map(|asked| &asked.id)),
                    alternatives: Vec::new(),
                };
                for alternative in &request.alternatives {
                    let compared = listed.iter().zip(first..).filter_map(|(one, place)| {
                        let name = one.match_attribute.as_ref();
                        let name = name.or(one.distinct_attribute.as_ref())?;
                        let is_for = alternative.name.is_among(&one.requests);
                        is_for.then_some((place, Compared::Attribute(name)))
                    });
                    let about = required.iter().zip(first + listed.len()..);
                    let about = about.filter(|((requirement, places), _)| {
                        !alternative.admin_access
                            && places.contains(&of_claim)
                            && requirement.is_about(request.name)
                    });
                    let about = about.map(|((requirement, _), place)| {
                        (place, Compared::Requirement(requirement))
                    });
                    let compared: Vec<(usize, Compared<'_>)> = compared.chain(about).collect();
                    let choice =
                        question.choice(alternative, &compared, &is_twin_held, &mut expressions);
                    asked.alternatives.push(choice);
                }
                question.requests.push(asked);
            }
        }
        question
    }

    /// Finds which devices are physically the same; returns those of which
    /// another is held.
    fn find_same(&mut self) -> Bitmap {
        let places = self.offers.iter().enumerate();
        let places: BTreeMap<_, _> = places
            .map(|(place, (_, offer))| (offer.key, place))
            .collect();
        let mut others = Others::new(self.world);
        let mut held = Bitmap::new(self.offers.len());
        for (place, (_, offer)) in self.offers.iter().enumerate() {
            let mut same = Vec::new();
            for (_, key) in others.of(offer) {
                let device = self.world.held.device(key);
                if device.is_some_and(|device| device.is_whole() || device.is_shared()) {
                    held.insert(place);
                }
                same.extend(places.get(&key));
            }
            self.same.push(same);
        }
        held
    }

    fn choice(
        &self,
        alternative: &Alternative<'a>,
        compared: &[(usize, Compared<'_>)],
        is_twin_held: &Bitmap,
        expressions: &mut Expressions,
    ) -> Choice {
        let world = self.world;
        let mut choice = Choice {
            name: alternative.name.to_string().into(),
            needed: 0,
            admin: alternative.admin_access,
            candidates: Bitmap::new(self.offers.len()),
            asked: BTreeMap::new(),
            amounts: BTreeMap::new(),
            shown: compared
                .iter()
                .map(|(constraint, _)| (*constraint, BTreeMap::new()))
                .collect(),
        };
        for (name, asked) in alternative
            .capacity
            .into_iter()
            .flat_map(|one| &one.requests)
        {
            choice
                .asked
                .insert(name.to_string(), asked.amount().clone());
        }
        let mut qualified = 0;
        for (place, (_, offer)) in self.offers.iter().enumerate() {
            let amounts = match devices::judge(world, expressions, alternative, offer) {
                Ok(amounts) => amounts,
                Err((fails, _)) => {
                    qualified += usize::from(fails);
                    continue;
                }
            };
            qualified += 1;
            if !devices::refusals(world, alternative, offer).is_empty()
                || (!choice.admin && is_twin_held.contains(place))
                || (!choice.admin && self.counters.unknown.contains(place))
            {
                continue;
            }
            let values = compared.iter().map(|(_, compared)| match compared {
                Compared::Attribute(name) => {
                    constraints::values(world, expressions, (alternative, offer), name).ok()
                }
                Compared::Requirement(requirement) => {
                    let linked = self.linked.as_ref()?;
                    required::shown(linked, requirement, offer.key)
                }
            });
            let Some(values) = values.collect::<Option<Vec<Shown>>>() else {
                continue;
            };
            for ((_, shown), values) in choice.shown.iter_mut().zip(values) {
                shown.insert(place, values);
            }
            if world.is_shared(offer.device) && !choice.admin {
                let amounts = amounts.iter().map(|amount| amount.amount().clone());
                choice.amounts.insert(place, amounts.collect());
            }
            choice.candidates.insert(place);
        }
        choice.needed = match alternative.needed {
            Needed::Count(count) => count,
            Needed::All => qualified.max(1),
        };
        choice
    }

    /// Returns the place of a device.
    pub(super) fn offer(&self, id: &DeviceId) -> Option<usize> {
        self.offers
            .binary_search_by(|(other, _)| other.cmp(id))
            .ok()
    }

    /// Returns the full names of devices, in order.
    pub(super) fn ids(&self, offers: &Bitmap) -> Vec<DeviceId> {
        offers
            .iter()
            .map(|offer| self.offers[offer].0.clone())
            .collect()
    }

    /// Returns whether several claims may share a device.
    pub(super) fn is_shared(&self, offer: usize) -> bool {
        self.world.is_shared(self.offers[offer].1.device)
    }

    /// Returns what is left of the capacities of a shared device, in their order.
    pub(super) fn capacities(&self, offer: usize) -> Vec<Amount> {
        let (_, offer) = &self.offers[offer];
        let held = self.world.held.device(offer.key);
        let capacities = offer.device.capacity.iter();
        capacities
            .map(|(name, capacity)| {
                let mut left = capacity.value.amount().clone();
                if let Some(consumed) = held.and_then(|held| held.consumed(name)) {
                    left -= consumed;
                }
                left
            })
            .collect()
    }
}

impl<'w> Counters<'w> {
    fn new(world: &'w World<'_>, offers: &[(DeviceId, &'w Offer<'_>)]) -> Self {
        let mut counters = Self {
            unknown: Bitmap::new(offers.len()),
            ..Self::default()
        };
        let mut places = BTreeMap::new();
        let mut blind = BTreeSet::new();
        for (pool, gathered) in world.pools.iter().enumerate() {
            if gathered.budgets.is_empty() {
                continue;
            }
            let Some(left) = counters::left(world, gathered) else {
                blind.insert(pool);
                continue;
            };
            for (set, left) in left {
                for (name, left) in left {
                    places.insert((pool, set, name), counters.names.len());
                    counters.names.push((pool, set, name));
                    counters.left.push(left);
                }
            }
        }
        for (place, (_, offer)) in offers.iter().enumerate() {
            let mut taken: Vec<(usize, Amount)> = Vec::new();
            let consumption = &offer.device.consumes_counters;
            let is_paid = world.has_paid(offer);
            if !is_paid && !consumption.is_empty() && blind.contains(&offer.pool) {
                counters.unknown.insert(place);
            }
            for of_set in consumption.iter().filter(|_| !is_paid) {
                for (name, counter) in &of_set.counters {
                    let Some(counter_place) =
                        places.get(&(offer.pool, &*of_set.counter_set, &**name))
                    else {
                        continue;
                    };
                    let amount = counter.value.amount();
                    match taken.iter_mut().find(|(other, _)| other == counter_place) {
                        Some((_, sum)) => *sum += amount,
                        None => taken.push((*counter_place, amount.clone())),
                    }
                }
            }
            counters.taken.push(taken);
        }
        counters
    }
}
