//! [`Question`]: one call, from node to node.

#[cfg_attr(not(feature = "rayon"), path = "nothing_ahead.rs")]
mod ahead;
mod alike;
mod meet;
mod reasons;
mod solve;

use std::ops::Range;
use std::sync::Arc;

use self::ahead::Ahead;
use super::classes::Classes;
use super::kept::Kept;
use super::kinds::{KindsOfClaims, Row};
use super::order::Ordered;
use super::placement::{ScoredAnswer, Wanted};
use super::{Find, PlaceOptions, Placement};
use crate::claims::PreparedClaims;
use crate::engine::call::Call;
use crate::engine::{Transaction, Workspace};
use crate::error::{Code, Error};
use crate::number::number;
use crate::outcome::{Reason, StopCause};
use crate::state::{Draft, HeldWords};
use crate::store::{Inventory, NodeKey, Nodes, Seen};

/// Deadline and cancel flag are looked at once in so many nodes.
const POLL_INTERVAL: usize = 64;

/// Where the first node is wanted, so many are solved without a look at their
/// class: one of them usually fits.
const ALONE: usize = 4;

/// A reason is looked for among so many before it.
const MAX_COMPARED: usize = 4;

/// There is room for so many classes from the start.
const ROOM: usize = 64;

/// Is one call.
pub(super) struct Question<'a> {
    call: &'a Call<'a>,
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
    causes: Vec<Reason>,
    kept: Kept,
    solved: usize,
    failed: Vec<(String, Error)>,
    /// What is held of the node that is looked at.
    state: Vec<u64>,
    /// What is known of nodes that come later.
    ahead: Ahead,
    /// The kind, what was seen, and the class of the last node that took longer.
    last_seen: Option<(usize, *const Seen, usize)>,
    /// The places of nodes by class, if it is wanted which are alike.
    members: Option<Vec<Vec<usize>>>,
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
    /// With the place of the reason.
    Infeasible(u32),
    /// With the place of the reason, which was found without a search.
    Refused(u32),
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
        call: &'a Call<'a>,
        options: &'a PlaceOptions<'a>,
    ) -> Self {
        let inventory = transaction.inventory();
        let claims = &*call.claims;
        Self {
            call,
            claims,
            options,
            transaction,
            inventory,
            nodes: inventory.numbered(),
            held: &call.held,
            apart: call.requires_places() || is_apart(claims, options),
            marks: Vec::with_capacity(ROOM),
            classes: Vec::with_capacity(ROOM),
            last_seen: None,
            answers: Vec::new(),
            causes: Vec::new(),
            kept: Kept::default(),
            solved: 0,
            failed: Vec::new(),
            state: Vec::new(),
            ahead: Ahead::default(),
            members: None,
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
        if self.options.find == Find::All {
            self.kept.reserve(order.len());
        }
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
        // Where nodes are told apart by more than a search, each is met.
        let keys = if self.call.is_plain() && self.members.is_none() {
            order.keys()
        } else {
            &[]
        };
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
                place = self.run(keys, first..pause, kinds.rows(), classes, &mut words);
                step += place - first;
                if self.is_over() {
                    return Ok((step, None));
                }
                if place == pause {
                    continue;
                }
                let node = order.key(place);
                let asked = Asked { step, place, node };
                #[cfg(feature = "rayon")]
                self.look_ahead(asked, end, order, kinds, classes, workspace);
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

    /// Returns the place of a reason.
    fn cause(&mut self, reason: Reason) -> u32 {
        let last = self.causes.iter().rev().take(MAX_COMPARED);
        let found = last.clone().position(|other| *other == reason);
        let place = found.map_or(self.causes.len(), |back| self.causes.len() - 1 - back);
        if found.is_none() {
            self.causes.push(reason);
        }
        number(place)
    }

    fn count(&mut self, class: usize, place: usize, node: NodeKey) {
        if let Some(members) = &mut self.members {
            members.resize_with(self.marks.len(), Vec::new);
            members[class].push(place);
        }
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
            gap: of_class.gap,
        });
        number(self.answers.len() - 1)
    }
}

impl Class {
    fn fits(&self) -> bool {
        matches!(self.verdict, Verdict::Fits(_))
    }
}

/// Returns whether no two nodes can be in one class, whatever they look like.
///
/// What selectors cost counts against a limit of branches, and differs between
/// devices that are the same otherwise. Expressions may read all of a device, and
/// terms read what no claim does.
fn is_apart(claims: &PreparedClaims, options: &PlaceOptions<'_>) -> bool {
    options.on_a_node.budget.limit().is_some()
        || !options.on_a_node.scopes(claims).is_empty()
        || claims
            .alternatives()
            .any(|alternative| !alternative.derived_attributes.is_empty())
}
