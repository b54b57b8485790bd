//! [`Question`]: one call, from node to node.

use std::sync::Arc;

use super::classes::Classes;
use super::detail::details;
use super::kept::Kept;
use super::kinds::{KindsOfClaims, Row};
use super::order::Ordered;
use super::placement::{ScoredAnswer, Wanted};
use super::reason::Histogram;
use super::{Find, NodeCause, NodeScore, PlaceOptions, Placement};
use crate::claims::PreparedClaims;
use crate::engine::workspace::Shortly;
use crate::engine::{Allocation, Outcome, Transaction, Workspace};
use crate::error::{Code, Error, Scope};
use crate::explain;
use crate::number::number;
use crate::outcome::{Reason, StopCause};
use crate::solver::{ErrorMode, Holdings, Problem};
use crate::state::{Draft, HeldWords};
use crate::store::{Inventory, NodeKey, NodeView, Nodes, no_node};

/// Deadline and cancel flag are looked at once in so many nodes.
const POLL_INTERVAL: usize = 64;

/// Where the first node is wanted, so many are solved without a look at their
/// class: one of them usually fits.
const ALONE: usize = 4;

/// Is one call.
pub(super) struct Question<'a> {
    claims: &'a PreparedClaims,
    options: &'a PlaceOptions<'a>,
    transaction: &'a Transaction,
    inventory: &'a Arc<Inventory>,
    nodes: &'a Nodes,
    /// What is held as each node sees it.
    held: &'a Draft,
    /// Whether each node is a class of its own.
    apart: bool,
    classes: Vec<Class>,
    answers: Vec<ScoredAnswer>,
    kept: Kept,
    solved: usize,
    failed: Vec<(String, Error)>,
    /// What is held of the node that is looked at.
    state: Vec<u64>,
}

/// Is what the nodes of a class answer.
struct Class {
    verdict: Verdict,
    nodes: usize,
    /// The first that was met, by place and number.
    place: usize,
    node: NodeKey,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// With the place of the answer, if the devices are wanted.
    Fits(Option<u32>),
    Infeasible(Reason),
    Unknown(StopCause),
    Error(Code),
}

/// Is what a node leads to.
enum Met {
    Class(usize),
    /// The whole call is over.
    Stopped(StopCause),
}

/// Is a node that is asked.
#[derive(Clone, Copy)]
struct Asked {
    /// How many were asked before it.
    step: usize,
    place: usize,
    node: NodeKey,
}

impl<'a> Question<'a> {
    pub(super) fn new(
        transaction: &'a Transaction,
        claims: &'a PreparedClaims,
        options: &'a PlaceOptions<'a>,
        held: &'a Draft,
    ) -> Self {
        let inventory = transaction.inventory();
        Self {
            claims,
            options,
            transaction,
            inventory,
            nodes: inventory.numbered(),
            held,
            apart: is_apart(transaction, claims, options),
            classes: Vec::new(),
            answers: Vec::new(),
            kept: Kept::default(),
            solved: 0,
            failed: Vec::new(),
            state: Vec::new(),
        }
    }

    pub(super) fn ask(
        mut self,
        kinds: &mut KindsOfClaims,
        classes: &mut Classes,
        workspace: &mut Workspace,
    ) -> Result<Placement, Error> {
        let engine = &self.transaction.snapshot.identity;
        let order = Ordered::new(self.options.order, engine, self.nodes);
        let start = self.options.start.checked_rem(order.len()).unwrap_or(0);
        let (asked, stopped) = self.walk(&order, start, kinds, classes, workspace)?;
        let feasible = self.classes.iter().filter(|class| class.fits());
        let feasible = feasible.map(|class| class.nodes).sum();
        let reasons = self.reasons(&order, workspace);
        let wanted = self.kept.finish(self.options.find, &self.answers);
        Ok(Placement {
            inventory: Arc::clone(self.inventory),
            wanted,
            answers: self.answers,
            asked,
            next: (start + asked).checked_rem(order.len()).unwrap_or(0),
            feasible,
            solved: self.solved,
            reasons: reasons.into_reasons(),
            failed: self.failed,
            stopped,
        })
    }

    /// Asks node after node; returns how many answered, and what ended the call.
    fn walk(
        &mut self,
        order: &Ordered<'_>,
        start: usize,
        kinds: &mut KindsOfClaims,
        classes: &mut Classes,
        workspace: &mut Workspace,
    ) -> Result<(usize, Option<StopCause>), Error> {
        let find = self.options.find;
        let mut words = self.held.held_words();
        for (step, place) in (start..order.len()).chain(0..start).enumerate() {
            if step.is_multiple_of(POLL_INTERVAL)
                && let Some(cause) = self.options.on_a_node.budget.stop()
            {
                return Ok((step, Some(cause)));
            }
            let node = order.key(place);
            let known = if self.apart {
                None
            } else {
                classes.quick(kinds.row(node), |block| words.of(block as usize))
            };
            let class = if let Some(class) = known {
                class as usize
            } else {
                let asked = Asked { step, place, node };
                match self.meet(asked, order, &mut words, kinds, classes, workspace)? {
                    Met::Class(class) => class,
                    Met::Stopped(cause) => return Ok((step, Some(cause))),
                }
            };
            let class = &mut self.classes[class];
            class.nodes += 1;
            let Verdict::Fits(Some(answer)) = class.verdict else {
                continue;
            };
            let score = self.answers[answer as usize].score;
            if self.kept.may_keep(find, score) {
                let is_example = class.place == place;
                let answer = self.own(answer, node, is_example);
                let place = number(place);
                let wanted = Wanted {
                    place,
                    node,
                    answer,
                };
                self.kept.keep(find, wanted, &self.answers);
            }
            if find == Find::First {
                return Ok((step + 1, None));
            }
        }
        Ok((order.len(), None))
    }

    /// Returns the place of an answer that can be moved to a node by its place
    /// alone: with shares the node has one of its own, since their names differ.
    #[inline]
    fn own(&mut self, answer: u32, node: NodeKey, is_example: bool) -> u32 {
        let of_class = &self.answers[answer as usize];
        if is_example || !of_class.allocation.has_shares() {
            return answer;
        }
        let entry = self.nodes.get(node);
        let Some(Ok(view)) = entry.and_then(|entry| self.inventory.view_of(entry)) else {
            return answer;
        };
        self.answers.push(ScoredAnswer {
            allocation: of_class.allocation.moved_to(view, self.held),
            score: of_class.score,
        });
        number(self.answers.len() - 1)
    }

    /// Finds the class of a node, and solves it if it is new.
    fn meet(
        &mut self,
        asked: Asked,
        order: &Ordered<'_>,
        words: &mut HeldWords<'_>,
        kinds: &mut KindsOfClaims,
        classes: &mut Classes,
        workspace: &mut Workspace,
    ) -> Result<Met, Error> {
        let node = asked.node;
        let mut row = if self.apart {
            Row::OWN
        } else {
            kinds.row(node)
        };
        if let Some(class) = self.find(row, words, kinds, classes) {
            return Ok(Met::Class(class));
        }
        let entry = self.nodes.get(node);
        let seen = entry.and_then(|entry| self.inventory.view_of(entry));
        let view = match seen {
            Some(Ok(view)) => view,
            Some(Err(error)) => return self.fail(asked, order, error),
            None => {
                let error = no_node(order.name(asked.place).unwrap_or_default());
                return self.fail(asked, order, error);
            }
        };
        let alone = self.options.find == Find::First && asked.step < ALONE;
        if row == Row::UNKNOWN && !alone {
            row = kinds.look(node, view, self.claims, &mut workspace.verdicts);
            if let Some(class) = self.find(row, words, kinds, classes) {
                return Ok(Met::Class(class));
            }
        }
        let number_of_kind = row.kind();
        let is_detailed = kinds
            .kinds()
            .get(number_of_kind)
            .map(|kind| kind.is_detailed);
        let is_known = match is_detailed {
            None => false,
            Some(false) => true,
            Some(true) => {
                self.state.clear();
                let is_like_others = details(view, self.held, kinds, &mut self.state).is_some();
                if is_like_others && let Some(class) = classes.find(number_of_kind, &self.state) {
                    return Ok(Met::Class(class as usize));
                }
                is_like_others
            }
        };
        self.solved += 1;
        let outcome = if is_detailed == Some(false)
            && let Some(outcome) = self.solve_plain(number_of_kind, view, kinds, workspace)
        {
            outcome
        } else {
            self.solve(view, workspace)
        };
        let verdict = match outcome {
            Ok(Verdict::Unknown(cause @ (StopCause::Deadline | StopCause::Cancelled))) => {
                return Ok(Met::Stopped(cause));
            }
            Ok(verdict) => verdict,
            Err(error) => return self.fail(asked, order, error),
        };
        let class = self.add(asked, verdict);
        if is_known && let Some(kind) = kinds.kinds().get(number_of_kind) {
            classes.insert(number_of_kind, kind, &self.state, number(class));
        }
        Ok(Met::Class(class))
    }

    /// Returns the class of a node of which only the words of bits count, if it
    /// is known; the state of the node is at hand afterwards.
    fn find(
        &mut self,
        row: Row,
        words: &mut HeldWords<'_>,
        kinds: &KindsOfClaims,
        classes: &Classes,
    ) -> Option<usize> {
        let kind = kinds.kinds().get(row.kind())?;
        if kind.is_detailed {
            return None;
        }
        self.state.clear();
        for (block, mask) in kinds.blocks(row).zip(&kind.masks) {
            self.state.push(words.of(block as usize) & mask);
        }
        let class = classes.find(row.kind(), &self.state)?;
        Some(class as usize)
    }

    fn add(&mut self, asked: Asked, verdict: Verdict) -> usize {
        self.classes.push(Class {
            verdict,
            nodes: 0,
            place: asked.place,
            node: asked.node,
        });
        self.classes.len() - 1
    }

    /// Notes an error of a node; it names devices, so each node has its own.
    fn fail(&mut self, asked: Asked, order: &Ordered<'_>, error: Error) -> Result<Met, Error> {
        let aborts = self.options.on_a_node.errors == ErrorMode::Abort;
        if aborts && error.scope() == Scope::Request {
            return Err(error);
        }
        let class = self.add(asked, Verdict::Error(error.code()));
        let name = order.name(asked.place).unwrap_or_default();
        self.failed.push((name.to_owned(), error));
        Ok(Met::Class(class))
    }

    /// Solves a node whose state is at hand by what was compiled for another
    /// node of its kind; nothing is returned if that cannot tell.
    fn solve_plain(
        &mut self,
        kind: usize,
        view: &Arc<NodeView>,
        kinds: &mut KindsOfClaims,
        workspace: &mut Workspace,
    ) -> Option<Result<Verdict, Error>> {
        let model = kinds.model(kind, view);
        let bits = &kinds.kinds().get(kind)?.bits;
        let held = Holdings::Words(bits, &self.state);
        let options = &self.options.on_a_node;
        let wants_devices = self.options.find != Find::Count;
        let answer = workspace.short(self.claims, &model, held, options, wants_devices)?;
        Some(Ok(match answer {
            Shortly::Fits(None) => Verdict::Fits(None),
            Shortly::Fits(Some(allocation)) => {
                let held: u32 = self.state.iter().map(|word| word.count_ones()).sum();
                // They were free, and each is taken once.
                let taken = allocation.taken().count();
                let free = bits.len() - held as usize - taken;
                self.fits(allocation, free)
            }
            Shortly::Infeasible(reason) => Verdict::Infeasible(reason),
            Shortly::Stopped(cause) => Verdict::Unknown(cause),
        }))
    }

    /// Solves a node by itself.
    fn solve(&mut self, view: &Arc<NodeView>, workspace: &mut Workspace) -> Result<Verdict, Error> {
        let options = &self.options.on_a_node;
        let outcome = self
            .transaction
            .answer(view, self.claims, self.held, options, workspace)?;
        Ok(match outcome {
            Outcome::Optimal(_) | Outcome::Feasible { .. } if self.options.find == Find::Count => {
                Verdict::Fits(None)
            }
            Outcome::Optimal(allocation) | Outcome::Feasible { allocation, .. } => {
                let free = free(view, self.held, &allocation);
                self.fits(allocation, free)
            }
            Outcome::Infeasible(reason) => Verdict::Infeasible(reason),
            Outcome::Unknown(cause) => Verdict::Unknown(cause),
        })
    }

    fn fits(&mut self, allocation: Allocation, free: usize) -> Verdict {
        let rank = allocation.rank();
        self.answers.push(ScoredAnswer {
            allocation,
            score: NodeScore { rank, free },
        });
        Verdict::Fits(Some(number(self.answers.len() - 1)))
    }

    /// Counts why claims do not fit; explained once for each class, if that is
    /// asked for.
    fn reasons(&self, order: &Ordered<'_>, workspace: &mut Workspace) -> Histogram {
        let mut histogram = Histogram::default();
        let mut known: Vec<(Verdict, usize)> = Vec::new();
        for class in self.classes.iter().filter(|class| !class.fits()) {
            let explains = self.options.explain && matches!(class.verdict, Verdict::Infeasible(_));
            let same = known.iter().find(|(verdict, _)| *verdict == class.verdict);
            if !explains && let Some((_, place)) = same {
                histogram.more(*place, class.nodes);
                continue;
            }
            let Some(mut cause) = class.verdict.cause(self.claims) else {
                continue;
            };
            let entry = self.nodes.get(class.node);
            if explains
                && let Some(Ok(view)) = entry.and_then(|entry| self.inventory.view_of(entry))
                && let Ok(mut problem) =
                    Problem::with_notes(self.claims, view, self.held, &mut workspace.verdicts)
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
            let place = histogram.add(cause, class.nodes, example);
            if !explains {
                known.push((class.verdict, place));
            }
        }
        histogram
    }
}

impl Class {
    fn fits(&self) -> bool {
        matches!(self.verdict, Verdict::Fits(_))
    }
}

impl Verdict {
    fn cause(self, claims: &PreparedClaims) -> Option<NodeCause> {
        match self {
            Self::Fits(_) => None,
            Self::Infeasible(reason) => Some(NodeCause::of(reason, claims)),
            Self::Unknown(cause) => Some(NodeCause::Unknown(cause)),
            Self::Error(code) => Some(NodeCause::Error(code)),
        }
    }
}

/// Returns whether no two nodes can be in one class, whatever they look like.
///
/// What selectors cost counts against a limit of branches, and differs between
/// devices that are the same otherwise. Expressions may read all of a device,
/// and claims that hold something depend on where that is.
fn is_apart(
    transaction: &Transaction,
    claims: &PreparedClaims,
    options: &PlaceOptions<'_>,
) -> bool {
    let holds = |owner: &str| !transaction.draft.records(owner).is_empty();
    options.on_a_node.budget.limits_branches()
        || claims.features() != transaction.snapshot.features()
        || claims
            .alternatives()
            .any(|alternative| !alternative.derived_attributes.is_empty())
        || claims.claims().iter().any(|claim| holds(&claim.owner))
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
