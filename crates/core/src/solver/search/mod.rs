//! The search in canonical order, with an explicit stack.
//!
//! [`Search`] walks a problem towards a [`Goal`]: the first solution, or the first
//! error. Which of the two comes first is for [`solve`] to say.

mod errors;
mod first;
mod goal;
mod levels;

pub(super) use first::FIRST_TRY;
pub(crate) use first::{Answer, fits, solve};
pub(super) use levels::{Level, Levels, Point};

use self::goal::{Found, Goal};
use super::bounds::{self, Closer};
use super::problem::{Pick, Problem, Refused, Solution, sequence};
use crate::bitmap::Bitmap;
use crate::budget::Meter;
use crate::constraint::Trail;
use crate::outcome::StopCause;

/// What a step of the search led to.
enum Step {
    /// Another choice is to be made, or the same again.
    Stay,
    /// A request has all its devices.
    Complete(usize),
    /// There is no other choice.
    Up,
    /// A failing evaluation was met, by its place in the plan.
    Failing(usize),
    /// A conflict over a device was met.
    Conflict(usize),
}

/// Walks a problem in canonical order.
struct Search<'s, 'a> {
    problem: &'s mut Problem<'a>,
    trail: Trail,
    levels: Levels,
    /// By request, up to the one that is being worked on.
    plans: Vec<usize>,
    picks: Vec<Pick>,
    goal: Goal<'s>,
    /// Choices so far that had nothing left to choose.
    dead_ends: u64,
}

impl<'s, 'a> Search<'s, 'a> {
    fn new(problem: &'s mut Problem<'a>, goal: Goal<'s>) -> Self {
        let trail = Trail::default();
        Self {
            problem,
            trail,
            levels: Levels::default(),
            plans: Vec::new(),
            picks: Vec::new(),
            goal,
            dead_ends: 0,
        }
    }

    /// Walks until the goal is reached; the state of the problem is left as it was.
    fn run(&mut self, meter: &mut Meter<'_>) -> Result<Found, StopCause> {
        self.problem.statistics.tries += 1;
        let start = self.trail.mark();
        let found = self.walk(meter);
        self.problem.undo(start, &mut self.trail);
        found
    }

    /// Returns the solution that the walk has come to.
    fn found(self) -> Solution {
        Solution {
            plans: self.plans,
            picks: self.picks,
        }
    }

    fn walk(&mut self, meter: &mut Meter<'_>) -> Result<Found, StopCause> {
        let end = self.goal.end(self.problem);
        if end == 0 {
            return Ok(Found::Solution);
        }
        self.enter(0);
        while let Some(level) = self.levels.last() {
            let step = match level {
                Level::Alternative {
                    request,
                    next,
                    before,
                } => {
                    self.go_back(before);
                    self.next_alternative(request, next, meter)?
                }
                Level::Device {
                    plan,
                    picked,
                    next,
                    before,
                } => {
                    self.go_back(before);
                    self.next_device(plan, picked, next, meter)?
                }
            };
            match step {
                Step::Stay => {}
                Step::Up => self.go_up(meter)?,
                Step::Complete(request) if request + 1 == end => return Ok(Found::Solution),
                Step::Complete(request) => self.enter(request + 1),
                Step::Failing(failing) => return Ok(Found::Failing(failing, self.sequence())),
                Step::Conflict(device) => return Ok(Found::Conflict(device)),
            }
            if self.is_past() {
                break;
            }
        }
        Ok(Found::Nothing)
    }

    /// Leaves a choice that has nothing left to choose.
    ///
    /// Where it is known that requests have nothing to do with each other, it
    /// also leaves those that the last one has nothing to do with: whatever is
    /// picked for them, this request comes to the same end. All bounds that
    /// refused a pick then were about requests of the same component: what is
    /// short in another one was so when its own last pick was made.
    fn go_up(&mut self, meter: &mut Meter<'_>) -> Result<(), StopCause> {
        let Some(level) = self.levels.pop() else {
            return Ok(());
        };
        self.dead_ends += 1;
        self.problem.statistics.dead_ends += 1;
        if self.dead_ends == bounds::DEAD_ENDS && self.problem.closer.is_none() {
            let closer = Closer::new(self.problem, meter)?;
            self.problem.closer = Some(Box::new(closer));
        }
        let Some(closer) = &self.problem.closer else {
            return Ok(());
        };
        let component = |level: Level| {
            let request = match level {
                Level::Alternative { request, .. } => request,
                Level::Device { plan, .. } => self.problem.plans[plan].request,
            };
            closer.components[request]
        };
        let left = component(level);
        while self
            .levels
            .last()
            .is_some_and(|level| component(level) != left)
        {
            self.levels.pop();
            self.problem.statistics.jumps += 1;
        }
        Ok(())
    }

    fn point(&self) -> Point {
        Point {
            mark: self.trail.mark(),
            picks: self.picks.len(),
            plans: self.plans.len(),
        }
    }

    fn enter(&mut self, request: usize) {
        self.levels.alternative(request, self.point());
    }

    fn go_back(&mut self, to: Point) {
        self.problem.undo(to.mark, &mut self.trail);
        self.picks.truncate(to.picks);
        self.plans.truncate(to.plans);
    }

    fn next_alternative(
        &mut self,
        request: usize,
        first: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Step, StopCause> {
        let range = self.problem.requests[request].clone();
        let Some(plan) =
            (range.start + first..range.end).find(|plan| self.may_choose(*plan, request))
        else {
            return Ok(Step::Up);
        };
        self.levels.go_on_from(plan + 1 - range.start);
        self.plans.push(plan);
        let (all, needed) = (
            self.problem.plans[plan].all.clone(),
            self.problem.plans[plan].needed,
        );
        if let Some(all) = all {
            return self.pick_all(plan, &all, meter);
        }
        if needed > 0 {
            if !self.is_target(plan) && self.looks_hopeless(plan, (0, needed), meter) {
                return Ok(Step::Stay);
            }
            self.levels.device(plan, (0, 0), self.point());
            return Ok(Step::Stay);
        }
        Ok(if self.is_target(plan) {
            Step::Stay
        } else {
            Step::Complete(request)
        })
    }

    /// A plan that cannot be satisfied is chosen only to see it fail.
    fn may_choose(&self, plan: usize, request: usize) -> bool {
        let wanted = match self.goal.target() {
            Some(target) if self.problem.plans[target].request == request => plan == target,
            _ => self.problem.plans[plan].possible,
        };
        let (end, target) = (self.goal.end(self.problem), self.goal.target());
        wanted && self.problem.leaves_enough(plan, &self.plans, end, target)
    }

    /// Picks all devices of a plan; their order does not matter, so one is enough.
    fn pick_all(
        &mut self,
        plan: usize,
        all: &[usize],
        meter: &mut Meter<'_>,
    ) -> Result<Step, StopCause> {
        for device in all {
            self.problem.count_branch(meter)?;
            match self.problem.pick(plan, *device, &mut self.trail, meter)? {
                Ok(()) => self.picks.push(Pick {
                    plan,
                    device: *device,
                }),
                Err(Refused::ByConstraint) if matches!(self.goal, Goal::Conflict { .. }) => {
                    let met = self.is_target(plan);
                    return Ok(if met {
                        Step::Conflict(*device)
                    } else {
                        Step::Stay
                    });
                }
                Err(_) => return Ok(Step::Stay),
            }
        }
        if self.is_target(plan) {
            // The list ends at the first device that cannot be had.
            let Some(failing) = self.problem.plans[plan].failing.first() else {
                return Ok(Step::Stay);
            };
            let (device, conflict) = (failing.device, failing.conflict);
            if conflict != matches!(self.goal, Goal::Conflict { .. })
                || !self.problem.meets(plan, 0, &mut self.trail, meter)?
            {
                return Ok(Step::Stay);
            }
            return Ok(if conflict {
                Step::Conflict(device)
            } else {
                Step::Failing(0)
            });
        }
        let request = self.problem.plans[plan].request;
        let hopeless = self.is_hopeless_after(plan, (0, 0), meter);
        Ok(if hopeless {
            Step::Stay
        } else {
            Step::Complete(request)
        })
    }

    fn next_device(
        &mut self,
        plan: usize,
        picked: usize,
        first: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Step, StopCause> {
        let mark = self.trail.mark();
        let target = self.is_target(plan);
        let (request, needed) = (
            self.problem.plans[plan].request,
            self.problem.plans[plan].needed,
        );
        let left = needed - picked;
        // On the way back the bounds may know that nothing comes after.
        if !target && first > 0 && self.looks_hopeless(plan, (first, left), meter) {
            return Ok(Step::Up);
        }
        let mut next = if picked == 0 && !target {
            first.max(self.first_that_counts(request))
        } else {
            first
        };
        loop {
            let choice = &self.problem.plans[plan];
            let candidate = choice.candidates.next(next);
            if target && let Some(failing) = choice.first_failing(next, candidate) {
                next = choice.failing[failing].device + 1;
                if self.problem.meets(plan, failing, &mut self.trail, meter)? {
                    return Ok(Step::Failing(failing));
                }
                continue;
            }
            let Some(device) = candidate else {
                return Ok(Step::Up);
            };
            if !target && bounds::available(self.problem, choice, device, left) < left {
                return Ok(Step::Up);
            }
            next = device + 1;
            let admin = choice.alternative.admin_access;
            let taken = self.problem.state.exclusive.taken(choice.claim, admin);
            if taken.contains(device) || self.is_behind(device, taken) {
                continue;
            }
            if target && left == 1 {
                // After the last pick of the plan nothing of it can fail.
                continue;
            }
            self.problem.count_branch(meter)?;
            let tried = self.problem.pick(plan, device, &mut self.trail, meter)?;
            if tried.is_err() {
                self.problem.statistics.refused += 1;
                self.problem.undo(mark, &mut self.trail);
                continue;
            }
            if self.is_hopeless_after(plan, (next, left - 1), meter) {
                self.problem.undo(mark, &mut self.trail);
                if self.looks_hopeless(plan, (next, left), meter) {
                    return Ok(Step::Up);
                }
                continue;
            }
            self.levels.go_on_from(next);
            self.picks.push(Pick { plan, device });
            if left == 1 {
                return Ok(Step::Complete(request));
            }
            self.levels.device(plan, (picked + 1, next), self.point());
            return Ok(Step::Stay);
        }
    }

    fn is_target(&self, plan: usize) -> bool {
        self.goal.target() == Some(plan)
    }

    /// Returns the first device that a request need try: a request that is like
    /// it and before it does not have a later one in the first solution.
    fn first_that_counts(&self, request: usize) -> usize {
        let closer = self.problem.closer.as_ref();
        let before = closer.and_then(|closer| closer.before[request]);
        let end = self.goal.end_of_satisfied(self.problem);
        let Some(before) = before.filter(|before| before.last < end) else {
            return 0;
        };
        let is_of = |pick: &&Pick| self.problem.plans[pick.plan].request == before.request;
        self.picks.iter().find(is_of).map_or(0, |pick| pick.device)
    }

    /// Returns whether a solution with a device is not the first, since another that is
    /// like it is not taken.
    fn is_behind(&self, device: usize, taken: &Bitmap) -> bool {
        // What fails is sought device by device.
        let closer = self.problem.closer.as_ref();
        let closer = closer.filter(|_| self.goal.target().is_none());
        closer.is_some_and(|closer| closer.exchanges.is_behind(device, taken))
    }

    /// Returns whether nothing can come of the picks so far, when a plan still
    /// needs devices from a place on.
    fn is_hopeless_after(
        &mut self,
        plan: usize,
        rest: (usize, usize),
        meter: &mut Meter<'_>,
    ) -> bool {
        // A target need not be satisfied to see it fail.
        !self.is_target(plan) && {
            let end = self.goal.end_of_satisfied(self.problem);
            self.problem
                .is_hopeless_after(plan, rest, end, &self.plans, meter)
        }
    }

    /// Returns whether a closer look shows the same.
    fn looks_hopeless(&mut self, plan: usize, rest: (usize, usize), meter: &mut Meter<'_>) -> bool {
        let end = self.goal.end_of_satisfied(self.problem);
        self.problem.looks_hopeless(plan, rest, end, meter)
    }

    /// Returns the choices so far: the place of the alternative of each
    /// request, followed by its devices.
    fn sequence(&self) -> Vec<usize> {
        sequence(self.problem, &self.plans, &self.picks)
    }

    /// Returns whether all that follows comes after the sequence that ends the search.
    fn is_past(&self) -> bool {
        let Some(before) = self.goal.before() else {
            return false;
        };
        let sequence = self.sequence();
        let common = sequence.len().min(before.len());
        sequence[..common] > before[..common]
    }
}
