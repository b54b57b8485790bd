//! [`Problem`]: claims, a node and what is held, as dense numbers.
//!
//! [`Builder`] makes one: the [`Judge`] asks the rules about each device for each
//! alternative, and a [`Plan`] keeps what they say. What is picked is in its [`State`].
//! A search ends with a [`Solution`].

pub(in crate::solver) mod alike;
mod builder;
mod compared;
pub(in crate::solver) mod components;
mod exchange;
mod judge;
mod later;
mod limit;
mod obstacle;
mod plan;
mod rules;
mod solution;
mod state;
mod statistics;
mod units;

pub(crate) use compared::Compared;
pub(in crate::solver) use exchange::Exchanges;
pub(in crate::solver) use judge::{Judge, Verdict};
pub(in crate::solver) use later::Later;
pub(in crate::solver) use limit::Least;
pub use obstacle::Obstacle;
pub use plan::Check;
pub(crate) use plan::Plan;
pub(crate) use rules::Requirement;
pub(in crate::solver) use rules::{ALL_CLAIMS, Subject};
pub(crate) use solution::Solution;
pub(in crate::solver) use solution::{Pick, sequence};
pub(in crate::solver) use state::{Refused, State};
pub use statistics::Statistics;
pub(in crate::solver) use units::unsupported;

use std::ops::Range;
use std::sync::Arc;

use self::builder::Builder;
use crate::bitmap::Bitmap;
use crate::budget::{Budget, Meter};
use crate::claims::{Alternative, PreparedClaims};
use crate::constraint::{
    AllowedSets, AttributeSets, Capacity, CompatibilityGroups, Counters, DistinctAttribute,
    Exclusive, Linked, MatchAttribute, RingRate, SetId, TwinPicks, UnitCuts, UnitGroups,
};
use crate::eligible::Verdicts;
use crate::error::{Code, Error};
use crate::outcome::StopCause;
use crate::solver::bounds::{Closer, Wanting, serving};
use crate::state::Draft;
use crate::store::{NodeView, PoolStatus};
use crate::topology::Machine;

/// Says what a device on which evaluation fails does to a question.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ErrorMode {
    /// Its error is the answer, if the search comes to it before.
    #[default]
    Abort,
    /// It cannot be had; a request for all devices cannot be satisfied then.
    Skip,
}

/// Says why a problem could not be made.
pub(crate) enum Halt {
    Error(Error),
    /// The budget ended before.
    Stopped(StopCause),
}

impl Halt {
    /// Returns why the budget ended.
    ///
    /// # Errors
    ///
    /// The error, if that is what it is.
    pub(crate) fn cause(self) -> Result<StopCause, Error> {
        match self {
            Self::Error(error) => Err(error),
            Self::Stopped(cause) => Ok(cause),
        }
    }

    /// Returns an error with a prefix before its path.
    pub(in crate::solver) fn under(self, prefix: &str) -> Self {
        match self {
            Self::Error(error) => Self::Error(error.under(prefix)),
            stopped @ Self::Stopped(_) => stopped,
        }
    }
}

impl From<Error> for Halt {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

impl From<StopCause> for Halt {
    fn from(cause: StopCause) -> Self {
        Self::Stopped(cause)
    }
}

/// Is a question in the form that the search works on.
pub(crate) struct Problem<'a> {
    pub(crate) view: &'a NodeView,
    /// The alternatives of each request; requests of all claims, in order.
    pub(in crate::solver) requests: Vec<Range<usize>>,
    pub(crate) plans: Vec<Plan<'a>>,
    /// Shared devices that may serve more than one request.
    pub(in crate::solver) serving: Bitmap,
    /// What each request takes away from others at least.
    pub(in crate::solver) wanting: Vec<Wanting>,
    /// By claim: whether its requests may want more together than it may have.
    pub(in crate::solver) limited: Vec<bool>,
    pub(in crate::solver) constraints: Vec<Constraint<'a>>,
    pub(in crate::solver) state: State,
    /// How devices are linked, where something is required of that.
    pub(in crate::solver) machine: Option<Arc<Machine>>,
    pub(in crate::solver) mode: ErrorMode,
    /// What is made once a search has trouble.
    pub(in crate::solver) closer: Option<Box<Closer>>,
    pub(crate) statistics: Statistics,
    /// What failed on devices that were left out for it.
    pub(crate) warnings: Vec<Error>,
}

/// Is one constraint of one claim, or one rule of a policy or a machine.
pub(in crate::solver) struct Constraint<'a> {
    pub(in crate::solver) subject: Subject<'a>,
    pub(in crate::solver) claim: usize,
    pub(in crate::solver) sets: AttributeSets,
    pub(in crate::solver) propagator: Propagator,
    /// The last request that it is for.
    pub(in crate::solver) last: Option<usize>,
}

pub(in crate::solver) enum Propagator {
    Match(MatchAttribute),
    Distinct(DistinctAttribute),
    Linked(Linked),
    AllowedSets(AllowedSets),
    Partition(AllowedSets),
    Ring(Box<RingRate>),
    Units(UnitGroups),
    Cuts(Box<UnitCuts>),
}

impl<'a> Problem<'a> {
    /// Judges every device for every alternative, in the order of the reference search.
    ///
    /// With a machine, what policies and the machine require holds, too.
    ///
    /// # Errors
    ///
    /// What concerns the claims as a whole: [`Code::Pool`] where an `All`
    /// request sees an incomplete or invalid pool, whatever fails on a device
    /// while an `All` set is made, and [`Code::LimitExceeded`]; [`Code::Unsupported`]
    /// for what policies require of a node that cannot be counted there.
    pub(crate) fn new(
        claims: &'a PreparedClaims,
        view: &'a NodeView,
        held: &'a Draft,
        verdicts: &mut Verdicts,
        (mode, machine): (ErrorMode, Option<&Arc<Machine>>),
        meter: &mut Meter<'_>,
    ) -> Result<Self, Halt> {
        let how = (mode, false, machine);
        Self::build(claims, view, held, verdicts, how, meter)
    }

    /// Does the same, leaves devices out on which evaluation fails, and notes
    /// for each device why it is no candidate.
    ///
    /// # Errors
    ///
    /// Those of [`Problem::new`], but for what fails on a device.
    pub(crate) fn with_notes(
        claims: &'a PreparedClaims,
        view: &'a NodeView,
        held: &'a Draft,
        verdicts: &mut Verdicts,
        machine: Option<&Arc<Machine>>,
    ) -> Result<Self, Error> {
        let mut meter = Budget::new().meter();
        let how = (ErrorMode::Skip, true, machine);
        let halt = match Self::build(claims, view, held, verdicts, how, &mut meter) {
            Ok(problem) => return Ok(problem),
            Err(halt) => halt,
        };
        let message = format!("stopped by {} without a budget", halt.cause()?);
        Err(Error::new(Code::Internal, message))
    }

    fn build(
        claims: &'a PreparedClaims,
        view: &'a NodeView,
        held: &'a Draft,
        verdicts: &mut Verdicts,
        (mode, notes, machine): (ErrorMode, bool, Option<&Arc<Machine>>),
        meter: &mut Meter<'_>,
    ) -> Result<Self, Halt> {
        meter.poll()?;
        let features = claims.features();
        let groups = if features.compatibility_groups {
            CompatibilityGroups::new(view, held, meter)?
        } else {
            CompatibilityGroups::default()
        };
        meter.poll()?;
        let counters = Counters::new(view, held, meter)?;
        let capacity = Capacity::new(view, held, meter)?;
        meter.poll()?;
        let state = State {
            exclusive: Exclusive::new(view.devices.len(), claims.len()),
            twins: TwinPicks::new(view),
            counters,
            groups,
            capacity,
        };
        let mut problem = Self {
            view,
            requests: Vec::new(),
            plans: Vec::new(),
            serving: Bitmap::default(),
            wanting: Vec::new(),
            limited: Vec::new(),
            constraints: Vec::new(),
            state,
            machine: machine.cloned(),
            mode,
            closer: None,
            statistics: Statistics::default(),
            warnings: Vec::new(),
        };
        meter.poll()?;
        problem.add_allowed_sets(machine);
        let how = (mode, notes, machine);
        let mut builder = Builder::new(claims, view, held, verdicts, how, meter);
        for claim in 0..claims.len() {
            builder.add_claim(claim, &mut problem)?;
        }
        problem.complete_rules(machine, meter)?;
        problem.limited = problem.limited_claims(claims.len());
        problem.serving = serving(&problem, meter)?;
        for request in 0..problem.requests.len() {
            meter.poll()?;
            let wanting = Wanting::new(&problem, request);
            problem.wanting.push(wanting);
        }
        for constraint in &mut problem.constraints {
            if let Propagator::Distinct(distinct) = &mut constraint.propagator {
                *distinct = DistinctAttribute::new(&constraint.sets);
            }
        }
        Ok(problem)
    }

    /// Counts one branch; after a closer look each takes so long that deadline and
    /// cancel flag are looked at every time.
    pub(in crate::solver) fn count_branch(&self, meter: &mut Meter<'_>) -> Result<(), StopCause> {
        if self.closer.is_some() {
            meter.work(1)
        } else {
            meter.branch_among(self.view.devices.len())
        }
    }

    /// Returns an invalid pool that the node sees, if there is one, and why it is.
    pub(in crate::solver) fn invalid_pool(&self) -> Option<(String, &str)> {
        self.view.pools.iter().find_map(|pool| match &pool.status {
            PoolStatus::Invalid(reason) => {
                Some((format!("{}/{}", pool.driver, pool.name), reason.as_str()))
            }
            _ => None,
        })
    }

    /// Returns claim and place of every constraint.
    pub(crate) fn constraint_places(&self) -> Vec<(usize, usize)> {
        let place = |(index, constraint): (usize, &Constraint<'_>)| {
            let of_claim = |other: &&Constraint<'_>| other.claim == constraint.claim;
            (
                constraint.claim,
                self.constraints[..index].iter().filter(of_claim).count(),
            )
        };
        self.constraints.iter().enumerate().map(place).collect()
    }

    /// Asks something of the problem as it would be without a constraint.
    pub(crate) fn without_constraint<T>(
        &mut self,
        claim: usize,
        constraint: usize,
        ask: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let places = self.constraint_places();
        let dropped = places
            .iter()
            .position(|place| *place == (claim, constraint));
        let mut without = Vec::with_capacity(self.plans.len());
        for plan in &mut self.plans {
            let mut constraints = plan.constraints.iter();
            let place = constraints.position(|compared| Some(compared.constraint) == dropped);
            without.push(place.map(|place| (place, plan.constraints.remove(place))));
        }
        // It knows the constraints.
        self.closer = None;
        let answer = ask(self);
        self.closer = None;
        for (plan, dropped) in self.plans.iter_mut().zip(without) {
            if let Some((place, compared)) = dropped {
                plan.constraints.insert(place, compared);
            }
        }
        answer
    }

    /// Returns the path of the part of a claim that a plan is for.
    pub(crate) fn path(&self, plan: usize) -> String {
        let plan = &self.plans[plan];
        path(
            plan.claim,
            plan.request_of_claim,
            plan.alternative,
            plan.index,
        )
    }

    /// Returns the plans of a request.
    pub(in crate::solver) fn plans_of(&self, request: usize) -> &[Plan<'a>] {
        &self.plans[self.requests[request].clone()]
    }
}

/// Returns the error of a device that a constraint keeps out of an `All` request.
pub(in crate::solver) fn conflict(device: &str) -> Error {
    let message = format!(
        "device `{device}` is asked for with all others, but a constraint of the claim refuses it"
    );
    Error::new(Code::Invalid, message)
}

pub(in crate::solver) fn entry_id(view: &NodeView, device: usize) -> String {
    view.devices[device].id().to_string()
}

pub(in crate::solver) fn path(
    claim: usize,
    request: usize,
    alternative: &Alternative,
    index: usize,
) -> String {
    let path = format!("claims[{claim}].spec.devices.requests[{request}]");
    if alternative.name.is_subrequest() {
        format!("{path}.firstAvailable[{index}]")
    } else {
        format!("{path}.exactly")
    }
}

/// A set that a device shows to the constraint at a place of a plan.
pub(in crate::solver) fn shown(plan: &Plan<'_>, place: usize, device: usize) -> Option<SetId> {
    plan.constraints[place].shown(device)
}
