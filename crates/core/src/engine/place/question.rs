//! [`Question`]: one call, from node to node.

use std::ops::Range;
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
use crate::store::{Inventory, NodeKey, NodeView, Nodes, Seen, no_node};

/// Deadline and cancel flag are looked at once in so many nodes.
const POLL_INTERVAL: usize = 64;

/// Where the first node is wanted, so many are solved without a look at their
/// class: one of them usually fits.
const ALONE: usize = 4;

/// There is room for so many classes from the start.
const ROOM: usize = 64;

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
    /// By class, what is read for each node.
    marks: Vec<Mark>,
    classes: Vec<Class>,
    answers: Vec<ScoredAnswer>,
    kept: Kept,
    solved: usize,
    failed: Vec<(String, Error)>,
    /// What is held of the node that is looked at.
    state: Vec<u64>,
    /// The kind, what was seen, and the class of the last node that took longer.
    last_seen: Option<(usize, *const Seen, usize)>,
}

/// Is what a class needs while nodes are counted.
#[derive(Clone, Copy)]
struct Mark {
    nodes: u32,
    /// The place of its answer, if its nodes are wanted.
    answer: u32,
}

const NONE: u32 = u32::MAX;

/// Is what the nodes of a class answer.
struct Class {
    verdict: Verdict,
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
            marks: Vec::with_capacity(ROOM),
            classes: Vec::with_capacity(ROOM),
            last_seen: None,
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
        let counted = self.classes.iter().zip(&self.marks);
        let feasible = counted.filter(|(class, _)| class.fits());
        let feasible = feasible.map(|(_, mark)| mark.nodes as usize).sum();
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
        let mut words = self.held.held_words();
        let mut step = 0;
        for places in [start..order.len(), 0..start] {
            let (mut place, end) = (places.start, places.end);
            while place < end {
                let since_poll = step % POLL_INTERVAL;
                if since_poll == 0
                    && let Some(cause) = self.options.on_a_node.budget.stop()
                {
                    return Ok((step, Some(cause)));
                }
                let pause = end.min(place + POLL_INTERVAL - since_poll);
                let first = place;
                place = self.run(
                    order.keys(),
                    first..pause,
                    kinds.rows(),
                    classes,
                    &mut words,
                );
                step += place - first;
                if self.is_over() {
                    return Ok((step, None));
                }
                if place == pause {
                    continue;
                }
                let node = order.key(place);
                let asked = Asked { step, place, node };
                match self.meet(asked, order, &mut words, kinds, classes, workspace)? {
                    Met::Class(class) => self.count(class, place, node),
                    Met::Stopped(cause) => return Ok((step, Some(cause))),
                }
                (step, place) = (step + 1, place + 1);
                if self.is_over() {
                    return Ok((step, None));
                }
            }
        }
        Ok((step, None))
    }

    /// Counts nodes as long as their classes are known, and no more are wanted;
    /// returns the place of the first that was not counted.
    fn run(
        &mut self,
        keys: &[NodeKey],
        places: Range<usize>,
        rows: &[Row],
        classes: &Classes,
        words: &mut HeldWords<'_>,
    ) -> usize {
        let mut place = places.start;
        for node in keys.get(places).unwrap_or_default() {
            let row = rows.get(node.index()).copied().unwrap_or(Row::UNKNOWN);
            let class = classes.quick(row, |block| words.of(block as usize));
            let Some(class) = class.map(|class| class as usize) else {
                break;
            };
            let mark = &mut self.marks[class];
            mark.nodes += 1;
            if mark.answer != NONE {
                self.want(class, place, *node);
                if self.options.find == Find::First {
                    return place + 1;
                }
            }
            place += 1;
        }
        place
    }

    /// Returns whether nothing more is wanted.
    fn is_over(&self) -> bool {
        self.options.find == Find::First && !self.kept.is_empty()
    }

    fn count(&mut self, class: usize, place: usize, node: NodeKey) {
        let mark = &mut self.marks[class];
        mark.nodes += 1;
        if mark.answer != NONE {
            self.want(class, place, node);
        }
    }

    /// Keeps a node of a class that is wanted, if it is good enough.
    #[inline]
    fn want(&mut self, class: usize, place: usize, node: NodeKey) {
        let (find, answer) = (self.options.find, self.marks[class].answer);
        if find != Find::All && find != Find::First {
            let score = self.answers[answer as usize].score;
            if !self.kept.may_keep(find, score) {
                return;
            }
        }
        let is_example = self.classes[class].place == place;
        let answer = self.own(answer, node, is_example);
        let place = number(place);
        let wanted = Wanted {
            place,
            node,
            answer,
        };
        self.kept.keep(find, wanted, &self.answers);
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
            allocation: of_class.allocation.moved_to(self.claims, view, self.held),
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
                let seen = Arc::as_ptr(view.seen());
                if let Some((kind, other, class)) = self.last_seen
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
                Ok(view) => self.solve(view, workspace),
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
    fn view(&self, asked: Asked, order: &Ordered<'_>) -> Result<&'a Arc<NodeView>, Error> {
        let entry = self.nodes.get(asked.node);
        let seen = entry.and_then(|entry| self.inventory.view_of(entry));
        seen.unwrap_or_else(|| {
            let name = order.name(asked.place).unwrap_or_default();
            Err(no_node(name))
        })
    }

    /// Returns the class of a node of a plain kind, if it is known; the state of
    /// the node is at hand afterwards.
    fn find(
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

    fn add(&mut self, asked: Asked, verdict: Verdict) -> usize {
        self.marks.push(Mark {
            nodes: 0,
            answer: match verdict {
                Verdict::Fits(Some(answer)) => answer,
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

    /// Solves a node of a plain kind whose state is at hand, by what was compiled
    /// for another node of its kind; nothing is returned if that cannot tell.
    fn solve_plain(
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
                return Some(Verdict::Infeasible(Reason::Request { claim, request }));
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
        let answer = workspace.short(self.claims, &model, held, options, wants_devices)?;
        Some(match answer {
            Shortly::Fits(None) => Verdict::Fits(None),
            Shortly::Fits(Some(allocation)) => {
                // They were free, and each is taken once.
                let taken = allocation.taken().count();
                self.fits(allocation, free - taken)
            }
            Shortly::Infeasible(reason) => Verdict::Infeasible(reason),
            Shortly::Stopped(cause) => Verdict::Unknown(cause),
        })
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
        let counted = self.classes.iter().zip(&self.marks);
        for (class, mark) in counted.filter(|(class, _)| !class.fits()) {
            let nodes = mark.nodes as usize;
            let explains = self.options.explain && matches!(class.verdict, Verdict::Infeasible(_));
            let same = known.iter().find(|(verdict, _)| *verdict == class.verdict);
            if !explains && let Some((_, place)) = same {
                histogram.more(*place, nodes);
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
            let place = histogram.add(cause, nodes, example);
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
    options.on_a_node.budget.limits_branches()
        || claims.features() != transaction.snapshot.features()
        || claims
            .alternatives()
            .any(|alternative| !alternative.derived_attributes.is_empty())
        || claims
            .owners()
            .iter()
            .any(|owner| !transaction.draft.records(owner).is_empty())
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
