//! What becomes of a node whose class takes more than one look.

use std::sync::Arc;

use super::super::classes::Classes;
use super::super::detail::details;
use super::super::kinds::{KindsOfClaims, Row};
use super::super::order::Ordered;
use super::{ALONE, Asked, Class, Mark, Met, NONE, Question, Verdict};
use crate::engine::{Find, Workspace};
use crate::error::{Error, Scope};
use crate::number::number;
use crate::outcome::StopCause;
use crate::solver::ErrorMode;
use crate::state::HeldWords;
use crate::store::{NodeView, no_node};

impl<'a> Question<'a> {
    /// Finds the class of a node, and solves it if it is new.
    pub(super) fn meet(
        &mut self,
        asked: Asked,
        order: &Ordered<'_>,
        words: &mut HeldWords<'_>,
        kinds: &mut KindsOfClaims,
        classes: &mut Classes,
        workspace: &mut Workspace,
    ) -> Result<Met, Error> {
        let node = asked.node;
        if !self.call.is_plain()
            && let Some(node) = self.nodes.get(node).and_then(|entry| entry.node.as_ref())
            && let Some(reason) = self.call.refuses(node)
        {
            let cause = self.cause(reason);
            return Ok(Met::Class(self.add(asked, Verdict::Refused(cause))));
        }
        let mut row = if self.apart {
            Row::OWN
        } else {
            kinds.row(node)
        };
        let mut is_plain = kinds.is_plain(row);
        if is_plain && let Some(class) = self.find(row, words, kinds, classes) {
            return Ok(Met::Class(class));
        }
        let mut is_like_others = is_plain;
        if !is_plain {
            let view = match self.view(asked, order) {
                Ok(view) => view,
                Err(error) => return self.fail(asked, order, error),
            };
            let alone = self.options.find == Find::First && asked.step < ALONE;
            if row == Row::UNKNOWN && !alone {
                row = kinds.look(node, view, self.claims, &mut workspace.verdicts);
                is_plain = kinds.is_plain(row);
                is_like_others = is_plain;
                if is_plain && let Some(class) = self.find(row, words, kinds, classes) {
                    return Ok(Met::Class(class));
                }
            }
            if !is_plain && kinds.kinds().get(row.kind()).is_some() {
                let seen = Arc::as_ptr(view.whole());
                if view.twins.is_empty()
                    && let Some((kind, other, class)) = self.last_seen
                    && kind == row.kind()
                    && std::ptr::eq(other, seen)
                {
                    return Ok(Met::Class(class));
                }
                self.state.clear();
                is_like_others = details(view, self.held, kinds, &mut self.state).is_some();
                if is_like_others && let Some(class) = classes.find(row.kind(), &self.state) {
                    self.last_seen = Some((row.kind(), seen, class as usize));
                    return Ok(Met::Class(class as usize));
                }
            }
        }
        self.solved += 1;
        let short = if is_plain {
            self.solve_plain(row.kind(), node, kinds, workspace)
        } else {
            None
        };
        let outcome = match short {
            Some(verdict) => Ok(verdict),
            None => match self.view(asked, order) {
                Ok(view) => self.solve(node, view, workspace),
                Err(error) => Err(error),
            },
        };
        let verdict = match outcome {
            Ok(Verdict::Unknown(cause @ (StopCause::Deadline | StopCause::Cancelled))) => {
                return Ok(Met::Stopped(cause));
            }
            Ok(verdict) => verdict,
            Err(error) => return self.fail(asked, order, error),
        };
        let class = self.add(asked, verdict);
        if is_like_others && let Some(kind) = kinds.kinds().get(row.kind()) {
            classes.insert(row.kind(), kind, &self.state, number(class));
        }
        Ok(Met::Class(class))
    }

    /// Returns what a node sees.
    pub(super) fn view(
        &self,
        asked: Asked,
        order: &Ordered<'_>,
    ) -> Result<&'a Arc<NodeView>, Error> {
        let entry = self.nodes.get(asked.node);
        let seen = entry.and_then(|entry| self.inventory.view_of(entry));
        seen.unwrap_or_else(|| {
            let name = order.name(asked.place).unwrap_or_default();
            Err(no_node(name))
        })
    }

    /// Returns the class of a node of a plain kind, if it is known; the state of
    /// the node is at hand afterwards.
    pub(super) fn find(
        &mut self,
        row: Row,
        words: &mut HeldWords<'_>,
        kinds: &KindsOfClaims,
        classes: &Classes,
    ) -> Option<usize> {
        let kind = kinds.kinds().get(row.kind())?;
        self.state.clear();
        for (block, mask) in kinds.blocks(row).zip(&kind.masks) {
            self.state.push(words.of(block as usize) & mask);
        }
        let class = classes.find(row.kind(), &self.state)?;
        Some(class as usize)
    }

    pub(super) fn add(&mut self, asked: Asked, verdict: Verdict) -> usize {
        self.marks.push(Mark {
            nodes: 0,
            answer: match &verdict {
                Verdict::Fits(Some(answer)) => *answer,
                _ => NONE,
            },
        });
        self.classes.push(Class {
            verdict,
            place: asked.place,
            node: asked.node,
        });
        self.classes.len() - 1
    }

    /// Notes an error of a node; it names devices, so each node has its own.
    pub(super) fn fail(
        &mut self,
        asked: Asked,
        order: &Ordered<'_>,
        error: Error,
    ) -> Result<Met, Error> {
        let aborts = self.options.on_a_node.error_mode(self.claims) == ErrorMode::Abort;
        if self.members.is_none() && aborts && error.scope() == Scope::Request {
            return Err(error);
        }
        let class = self.add(asked, Verdict::Error(error.code()));
        let name = order.name(asked.place).unwrap_or_default();
        self.failed.push((name.to_owned(), error));
        Ok(Met::Class(class))
    }
}
