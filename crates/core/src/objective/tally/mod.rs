//! [`Tally`]: the values of terms while picks come and go.

mod bounds;
mod links;

pub(crate) use bounds::Buffers;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::affinity_level::AffinityLevel;
use super::evenness::Evenness;
use super::linked::{Known, Linked};
use super::packing_potential::PackingPotential;
use super::parents::Parents;
use super::parents_touched::ParentsTouched;
use super::unit_level::Units;
use super::waste::{self, Waste};
use super::{Health, Requests, Scope, Term, alternative_rank};
use crate::bitmap::Bitmap;
use crate::budget::Meter;
use crate::constraint::Counters;
use crate::model::{CapacityRequirements, Quantity, Str};
use crate::outcome::StopCause;
use crate::state::Draft;
use crate::store::NodeView;
use crate::topology::Machine;

/// Is an alternative of a request, as terms see it.
#[derive(Clone, Copy)]
pub(crate) struct Choice<'c> {
    /// Places of the claim, and of the request in it.
    pub(crate) claim: usize,
    pub(crate) request: usize,
    /// Place of the alternative.
    pub(crate) index: usize,
    pub(crate) admin_access: bool,
    /// The devices that it can have.
    pub(crate) candidates: &'c Bitmap,
    /// What the request asks of capacities, and what it gets of shared devices.
    pub(crate) asked: Option<&'c CapacityRequirements>,
    pub(crate) amounts: &'c BTreeMap<usize, Vec<Quantity>>,
    /// How many devices it needs, and whether it can be had at all.
    pub(crate) needed: usize,
    pub(crate) possible: bool,
    /// Name of the request.
    pub(crate) name: &'c str,
}

/// Keeps the values of all terms of all scopes, in order, for the picks so far.
///
/// Alternatives have numbers; they are those of the list it was made with.
#[derive(Debug)]
pub(crate) struct Tally {
    values: Vec<i64>,
    scopes: Vec<Counted>,
    alternatives: Vec<Alternative>,
    /// By attribute.
    parents: Vec<Parents>,
    penalties: Vec<i64>,
    waste: Option<Waste>,
    known: Option<Known>,
    /// Values before each event.
    trail: Vec<i64>,
    /// What was chosen, and whether it is settled.
    chosen: Vec<(usize, bool)>,
}

/// Is a scope with the state of its terms.
#[derive(Debug)]
struct Counted {
    /// Place of the value of its first term.
    first: usize,
    terms: Vec<Measure>,
    linked: Option<Box<Linked>>,
}

#[derive(Debug)]
enum Measure {
    AlternativeRank,
    HealthPenalty,
    Waste,
    PackingPotential(Box<PackingPotential>),
    /// With the place of the parents.
    ParentsTouched(usize, ParentsTouched),
    Evenness(usize, Evenness),
    AffinityLevel(Box<AffinityLevel>),
    UnitLevel(Box<Units>),
    /// Nothing is known of places.
    Unknown,
    /// What [`Linked`] counts.
    Linked,
}

#[derive(Debug)]
struct Alternative {
    rank: i64,
    admin_access: bool,
    /// By scope, whether it counts the picks.
    scopes: Vec<bool>,
    /// Size of the smallest candidate.
    least: i64,
    /// What is wasted of shared devices beside their size.
    rounding: BTreeMap<usize, i64>,
}

impl Tally {
    /// Writes down what the terms of scopes read of a question.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(crate) fn new<'c>(
        scopes: &[Scope],
        choices: impl Iterator<Item = Choice<'c>>,
        (view, held, counters): (&NodeView, &Draft, &Counters),
        (health, machine): (Health<'_>, Option<&Arc<Machine>>),
        meter: &mut Meter<'_>,
    ) -> Result<Self, StopCause> {
        let mut tally = Self {
            values: Vec::new(),
            scopes: Vec::with_capacity(scopes.len()),
            alternatives: Vec::new(),
            parents: Vec::new(),
            penalties: Vec::new(),
            waste: None,
            known: None,
            trail: Vec::new(),
            chosen: Vec::new(),
        };
        let choices: Vec<Choice<'c>> = choices.collect();
        let mut attributes: Vec<Option<Str>> = Vec::new();
        for scope in scopes {
            let first = tally.values.len();
            tally.values.resize(first + scope.terms.len(), 0);
            let mut terms = Vec::with_capacity(scope.terms.len());
            for term in &scope.terms {
                let mut parents_by = |attribute: &Option<Str>,
                                      parents: &mut Vec<Parents>,
                                      meter: &mut Meter<'_>| {
                    if let Some(known) = attributes.iter().position(|known| known == attribute) {
                        return Ok(known);
                    }
                    parents.push(Parents::new(view, held, attribute.as_deref(), meter)?);
                    attributes.push(attribute.clone());
                    Ok(parents.len() - 1)
                };
                terms.push(match term {
                    Term::AlternativeRank => Measure::AlternativeRank,
                    Term::HealthPenalty => {
                        if tally.penalties.is_empty() {
                            tally.penalties = health.penalties(view, meter)?;
                        }
                        Measure::HealthPenalty
                    }
                    Term::Waste => {
                        if tally.waste.is_none() {
                            tally.waste = Some(Waste::new(view, counters, meter)?);
                        }
                        Measure::Waste
                    }
                    Term::PackingPotential => {
                        let potential = PackingPotential::new(view, held, counters, meter)?;
                        Measure::PackingPotential(Box::new(potential))
                    }
                    Term::ParentsTouched { attribute } => {
                        let place = parents_by(attribute, &mut tally.parents, meter)?;
                        let touched = ParentsTouched::new(&tally.parents[place]);
                        Measure::ParentsTouched(place, touched)
                    }
                    Term::Evenness { attribute } => {
                        let place = parents_by(attribute, &mut tally.parents, meter)?;
                        Measure::Evenness(place, Evenness::new(&tally.parents[place]))
                    }
                    Term::AffinityLevel { .. } | Term::UnitLevel { .. } => {
                        let measure = links::levels(scope, term, &choices, machine);
                        if let Measure::UnitLevel(units) = &measure {
                            tally.values[first + terms.len()] = units.least();
                        }
                        measure
                    }
                    Term::Ring
                    | Term::Links
                    | Term::Bottleneck
                    | Term::NicAlignment
                    | Term::Span
                    | Term::HostUplink
                    | Term::LinkPotential => Measure::Linked,
                });
            }
            tally.scopes.push(Counted {
                first,
                terms,
                linked: None,
            });
        }
        for choice in &choices {
            let alternative = tally.alternative(scopes, *choice, view, meter)?;
            tally.alternatives.push(alternative);
        }
        let is_linked = |term: &Term| term.needs_topology() && !term.is_of_levels();
        if let Some(machine) = machine
            && scopes.iter().flat_map(|scope| &scope.terms).any(is_linked)
        {
            tally.known = Some(Known::new(view, held, machine, meter)?);
            tally.link(scopes, &choices, meter)?;
        }
        Ok(tally)
    }

    fn alternative(
        &self,
        scopes: &[Scope],
        choice: Choice<'_>,
        view: &NodeView,
        meter: &mut Meter<'_>,
    ) -> Result<Alternative, StopCause> {
        let counts = |requests: &Requests| requests.contains(choice.claim, choice.request);
        let mut rounding = BTreeMap::new();
        if self.waste.is_some() && !choice.admin_access {
            for (device, taken) in choice.amounts {
                meter.effort(2)?;
                let model = view.devices[*device].device();
                let wasted = waste::rounding(model, choice.asked, taken);
                if wasted > 0 {
                    rounding.insert(*device, wasted);
                }
            }
        }
        let waste = self.waste.as_ref();
        meter.look_at(choice.candidates.len())?;
        Ok(Alternative {
            rank: alternative_rank::of(choice.index),
            admin_access: choice.admin_access,
            scopes: scopes.iter().map(|scope| counts(&scope.requests)).collect(),
            least: waste.map_or(0, |waste| waste.least(choice.candidates)),
            rounding,
        })
    }

    /// Returns the values, scope by scope.
    pub(crate) fn values(&self) -> &[i64] {
        &self.values
    }

    /// Notes that a request gets an alternative.
    pub(crate) fn choose(&mut self, alternative: usize, meter: &mut Meter<'_>) {
        self.choose_if(alternative, true, meter);
    }

    /// Notes that a request gets an alternative or one that is later in its list.
    pub(crate) fn choose_at_best(&mut self, alternative: usize, meter: &mut Meter<'_>) {
        self.choose_if(alternative, false, meter);
    }

    fn choose_if(&mut self, alternative: usize, is_settled: bool, meter: &mut Meter<'_>) {
        self.trail.extend_from_slice(&self.values);
        self.chosen.push((alternative, is_settled));
        let chosen = &self.alternatives[alternative];
        let scopes = self.scopes.iter_mut().zip(&chosen.scopes);
        for (scope, _) in scopes.filter(|(_, counts)| **counts) {
            for (place, term) in (scope.first..).zip(&scope.terms) {
                if let Measure::AlternativeRank = term {
                    let value = &mut self.values[place];
                    *value = value.saturating_add(chosen.rank);
                }
            }
            if let (Some(linked), Some(known), true) = (&mut scope.linked, &self.known, is_settled)
            {
                linked.choose(alternative);
                scope.write(known, &mut self.values, meter);
            }
        }
    }

    /// Takes the latest choice back, which must be the latest event.
    pub(crate) fn take_choice_back(&mut self) {
        self.restore();
        let Some((alternative, true)) = self.chosen.pop() else {
            return;
        };
        let chosen = &self.alternatives[alternative];
        let scopes = self.scopes.iter_mut().zip(&chosen.scopes);
        for (scope, _) in scopes.filter(|(_, counts)| **counts) {
            if let Some(linked) = &mut scope.linked {
                linked.take_choice_back(alternative);
            }
        }
    }

    /// Adds a pick for an alternative.
    pub(crate) fn add(&mut self, alternative: usize, device: usize, meter: &mut Meter<'_>) {
        self.trail.extend_from_slice(&self.values);
        let chosen = &self.alternatives[alternative];
        let scopes = self.scopes.iter_mut().zip(&chosen.scopes);
        for (scope, _) in scopes.filter(|(_, counts)| **counts) {
            for (place, term) in (scope.first..).zip(&mut scope.terms) {
                let more = match term {
                    Measure::AlternativeRank | Measure::Linked | Measure::Unknown => 0,
                    Measure::HealthPenalty => self.penalties[device],
                    _ if chosen.admin_access => 0,
                    Measure::Waste => chosen.waste(self.waste.as_ref(), device),
                    Measure::PackingPotential(potential) => potential.add(device),
                    Measure::ParentsTouched(place, touched) => {
                        touched.add(&self.parents[*place], device)
                    }
                    Measure::Evenness(place, evenness) => {
                        evenness.add(&self.parents[*place], device)
                    }
                    Measure::AffinityLevel(level) => level.add(device),
                    Measure::UnitLevel(units) => units.add(alternative, device, meter),
                };
                let value = &mut self.values[place];
                *value = value.saturating_add(more);
            }
            if let (Some(linked), Some(known), false) =
                (&mut scope.linked, &self.known, chosen.admin_access)
            {
                linked.add(known, alternative, device);
                scope.write(known, &mut self.values, meter);
            }
        }
    }

    /// Takes the latest pick back, which must be the latest event and this one.
    pub(crate) fn take_back(&mut self, alternative: usize, device: usize) {
        self.restore();
        let chosen = &self.alternatives[alternative];
        if chosen.admin_access {
            return;
        }
        let scopes = self.scopes.iter_mut().zip(&chosen.scopes);
        for (scope, _) in scopes.filter(|(_, counts)| **counts) {
            for term in &mut scope.terms {
                match term {
                    Measure::PackingPotential(potential) => potential.take_back(),
                    Measure::ParentsTouched(place, touched) => {
                        touched.take_back(&self.parents[*place], device);
                    }
                    Measure::Evenness(place, evenness) => {
                        evenness.take_back(&self.parents[*place], device);
                    }
                    Measure::AffinityLevel(level) => level.take_back(),
                    Measure::UnitLevel(units) => units.take_back(),
                    _ => {}
                }
            }
            if let (Some(linked), Some(known)) = (&mut scope.linked, &self.known) {
                linked.take_back(known, alternative, device);
            }
        }
    }

    fn restore(&mut self) {
        let first = self.trail.len().saturating_sub(self.values.len());
        self.values.copy_from_slice(&self.trail[first..]);
        self.trail.truncate(first);
    }

    /// Returns how many scopes there are.
    pub(crate) fn scopes(&self) -> usize {
        self.scopes.len()
    }

    /// Returns the places of the values of a scope.
    pub(crate) fn values_of(&self, scope: usize) -> Range<usize> {
        let scope = &self.scopes[scope];
        scope.first..scope.first + scope.terms.len()
    }

    /// Returns whether a scope counts the picks of an alternative.
    pub(crate) fn counts(&self, scope: usize, alternative: usize) -> bool {
        self.alternatives[alternative].scopes[scope]
    }

    /// Returns sets of devices of which terms do not add up one by one.
    pub(crate) fn groups(&self) -> Vec<Vec<u32>> {
        self.parents.iter().flat_map(Parents::groups).collect()
    }

    /// Returns the penalty and the parents of a device.
    pub(crate) fn standing(&self, device: usize) -> (i64, Vec<Vec<u32>>) {
        let parents = self
            .parents
            .iter()
            .map(|parents| parents.of(device).to_vec());
        let penalty = self.penalties.get(device).copied().unwrap_or(0);
        (penalty, parents.collect())
    }

    /// Notes which of those sets are looked at in several parts.
    pub(crate) fn split(&mut self, groups: &[usize]) {
        let mut first = 0;
        for parents in &mut self.parents {
            let end = first + parents.len();
            for group in groups.iter().filter(|group| (first..end).contains(*group)) {
                parents.split(group - first);
            }
            first = end;
        }
    }
}

impl Alternative {
    fn waste(&self, waste: Option<&Waste>, device: usize) -> i64 {
        let beyond = waste.map_or(0, |waste| waste.size(device) - self.least);
        let rounding = self.rounding.get(&device).copied().unwrap_or(0);
        beyond.max(0).saturating_add(rounding)
    }
}
