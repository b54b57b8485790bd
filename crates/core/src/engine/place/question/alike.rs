//! Which nodes answer alike.

use super::super::Alike;
use super::super::classes::Classes;
use super::super::kinds::KindsOfClaims;
use super::super::order::Ordered;
use super::{Question, Verdict};
use crate::engine::Workspace;
use crate::engine::place::AlikeAnswer;
use crate::error::Error;

impl Question<'_> {
    /// Asks all nodes; returns those that answer alike together, by the first of each.
    ///
    /// An error is that of its node, whatever its scope: each node with one is alone.
    pub(in crate::engine::place) fn alike(
        mut self,
        kinds: &mut KindsOfClaims,
        classes: &mut Classes,
        workspace: &mut Workspace,
    ) -> Result<Vec<Alike>, Error> {
        self.members = Some(Vec::new());
        let engine = &self.transaction.snapshot.identity;
        let order = Ordered::new(self.options.order, engine, self.nodes);
        let (asked, stopped) = self.walk(&order, 0, kinds, classes, workspace)?;
        let members = self.members.take().unwrap_or_default();
        let answer = |verdict: Verdict| match verdict {
            Verdict::Fits(_) => AlikeAnswer::Fits,
            Verdict::Infeasible(_) | Verdict::Refused(_) => AlikeAnswer::Infeasible,
            Verdict::Unknown(_) => AlikeAnswer::Unknown,
            Verdict::Error(_) => AlikeAnswer::Fails,
        };
        let answers = self.classes.iter().map(|class| answer(class.verdict));
        let alike = answers.zip(members);
        let mut alike: Vec<Alike> = alike
            .map(|(answer, nodes)| Alike { answer, nodes })
            .collect();
        if stopped.is_some() {
            alike.push(Alike {
                answer: AlikeAnswer::Unasked,
                nodes: (asked..order.len()).collect(),
            });
        }
        Ok(alike)
    }
}
