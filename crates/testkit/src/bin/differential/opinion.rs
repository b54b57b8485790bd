//! [`Opinion`]: what brute force says.

use dralloc_testkit::case::{Answer, Case, Observed, OutcomeKind};
use dralloc_testkit::oracle::{Cel, Options, solve};

/// Steps after which brute force gives up; every small case needs fewer.
const STEPS: u64 = 200_000;

/// What brute force says to a case.
pub(crate) struct Opinion(Answer);

impl Opinion {
    /// Asks brute force.
    pub(crate) fn new(case: &Case) -> Self {
        let options = Options {
            steps: STEPS,
            ..Options::default()
        };
        let (solution, _) = solve(case, &Cel::default(), options);
        Self(solution.into_answer(&case.name))
    }

    /// Returns the answer to compare with, unless brute force gave up.
    pub(crate) fn observed(&self) -> Option<Observed> {
        let error = self.0.error.as_ref();
        (self.0.outcome != OutcomeKind::Unknown).then(|| Observed {
            outcome: self.0.outcome,
            results: self.0.results.clone(),
            error: error.map(|error| error.message.clone()),
            node_local: error.is_some_and(|error| error.scope == "node"),
            steps: 0,
        })
    }

    /// Returns the answer itself.
    pub(crate) fn into_answer(self) -> Answer {
        self.0
    }
}
