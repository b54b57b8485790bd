//! What policies require, as constraints of a problem.
//!
//! A level is a match constraint whose attribute is the domain of a device, so that the
//! bounds of values hold for it. All other rules have propagators of their own.

use std::sync::Arc;

use dralloc_topology::LARGEST_TABLE;

use super::units::unit_groups;
use super::{Constraint, Halt, Problem, Propagator};
use crate::bitmap::Bitmap;
use crate::budget::Meter;
use crate::claims::{Demand, Rule};
use crate::constraint::{AllowedSets, AttributeSets, Linked, MatchAttribute, RingRate, UnitGroups};
use crate::error::{Code, Error};
use crate::outcome::StopCause;
use crate::rules::{AttributeSet, AttributeValue};
use crate::topology::{AffinityScope, Machine};

/// No claim has this place: a rule with it is one of the machine, for all claims.
pub(in crate::solver) const ALL_CLAIMS: usize = usize::MAX;

/// Says what a constraint is about.
#[derive(Clone, Copy)]
pub(in crate::solver) enum Subject<'a> {
    /// An attribute, as the claim says.
    Attribute(&'a crate::claims::PreparedConstraint),
    /// What a policy of the claim requires.
    Demand(&'a Demand),
    /// The sets of devices that the machine allows.
    AllowedSets,
}

/// Is what a rule requires, in words.
pub(crate) enum Requirement {
    /// As a policy says it, such as ``one `numaNode` ``.
    Policy(String),
    /// That devices are one of the sets that the machine allows.
    AllowedSets,
}

impl<'a> Problem<'a> {
    /// Adds the rule of a machine that allows some sets of devices only.
    pub(super) fn add_allowed_sets(&mut self, machine: Option<&Arc<Machine>>) {
        if let Some(sets) = machine.and_then(|machine| machine.allowed_sets()) {
            let propagator = Propagator::AllowedSets(AllowedSets::new(Arc::clone(sets)));
            self.add_rule(Subject::AllowedSets, ALL_CLAIMS, propagator);
        }
    }

    /// Adds what the policies of a claim require.
    ///
    /// # Errors
    ///
    /// [`Code::Unsupported`] for rings on a node with too many linked devices.
    pub(super) fn add_demands(
        &mut self,
        claim: usize,
        demands: &'a [Demand],
        machine: &Arc<Machine>,
    ) -> Result<(), Error> {
        for demand in demands {
            let machine = || Arc::clone(machine);
            let propagator = match &demand.rule {
                Rule::Level(AffinityScope::NvLink) => Propagator::Linked(Linked::new(machine())),
                Rule::Level(AffinityScope::Domain(_)) => {
                    Propagator::Match(MatchAttribute::default())
                }
                Rule::Unit(_) => Propagator::Units(UnitGroups::default()),
                Rule::Partition => match machine().partitions() {
                    Some(partitions) => {
                        Propagator::Partition(AllowedSets::new(Arc::clone(partitions)))
                    }
                    // Without partitions any devices will do.
                    None => continue,
                },
                Rule::Ring(least) => match machine().table() {
                    Some(table) => {
                        let ring = RingRate::new(machine(), Arc::clone(table), least);
                        Propagator::Ring(Box::new(ring))
                    }
                    None if machine().is_beyond_tables() => {
                        let message = format!(
                            "rings of more than {LARGEST_TABLE} linked devices on a node are \
                             not supported"
                        );
                        return Err(Error::new(Code::Unsupported, message).on_node());
                    }
                    None => continue,
                },
            };
            self.add_rule(Subject::Demand(demand), claim, propagator);
        }
        Ok(())
    }

    fn add_rule(&mut self, subject: Subject<'a>, claim: usize, propagator: Propagator) {
        self.constraints.push(Constraint {
            subject,
            claim,
            sets: AttributeSets::default(),
            propagator,
            last: None,
        });
    }

    /// Completes rules by what requests can have.
    ///
    /// # Errors
    ///
    /// [`Code::Unsupported`] where domains of a node do not say which groups there are; and
    /// if it is stopped.
    pub(super) fn complete_rules(
        &mut self,
        machine: Option<&Arc<Machine>>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Halt> {
        for id in 0..self.constraints.len() {
            let is_under = |plan: &&super::Plan<'_>| plan.compared(id).is_some();
            let plans = || self.plans.iter().filter(is_under);
            let last = plans().map(|plan| plan.request).max();
            let units = match (self.constraints[id].subject, machine) {
                (
                    Subject::Demand(Demand {
                        rule: Rule::Unit(unit),
                        ..
                    }),
                    Some(machine),
                ) => Some(unit_groups(self, id, unit, machine)?),
                _ => None,
            };
            let open = plans().map(|plan| (plan.candidates.clone(), plan.needed));
            let open: Vec<(Bitmap, usize)> = open.collect();
            let constraint = &mut self.constraints[id];
            constraint.last = last;
            if let Propagator::Ring(ring) = &mut constraint.propagator {
                for (candidates, needed) in open {
                    ring.open(candidates.iter(), needed);
                }
                ring.look_ahead(meter)?;
            }
            if let Some(units) = units {
                constraint.propagator = units;
            }
        }
        Ok(())
    }

    /// Returns what requires a constraint, if that is none of the claim's own.
    pub(crate) fn rule(&self, claim: usize, constraint: usize) -> Option<Requirement> {
        let places = self.constraint_places();
        let place = places
            .iter()
            .position(|place| *place == (claim, constraint))?;
        match self.constraints.get(place)?.subject {
            Subject::Attribute(_) => None,
            Subject::AllowedSets => Some(Requirement::AllowedSets),
            Subject::Demand(demand) => Some(Requirement::Policy(demand.rule.to_string())),
        }
    }

    /// Returns whether devices that requests get, which need no more, break a rule; nothing
    /// is left of them afterwards.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(in crate::solver) fn is_broken_by(
        &mut self,
        rule: usize,
        got: &[(usize, usize)],
        meter: &mut Meter<'_>,
    ) -> Result<bool, StopCause> {
        let Some(constraint) = self.constraints.get_mut(rule) else {
            return Ok(false);
        };
        let propagator = &mut constraint.propagator;
        let mut admits_all = Ok(true);
        let mut joined = 0;
        for (request, device) in got {
            match propagator.admits(*request, *device, meter) {
                Ok(admits) => admits_all = admits_all.map(|all| all && admits),
                Err(cause) => {
                    admits_all = Err(cause);
                    break;
                }
            }
            propagator.add(*request, *device);
            joined += 1;
        }
        let is_whole = match propagator {
            Propagator::AllowedSets(sets) | Propagator::Partition(sets) => sets.is_whole(),
            Propagator::Ring(ring) => ring.is_whole(),
            _ => matches!(admits_all, Ok(true)),
        };
        for _ in 0..joined {
            propagator.take_back();
        }
        admits_all.map(|_| !is_whole)
    }

    /// Returns whether a rule whose last request has all its devices is not satisfied.
    pub(in crate::solver) fn breaks_rule(&self, request: usize) -> bool {
        let closed = self.constraints.iter();
        let mut closed = closed.filter(|constraint| constraint.last == Some(request));
        closed.any(|constraint| match &constraint.propagator {
            Propagator::AllowedSets(sets) | Propagator::Partition(sets) => !sets.is_whole(),
            Propagator::Ring(ring) => !ring.is_whole(),
            _ => false,
        })
    }
}

impl Constraint<'_> {
    /// Returns whether it is a rule of a policy or a machine, and none of the claim's own.
    pub(in crate::solver) fn is_rule(&self) -> bool {
        !matches!(self.subject, Subject::Attribute(_))
    }

    /// Returns whether devices may break it that are let join one by one.
    pub(in crate::solver) fn has_leaf(&self) -> bool {
        match self.propagator {
            Propagator::AllowedSets(_)
            | Propagator::Partition(_)
            | Propagator::Ring(_)
            | Propagator::Units(_)
            | Propagator::Cuts(_) => true,
            Propagator::Match(_) | Propagator::Distinct(_) | Propagator::Linked(_) => false,
        }
    }

    /// Returns what it compares, in one word.
    pub(in crate::solver) fn name(&self) -> crate::model::Str {
        match self.subject {
            Subject::Attribute(prepared) => prepared.attribute.clone(),
            Subject::Demand(demand) => demand.rule.name(),
            Subject::AllowedSets => "allowed sets".into(),
        }
    }

    /// Returns whether it is for an alternative of a request of a claim.
    pub(super) fn is_for(&self, claim: usize, alternative: &crate::claims::Alternative) -> bool {
        let name = &alternative.name;
        match self.subject {
            Subject::Attribute(prepared) => {
                self.claim == claim && name.is_among(&prepared.requests)
            }
            Subject::Demand(demand) => {
                let is_member = match &demand.rule {
                    Rule::Unit(unit) => unit.count_of(name.request()).is_some(),
                    Rule::Level(_) | Rule::Ring(_) | Rule::Partition => true,
                };
                self.claim == claim
                    && is_member
                    && !alternative.admin_access
                    && name.is_among(&demand.requests)
            }
            Subject::AllowedSets => !alternative.admin_access,
        }
    }
}

impl Propagator {
    /// Returns whether a rule lets a device join for a request.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub(super) fn admits(
        &mut self,
        request: usize,
        device: usize,
        meter: &mut Meter<'_>,
    ) -> Result<bool, StopCause> {
        Ok(match self {
            Self::Linked(linked) => linked.admits(device),
            Self::AllowedSets(sets) | Self::Partition(sets) => sets.admits(device),
            Self::Ring(ring) => ring.admits(device),
            Self::Units(units) => units.admits(request, device),
            Self::Cuts(cuts) => return cuts.admits(request, device, meter),
            Self::Match(_) | Self::Distinct(_) => false,
        })
    }

    /// Lets a device join a rule, which must admit it.
    pub(super) fn add(&mut self, request: usize, device: usize) {
        match self {
            Self::Linked(linked) => linked.add(device),
            Self::AllowedSets(sets) | Self::Partition(sets) => sets.add(device),
            Self::Ring(ring) => ring.add(device),
            Self::Units(units) => units.add(request, device),
            Self::Cuts(cuts) => cuts.add(request, device),
            Self::Match(_) | Self::Distinct(_) => {}
        }
    }

    /// Takes the last device of a rule back.
    pub(super) fn take_back(&mut self) {
        match self {
            Self::Linked(linked) => linked.undo(),
            Self::AllowedSets(sets) | Self::Partition(sets) => sets.undo(),
            Self::Ring(ring) => ring.undo(),
            Self::Units(units) => units.undo(),
            Self::Cuts(cuts) => cuts.undo(),
            Self::Match(_) | Self::Distinct(_) => {}
        }
    }
}

/// Returns what a device shows to a rule; nothing if it is where the rule cannot hold.
pub(super) fn shown(
    subject: Subject<'_>,
    machine: &Machine,
    device: usize,
) -> Option<AttributeSet> {
    let numbers = |numbers: &[u32]| {
        let values = numbers
            .iter()
            .map(|one| AttributeValue::Int(i64::from(*one)));
        AttributeSet::Values(values.collect())
    };
    // Rules with propagators of their own ask the machine themselves.
    let known = numbers(&[0]);
    let domains = |scope| Some(machine.domains().of(scope, device)).filter(|it| !it.is_empty());
    match subject {
        Subject::Demand(demand) => match &demand.rule {
            Rule::Level(AffinityScope::Domain(scope)) => domains(*scope).map(numbers),
            Rule::Unit(unit) if unit.is_required => match unit.levels.first()? {
                AffinityScope::Domain(scope) => domains(*scope).map(|_| known),
                AffinityScope::NvLink => Some(known),
            },
            _ => Some(known),
        },
        _ => Some(known),
    }
}
