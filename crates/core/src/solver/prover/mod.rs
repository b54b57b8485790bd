//! Proofs that claims do not fit, made on request and outside of any call.
//!
//! A case is first tried with sums, simple ones first, then split: by the
//! alternatives of a request, the values of a constraint, or the devices of a
//! request. The split that leaves fewest cases to be split again comes first.

mod best;
mod case;
mod count;
mod flow;
mod groups;
mod names;
mod needs;
mod parts;
mod split;
mod sum;
mod ways;

use super::problem::Problem;
use crate::budget::Meter;
use crate::constraint::Trail;
use crate::outcome::StopCause;
use crate::proof::Step;
use best::Goal;
pub(crate) use best::prove_best;
use case::Case;
use count::Distinct;
use groups::Groups;
use names::Names;
use sum::Sum;

/// How many steps a proof has at most.
const STEPS: usize = 20_000;
/// How many cases lie in one another at most: each is a call on the stack.
const DEPTH: usize = 64;

/// Says what became of a proof.
pub(crate) enum Proof {
    Steps(Vec<Step>),
    /// It would be too large.
    TooLarge,
}

/// Is why a proof ends.
enum End {
    Stopped(StopCause),
    TooLarge,
}

impl From<StopCause> for End {
    fn from(cause: StopCause) -> Self {
        Self::Stopped(cause)
    }
}

/// Is a sum that ends a case.
enum Leaf {
    Count(Vec<usize>),
    Distinct(Distinct),
    Groups(Groups),
    Counters(Sum),
    Capacities(Sum),
    Parts(Vec<usize>, Vec<Vec<usize>>),
    Limit(usize, usize),
    /// Devices break a rule.
    Placement(usize),
    /// No answer in the case is better.
    Least(Vec<usize>, Vec<Vec<usize>>),
}

/// Proves that a problem has no solution, which is known.
///
/// The problem is one with notes: all that a request for all devices means is
/// in its plan.
pub(crate) fn prove(problem: &mut Problem<'_>, meter: &mut Meter<'_>) -> Result<Proof, StopCause> {
    let mut whole = Case::new(problem);
    prover(problem, meter).finish(&mut whole)
}

fn prover<'p, 'a, 'm, 'b>(
    problem: &'p mut Problem<'a>,
    meter: &'m mut Meter<'b>,
) -> Prover<'p, 'a, 'm, 'b> {
    Prover {
        counters: sum::counters(problem),
        names: Names::new(problem),
        problem,
        trail: Trail::default(),
        steps: Vec::new(),
        meter,
        goal: None,
    }
}

struct Prover<'p, 'a, 'm, 'b> {
    problem: &'p mut Problem<'a>,
    names: Names,
    counters: Vec<sum::Counter<'a>>,
    trail: Trail,
    steps: Vec<Step>,
    meter: &'m mut Meter<'b>,
    /// What is to be shown of answers, if there are any.
    goal: Option<Goal>,
}

impl Prover<'_, '_, '_, '_> {
    /// Proves the whole; the state of the problem is left as it was.
    fn finish(&mut self, whole: &mut Case) -> Result<Proof, StopCause> {
        let start = self.trail.mark();
        let end = self.refute(whole, 0);
        self.problem.undo(start, &mut self.trail);
        match end {
            Ok(()) => Ok(Proof::Steps(std::mem::take(&mut self.steps))),
            Err(End::TooLarge) => Ok(Proof::TooLarge),
            Err(End::Stopped(cause)) => Err(cause),
        }
    }

    /// Writes the steps that show a case impossible.
    fn refute(&mut self, case: &mut Case, depth: usize) -> Result<(), End> {
        let leaf = match self.simple_leaf(case)? {
            Some(leaf) => Some(leaf),
            None => self.strong_leaf(case)?,
        };
        let leaf = match leaf {
            Some(leaf) => Some(leaf),
            None => self.least_leaf(case)?,
        };
        if let Some(leaf) = leaf {
            let step = self.names.leaf(self.problem, case, &self.counters, leaf);
            return self.write(step);
        }
        if depth >= DEPTH {
            return Err(End::TooLarge);
        }
        let Some(split) = self.best_split(case)? else {
            return Err(End::TooLarge);
        };
        let step = self.names.split(self.problem, &split);
        self.write(step)?;
        for branch in 0..split.branches() {
            let mark = self.trail.mark();
            let mut inner = case.clone();
            split.assume(branch, &mut inner, self.problem, &mut self.trail);
            let refuted = self.refute(&mut inner, depth + 1);
            self.problem.undo(mark, &mut self.trail);
            refuted?;
        }
        Ok(())
    }

    fn write(&mut self, step: Step) -> Result<(), End> {
        if self.steps.len() >= STEPS {
            return Err(End::TooLarge);
        }
        self.steps.push(step);
        Ok(())
    }

    /// Looks for a sum of devices or values.
    fn simple_leaf(&mut self, case: &Case) -> Result<Option<Leaf>, StopCause> {
        if let Some(rule) = self.broken_rule(case)? {
            return Ok(Some(Leaf::Placement(rule)));
        }
        let (problem, order) = (&*self.problem, &self.names.order);
        if let Some(requests) = count::short(problem, case, order, self.meter)? {
            return Ok(Some(Leaf::Count(requests)));
        }
        if let Some((claim, needed)) = over_limit(problem, case) {
            return Ok(Some(Leaf::Limit(claim, needed)));
        }
        if let Some(distinct) = count::short_of_values(problem, case, self.meter)? {
            return Ok(Some(Leaf::Distinct(distinct)));
        }
        let groups = groups::short(problem, case, order, self.meter)?;
        Ok(groups.map(Leaf::Groups))
    }

    /// Looks for a rule that devices break which are all that it is about.
    fn broken_rule(&mut self, case: &Case) -> Result<Option<usize>, StopCause> {
        for rule in 0..self.problem.constraints.len() {
            if self.problem.constraints[rule].has_leaf()
                && let Some(got) = case.settled(self.problem, rule)
                && self.problem.is_broken_by(rule, &got, self.meter)?
            {
                return Ok(Some(rule));
            }
        }
        Ok(None)
    }

    /// Looks for a sum of amounts.
    fn strong_leaf(&mut self, case: &Case) -> Result<Option<Leaf>, StopCause> {
        let problem = &*self.problem;
        if let Some(sum) = sum::over_capacities(problem, case, self.meter)? {
            return Ok(Some(Leaf::Capacities(sum)));
        }
        if let Some(sum) = sum::over_counters(problem, case, &self.counters, self.meter)? {
            return Ok(Some(Leaf::Counters(sum)));
        }
        let mut requests = sum::competing(problem, case);
        requests.retain(|request| case.only(problem, *request).is_some());
        if requests.is_empty() {
            return Ok(None);
        }
        let mut short = self.parts(case, requests)?;
        // Without the requests that do not matter, so that it is easier to check.
        let mut kept = 0;
        while let Some((requests, _)) = &short
            && kept < requests.len()
            && requests.len() > 1
        {
            let mut fewer = requests.clone();
            fewer.remove(kept);
            match self.parts(case, fewer)? {
                Some(shorter) => short = Some(shorter),
                None => kept += 1,
            }
        }
        Ok(short.map(|(requests, parts)| Leaf::Parts(requests, parts)))
    }

    /// Returns requests with the parts that can serve them, if those give too little.
    fn parts(&mut self, case: &Case, requests: Vec<usize>) -> Result<Option<PartsOf>, StopCause> {
        let problem = &*self.problem;
        let serving = count::serving(problem, case, &requests);
        let parts = parts::split(problem, &serving);
        let is_short = parts::give_too_little(problem, case, &requests, &parts, self.meter)?;
        Ok(is_short.then_some((requests, parts)))
    }
}

/// Is requests with the devices that can serve them, by part.
type PartsOf = (Vec<usize>, Vec<Vec<usize>>);

/// Returns a claim that needs more devices than it may have, and how many.
fn over_limit(problem: &Problem<'_>, case: &Case) -> Option<(usize, usize)> {
    let mut needed: Vec<usize> = Vec::new();
    for request in 0..problem.requests.len() {
        let claim = problem
            .plans_of(request)
            .first()
            .map_or(0, |plan| plan.claim);
        needed.resize(needed.len().max(claim + 1), 0);
        let least = case
            .left(problem, request)
            .map(|(plan, _)| case::needed(&problem.plans[plan]));
        needed[claim] = needed[claim].saturating_add(least.min().unwrap_or(0));
    }
    let mut needed = needed.into_iter().enumerate();
    needed.find(|(_, needed)| *needed > crate::rules::MAX_DEVICES)
}
