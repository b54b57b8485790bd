//! [`Objective`]: the terms of a policy by their definitions.

mod health;
mod linked;

use std::collections::{BTreeMap, BTreeSet};

use dralloc_quantity::Amount;

use super::super::linked::Linked;
use super::super::pools::Offer;
use super::case::{Case, Got};
use super::question::Question;
use crate::bitmap::Bitmap;
use crate::model::DeviceHealth;
use crate::objective::Term;
use crate::rules::{self, AttributeSet, AttributeValue};
use crate::topology::Topologies;
use health::{MOST_PENALTY, is_of, penalty};

/// Shares are counted in parts per million.
const WHOLE: i128 = 1_000_000;
/// No share counts more than a million wholes.
const MOST_SHARE: i128 = 1_000_000_000_000;

/// The values of terms, in order.
pub(super) type Values = Vec<i128>;

/// Is what the terms read of a question.
pub(super) struct Objective {
    pub(super) terms: Vec<Counted>,
    /// By device.
    penalties: Vec<i128>,
    sizes: Vec<i128>,
    /// Whether a device can be had while nothing is given.
    there: Bitmap,
    /// By counter, the devices that take of it.
    users: Vec<Vec<usize>>,
    /// By request and alternative.
    choices: Vec<Vec<Wasted>>,
    /// How devices are linked, if a term looks at that.
    linked: Option<Linked>,
}

/// Is a term with the requests that it counts.
pub(super) struct Counted {
    pub(super) term: Term,
    pub(super) requests: Vec<bool>,
    /// The parents of each device, and of how many of its devices a parent has
    /// something held; empty for terms without parents.
    parents: Vec<Vec<usize>>,
    held: Vec<i128>,
}

/// Is what an alternative wastes.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Wasted {
    least: i128,
    /// Of shared devices, what is taken beyond what is asked for.
    rounding: BTreeMap<usize, i128>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Parent<'a> {
    CounterSet(usize, &'a str),
    Card(&'a str, &'a str),
    Value(AttributeValue),
    Device(usize),
}

impl Objective {
    /// Reads what the terms look at; `asked` is what each alternative of each
    /// request asks of capacities.
    pub(super) fn new<'h>(
        question: &Question<'_, '_>,
        case: &Case,
        terms: Vec<(Term, Vec<bool>)>,
        healths: impl Iterator<Item = &'h DeviceHealth>,
        now: Option<i64>,
        topologies: &Topologies,
    ) -> Self {
        let needs_links = terms.iter().any(|(term, _)| term.needs_topology());
        let offers = question.offers.len();
        let mut objective = Self {
            terms: Vec::new(),
            penalties: vec![0; offers],
            sizes: Vec::new(),
            there: Bitmap::new(offers),
            users: vec![Vec::new(); question.counters.names.len()],
            choices: Vec::new(),
            linked: needs_links
                .then(|| Linked::new(question.world, topologies))
                .flatten(),
        };
        for health in healths {
            let sum: i128 = health
                .spec
                .failures
                .iter()
                .map(|one| penalty(one, now))
                .sum();
            for (place, (id, offer)) in question.offers.iter().enumerate() {
                if is_of(health, question, id, offer) {
                    let penalty = &mut objective.penalties[place];
                    *penalty = (*penalty + sum).min(MOST_PENALTY);
                }
            }
        }
        for (place, (_, offer)) in question.offers.iter().enumerate() {
            objective.sizes.push(size(question, offer));
            let taken = &question.counters.taken[place];
            let fits =
                |(counter, amount): &(usize, Amount)| *amount <= question.counters.left[*counter];
            if !question.world.held.is_held(offer.key)
                && !question.counters.unknown.contains(place)
                && taken.iter().all(fits)
            {
                objective.there.insert(place);
            }
            for (counter, _) in taken {
                objective.users[*counter].push(place);
            }
        }
        for (request, asked) in question.requests.iter().enumerate() {
            let choices = asked
                .alternatives
                .iter()
                .enumerate()
                .map(|(place, choice)| {
                    let candidates = case.candidates[request][place].as_ref();
                    let sizes = candidates.into_iter().flat_map(Bitmap::iter);
                    let rounding = choice.amounts.iter().map(|(offer, amounts)| {
                        (*offer, rounding(question, *offer, amounts, &choice.asked))
                    });
                    Wasted {
                        least: sizes.map(|offer| objective.sizes[offer]).min().unwrap_or(0),
                        rounding: rounding.filter(|(_, wasted)| *wasted > 0).collect(),
                    }
                });
            let choices = choices.collect();
            objective.choices.push(choices);
        }
        for (term, requests) in terms {
            let mut counted = Counted {
                term,
                requests,
                parents: Vec::new(),
                held: Vec::new(),
            };
            counted.find_parents(question);
            objective.terms.push(counted);
        }
        objective
    }

    /// Returns the values of terms up to one, of given devices alone.
    pub(super) fn of_devices(
        &self,
        question: &Question<'_, '_>,
        got: &[Got],
        terms: usize,
    ) -> Values {
        let value = |counted: &Counted| {
            let counts = |got: &&Got| counted.requests.get(got.request) == Some(&true);
            let all = got.iter().filter(counts);
            let admin =
                |got: &Got| question.requests[got.request].alternatives[got.alternative].admin;
            let taking = all.clone().filter(|got| !admin(got));
            match &counted.term {
                Term::HealthPenalty => all.map(|got| self.penalties[got.offer]).sum(),
                Term::Waste => taking.map(|got| self.waste(*got)).sum(),
                Term::PackingPotential => self.lost(question, taking.map(|got| got.offer)),
                Term::ParentsTouched { .. } => {
                    let parents = taking.flat_map(|got| &counted.parents[got.offer]);
                    let fresh = parents.filter(|parent| counted.held[**parent] == 0);
                    let fresh: BTreeSet<&usize> = fresh.collect();
                    i128::try_from(fresh.len()).unwrap_or(i128::MAX)
                }
                Term::Evenness { .. } => {
                    let mut picks: BTreeMap<usize, i128> = BTreeMap::new();
                    for parent in taking.flat_map(|got| &counted.parents[got.offer]) {
                        *picks.entry(*parent).or_default() += 1;
                    }
                    let growth =
                        |(parent, picks): (usize, i128)| picks * (2 * counted.held[parent] + picks);
                    picks.into_iter().map(growth).sum()
                }
                term if term.needs_topology() => {
                    let devices = taking.map(|got| {
                        let asked = &question.requests[got.request];
                        (question.offers[got.offer].1.key, &*asked.id.request)
                    });
                    let linked = self.linked.as_ref();
                    linked.map_or(0, |linked| linked.value(term, devices))
                }
                _ => 0,
            }
        };
        self.terms.iter().take(terms).map(value).collect()
    }

    /// Returns the values of terms up to one, of chosen alternatives alone.
    pub(super) fn of_choices(&self, chosen: &[(usize, usize)], terms: usize) -> Values {
        let value = |counted: &Counted| {
            let counts =
                |(request, _): &&(usize, usize)| counted.requests.get(*request) == Some(&true);
            let ranks = chosen
                .iter()
                .filter(counts)
                .map(|(_, place)| i128::try_from(*place));
            match counted.term {
                Term::AlternativeRank => ranks.map(|rank| rank.unwrap_or(i128::MAX)).sum(),
                _ => 0,
            }
        };
        self.terms.iter().take(terms).map(value).collect()
    }

    fn waste(&self, got: Got) -> i128 {
        let wasted = &self.choices[got.request][got.alternative];
        let rounding = wasted.rounding.get(&got.offer).copied().unwrap_or(0);
        (self.sizes[got.offer] - wasted.least).max(0) + rounding
    }

    /// Counts the devices that could be had before and cannot be had beside others.
    fn lost(&self, question: &Question<'_, '_>, picked: impl Iterator<Item = usize>) -> i128 {
        let picked: Vec<usize> = picked.collect();
        let mut lost: BTreeSet<usize> = picked.iter().copied().collect();
        let mut left: BTreeMap<usize, Amount> = BTreeMap::new();
        let mut paid = BTreeSet::new();
        for offer in picked {
            // Shares of a device pay for its counters once.
            if !paid.insert(offer) && question.is_shared(offer) {
                continue;
            }
            for (counter, amount) in &question.counters.taken[offer] {
                let all = &question.counters.left[*counter];
                *left.entry(*counter).or_insert_with(|| all.clone()) -= amount;
            }
        }
        for (counter, left) in &left {
            for user in &self.users[*counter] {
                let mut taken = question.counters.taken[*user].iter();
                if taken.any(|(other, amount)| other == counter && amount > left) {
                    lost.insert(*user);
                }
            }
        }
        let lost = lost.into_iter().filter(|offer| self.there.contains(*offer));
        i128::try_from(lost.count()).unwrap_or(i128::MAX)
    }

    /// Returns whether some term counts what picks take away from others.
    pub(super) fn counts_losses(&self) -> bool {
        self.terms
            .iter()
            .any(|counted| counted.term == Term::PackingPotential)
    }

    /// Returns the parents of a device, by the place of the term.
    pub(super) fn parents(&self, offer: usize) -> impl Iterator<Item = (usize, usize)> {
        let terms = self.terms.iter().enumerate();
        terms.flat_map(move |(place, counted)| {
            let parents = counted.parents.get(offer).into_iter().flatten();
            parents.map(move |parent| (place, *parent))
        })
    }

    /// Returns whether two requests that get an alternative count alike.
    pub(super) fn counts_alike(
        &self,
        question: &Question<'_, '_>,
        one: (usize, usize),
        other: (usize, usize),
    ) -> bool {
        let name = |request: usize| &question.requests[request].id.request;
        let same = |counted: &Counted| {
            counted.requests.get(one.0) == counted.requests.get(other.0)
                && (name(one.0) == name(other.0) || !matches!(counted.term, Term::UnitLevel { .. }))
        };
        self.choices[one.0][one.1] == self.choices[other.0][other.1] && self.terms.iter().all(same)
    }

    /// Returns whether two devices count alike.
    pub(super) fn are_alike(
        &self,
        question: &Question<'_, '_>,
        (one, other): (usize, usize),
    ) -> bool {
        let key = |offer: usize| question.offers[offer].1.key;
        let linked = self.linked.as_ref();
        linked.is_none_or(|linked| linked.are_alike(key(one), key(other)))
            && self.penalties[one] == self.penalties[other]
            && self.sizes[one] == self.sizes[other]
            && self.there.contains(one) == self.there.contains(other)
            && self.parents(one).eq(self.parents(other))
    }

    /// Returns the penalty of a device.
    pub(super) fn penalty(&self, offer: usize) -> i128 {
        self.penalties[offer]
    }
}

impl Counted {
    /// Numbers the parents of the devices, if the term counts those.
    fn find_parents(&mut self, question: &Question<'_, '_>) {
        let (Term::ParentsTouched { attribute } | Term::Evenness { attribute }) = &self.term else {
            return;
        };
        let mut numbers: BTreeMap<Parent<'_>, usize> = BTreeMap::new();
        for (place, (_, offer)) in question.offers.iter().enumerate() {
            let is_held = question.world.held.is_held(offer.key);
            let mut parents = BTreeSet::new();
            for parent in parents_of(place, offer, attribute.as_deref()) {
                let next = numbers.len();
                parents.insert(*numbers.entry(parent).or_insert(next));
            }
            self.held.resize(numbers.len(), 0);
            for parent in parents.iter().filter(|_| is_held) {
                self.held[*parent] += 1;
            }
            self.parents.push(parents.into_iter().collect());
        }
    }
}

fn parents_of<'a>(place: usize, offer: &Offer<'a>, attribute: Option<&str>) -> Vec<Parent<'a>> {
    let (device, driver) = (offer.device, &*offer.spec.driver);
    if let Some(attribute) = attribute {
        let found = rules::lookup(device, driver, attribute);
        return match found.and_then(|found| AttributeSet::of(found, true)) {
            Some(AttributeSet::Values(values)) => values.into_iter().map(Parent::Value).collect(),
            _ => vec![Parent::Device(place)],
        };
    }
    if !device.consumes_counters.is_empty() {
        let sets = device.consumes_counters.iter();
        return sets
            .map(|set| Parent::CounterSet(offer.pool, &set.counter_set))
            .collect();
    }
    vec![match rules::own_text(device, driver, "parentUUID") {
        Some(card) => Parent::Card(driver, card),
        None => Parent::Device(place),
    }]
}

/// Returns the share that a device takes of counters, on average over all
/// counters of the sets from which it consumes, rounded up.
fn size(question: &Question<'_, '_>, offer: &Offer<'_>) -> i128 {
    let consumption = &offer.device.consumes_counters;
    let sets: BTreeSet<&str> = consumption.iter().map(|set| &*set.counter_set).collect();
    let budgets = &question.world.pools[offer.pool].budgets;
    let (mut sum, mut count) = (0_i128, 0_i128);
    for set in sets {
        for (name, total) in budgets.get(set).into_iter().flatten() {
            let of_set = consumption
                .iter()
                .filter(|other| *other.counter_set == *set);
            let taken = of_set.filter_map(|other| other.counters.get(*name));
            let taken: Amount = taken.map(|counter| counter.value.amount()).sum();
            sum += share(&taken, total);
            count += 1;
        }
    }
    (sum + count - 1).checked_div(count).unwrap_or(0)
}

/// Returns what is taken of a shared device beyond what is asked for.
fn rounding(
    question: &Question<'_, '_>,
    offer: usize,
    amounts: &[Amount],
    asked: &BTreeMap<String, Amount>,
) -> i128 {
    let capacities = question.offers[offer].1.device.capacity.iter();
    let shares = capacities
        .zip(amounts)
        .filter_map(|((name, capacity), amount)| {
            let beyond = amount - asked.get(&**name)?;
            Some(share(&beyond, capacity.value.amount()))
        });
    shares.sum()
}

/// Returns a share in parts per million, rounded up; of nothing it is a whole.
fn share(part: &Amount, whole: &Amount) -> i128 {
    if part.sign() <= 0 {
        return 0;
    }
    if whole.sign() <= 0 {
        return WHOLE;
    }
    let mut millions = Amount::ZERO;
    for bit in (0..i128::BITS).rev() {
        millions = &millions + &millions;
        if WHOLE >> bit & 1 == 1 {
            millions += part;
        }
    }
    millions
        .div_ceil(whole)
        .map_or(MOST_SHARE, |share| share.min(MOST_SHARE))
}
