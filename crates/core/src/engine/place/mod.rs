//! [`Transaction::place`]: one question over many nodes.
//!
//! Nodes that the claims cannot tell apart are of one *class*: the same verdicts
//! on the same places, the same held. One node of a class is solved, and its
//! answer is that of all, moved to a node when somebody asks for it. What is
//! kept of a node between calls, its *kind*, does not depend on what is held, so
//! that a call reads two numbers and a word of bits of most nodes.

mod alike;
mod classes;
mod describe;
mod detail;
mod kept;
mod kind;
mod kinds;
mod options;
mod order;
mod placement;
mod question;
mod reason;

pub(super) use alike::{Alike, AlikeAnswer};
pub(super) use classes::Classes;
pub(super) use kinds::Kinds;
pub use options::{Find, PlaceOptions};
pub use order::NodeList;
pub use placement::{NodeScore, PlacedNode, PlacedNodes, PlacedNodesIter, Placement};
pub use reason::{NodeCause, NodeReason};

use std::sync::Arc;

use self::order::Ordered;
use self::question::Question;
use self::reason::Histogram;
use super::{Snapshot, Transaction, Workspace};
use crate::claims::PreparedClaims;
use crate::error::{Code, Error, Scope};
use crate::objective::Policy;
use crate::solver::ErrorMode;

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
    /// assert_eq!(placed.nodes().first().map(|node| node.name()), Some("b"));
    /// transaction.commit(&mut engine)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn place(
        &self,
        claims: &PreparedClaims,
        options: &PlaceOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Placement, Error> {
        let call = match self.call(claims, &options.on_a_node, &mut workspace.reduced) {
            Ok(call) => call,
            Err(error) => return self.fail(&error, claims, options),
        };
        let mut kinds = std::mem::take(&mut workspace.kinds);
        let mut classes = std::mem::take(&mut workspace.classes);
        classes.clear();
        let of_claims = kinds.of(&call.claims, &self.snapshot.identity, self.inventory());
        // Where all that counts is whether something fits, it need not be the best.
        let (mut options, first) = (*options, Policy::Kubernetes);
        if options.find == Find::Count
            && options.on_a_node.error_mode(&call.claims) == ErrorMode::Skip
        {
            options = options.policy(&first).errors(ErrorMode::Skip);
        }
        let question = Question::new(self, &call, &options);
        let answer = question.ask(of_claims, &mut classes, workspace);
        workspace.kinds = kinds;
        workspace.classes = classes;
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
    /// Those of [`Transaction::place`], and [`Code::Invalid`] with
    /// [`PlaceOptions::nothing_held`].
    pub fn place_and_allocate(
        &mut self,
        claims: &PreparedClaims,
        options: &PlaceOptions<'_>,
        workspace: &mut Workspace,
    ) -> Result<Placement, Error> {
        if options.on_a_node.nothing_held {
            let message = "devices that others hold cannot be given, expected a question alone";
            return Err(Error::new(Code::Invalid, message).at("nothingHeld"));
        }
        let placement = self.place(claims, options, workspace)?;
        if let Some(first) = placement.nodes().first() {
            self.allocate(first.name(), claims, &options.on_a_node, workspace)?;
        }
        Ok(placement)
    }

    /// Answers where all nodes meet the same error.
    fn fail(
        &self,
        error: &Error,
        claims: &PreparedClaims,
        options: &PlaceOptions<'_>,
    ) -> Result<Placement, Error> {
        let inventory = self.inventory();
        let nodes = inventory.numbered();
        let order = Ordered::new(options.order, &self.snapshot.identity, nodes);
        let start = options.start.checked_rem(order.len()).unwrap_or(0);
        let (mut failed, mut histogram) = (Vec::new(), Histogram::default());
        for place in (start..order.len()).chain(0..start) {
            let name = order.name(place).unwrap_or_default();
            let met = match inventory.known_node(name) {
                Ok(_) => error.clone(),
                Err(error) => error,
            };
            if options.on_a_node.error_mode(claims) == ErrorMode::Abort
                && met.scope() == Scope::Request
            {
                return Err(met);
            }
            histogram.add(NodeCause::Error(met.code()), 1, name);
            failed.push((name.to_owned(), met));
        }
        Ok(Placement {
            inventory: Arc::clone(inventory),
            wanted: Vec::new(),
            answers: Vec::new(),
            asked: failed.len(),
            next: start,
            feasible: 0,
            solved: 0,
            reasons: histogram.into_reasons(),
            failed,
            stopped: None,
        })
    }
}
