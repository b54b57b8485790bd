//! [`Trial`]: whether something is a remedy.

use super::super::asker::{Asker, Reply};
use crate::claims::PreparedClaims;
use crate::engine::Workspace;
use crate::explain::Remedy;

/// Tries changes, and keeps those that help.
pub(super) struct Trial<'t> {
    claims: &'t PreparedClaims,
    asker: Asker<'t>,
    found: Vec<Remedy>,
}

impl<'t> Trial<'t> {
    pub(super) fn new(claims: &'t PreparedClaims, asker: Asker<'t>) -> Self {
        Self {
            claims,
            asker,
            found: Vec::new(),
        }
    }

    /// Returns whether claims fit with a change.
    pub(super) fn fits(&mut self, remedy: &Remedy) -> bool {
        self.asker.ask_with(self.claims, remedy) == Reply::Fits
    }

    /// Keeps a change if nothing fails with it, whether claims fit then or not.
    pub(super) fn add_without_failure(&mut self, remedy: Remedy) {
        let reply = self.asker.ask_with(self.claims, &remedy);
        if matches!(reply, Reply::Fits | Reply::Infeasible) {
            self.keep(remedy);
        }
    }

    /// Keeps a change if it helps; returns whether it does.
    pub(super) fn add(&mut self, remedy: Remedy) -> bool {
        let helps = self.fits(&remedy);
        if helps {
            self.keep(remedy);
        }
        helps
    }

    /// Keeps a change that helps.
    pub(super) fn keep(&mut self, remedy: Remedy) {
        if !self.found.contains(&remedy) {
            self.found.push(remedy);
        }
    }

    /// Leaves out as many of some things as can be: those that stay still help, and
    /// are not enough without any one of them.
    pub(super) fn reduced<T: Clone>(
        &mut self,
        mut things: Vec<T>,
        remedy: impl Fn(Vec<T>) -> Remedy,
    ) -> Vec<T> {
        // The last first: what comes first stays. Twice as many after each success.
        let (mut end, mut size) = (things.len(), 1);
        while end > 0 {
            let start = end.saturating_sub(size);
            let rest = things[..start].iter().chain(&things[end..]);
            let rest: Vec<T> = rest.cloned().collect();
            if !rest.is_empty() && self.fits(&remedy(rest.clone())) {
                things = rest;
                end = start;
                size *= 2;
            } else if end - start > 1 {
                size = (end - start).div_ceil(4);
            } else {
                end = start;
            }
        }
        things
    }

    /// Returns what helped, by kinds, and of each kind in the order in which it was tried.
    pub(super) fn finish(mut self, workspace: &mut Workspace) -> Vec<Remedy> {
        self.asker.finish(workspace);
        self.found.sort_by_key(Remedy::rank);
        self.found
    }
}
