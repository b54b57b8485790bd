//! [`Transaction::place`]: one question over many nodes.
//!
//! Nodes that the claims cannot tell apart are of one *class*: the same verdicts
//! on the same places, the same held. One node of a class is solved, and its
//! answer is moved to the others. What is kept of a node between calls does not
//! depend on what is held.

mod class;
mod kind;
mod options;
mod placement;
mod reason;

use std::collections::BTreeMap;
use std::sync::Arc;

pub(super) use kind::Kinds;
pub use options::{Find, PlaceOptions};
pub use placement::{NodeScore, PlacedNode, Placement};
pub use reason::{NodeCause, NodeReason};

use self::class::{ClassKey, Held, key};
use self::reason::Histogram;
use super::call::Call;
use super::{Allocation, Outcome, Snapshot, Transaction, Workspace};
use crate::claims::PreparedClaims;
use crate::error::{Error, Scope};
use crate::explain;
use crate::outcome::{Reason, StopCause};
use crate::solver::{ErrorMode, Problem};
use crate::store::NodeView;

/// Deadline and cancel flag are looked at once in so many nodes.
const POLL_INTERVAL: usize = 64;

/// Where the first node is wanted, so many are solved without a look at their
/// class: one of them usually fits.
const ALONE: usize = 4;

impl Snapshot {
    /// Asks many nodes about claims, as [`Transaction::place`] does.
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::place`].
    pub fn place(
        &self,
        claims: &PreparedClaims,
        options: &PlaceOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Placement, Error> {
        self.transaction().place(claims, options, workspace)
    }
}

impl Transaction {
    /// Asks many nodes about claims that are to be allocated together on one.
    ///
    /// What a node answers is byte for byte what [`Transaction::allocate`]
    /// answers for it. Nothing is held by it: the caller allocates on the node
    /// that it chooses, or asks with [`Transaction::place_and_allocate`].
    ///
    /// # Errors
    ///
    /// None by default: an error concerns the node that it is found on. With
    /// [`ErrorMode::Abort`] an error with scope request ends the call; it is the
    /// first in the order of the nodes.
    ///
    /// # Examples
    ///
    /// ```
    /// use dralloc::model::{DeviceClass, Node, ResourceClaim, ResourceSlice};
    /// use dralloc::{Change, Engine, Features, Find, PlaceOptions, Workspace};
    ///
    /// let mut engine = Engine::new(Features::all());
    /// let class: DeviceClass = serde_json::from_str(r#"{"metadata": {"name": "gpu"}}"#)?;
    /// engine.apply(Change::DeviceClass(class))?;
    /// for (node, devices) in [("a", 1), ("b", 4), ("c", 2)] {
    ///     let devices: Vec<_> = (0..devices).map(|gpu| format!(r#"{{"name": "gpu-{gpu}"}}"#)).collect();
    ///     let slice: ResourceSlice = serde_json::from_str(&format!(
    ///         r#"{{"metadata": {{"name": "{node}"}}, "spec": {{
    ///              "driver": "gpu.example.com", "nodeName": "{node}", "devices": [{}],
    ///              "pool": {{"name": "{node}", "generation": 1, "resourceSliceCount": 1}}}}}}"#,
    ///         devices.join(", "),
    ///     ))?;
    ///     engine.apply(Change::Node(Node::new(node, [])))?;
    ///     engine.apply(Change::ResourceSlice(slice))?;
    /// }
    /// let claim: ResourceClaim = serde_json::from_str(
    ///     r#"{"metadata": {"namespace": "default", "name": "training"},
    ///         "spec": {"devices": {"requests": [{"name": "gpu", "exactly":
    ///             {"deviceClassName": "gpu", "allocationMode": "ExactCount", "count": 2}}]}}}"#,
    /// )?;
    ///
    /// let snapshot = engine.snapshot();
    /// let claims = snapshot.prepare(&[claim])?;
    /// let mut workspace = Workspace::new();
    ///
    /// // The best first: on `c` no device is left over.
    /// let options = PlaceOptions::new().find(Find::Best(2)).explain(true);
    /// let placement = snapshot.place(&claims, &options, &mut workspace)?;
    /// let names: Vec<&str> = placement.nodes().iter().map(|node| node.name()).collect();
    /// assert_eq!(names, ["c", "b"]);
    /// assert_eq!(placement.reasons()[0].to_string(),
    ///     "1 node: request `gpu` of claim 0 has too few devices");
    ///
    /// // The first in an order of the caller's, held.
    /// let mut transaction = snapshot.transaction();
    /// let options = PlaceOptions::new().nodes(&["a", "b", "c"]);
    /// let placed = transaction.place_and_allocate(&claims, &options, &mut workspace)?;
    /// assert_eq!(placed.nodes()[0].name(), "b");
    /// transaction.commit(&mut engine)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn place(
        &self,
        claims: &PreparedClaims,
        options: &PlaceOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Placement, Error> {
        let mut kinds = std::mem::take(&mut workspace.kinds);
        let call = self.call(claims, &options.on_a_node, &mut workspace.reduced);
        let answer = match call {
            Ok(call) => Question::new(self, call, options).ask(&mut kinds, workspace),
            Err(error) => self.fail(&error, options),
        };
        workspace.kinds = kinds;
        answer
    }

    /// Allocates claims on the first node where they fit, or on the best; what
    /// they get is held from then on.
    ///
    /// Of several nodes that are asked for with [`Find::Best`] or [`Find::All`]
    /// it is the first one that is returned. Nothing is held if there is none.
    ///
    /// # Errors
    ///
    /// Those of [`Transaction::place`].
    pub fn place_and_allocate(
        &mut self,
        claims: &PreparedClaims,
        options: &PlaceOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Placement, Error> {
        let placement = self.place(claims, options, workspace)?;
        if let Some(first) = placement.nodes().first() {
            self.allocate(first.name(), claims, &options.on_a_node, workspace)?;
        }
        Ok(placement)
    }
}

impl Transaction {
    /// Returns the names of the nodes to ask, in order.
    fn names<'a>(&'a self, options: &PlaceOptions<'a>) -> Box<dyn Iterator<Item = &'a str> + 'a> {
        match options.nodes {
            Some(names) => Box::new(names.iter().copied()),
            None => Box::new(self.inventory().nodes().map(|node| &*node.metadata.name)),
        }
    }

    /// Answers where all nodes meet the same error.
    fn fail(&self, error: &Error, options: &PlaceOptions<'_>) -> Result<Placement, Error> {
        let mut failed = Vec::new();
        let mut histogram = Histogram::default();
        for name in self.names(options) {
            let met = match self.inventory().known_node(name) {
                Ok(_) => error.clone(),
                Err(error) => error,
            };
            if options.on_a_node.errors == ErrorMode::Abort && met.scope() == Scope::Request {
                return Err(met);
            }
            histogram.add(NodeCause::Error(met.code()), name);
            failed.push((name.to_owned(), met));
        }
        Ok(Placement {
            nodes: Vec::new(),
            asked: failed.len(),
            feasible: 0,
            solved: 0,
            reasons: histogram.into_reasons(),
            failed,
            stopped: None,
        })
    }
}

/// Is what one node of a class answered.
enum ClassAnswer {
    Fits(Arc<Allocation>),
    Infeasible(Reason),
    Unknown(StopCause),
    /// Errors name devices: each node has its own.
    Errs,
}

/// Is what one node answers.
enum Answer {
    Fits(Arc<Allocation>, bool),
    Infeasible(Reason, usize),
    /// Without a search.
    Refused(Reason),
    Unknown(StopCause),
    Error(Error),
}

/// Is one call.
struct Question<'a> {
    call: Call<'a>,
    options: &'a PlaceOptions<'a>,
    transaction: &'a Transaction,
    classes: BTreeMap<ClassKey, usize>,
    answers: Vec<ClassAnswer>,
    /// By class, made when the first reason of it is wanted.
    causes: Vec<Option<NodeCause>>,
    /// Whether each node is a class of its own.
    apart: bool,
    asked: usize,
    feasible: usize,
    solved: usize,
    nodes: Vec<PlacedNode>,
    failed: Vec<(String, Error)>,
    histogram: Histogram,
}

impl<'a> Question<'a> {
    fn new(transaction: &'a Transaction, call: Call<'a>, options: &'a PlaceOptions<'a>) -> Self {
        // What selectors cost counts against a limit of branches, and differs
        // between devices that are the same otherwise.
        let apart = options.on_a_node.budget.limits_branches() || class::is_apart(&call.claims);
        Self {
            call,
            options,
            transaction,
            classes: BTreeMap::new(),
            answers: Vec::new(),
            causes: Vec::new(),
            apart,
            asked: 0,
            feasible: 0,
            solved: 0,
            nodes: Vec::new(),
            failed: Vec::new(),
            histogram: Histogram::default(),
        }
    }

    fn ask(mut self, kinds: &mut Kinds, workspace: &mut Workspace) -> Result<Placement, Error> {
        kinds.start(&self.call.claims);
        let inventory = self.transaction.inventory();
        let mut stopped = None;
        for (place, name) in self.transaction.names(self.options).enumerate() {
            if place % POLL_INTERVAL == 0 {
                stopped = self.options.on_a_node.budget.stop();
            }
            if stopped.is_some() {
                break;
            }
            let (answer, held) = match self.refused(name) {
                Err(error) => (Answer::Error(error), None),
                Ok(Some(reason)) => (Answer::Refused(reason), None),
                Ok(None) => match inventory.view(name) {
                    Ok(view) => self.answer(place, view, kinds, workspace),
                    Err(error) => (Answer::Error(error), None),
                },
            };
            if let Answer::Unknown(cause @ (StopCause::Deadline | StopCause::Cancelled)) = answer {
                stopped = Some(cause);
                break;
            }
            self.asked += 1;
            self.note(place, name, answer, held, workspace)?;
            if self.options.find == Find::First && !self.nodes.is_empty() {
                break;
            }
        }
        Ok(self.finish(stopped))
    }

    /// Returns why a node will not do, if that can be told without a search.
    fn refused(&self, name: &str) -> Result<Option<Reason>, Error> {
        if self.call.is_plain() {
            return Ok(None);
        }
        let node = self.transaction.inventory().known_node(name)?;
        Ok(self.call.refuses(node))
    }

    /// Returns what a node answers, and how much of it is held.
    fn answer(
        &mut self,
        place: usize,
        view: &Arc<NodeView>,
        kinds: &mut Kinds,
        workspace: &mut Workspace,
    ) -> (Answer, Option<Held>) {
        let alone = self.options.find == Find::First && place < ALONE;
        let kind = if self.apart || alone {
            kind::Kind::Own
        } else {
            kinds.of(place, view, &self.call.claims, &mut workspace.verdicts)
        };
        let (key, held) = key(kind, view, &self.call.held, kinds);
        let known = key.as_ref().and_then(|key| self.classes.get(key).copied());
        let class = if let Some(class) = known {
            class
        } else {
            let (answer, error) = self.solve(view, workspace);
            self.answers.push(answer);
            self.causes.push(None);
            let class = self.answers.len() - 1;
            if let Some(key) = key {
                self.classes.insert(key, class);
            }
            if let Some(error) = error {
                return (Answer::Error(error), Some(held));
            }
            class
        };
        let answer = match &self.answers[class] {
            ClassAnswer::Fits(allocation) => Answer::Fits(Arc::clone(allocation), known.is_some()),
            ClassAnswer::Infeasible(reason) => Answer::Infeasible(reason.clone(), class),
            ClassAnswer::Unknown(cause) => Answer::Unknown(*cause),
            ClassAnswer::Errs => match self.solve(view, workspace) {
                (ClassAnswer::Fits(allocation), _) => Answer::Fits(allocation, false),
                (ClassAnswer::Infeasible(reason), _) => Answer::Infeasible(reason, class),
                (ClassAnswer::Unknown(cause), _) => Answer::Unknown(cause),
                (ClassAnswer::Errs, Some(error)) => Answer::Error(error),
                (ClassAnswer::Errs, None) => Answer::Unknown(StopCause::Branches),
            },
        };
        (answer, Some(held))
    }

    /// Solves one node.
    fn solve(
        &mut self,
        view: &Arc<NodeView>,
        workspace: &mut Workspace,
    ) -> (ClassAnswer, Option<Error>) {
        self.solved += 1;
        let options = &self.options.on_a_node;
        match Transaction::answer(view, &self.call, options, workspace) {
            Ok(Outcome::Optimal(allocation) | Outcome::Feasible { allocation, .. }) => {
                (ClassAnswer::Fits(Arc::new(allocation)), None)
            }
            Ok(Outcome::Infeasible(reason)) => (ClassAnswer::Infeasible(reason), None),
            Ok(Outcome::Unknown(cause)) => (ClassAnswer::Unknown(cause), None),
            Err(error) => (ClassAnswer::Errs, Some(error)),
        }
    }

    fn note(
        &mut self,
        place: usize,
        name: &str,
        answer: Answer,
        held: Option<Held>,
        workspace: &mut Workspace,
    ) -> Result<(), Error> {
        let cause = match answer {
            Answer::Fits(allocation, is_shared) => {
                self.feasible += 1;
                let Some(held) = held else { return Ok(()) };
                let score = NodeScore {
                    rank: allocation.rank(),
                    free: held.free(&allocation),
                };
                if !self.options.find.may_keep(&self.nodes, score) {
                    return Ok(());
                }
                let allocation = if is_shared {
                    let view = self.transaction.inventory().view(name)?;
                    Arc::new(allocation.moved_to(&self.call.claims, view, &self.call.held))
                } else {
                    allocation
                };
                self.options
                    .find
                    .keep(&mut self.nodes, PlacedNode::new(place, allocation, score));
                return Ok(());
            }
            Answer::Infeasible(reason, class) => self.cause(class, reason, name, workspace),
            Answer::Refused(reason) => NodeCause::of(reason, &self.call.claims),
            Answer::Unknown(cause) => NodeCause::Unknown(cause),
            Answer::Error(error) => {
                if self.options.on_a_node.errors == ErrorMode::Abort
                    && error.scope() == Scope::Request
                {
                    return Err(error);
                }
                let cause = NodeCause::Error(error.code());
                self.failed.push((name.to_owned(), error));
                cause
            }
        };
        self.histogram.add(cause, name);
        Ok(())
    }

    /// Returns why a class does not fit; explained once, if that is asked for.
    fn cause(
        &mut self,
        class: usize,
        reason: Reason,
        name: &str,
        workspace: &mut Workspace,
    ) -> NodeCause {
        if let Some(cause) = &self.causes[class] {
            return cause.clone();
        }
        let mut cause = NodeCause::of(reason, &self.call.claims);
        if self.options.explain
            && let Ok(view) = self.transaction.inventory().view(name)
            && let Ok(mut problem) = Problem::with_notes(
                &self.call.claims,
                view,
                &self.call.held,
                &mut workspace.verdicts,
            )
        {
            cause = cause.explained(&explain::explain(&mut problem, None));
        }
        self.causes[class] = Some(cause.clone());
        cause
    }

    fn finish(self, stopped: Option<StopCause>) -> Placement {
        Placement {
            nodes: self.nodes,
            asked: self.asked,
            feasible: self.feasible,
            solved: self.solved,
            reasons: self.histogram.into_reasons(),
            failed: self.failed,
            stopped,
        }
    }
}
