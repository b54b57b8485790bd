//! Looks at nodes before their turn, on several threads.
//!
//! What is found is what the walk would find, since workspaces change no answer;
//! the walk takes it node by node, in order. So errors, reasons and answers are
//! those of one thread, and what nobody comes to is dropped.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;

use super::super::classes::Classes;
use super::super::detail::details;
use super::super::kinds::{KindsOfClaims, Row, shared_address};
use super::super::order::Ordered;
use super::{ALONE, Asked, Question};
use crate::engine::workspace::Shortly;
use crate::engine::{Find, Outcome, Transaction, Workspace};
use crate::error::Error;
use crate::solver::Holdings;
use crate::store::{NodeKey, NodeView};

/// Nodes ahead that are looked at together, at first and at most: a deadline
/// leaves what came before them.
const MIN_NODES: usize = 64;
const MAX_NODES: usize = 4096;

/// Is what is known of nodes that come later.
#[derive(Default)]
pub(super) struct Ahead {
    /// Those that were looked at last.
    places: Range<usize>,
    found: BTreeMap<NodeKey, Found>,
}

/// Is what a node answers.
struct Found {
    /// The short answer for its class; nothing if that cannot tell.
    short: Option<Shortly>,
    /// What it answers by itself, if that was asked.
    whole: Option<Result<Outcome, Error>>,
}

/// Is a node to solve.
struct Job<'a> {
    node: NodeKey,
    view: &'a Arc<NodeView>,
    plain: Option<Plain>,
}

/// Is the class of a node of a plain kind.
struct Plain {
    kind: usize,
    model: Arc<NodeView>,
    state: Vec<u64>,
}

impl Ahead {
    /// Takes the short answer of a node out, or finds it.
    pub(super) fn short(
        &mut self,
        node: NodeKey,
        find: impl FnOnce() -> Option<Shortly>,
    ) -> Option<Shortly> {
        match self.found.get_mut(&node) {
            Some(found) => found.short.take(),
            None => find(),
        }
    }

    /// Takes the answer of a node by itself out, or finds it.
    pub(super) fn whole(
        &mut self,
        node: NodeKey,
        find: impl FnOnce() -> Result<Outcome, Error>,
    ) -> Result<Outcome, Error> {
        let found = self.found.remove(&node).and_then(|found| found.whole);
        found.unwrap_or_else(find)
    }
}

impl<'a> Question<'a> {
    /// Looks at a node and some of those after it, up to a place, if that was
    /// not done and threads are wanted.
    pub(super) fn look_ahead(
        &mut self,
        asked: Asked,
        end: usize,
        order: &Ordered<'_>,
        kinds: &mut KindsOfClaims,
        classes: &Classes,
        workspace: &mut Workspace,
    ) {
        let Some(least) = self.options.threads_from else {
            return;
        };
        let is_first = self.options.find == Find::First;
        if is_first && asked.step < ALONE || self.ahead.places.contains(&asked.place) {
            return;
        }
        let most = if is_first {
            (2 * self.ahead.places.len()).clamp(MIN_NODES, MAX_NODES)
        } else {
            MAX_NODES
        };
        let places = asked.place..end.min(asked.place.saturating_add(most));
        self.ahead = Ahead {
            places: places.clone(),
            found: BTreeMap::new(),
        };
        let mut threads = std::mem::take(&mut workspace.threads);
        threads.resize_with(rayon::current_num_threads().max(1), Workspace::default);
        let nodes: Vec<NodeKey> = places.map(|place| order.key(place)).collect();
        if !self.apart {
            self.describe(&nodes, least, kinds, &mut threads);
        }
        if let Some(jobs) = self.jobs(&nodes, kinds, classes, workspace)
            && jobs.len() >= least
        {
            self.solve_all(&jobs, kinds, &mut threads);
        }
        workspace.threads = threads;
    }

    /// Finds the kinds of nodes that nobody looked at.
    fn describe(
        &self,
        nodes: &[NodeKey],
        least: usize,
        kinds: &mut KindsOfClaims,
        threads: &mut [Workspace],
    ) {
        let unknown = nodes.iter().copied();
        let unknown: Vec<NodeKey> = unknown
            .filter(|node| kinds.row(*node) == Row::UNKNOWN)
            .collect();
        if unknown.len() < least {
            return;
        }
        let (inventory, all) = (self.inventory, self.nodes);
        let budget = self.options.on_a_node.budget;
        let views = spread(threads, &unknown, |_, node| {
            if budget.stop().is_some() {
                return None;
            }
            let view = inventory.view_of(all.get(*node)?)?.ok()?;
            Some((*node, view, shared_address(view)))
        });
        let mut met = BTreeSet::new();
        // Of nodes that see the same one is described.
        let (new, known): (Vec<_>, Vec<_>) =
            views.into_iter().flatten().partition(|(_, view, address)| {
                kinds.shared_row(view).is_none()
                    && address.is_none_or(|address| met.insert(address))
            });
        let (seen, claims) = (&*kinds, self.claims);
        let described = spread(threads, &new, |workspace, (_, view, _)| {
            let goes_on = budget.stop().is_none();
            goes_on.then(|| seen.describe(view, claims, &mut workspace.verdicts))
        });
        for ((node, view, _), described) in new.into_iter().zip(described) {
            if let Some(described) = described {
                kinds.enter(node, view, described);
            }
        }
        for (node, view, _) in known {
            if let Some(row) = kinds.shared_row(view) {
                kinds.set(node, view, row);
            }
        }
    }

    /// Returns a node of each new class that takes more than counting; nothing
    /// if it is stopped.
    fn jobs(
        &mut self,
        nodes: &[NodeKey],
        kinds: &mut KindsOfClaims,
        classes: &Classes,
        workspace: &mut Workspace,
    ) -> Option<Vec<Job<'a>>> {
        let mut jobs = Vec::new();
        let mut met: BTreeSet<(usize, Vec<u64>)> = BTreeSet::new();
        let mut words = self.held.held_words();
        for node in nodes.iter().copied() {
            let row = if self.apart {
                Row::OWN
            } else {
                kinds.row(node)
            };
            let kind = kinds.kinds().get(row.kind());
            let is_counted = kind.is_some_and(|kind| kind.one().is_some());
            if row == Row::UNKNOWN || is_counted {
                continue;
            }
            let Some(entry) = self.nodes.get(node) else {
                continue;
            };
            if !self.call.is_plain()
                && let Some(node) = &entry.node
                && self.call.refuses(node).is_some()
            {
                continue;
            }
            let Some(Ok(view)) = self.inventory.view_of(entry) else {
                continue;
            };
            if kind.is_none() {
                jobs.push(Job {
                    node,
                    view,
                    plain: None,
                });
                continue;
            }
            let is_plain = kinds.is_plain(row);
            let is_known = if is_plain {
                self.find(row, &mut words, kinds, classes).is_some()
            } else {
                self.state.clear();
                details(view, self.held, kinds, &mut self.state).is_some()
                    && classes.find(row.kind(), &self.state).is_some()
            };
            if is_known || !met.insert((row.kind(), self.state.clone())) {
                continue;
            }
            let mut plain = None;
            if is_plain && let Some(kind) = kinds.kind_mut(row.kind()) {
                let model = kind.model(view);
                let options = &self.options.on_a_node;
                let found = || workspace.one_request(self.claims, &model, options);
                kind.look_for_one(found).ok()?;
                if kind.one().is_some() {
                    continue;
                }
                plain = Some(Plain {
                    kind: row.kind(),
                    model,
                    state: self.state.clone(),
                });
            }
            jobs.push(Job { node, view, plain });
        }
        Some(jobs)
    }

    /// Solves nodes, unless the time is over.
    fn solve_all(&mut self, jobs: &[Job<'a>], kinds: &KindsOfClaims, threads: &mut [Workspace]) {
        let (call, claims) = (self.call, self.claims);
        let options = &self.options.on_a_node;
        let wants_devices = self.options.find != Find::Count;
        let found = spread(threads, jobs, |workspace, job| {
            if options.budget.stop().is_some() {
                return None;
            }
            let mut short = None;
            if let Some(plain) = &job.plain {
                let kind = kinds.kinds().get(plain.kind)?;
                let held = Holdings::Words(&kind.bits, &plain.state);
                short = workspace.short(claims, &plain.model, held, options, wants_devices);
            }
            let whole = short
                .is_none()
                .then(|| Transaction::answer(job.view, call, options, workspace));
            Some(Found { short, whole })
        });
        let found = jobs.iter().zip(found);
        let found = found.filter_map(|(job, found)| Some((job.node, found?)));
        self.ahead.found.extend(found);
    }
}

/// Does jobs on as many threads as there are workspaces; the results are in the
/// order of the jobs.
///
/// Which thread does a job depends on its place alone, so that the same nodes
/// meet the same workspace again.
fn spread<J: Sync, R: Send>(
    threads: &mut [Workspace],
    jobs: &[J],
    work: impl Fn(&mut Workspace, &J) -> R + Sync,
) -> Vec<R> {
    let count = threads.len().max(1);
    let of_thread = |(first, workspace): (usize, &mut Workspace)| -> Vec<R> {
        let jobs = jobs.iter().skip(first).step_by(count);
        jobs.map(|job| work(workspace, job)).collect()
    };
    let results: Vec<Vec<R>> = threads.par_iter_mut().enumerate().map(of_thread).collect();
    let mut results: Vec<_> = results.into_iter().map(Vec::into_iter).collect();
    let places = 0..jobs.len();
    places
        .filter_map(|place| results.get_mut(place % count)?.next())
        .collect()
}
