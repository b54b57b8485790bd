//! [`Workspace`]: memory that calls reuse.

use std::sync::Arc;

use super::call::Reduced;
use super::place::Kinds;
use super::{AllocateOptions, Allocation, Outcome};
use crate::claims::PreparedClaims;
use crate::eligible::Verdicts;
use crate::error::Error;
use crate::solver::{
    self, Answer, Halt, ManyCache, ManyWalk, Problem, Short, Shortcut, Shortcuts, Walk,
};
use crate::state::Draft;
use crate::store::NodeView;

/// Keeps what calls can reuse: verdicts of selectors, what was compiled for
/// claims and nodes, and scratch memory.
///
/// It never changes an answer. One serves any number of engines, one call at
/// a time.
#[derive(Debug, Default)]
pub struct Workspace {
    pub(super) verdicts: Verdicts,
    /// What claims see of nodes, for [`Transaction::place`](super::Transaction::place).
    pub(super) kinds: Kinds,
    /// Claims of which some have something already.
    pub(super) reduced: Reduced,
    shortcuts: Shortcuts,
    walk: Walk,
    many: ManyCache,
    many_walk: ManyWalk,
}

impl Workspace {
    /// Returns an empty workspace.
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers whether claims fit on a node beside what is held.
    pub(super) fn solve(
        &mut self,
        claims: &PreparedClaims,
        view: &Arc<NodeView>,
        held: &Draft,
        options: &AllocateOptions<'_>,
    ) -> Result<Outcome, Error> {
        // Twins are a matter of the search.
        let is_alone = view.twins.is_empty();
        let is_large = view.device_count() > Shortcut::BOUND;
        if options.shortcuts && is_alone && (options.many || is_large) {
            if let Some(outcome) = self.solve_many(claims, view, held, options) {
                return Ok(outcome);
            }
        } else if options.shortcuts {
            let mut meter = options.budget.meter();
            let shortcut = self
                .shortcuts
                .get(claims, view, &mut self.verdicts, &mut meter);
            match shortcut {
                Err(cause) => return Ok(Outcome::Unknown(cause)),
                Ok(None) => {}
                Ok(Some(shortcut)) => match self.walk.answer(shortcut, held, &mut meter) {
                    Short::First => {
                        let picks = self.walk.picks();
                        let allocation = Allocation::of_shortcut(shortcut, picks, claims, view);
                        return Ok(Outcome::Optimal(allocation));
                    }
                    Short::Infeasible(reason) => return Ok(Outcome::Infeasible(reason)),
                    Short::Stopped(cause) => return Ok(Outcome::Unknown(cause)),
                    Short::Unsure => {}
                },
            }
        }
        self.search(claims, view, held, options)
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
        match self.many_walk.answer(&question, &mut meter) {
            Short::First => {
                let picks = self.many_walk.picks();
                let allocation = Allocation::of_many(&question, picks, claims, view, held);
                Some(Outcome::Optimal(allocation))
            }
            Short::Infeasible(reason) => Some(Outcome::Infeasible(reason)),
            Short::Stopped(cause) => Some(Outcome::Unknown(cause)),
            Short::Unsure => None,
        }
    }

    fn search(
        &mut self,
        claims: &PreparedClaims,
        view: &Arc<NodeView>,
        held: &Draft,
        options: &AllocateOptions<'_>,
    ) -> Result<Outcome, Error> {
        let (mode, mut meter) = (options.errors, options.budget.meter());
        let problem = Problem::new(claims, view, held, &mut self.verdicts, mode, &mut meter);
        let mut problem = match problem {
            Ok(problem) => problem,
            Err(Halt::Error(error)) => return Err(error),
            Err(Halt::Stopped(cause)) => return Ok(Outcome::Unknown(cause)),
        };
        let solution = match solver::solve(&mut problem, &mut meter)? {
            Answer::First(solution) => solution,
            Answer::Infeasible(reason) => return Ok(Outcome::Infeasible(reason)),
            Answer::Stopped(cause) => return Ok(Outcome::Unknown(cause)),
        };
        Allocation::new(&problem, &solution, claims, view, held).map(Outcome::Optimal)
    }

    #[cfg(test)]
    pub(crate) fn verdicts(&self) -> &Verdicts {
        &self.verdicts
    }
}
