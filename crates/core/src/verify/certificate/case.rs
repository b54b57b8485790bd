//! [`Case`]: a question with what is assumed in one branch of a certificate.

use std::collections::{BTreeMap, BTreeSet};

use dralloc_quantity::Amount;

use super::super::compatibility_groups::agree;
use super::question::{Choice, Kind, Question, Shown};
use super::required;
use crate::bitmap::Bitmap;
use crate::model::Str;
use crate::rules::AttributeValue;

/// Is what can still be had, given what is assumed.
///
/// INVARIANT: an answer that meets the assumptions has no device that is not
/// among the candidates here.
#[derive(Clone)]
pub(super) struct Case {
    /// The candidates of each alternative of each request; none if it is not
    /// the one that is chosen.
    pub(super) candidates: Vec<Vec<Option<Bitmap>>>,
    /// The devices that requests get.
    pub(super) got: Vec<Got>,
    /// What is left of counters.
    pub(super) counters: Vec<Amount>,
    /// What is left of the capacities of shared devices that are given.
    capacities: BTreeMap<usize, Vec<Amount>>,
}

/// Is a device that a request gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Got {
    pub(super) request: usize,
    pub(super) alternative: usize,
    pub(super) offer: usize,
}

impl Case {
    /// Returns the case in which nothing is assumed.
    pub(super) fn new(question: &Question<'_, '_>) -> Self {
        let of_request = |alternatives: &[Choice]| {
            let candidates = |choice: &Choice| Some(choice.candidates.clone());
            alternatives.iter().map(candidates).collect()
        };
        let requests = question.requests.iter();
        let mut case = Self {
            candidates: requests
                .map(|asked| of_request(&asked.alternatives))
                .collect(),
            got: Vec::new(),
            counters: question.counters.left.clone(),
            capacities: BTreeMap::new(),
        };
        case.tighten(question);
        case
    }

    /// Returns the alternatives that a request has left.
    pub(super) fn left<'q>(
        &self,
        question: &'q Question<'_, '_>,
        request: usize,
    ) -> impl Iterator<Item = (usize, &'q Choice, &Bitmap)> {
        let candidates = self.candidates[request].iter();
        let choices = candidates.zip(&question.requests[request].alternatives);
        choices
            .enumerate()
            .filter_map(|(place, (candidates, choice))| {
                candidates
                    .as_ref()
                    .map(|candidates| (place, choice, candidates))
            })
    }

    /// Returns how many more devices an alternative of a request needs.
    pub(super) fn open(&self, request: usize, choice: &Choice) -> usize {
        let got = self.got.iter().filter(|got| got.request == request);
        choice.needed.saturating_sub(got.count())
    }

    /// Returns how many more devices a request needs at least.
    pub(super) fn needed(&self, question: &Question<'_, '_>, request: usize) -> usize {
        let left = self.left(question, request);
        left.map(|(_, choice, _)| self.open(request, choice))
            .min()
            .unwrap_or(0)
    }

    /// Returns all devices that a request can still have.
    pub(super) fn serving(&self, request: usize, devices: usize) -> Bitmap {
        let mut serving = Bitmap::new(devices);
        for candidates in self.candidates[request].iter().flatten() {
            serving.unite(candidates);
        }
        serving
    }

    /// Returns what is left of the capacities of a shared device.
    pub(super) fn capacities(&self, question: &Question<'_, '_>, offer: usize) -> Vec<Amount> {
        let known = self.capacities.get(&offer).cloned();
        known.unwrap_or_else(|| question.capacities(offer))
    }

    /// Returns whether a device needs no counters any more.
    pub(super) fn is_paid(&self, question: &Question<'_, '_>, offer: usize) -> bool {
        question.counters.taken[offer].is_empty()
            || question.is_shared(offer)
                && self
                    .got
                    .iter()
                    .any(|got| got.offer == offer && !choice(question, *got).admin)
    }

    /// Assumes which alternative a request gets.
    pub(super) fn choose(&mut self, request: usize, alternative: usize) {
        for (place, candidates) in self.candidates[request].iter_mut().enumerate() {
            if place != alternative {
                *candidates = None;
            }
        }
    }

    /// Assumes which value all devices of a constraint have.
    pub(super) fn restrict(
        &mut self,
        question: &Question<'_, '_>,
        constraint: usize,
        value: &AttributeValue,
    ) {
        self.retain(question, |choice, offer| {
            choice
                .shows(constraint, offer)
                .is_none_or(|shown| shown.contains(value))
        });
    }

    /// Assumes that a request does not get a device.
    pub(super) fn deny(&mut self, request: usize, offer: usize) {
        for candidates in self.candidates[request].iter_mut().flatten() {
            candidates.remove(offer);
        }
    }

    /// Assumes that a request, which has one alternative left, gets a device.
    pub(super) fn give(&mut self, question: &Question<'_, '_>, request: usize, offer: usize) {
        let Some((alternative, choice, _)) = self.left(question, request).next() else {
            return;
        };
        if !choice.admin && !self.is_paid(question, offer) {
            for (counter, amount) in &question.counters.taken[offer] {
                self.counters[*counter] -= amount;
            }
        }
        if let Some(amounts) = choice.amounts.get(&offer) {
            let mut left = self.capacities(question, offer);
            for (left, amount) in left.iter_mut().zip(amounts) {
                *left -= amount;
            }
            self.capacities.insert(offer, left);
        }
        self.got.push(Got {
            request,
            alternative,
            offer,
        });
        self.tighten(question);
    }

    /// Takes away the candidates that what is given does not allow.
    fn tighten(&mut self, question: &Question<'_, '_>) {
        for request in 0..self.candidates.len() {
            for alternative in 0..self.candidates[request].len() {
                let Some(candidates) = self.candidates[request][alternative].take() else {
                    continue;
                };
                let mut kept = Bitmap::new(question.offers.len());
                for offer in candidates.iter() {
                    let got = Got {
                        request,
                        alternative,
                        offer,
                    };
                    if self.admits(question, got) {
                        kept.insert(offer);
                    }
                }
                self.candidates[request][alternative] = Some(kept);
            }
        }
    }

    /// Returns whether nothing tells two devices apart: any answer stays one when
    /// they change places.
    pub(super) fn is_like(&self, question: &Question<'_, '_>, one: usize, other: usize) -> bool {
        let (first, second) = (question.offers[one].1, question.offers[other].1);
        let is_given = |offer: usize| self.got.iter().any(|got| got.offer == offer);
        let has_same = |offer: usize| !question.same[offer].is_empty();
        first.pool == second.pool
            && first.device.consumes_counters == second.device.consumes_counters
            && question.counters.taken[one] == question.counters.taken[other]
            && question.is_shared(one) == question.is_shared(other)
            && first.device.capacity == second.device.capacity
            && question.capacities(one) == question.capacities(other)
            && question
                .linked
                .as_ref()
                .is_none_or(|linked| linked.are_alike(first.key, second.key))
            && ![one, other]
                .into_iter()
                .any(|offer| is_given(offer) || has_same(offer))
            && (0..question.requests.len()).all(|request| {
                self.left(question, request).all(|(_, choice, candidates)| {
                    candidates.contains(one) == candidates.contains(other)
                        && choice.amounts.get(&one) == choice.amounts.get(&other)
                        && choice
                            .shown
                            .iter()
                            .all(|(_, shown)| shown.get(&one) == shown.get(&other))
                })
            })
    }

    fn retain(&mut self, question: &Question<'_, '_>, keep: impl Fn(&Choice, usize) -> bool) {
        for (asked, candidates) in question.requests.iter().zip(&mut self.candidates) {
            for (choice, candidates) in asked.alternatives.iter().zip(candidates) {
                let Some(candidates) = candidates else {
                    continue;
                };
                for offer in choice
                    .candidates
                    .iter()
                    .filter(|offer| !keep(choice, *offer))
                {
                    candidates.remove(offer);
                }
            }
        }
    }

    /// Returns whether a device can be given beside what is given.
    fn admits(&self, question: &Question<'_, '_>, new: Got) -> bool {
        self.is_free(question, new)
            && self.has_room(question, new)
            && self.gets_on(question, new.offer)
            && self.matches(question, new)
            && required::may_be_allowed(question, &self.got, new)
    }

    /// Neither it nor what is physically the same is given in its way.
    fn is_free(&self, question: &Question<'_, '_>, new: Got) -> bool {
        let admin = choice(question, new).admin;
        self.got.iter().all(|got| {
            let twins = question.same[new.offer].contains(&got.offer);
            if twins && !admin && !choice(question, *got).admin {
                return false;
            }
            got.offer != new.offer
                || got.request != new.request
                    && (question.is_shared(new.offer)
                        || !exclude(question, got.request, new.request))
        })
    }

    /// What it takes is left. A counter that was overdrawn before blocks those who use it.
    fn has_room(&self, question: &Question<'_, '_>, new: Got) -> bool {
        let choice = choice(question, new);
        if choice.admin {
            return true;
        }
        let taken = question.counters.taken[new.offer].iter();
        let has_counters = self.is_paid(question, new.offer)
            || taken
                .clone()
                .all(|(counter, amount)| *amount <= self.counters[*counter]);
        let has_capacities = choice.amounts.get(&new.offer).is_none_or(|amounts| {
            let left = self.capacities(question, new.offer);
            amounts
                .iter()
                .zip(&left)
                .all(|(amount, left)| amount <= left)
        });
        has_counters && has_capacities
    }

    /// It has a compatibility group in common with those who use its counter sets.
    fn gets_on(&self, question: &Question<'_, '_>, new: usize) -> bool {
        let world = question.world;
        let (_, offer) = question.offers[new];
        if !world.features.compatibility_groups
            || world.has_paid(offer)
            || self.got.iter().any(|got| got.offer == new)
        {
            return true;
        }
        let pool = &world.pools[offer.pool];
        let held = pool
            .all_devices()
            .filter(|other| world.held.is_held(other.key));
        let given: BTreeSet<usize> = self.got.iter().map(|got| got.offer).collect();
        let given = given.into_iter().map(|given| question.offers[given].1);
        let given = given.filter(|other| other.pool == offer.pool && !world.has_paid(other));
        let users: Vec<_> = held.chain(given).chain([offer]).collect();
        offer.device.consumes_counters.iter().all(|taken| {
            let of_set = users.iter().flat_map(|user| &user.device.consumes_counters);
            let of_set = of_set.filter(|other| other.counter_set == taken.counter_set);
            let groups: Vec<&[Str]> = of_set.map(|other| &*other.compatibility_groups).collect();
            agree(&groups)
        })
    }

    /// What it shows to constraints goes with what the others show.
    fn matches(&self, question: &Question<'_, '_>, new: Got) -> bool {
        let shown = &choice(question, new).shown;
        shown.iter().all(|(constraint, shown)| {
            let Some(own) = shown.get(&new.offer) else {
                return false;
            };
            let others = self.got.iter().filter_map(|got| {
                let shown = choice(question, *got).shows(*constraint, got.offer)?;
                Some((*got, shown))
            });
            match &question.constraints[*constraint].kind {
                Kind::Match => {
                    let others: Vec<&Shown> = others.map(|(_, shown)| shown).collect();
                    let is_common = |value| others.iter().all(|other| other.contains(value));
                    others.is_empty() || own.iter().any(is_common)
                }
                // What cannot be compared is distinct only where nothing came before.
                Kind::Distinct => others.into_iter().all(|(got, other)| {
                    match (own.is_empty(), other.is_empty()) {
                        (true, true) => false,
                        (true, false) => new.request <= got.request,
                        (false, true) => got.request <= new.request,
                        (false, false) => own.is_disjoint(other),
                    }
                }),
                Kind::Required(requirement) => {
                    let others = others.into_iter().map(|(got, _)| got.offer);
                    required::admits(question, requirement, others, new.offer)
                }
            }
        })
    }
}

fn choice<'q>(question: &'q Question<'_, '_>, got: Got) -> &'q Choice {
    &question.requests[got.request].alternatives[got.alternative]
}

/// Returns whether two requests cannot both have one device that is not shared.
///
/// Access for administration leaves a device free for others, and is refused
/// only what its claim has already.
pub(super) fn exclude(question: &Question<'_, '_>, one: usize, other: usize) -> bool {
    let (first, second) = (
        &question.requests[one.min(other)],
        &question.requests[one.max(other)],
    );
    let admin = |alternatives: &[Choice]| alternatives.iter().any(|choice| choice.admin);
    if admin(&second.alternatives) {
        first.id.claim == second.id.claim
    } else {
        !admin(&first.alternatives)
    }
}
