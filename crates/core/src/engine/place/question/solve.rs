//! Solves one node of a class.

use std::sync::Arc;

use super::super::NodeScore;
use super::super::kinds::KindsOfClaims;
use super::super::placement::ScoredAnswer;
use super::{Question, Verdict};
use crate::engine::workspace::Shortly;
use crate::engine::{Allocation, Find, Outcome, Transaction, Workspace};
use crate::error::Error;
use crate::number::number;
use crate::outcome::Reason;
use crate::solver::Holdings;
use crate::state::Draft;
use crate::store::{NodeKey, NodeView};

impl Question<'_> {
    /// Solves a node of a plain kind whose state is at hand, by what was compiled
    /// for another node of its kind; nothing is returned if that cannot tell.
    pub(super) fn solve_plain(
        &mut self,
        kind: usize,
        node: NodeKey,
        kinds: &mut KindsOfClaims,
        workspace: &mut Workspace,
    ) -> Option<Verdict> {
        let kind = kinds.kind_mut(kind)?;
        let options = &self.options.on_a_node;
        let wants_devices = self.options.find != Find::Count;
        let view = || self.inventory.view_of(self.nodes.get(node)?)?.ok();
        if kind.one().is_none() {
            let model = kind.model(view()?);
            let found = || workspace.one_request(self.claims, &model, options);
            if let Err(cause) = kind.look_for_one(found) {
                return Some(Verdict::Unknown(cause));
            }
        }
        if let Some(one) = kind.one() {
            let request = &one.request;
            if one.free(&self.state) < request.needed {
                let (claim, request) = (request.claim, request.place);
                let cause = self.cause(Reason::Request { claim, request });
                return Some(Verdict::Infeasible(cause));
            }
            if !wants_devices {
                return Some(Verdict::Fits(None));
            }
        }
        let model = kind.model(view()?);
        let held: u32 = self.state.iter().map(|word| word.count_ones()).sum();
        let free = kind.bits.len() - held as usize;
        if let Some(one) = kind.one() {
            let devices = one.request.devices.iter().copied();
            let devices = devices.filter(|device| !kind.is_held(*device, &self.state));
            let devices = devices.take(one.request.needed);
            let allocation = Allocation::of_one_request(&one.request, devices, self.claims, model);
            return Some(self.fits(allocation, free - one.request.needed));
        }
        let held = Holdings::Words(&kind.bits, &self.state);
        let find = || workspace.short(self.claims, &model, held, options, wants_devices);
        let answer = self.ahead.short(node, find)?;
        Some(match answer {
            Shortly::Fits(None) => Verdict::Fits(None),
            Shortly::Fits(Some(allocation)) => {
                // They were free, and each is taken once.
                let taken = allocation.taken().count();
                self.fits(allocation, free - taken)
            }
            Shortly::Infeasible(reason) => Verdict::Infeasible(self.cause(reason)),
            Shortly::Stopped(cause) => Verdict::Unknown(cause),
        })
    }

    /// Solves a node by itself.
    pub(super) fn solve(
        &mut self,
        node: NodeKey,
        view: &Arc<NodeView>,
        workspace: &mut Workspace,
    ) -> Result<Verdict, Error> {
        let options = &self.options.on_a_node;
        let find = || Transaction::answer(view, self.call, options, workspace);
        let outcome = self.ahead.whole(node, find)?;
        Ok(match outcome {
            Outcome::Optimal(_) | Outcome::Feasible { .. } if self.options.find == Find::Count => {
                Verdict::Fits(None)
            }
            Outcome::Optimal(allocation) => {
                let free = free(view, self.held, &allocation);
                self.fits(allocation, free)
            }
            Outcome::Feasible { allocation, gap } => {
                let free = free(view, self.held, &allocation);
                let verdict = self.fits(allocation, free);
                if let Some(answer) = self.answers.last_mut() {
                    answer.gap = Some(gap);
                }
                verdict
            }
            Outcome::Infeasible(reason) => Verdict::Infeasible(self.cause(reason)),
            Outcome::Unknown(cause) => Verdict::Unknown(cause),
        })
    }

    pub(super) fn fits(&mut self, allocation: Allocation, free: usize) -> Verdict {
        let allocation = allocation.beside(self.call.granted());
        let rank = allocation.rank();
        self.answers.push(ScoredAnswer {
            allocation,
            score: NodeScore { rank, free },
            gap: None,
        });
        Verdict::Fits(Some(number(self.answers.len() - 1)))
    }
}

/// Returns how many devices of a node nobody holds after an allocation.
fn free(view: &NodeView, held: &Draft, allocation: &Allocation) -> usize {
    let mut taken = vec![false; view.devices.len()];
    for device in allocation.taken() {
        taken[device] = true;
    }
    let devices = view.devices.iter().zip(taken);
    let free = devices.filter(|(entry, taken)| !taken && !held.is_held(entry.key));
    free.count()
}
