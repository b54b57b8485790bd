//! [`Goal`]: what a search is for.

use crate::solver::problem::Problem;

/// Is what a search is for.
#[derive(Clone, Copy)]
pub(super) enum Goal<'s> {
    /// The first solution, if it comes before a sequence; devices on which
    /// evaluation fails are left out.
    Solution { before: Option<&'s [usize]> },
    /// The first failing evaluation of a plan, if it comes before a sequence.
    ///
    /// This is the problem cut off at the plan: requests before it are
    /// satisfied as ever, and the next pick is a device that fails.
    Failing {
        plan: usize,
        before: Option<&'s [usize]>,
    },
    /// The first conflict of an `All` plan with a constraint, in the problem cut off there.
    Conflict { plan: usize },
}

/// What a search found.
pub(super) enum Found {
    Solution,
    /// A failing evaluation, by its place in the plan, and the choices before it.
    Failing(usize, Vec<usize>),
    /// A conflict over a device.
    Conflict(usize),
    Nothing,
}

impl Goal<'_> {
    /// Returns the plan at which the problem is cut off.
    pub(super) fn target(&self) -> Option<usize> {
        match *self {
            Self::Solution { .. } => None,
            Self::Failing { plan, .. } | Self::Conflict { plan } => Some(plan),
        }
    }

    /// Returns the request before which those end that must be satisfied.
    pub(super) fn end_of_satisfied(&self, problem: &Problem<'_>) -> usize {
        self.target()
            .map_or(problem.requests.len(), |plan| problem.plans[plan].request)
    }

    /// Returns the request before which those end that the search looks at.
    pub(super) fn end(&self, problem: &Problem<'_>) -> usize {
        self.target().map_or(problem.requests.len(), |plan| {
            problem.plans[plan].request + 1
        })
    }

    /// Returns the sequence that ends the search.
    pub(super) fn before(&self) -> Option<&[usize]> {
        match self {
            Self::Solution { before } | Self::Failing { before, .. } => *before,
            Self::Conflict { .. } => None,
        }
    }
}
