//! [`Workspace`]: memory that calls reuse.

use std::sync::Arc;

use super::call::Reduced;
use super::own::Own;
use super::place::{Classes, Kinds};
use super::{AllocateOptions, Allocation, Outcome, RunnerUp};
use crate::budget::Meter;
use crate::claims::PreparedClaims;
use crate::eligible::Verdicts;
use crate::error::Error;
use crate::objective::{Term, TermValue, UsualQuestion};
use crate::outcome::{Reason, StopCause};
use crate::solver::{
    self, Answer, Best, BestGoal, Halt, Holdings, ManyCache, ManyWalk, OneRequest, Problem, Second,
    Short, Shortcut, Shortcuts, Statistics, Walk,
};
use crate::state::Draft;
use crate::store::NodeView;
use crate::topology::{AffinityScope, Machine, Machines};

/// Keeps what calls can reuse: verdicts of selectors, what was compiled for
/// claims and nodes, and scratch memory.
///
/// It never changes an answer. One serves any number of engines, one call at
/// a time.
// Threads write to theirs all the time: two have no cache line in common.
#[derive(Debug, Default)]
#[repr(align(128))]
pub struct Workspace {
    pub(super) verdicts: Verdicts,
    /// What claims see of nodes, for [`Transaction::place`](super::Transaction::place).
    pub(super) kinds: Kinds,
    pub(super) classes: Classes,
    /// Claims of which some have something already.
    pub(super) reduced: Reduced,
    shortcuts: Shortcuts,
    walk: Walk,
    /// How the devices of nodes are linked.
    pub(super) machines: Machines,
    many: ManyCache,
    many_walk: ManyWalk,
    statistics: Statistics,
    pub(super) own: Own,
    /// One for each thread that a call has beside its own.
    #[cfg(feature = "rayon")]
    pub(super) threads: Vec<Workspace>,
}

/// Is what a usual question comes to.
pub(super) enum Shortly {
    /// The devices are there if they were wanted.
    Fits(Option<Allocation>),
    Infeasible(Reason),
    Stopped(StopCause),
}

/// Is what the short way to one domain comes to.
enum Nearest {
    /// With the place of the level.
    Found(Allocation, usize),
    Stopped(StopCause),
}

impl Workspace {
    /// Returns an empty workspace.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns what the search for the last answer took, on one node.
    ///
    /// # Examples
    ///
    /// ```
    /// use dralloc::Workspace;
    ///
    /// let workspace = Workspace::new();
    /// assert_eq!(workspace.statistics().branches, 0);
    /// ```
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Returns a workspace that borrows what another knows of selectors.
    pub(super) fn with_verdicts_of(other: &mut Self) -> Self {
        Self {
            verdicts: std::mem::take(&mut other.verdicts),
            ..Self::default()
        }
    }

    /// Takes back what another borrowed.
    pub(super) fn take_verdicts_of(&mut self, other: &mut Self) {
        self.verdicts = std::mem::take(&mut other.verdicts);
    }

    /// Answers whether claims fit on a node beside what is held.
    pub(super) fn solve(
        &mut self,
        claims: &PreparedClaims,
        view: &Arc<NodeView>,
        (held, required): (&Draft, Option<&Arc<Machine>>),
        options: &AllocateOptions<'_>,
    ) -> Result<Outcome, Error> {
        self.statistics = Statistics::default();
        if let Some(machine) = required {
            let level = claims
                .compiled()
                .required_level()
                .filter(|_| machine.allowed_sets().is_none());
            let found = level.and_then(|level| {
                self.in_one_domain(claims, view, (held, machine), &[level], options)
            });
            // All else about where devices are is a matter of the search.
            return match found {
                Some(Nearest::Found(allocation, _)) => Ok(Outcome::Optimal(allocation)),
                Some(Nearest::Stopped(cause)) => Ok(Outcome::Unknown(cause)),
                None => self.search(claims, view, (held, required), options),
            };
        }
        // Twins are a matter of the search.
        let is_alone = view.twins.is_empty();
        let is_large = view.device_count() > Shortcut::BOUND;
        if options.shortcuts && is_alone && (options.many || is_large) {
            if let Some(outcome) = self.solve_many(claims, view, held, options) {
                return Ok(outcome);
            }
        } else {
            match self.short(claims, view, Holdings::Draft(held), options, true) {
                Some(Shortly::Fits(Some(allocation))) => return Ok(Outcome::Optimal(allocation)),
                Some(Shortly::Infeasible(reason)) => return Ok(Outcome::Infeasible(reason)),
                Some(Shortly::Stopped(cause)) => return Ok(Outcome::Unknown(cause)),
                Some(Shortly::Fits(None)) | None => {}
            }
        }
        self.search(claims, view, (held, None), options)
    }

    /// Answers the short way, if the question is usual.
    pub(super) fn short(
        &mut self,
        claims: &PreparedClaims,
        view: &Arc<NodeView>,
        held: Holdings<'_>,
        options: &AllocateOptions<'_>,
        wants_devices: bool,
    ) -> Option<Shortly> {
        if !options.shortcuts {
            return None;
        }
        let mut meter = options.budget.meter();
        let shortcut = self
            .shortcuts
            .get(claims, view, &mut self.verdicts, &mut meter);
        let shortcut = match shortcut {
            Err(cause) => return Some(Shortly::Stopped(cause)),
            Ok(shortcut) => shortcut?,
        };
        let answer = self.walk.answer(shortcut, held, &mut meter);
        self.statistics.branches = meter.spent();
        match answer {
            Short::First => {
                let picks = self.walk.picks();
                let own = &mut self.own;
                let allocation = || {
                    let claims = (claims, own.claims(claims));
                    Allocation::of_shortcut(shortcut, picks, claims, view)
                };
                Some(Shortly::Fits(wants_devices.then(allocation)))
            }
            Short::Infeasible(reason) => Some(Shortly::Infeasible(reason)),
            Short::Stopped(cause) => Some(Shortly::Stopped(cause)),
            Short::Unsure => None,
        }
    }

    /// Returns what claims ask of a node, if only which devices are held can
    /// decide about them.
    ///
    /// # Errors
    ///
    /// If it is stopped before that is known.
    pub(super) fn one_request(
        &mut self,
        claims: &PreparedClaims,
        view: &Arc<NodeView>,
        options: &AllocateOptions<'_>,
    ) -> Result<Option<OneRequest>, StopCause> {
        if !options.shortcuts || view.devices.len() > Shortcut::BOUND {
            return Ok(None);
        }
        let mut meter = options.budget.meter();
        let shortcut = self
            .shortcuts
            .get(claims, view, &mut self.verdicts, &mut meter)?;
        Ok(shortcut.and_then(Shortcut::one_request))
    }

    /// Answers where a node sees many devices, if the question is usual.
    fn solve_many(
        &mut self,
        claims: &PreparedClaims,
        view: &Arc<NodeView>,
        held: &Draft,
        options: &AllocateOptions<'_>,
    ) -> Option<Outcome> {
        let mut meter = options.budget.meter();
        let question = self
            .many
            .ask(claims, view, held, &mut self.verdicts, &mut meter);
        let question = match question {
            Ok(question) => question?,
            Err(cause) => return Some(Outcome::Unknown(cause)),
        };
        let answer = self.many_walk.answer(&question, &mut meter);
        self.statistics.branches = meter.spent();
        match answer {
            Short::First => {
                let picks = self.many_walk.picks();
                let claims = (claims, self.own.claims(claims));
                let allocation = Allocation::of_many(&question, picks, claims, view, held);
                Some(Outcome::Optimal(allocation))
            }
            Short::Infeasible(reason) => Some(Outcome::Infeasible(reason)),
            Short::Stopped(cause) => Some(Outcome::Unknown(cause)),
            Short::Unsure => None,
        }
    }

    /// Answers the short way which devices are in one domain of the first of some levels
    /// that can be had, if the question is usual and there are any.
    fn in_one_domain(
        &mut self,
        claims: &PreparedClaims,
        view: &Arc<NodeView>,
        (held, machine): (&Draft, &Machine),
        levels: &[AffinityScope],
        options: &AllocateOptions<'_>,
    ) -> Option<Nearest> {
        if !options.shortcuts || is_for_search(view, options) {
            return None;
        }
        let mut meter = options.budget.meter();
        let question = self
            .many
            .ask(claims, view, held, &mut self.verdicts, &mut meter);
        let question = match question {
            Ok(question) => question?,
            Err(cause) => return Some(Nearest::Stopped(cause)),
        };
        for (place, level) in levels.iter().enumerate() {
            let AffinityScope::Domain(scope) = *level else {
                return None;
            };
            let domains = |device| machine.domains().of(scope, device);
            let of_view = (view.device_count(), domains);
            let found = self.many_walk.in_one_domain(&question, of_view, &mut meter);
            self.statistics.branches = meter.spent();
            match found {
                Err(cause) => return Some(Nearest::Stopped(cause)),
                Ok(None) => return None,
                Ok(Some(false)) => {}
                Ok(Some(true)) => {
                    let picks = self.many_walk.picks();
                    let claims = (claims, self.own.claims(claims));
                    let allocation = Allocation::of_many(&question, picks, claims, view, held);
                    return Some(Nearest::Found(allocation, place));
                }
            }
        }
        None
    }

    /// Makes a question ready for a search.
    fn problem<'a>(
        &mut self,
        claims: &'a PreparedClaims,
        view: &'a NodeView,
        (held, required): (&'a Draft, Option<&Arc<Machine>>),
        options: &AllocateOptions<'_>,
        meter: &mut Meter<'_>,
    ) -> Result<Problem<'a>, Halt> {
        let how = (options.error_mode(claims), required);
        Problem::new(claims, view, held, &mut self.verdicts, how, meter)
    }

    fn search(
        &mut self,
        claims: &PreparedClaims,
        view: &Arc<NodeView>,
        (held, required): (&Draft, Option<&Arc<Machine>>),
        options: &AllocateOptions<'_>,
    ) -> Result<Outcome, Error> {
        let mut meter = options.budget.meter();
        let mut problem = match self.problem(claims, view, (held, required), options, &mut meter) {
            Ok(problem) => problem,
            Err(halt) => return Ok(Outcome::Unknown(halt.cause()?)),
        };
        let answer = solver::solve(&mut problem, &mut meter);
        self.statistics = problem.statistics;
        self.statistics.branches = meter.spent();
        let solution = match answer? {
            Answer::First(solution) => solution,
            Answer::Infeasible(reason) => return Ok(Outcome::Infeasible(reason)),
            Answer::Stopped(cause) => return Ok(Outcome::Unknown(cause)),
        };
        let claims = (claims, self.own.claims(claims));
        Allocation::new(&problem, &solution, claims, view, held).map(Outcome::Optimal)
    }

    /// Answers which of the allocations that fit is the best.
    pub(super) fn solve_best(
        &mut self,
        claims: &PreparedClaims,
        view: &Arc<NodeView>,
        (held, required): (&Draft, Option<&Arc<Machine>>),
        goal: BestGoal<'_>,
        options: &AllocateOptions<'_>,
    ) -> Result<Outcome, Error> {
        if required.is_none()
            && let Some(outcome) = self
                .best_devices(claims, view, held, goal, options)
                .or_else(|| self.nearest_devices(claims, view, held, goal, options))
        {
            return Ok(outcome);
        }
        let mut meter = options.budget.meter();
        let mut problem = match self.problem(claims, view, (held, required), options, &mut meter) {
            Ok(problem) => problem,
            Err(halt) => return Ok(Outcome::Unknown(halt.cause()?)),
        };
        let (found, gap) = match solver::solve_best(&mut problem, held, goal, &mut meter)? {
            Best::Optimal(found) => (found, None),
            Best::Feasible(found, gap) => (found, Some(gap)),
            Best::Infeasible(reason) => return Ok(Outcome::Infeasible(reason)),
            Best::Stopped(cause) => return Ok(Outcome::Unknown(cause)),
        };
        let values = term_values(goal, found.values);
        let claims = (claims, self.own.claims(claims));
        let allocation = match Allocation::new(&problem, &found.solution, claims, view, held) {
            Ok(allocation) => allocation,
            // A better one might do.
            Err(_) if gap.is_some() => {
                let cause = meter.ended().unwrap_or(StopCause::Branches);
                return Ok(Outcome::Unknown(cause));
            }
            Err(error) => return Err(error),
        };
        let allocation = allocation.with_judgement(values, problem.warnings);
        Ok(match gap {
            None => Outcome::Optimal(allocation),
            Some(gap) => Outcome::Feasible { allocation, gap },
        })
    }

    /// Answers the short way which devices work best together, if the question is usual.
    fn best_devices(
        &mut self,
        claims: &PreparedClaims,
        view: &Arc<NodeView>,
        held: &Draft,
        goal: BestGoal<'_>,
        options: &AllocateOptions<'_>,
    ) -> Option<Outcome> {
        let ([scope], Some(machine)) = (goal.scopes, goal.machine) else {
            return None;
        };
        if is_for_search(view, options) {
            return None;
        }
        let request = match self.one_request(claims, view, options) {
            Ok(request) => request?,
            Err(cause) => return Some(Outcome::Unknown(cause)),
        };
        if !scope.requests.contains(request.claim, request.place) {
            return None;
        }
        let question = UsualQuestion {
            scope,
            health: goal.health,
            machine,
            view,
            held,
            candidates: &request.devices,
            needed: request.needed,
        };
        let mut meter = options.budget.meter();
        let (devices, values) = match question.best(&mut meter) {
            Ok(best) => best?,
            Err(cause) => return Some(Outcome::Unknown(cause)),
        };
        let view = Arc::clone(view);
        let allocation = Allocation::of_one_request(&request, devices.into_iter(), claims, view);
        let values = term_values(goal, values);
        Some(Outcome::Optimal(
            allocation.with_judgement(values, Vec::new()),
        ))
    }

    /// Answers the short way which devices are nearest to each other, if that is all that
    /// is asked for, and the question is usual.
    fn nearest_devices(
        &mut self,
        claims: &PreparedClaims,
        view: &Arc<NodeView>,
        held: &Draft,
        goal: BestGoal<'_>,
        options: &AllocateOptions<'_>,
    ) -> Option<Outcome> {
        let ([scope], Some(machine), [claim]) = (goal.scopes, goal.machine, claims.claims()) else {
            return None;
        };
        let [term @ Term::AffinityLevel { .. }] = &*scope.terms else {
            return None;
        };
        let mut requests = 0..claim.requests.len();
        if !requests.all(|request| scope.requests.contains(0, request)) {
            return None;
        }
        let levels = term.levels().iter();
        let levels: Option<Vec<_>> = levels.map(|level| AffinityScope::new(level)).collect();
        // No answer is of an earlier level: no domain of one serves all requests.
        match self.in_one_domain(claims, view, (held, machine), &levels?, options)? {
            Nearest::Stopped(cause) => Some(Outcome::Unknown(cause)),
            Nearest::Found(allocation, level) => {
                let values = term_values(goal, i64::try_from(level));
                Some(Outcome::Optimal(
                    allocation.with_judgement(values, Vec::new()),
                ))
            }
        }
    }

    /// Finds the best of the answers that are not as good as the best.
    pub(super) fn second_best(
        &mut self,
        claims: &PreparedClaims,
        view: &Arc<NodeView>,
        (held, required): (&Draft, Option<&Arc<Machine>>),
        goal: BestGoal<'_>,
        options: &AllocateOptions<'_>,
    ) -> Result<RunnerUp, Error> {
        let mut meter = options.budget.meter();
        let mut problem = match self.problem(claims, view, (held, required), options, &mut meter) {
            Ok(problem) => problem,
            Err(halt) => return Ok(RunnerUp::Unknown(halt.cause()?)),
        };
        let second = solver::second_best(&mut problem, held, goal, &mut meter)?;
        let (found, best) = match second {
            Second::Found(found, best) => (found, best),
            Second::Nothing => return Ok(RunnerUp::Nothing),
            Second::Stopped(cause) => return Ok(RunnerUp::Unknown(cause)),
        };
        let mut pairs = best.iter().zip(&found.values).enumerate();
        let Some((term, (best, value))) = pairs.find(|(_, (best, value))| best != value) else {
            return Ok(RunnerUp::Nothing);
        };
        let (best, value) = (*best, *value);
        let values = term_values(goal, found.values);
        let claims = (claims, self.own.claims(claims));
        let allocation = Allocation::new(&problem, &found.solution, claims, view, held)?;
        Ok(RunnerUp::Found {
            allocation: Box::new(allocation.with_judgement(values, problem.warnings)),
            term,
            best,
            value,
        })
    }

    #[cfg(test)]
    pub(crate) fn verdicts(&self) -> &Verdicts {
        &self.verdicts
    }
}

/// Returns whether short ways to the best leave a question to the search: twins are a
/// matter of it, and what a limit of branches ends is for it to say.
fn is_for_search(view: &NodeView, options: &AllocateOptions<'_>) -> bool {
    !view.twins.is_empty() || options.budget.limit().is_some()
}

/// Returns the terms of a goal with their values, which are in the same order.
fn term_values(goal: BestGoal<'_>, values: impl IntoIterator<Item = i64>) -> Vec<TermValue> {
    let terms = goal.scopes.iter().flat_map(|scope| &scope.terms);
    let pairs = terms.cloned().zip(values);
    pairs
        .map(|(term, value)| TermValue { term, value })
        .collect()
}
