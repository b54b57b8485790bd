//! Why claims do not fit, class by class.

use std::sync::Arc;

use super::super::NodeCause;
use super::super::order::Ordered;
use super::super::reason::Histogram;
use super::{Question, Verdict};
use crate::engine::Workspace;
use crate::explain;
use crate::solver::Problem;
use crate::store::NodeView;

/// So many reasons are compared before they are put into words.
const MAX_KNOWN: usize = 16;

impl Question<'_> {
    /// Counts why claims do not fit; explained once for each class, if that is
    /// asked for.
    pub(super) fn reasons(&self, order: &Ordered<'_>, workspace: &mut Workspace) -> Histogram {
        let mut histogram = Histogram::default();
        let mut known: Vec<(Verdict, usize)> = Vec::new();
        let counted = self.classes.iter().zip(&self.marks);
        for (class, mark) in counted.filter(|(class, _)| !class.fits()) {
            let nodes = mark.nodes as usize;
            let explains = self.options.explain && matches!(class.verdict, Verdict::Infeasible(_));
            let same = known.iter().find(|(verdict, _)| *verdict == class.verdict);
            if !explains && let Some((_, place)) = same {
                histogram.more(*place, nodes);
                continue;
            }
            let Some(mut cause) = self.words(class.verdict) else {
                continue;
            };
            let entry = self.nodes.get(class.node);
            if explains
                && let Some(Ok(view)) = entry.and_then(|entry| self.inventory.view_of(entry))
                && let Some(mut problem) = self.with_notes(view, workspace)
            {
                let explanation = explain::explain(&mut problem);
                let verdicts = &mut workspace.verdicts;
                let obstacles = problem.plans.iter().map(|plan| {
                    let found = problem.obstacles(plan, self.claims, verdicts);
                    found.into_iter().map(|(obstacle, _)| obstacle).collect()
                });
                cause = cause.explained(&explanation, &obstacles.collect::<Vec<_>>());
            }
            let example = order.name(class.place).unwrap_or_default();
            let place = histogram.add(cause, nodes, example);
            if !explains && known.len() < MAX_KNOWN {
                known.push((class.verdict, place));
            }
        }
        histogram
    }

    /// Returns a class's question with notes; none if it is wrong, or the budget ended.
    fn with_notes<'p>(
        &'p self,
        view: &'p Arc<NodeView>,
        workspace: &mut Workspace,
    ) -> Option<Problem<'p>> {
        let mut meter = self.options.on_a_node.budget.meter();
        let required = self
            .call
            .required(view, &mut workspace.machines, &mut meter);
        let (verdicts, machine) = (&mut workspace.verdicts, required.ok()?);
        Problem::with_notes(self.claims, view, self.held, verdicts, machine.as_ref()).ok()
    }

    /// Puts into words why nodes with a verdict will not do.
    fn words(&self, verdict: Verdict) -> Option<NodeCause> {
        match verdict {
            Verdict::Fits(_) => None,
            Verdict::Infeasible(place) | Verdict::Refused(place) => {
                let reason = self.causes.get(place as usize)?.clone();
                Some(NodeCause::of(reason, self.claims))
            }
            Verdict::Unknown(cause) => Some(NodeCause::Unknown(cause)),
            Verdict::Error(code) => Some(NodeCause::Error(code)),
        }
    }
}
