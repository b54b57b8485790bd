//! The search for better answers in canonical order, with an explicit stack.

use super::Bounds;
use super::Valued;
use super::alternatives::Open;
use super::cards::Cards;
use super::rest::Rest;
use crate::budget::Meter;
use crate::constraint::{Mark, Trail};
use crate::objective::Tally;
use crate::outcome::StopCause;
use crate::solver::bounds;
use crate::solver::problem::{Exchanges, Pick, Problem, Solution};
use crate::solver::search::{Level, Levels, Point};

/// What to ask parts counts, in branches.
const WORK: u64 = 4;

/// So many devices on the node count one more: all of them are looked at.
const DEVICES_OF_A_BRANCH: usize = 128;

/// Says which answers are wanted.
pub(super) enum Limit<'l> {
    /// Those that are at least as good.
    AtMost(&'l [i64]),
    /// Those that are better.
    Below(&'l [i64]),
    /// Those that are worse than the best, and better than a bar, if there is one.
    Between(&'l [i64], Option<&'l [i64]>),
}

impl Limit<'_> {
    /// Returns whether there may be an answer with at least these values; if the
    /// answer is whole, with exactly these.
    fn admits(&self, values: &[i64], is_whole: bool) -> bool {
        match self {
            Self::AtMost(most) => values <= *most,
            Self::Below(bar) => values < *bar,
            Self::Between(best, bar) => {
                bar.is_none_or(|bar| values < bar) && !(is_whole && values <= *best)
            }
        }
    }
}

enum Step {
    /// Another choice is to be made, or the same again.
    Stay,
    /// A request has all its devices.
    Complete(usize),
    /// There is no other choice.
    Up,
}

/// Walks a problem in canonical order, from answer to better answer.
pub(super) struct Search<'s, 'a> {
    problem: &'s mut Problem<'a>,
    tally: &'s mut Tally,
    rest: &'s mut Rest,
    cards: Option<&'s mut Cards>,
    /// What is open before anything is picked.
    open: &'s Open,
    trail: Trail,
    start: Mark,
    levels: Levels,
    /// By request, up to the one that is being worked on.
    plans: Vec<usize>,
    picks: Vec<Pick>,
    least: Vec<i64>,
    /// What terms take at each pick.
    effort: u64,
    exchanges: Option<&'s Exchanges>,
}

impl<'s, 'a> Search<'s, 'a> {
    pub(super) fn new(
        problem: &'s mut Problem<'a>,
        tally: &'s mut Tally,
        bounds: &'s mut Bounds,
    ) -> Self {
        let trail = Trail::default();
        let start = trail.mark();
        let mut search = Self {
            effort: tally.effort(),
            problem,
            tally,
            rest: &mut bounds.rest,
            cards: bounds.cards.as_mut(),
            open: &bounds.open,
            trail,
            start,
            levels: Levels::default(),
            plans: Vec::new(),
            picks: Vec::new(),
            least: Vec::new(),
            exchanges: bounds.exchanges.as_ref(),
        };
        if !search.problem.requests.is_empty() {
            search.enter(0);
        }
        search
    }

    /// Walks on to the next answer within a limit; returns whether there is one.
    pub(super) fn next(
        &mut self,
        limit: &Limit<'_>,
        meter: &mut Meter<'_>,
    ) -> Result<bool, StopCause> {
        let end = self.problem.requests.len();
        while let Some(level) = self.levels.last() {
            let step = match level {
                Level::Alternative {
                    request,
                    next,
                    before,
                } => {
                    self.go_back(before);
                    self.next_alternative(request, next, limit, meter)?
                }
                Level::Device {
                    plan,
                    picked,
                    next,
                    before,
                } => {
                    self.go_back(before);
                    self.next_device(plan, picked, next, limit, meter)?
                }
            };
            match step {
                Step::Stay => {}
                Step::Up => {
                    self.levels.pop();
                }
                Step::Complete(request) if request + 1 == end => return Ok(true),
                Step::Complete(request) => self.enter(request + 1),
            }
        }
        Ok(false)
    }

    /// Returns the answer that the walk has come to.
    pub(super) fn found(&self) -> Valued {
        Valued {
            solution: Solution {
                plans: self.plans.clone(),
                picks: self.picks.clone(),
            },
            values: self.tally.values().to_vec(),
        }
    }

    /// Leaves problem and tally as they were.
    pub(super) fn end(mut self) {
        self.go_back(Point {
            mark: self.start,
            picks: 0,
            plans: 0,
        });
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
        // The picks of a request come after its choice.
        while self.plans.len() > to.plans {
            let plan = self.plans.last().copied();
            while let Some(pick) = self
                .picks
                .last()
                .copied()
                .filter(|pick| Some(pick.plan) == plan)
            {
                self.picks.pop();
                self.take_back(pick);
            }
            self.plans.pop();
            self.tally.take_choice_back();
        }
        while self.picks.len() > to.picks
            && let Some(pick) = self.picks.pop()
        {
            self.take_back(pick);
        }
    }

    fn take_back(&mut self, pick: Pick) {
        self.tally.take_back(pick.plan, pick.device);
        if let Some(cards) = &mut self.cards {
            cards.take_back(pick.device);
        }
    }

    fn next_alternative(
        &mut self,
        request: usize,
        first: usize,
        limit: &Limit<'_>,
        meter: &mut Meter<'_>,
    ) -> Result<Step, StopCause> {
        let range = self.problem.requests[request].clone();
        for plan in range.start + first..range.end {
            if !self.may_choose(plan) {
                continue;
            }
            self.levels.go_on_from(plan + 1 - range.start);
            self.plans.push(plan);
            self.tally.choose(plan, meter);
            let needed = self.problem.plans[plan].needed;
            if !self.is_within(limit, (plan, 0, needed), meter)? {
                return Ok(Step::Stay);
            }
            if let Some(all) = self.problem.plans[plan].all.clone() {
                return self.pick_all(plan, &all, limit, meter);
            }
            if needed == 0 {
                return Ok(Step::Complete(request));
            }
            self.levels.device(plan, (0, 0), self.point());
            return Ok(Step::Stay);
        }
        Ok(Step::Up)
    }

    /// As in the search for the first answer: a claim has only so many devices.
    fn may_choose(&self, plan: usize) -> bool {
        let end = self.problem.requests.len();
        self.problem.plans[plan].possible
            && self.problem.leaves_enough(plan, &self.plans, end, None)
    }

    /// Picks all devices of a plan; their order does not matter, so one is enough.
    fn pick_all(
        &mut self,
        plan: usize,
        all: &[usize],
        limit: &Limit<'_>,
        meter: &mut Meter<'_>,
    ) -> Result<Step, StopCause> {
        for device in all {
            self.problem.count_branch(meter)?;
            if !self.pick(plan, *device, meter)? {
                return Ok(Step::Stay);
            }
        }
        let request = self.problem.plans[plan].request;
        let goes_on = self.is_within(limit, (plan, 0, 0), meter)?
            && !self.is_hopeless_after(plan, (0, 0), meter);
        Ok(if goes_on {
            Step::Complete(request)
        } else {
            Step::Stay
        })
    }

    fn next_device(
        &mut self,
        plan: usize,
        picked: usize,
        first: usize,
        limit: &Limit<'_>,
        meter: &mut Meter<'_>,
    ) -> Result<Step, StopCause> {
        let before = self.point();
        let choice = &self.problem.plans[plan];
        let (request, left) = (choice.request, choice.needed - picked);
        let mut next = first;
        // What the bound refused, so that it is not asked again.
        let mut refused: Vec<u32> = Vec::new();
        loop {
            let choice = &self.problem.plans[plan];
            let Some(device) = choice.candidates.next(next) else {
                return Ok(Step::Up);
            };
            if bounds::available(self.problem, choice, device, left) < left {
                return Ok(Step::Up);
            }
            next = device + 1;
            let admin = choice.alternative.admin_access;
            let taken = self.problem.state.exclusive.taken(choice.claim, admin);
            let is_behind = |known: &Exchanges| known.is_behind(device, taken);
            if taken.contains(device) || self.exchanges.is_some_and(is_behind) {
                continue;
            }
            self.problem.count_branch(meter)?;
            let like = self.cards.as_ref().and_then(|cards| cards.like(device));
            if like.is_some_and(|like| refused.contains(&like)) {
                continue;
            }
            if !self.pick(plan, device, meter)? {
                self.problem.undo(before.mark, &mut self.trail);
                continue;
            }
            if !self.is_within(limit, (plan, next, left - 1), meter)? {
                refused.extend(like);
                self.go_back(before);
                continue;
            }
            if self.is_hopeless_after(plan, (next, left - 1), meter) {
                self.go_back(before);
                continue;
            }
            self.levels.go_on_from(next);
            if left == 1 {
                return Ok(Step::Complete(request));
            }
            self.levels.device(plan, (picked + 1, next), self.point());
            return Ok(Step::Stay);
        }
    }

    /// Picks a device, if that may be; returns whether it does.
    fn pick(
        &mut self,
        plan: usize,
        device: usize,
        meter: &mut Meter<'_>,
    ) -> Result<bool, StopCause> {
        let admin = self.problem.plans[plan].alternative.admin_access;
        let pays = !admin && !self.problem.state.counters.is_paid(device);
        let tried = self.problem.pick(plan, device, &mut self.trail, meter)?;
        if tried.is_err() {
            return Ok(false);
        }
        self.picks.push(Pick { plan, device });
        self.tally.add(plan, device, meter);
        if let Some(cards) = &mut self.cards {
            cards.add(self.tally, (plan, device), !admin, pays);
        }
        Ok(true)
    }

    /// Returns whether an answer within the limit may begin with the picks so
    /// far, when a plan still needs some from a place on.
    fn is_within(
        &mut self,
        limit: &Limit<'_>,
        (plan, from, left): (usize, usize, usize),
        meter: &mut Meter<'_>,
    ) -> Result<bool, StopCause> {
        meter.effort(self.effort)?;
        let later = self.problem.plans[plan].request + 1;
        let open = self
            .open
            .after(self.problem, &self.plans, (plan, from, left));
        let (rest, values) = (&mut self.rest, self.tally.values());
        let may_be = rest.at_least(self.problem, values, (plan, left), &open, &mut self.least);
        let is_whole = left == 0 && later == self.problem.requests.len();
        if !may_be || !limit.admits(&self.least, is_whole) {
            return Ok(false);
        }
        let Some(cards) = self.cards.as_mut().filter(|_| !is_whole) else {
            return Ok(true);
        };
        let more = self.problem.view.devices.len() / DEVICES_OF_A_BRANCH;
        meter.work(WORK + more as u64)?;
        let current = Some((plan, from, left));
        let may_be = cards.at_least(
            self.problem,
            self.tally,
            current,
            &open,
            &mut self.least,
            meter,
        )?;
        Ok(may_be && limit.admits(&self.least, false))
    }

    /// Returns whether nothing can come of the picks so far, when a plan still
    /// needs devices from a place on.
    fn is_hopeless_after(
        &mut self,
        plan: usize,
        rest: (usize, usize),
        meter: &mut Meter<'_>,
    ) -> bool {
        let end = self.problem.requests.len();
        self.problem
            .is_hopeless_after(plan, rest, end, &self.plans, meter)
    }
}
