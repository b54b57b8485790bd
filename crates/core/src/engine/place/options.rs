//! [`PlaceOptions`]: which nodes are asked, and what is wanted of them.

use super::NodeList;
use super::order::Order;
use crate::budget::Budget;
use crate::engine::{AllocateOptions, CarriedPolicies, Releasing};
use crate::model::Amounts;
use crate::objective::Policy;
use crate::solver::ErrorMode;

/// Says which of the nodes where claims fit are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Find {
    /// The first in order; the nodes after it are not asked. Under a policy it has
    /// the answer that is the best for that node.
    #[default]
    First,
    /// So many with the best score, best first; the order decides between equals.
    Best(usize),
    /// All, in order.
    All,
    /// None: they are counted.
    Count,
}

/// Says which nodes are asked about claims, and what is wanted of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlaceOptions<'a> {
    pub(in crate::engine) order: Order<'a>,
    pub(in crate::engine) start: usize,
    pub(in crate::engine) find: Find,
    pub(in crate::engine) explain: bool,
    /// From so many new nodes on there is more than one thread.
    #[cfg(feature = "rayon")]
    pub(in crate::engine) threads_from: Option<usize>,
    /// The question to one node.
    pub(in crate::engine) on_a_node: AllocateOptions<'a>,
}

impl<'a> PlaceOptions<'a> {
    /// Returns the defaults: all nodes by name, the first one where the claims
    /// fit, no explanations, no budget, devices on which evaluation fails skipped.
    #[must_use]
    pub fn new() -> Self {
        Self::default().errors(ErrorMode::Skip)
    }

    /// Sets the nodes to ask, in this order; all by name if it is not called.
    ///
    /// A name that no node has is an error of that node. Looking names up takes
    /// longer than the rest: [`PlaceOptions::node_list`] does that once.
    #[must_use]
    pub fn nodes(mut self, nodes: &'a [&'a str]) -> Self {
        self.order = Order::Names(nodes);
        self
    }

    /// Sets the nodes to ask, in this order; all by name if it is not called.
    #[must_use]
    pub fn node_list(mut self, nodes: &'a NodeList) -> Self {
        self.order = Order::List(nodes);
        self
    }

    /// Sets the place of the order to begin at, 0 by default; after the last
    /// node come those before the place. Beyond the end it is counted on from
    /// the first, as [`Placement::next`](super::Placement::next) is.
    #[must_use]
    pub fn start(mut self, place: usize) -> Self {
        self.start = place;
        self
    }

    /// Sets which nodes are wanted; [`Find::First`] by default.
    #[must_use]
    pub fn find(mut self, find: Find) -> Self {
        self.find = find;
        self
    }

    /// Sets whether reasons say which checks refuse devices; not by default.
    ///
    /// It costs one [`Transaction::explain`](crate::Transaction::explain) for
    /// each class of nodes where the claims do not fit, which is several times
    /// what the question itself costs there.
    #[must_use]
    pub fn explain(mut self, explain: bool) -> Self {
        self.explain = explain;
        self
    }

    /// Sets from how many nodes on several threads work on them; one thread does
    /// it all by default.
    ///
    /// That counts nodes that the workspace does not know yet, and classes of
    /// nodes that take a search, among up to 4,096 nodes ahead. Use
    /// hundreds, not a few: threads take time to begin. The threads are those of the `rayon` pool that the call is made
    /// in; `rayon` panics where it cannot start any. Answers do not depend on it:
    /// each thread has a workspace of its own, kept between calls. A deadline or
    /// cancel flag may end the call at another node, as it does anyway, and with
    /// [`Find::First`] nodes may be solved of which nobody asks.
    #[cfg(feature = "rayon")]
    #[must_use]
    pub fn threads_from(mut self, nodes: usize) -> Self {
        self.threads_from = Some(nodes);
        self
    }

    /// Sets the budget; none by default.
    ///
    /// A limit of branches is for each node, and makes each node be solved by
    /// itself. Deadline and cancel flag end the call; what was found until then
    /// is returned.
    #[must_use]
    pub fn budget(mut self, budget: Budget<'a>) -> Self {
        self.on_a_node = self.on_a_node.budget(budget);
        self
    }

    /// Sets the policy, as [`AllocateOptions::policy`] does; [`Policy::Kubernetes`]
    /// by default. Under any other each node is solved by itself, unless they are only
    /// counted and errors skipped: whether something fits does not depend on what is best.
    #[must_use]
    pub fn policy(mut self, policy: &'a Policy) -> Self {
        self.on_a_node = self.on_a_node.policy(policy);
        self
    }

    /// Sets what becomes of policies that claims and classes carry, as
    /// [`AllocateOptions::carried_policies`] does; they are used by default.
    #[must_use]
    pub fn carried_policies(mut self, carried: CarriedPolicies) -> Self {
        self.on_a_node = self.on_a_node.carried_policies(carried);
        self
    }

    /// Sets the time of the question in seconds since 1970, as
    /// [`AllocateOptions::now`] does; by default no failure is forgotten.
    #[must_use]
    pub fn now(mut self, seconds: i64) -> Self {
        self.on_a_node = self.on_a_node.now(seconds);
        self
    }

    /// Sets what a device does on which evaluation fails; [`ErrorMode::Skip`] by default.
    #[must_use]
    pub fn errors(mut self, errors: ErrorMode) -> Self {
        self.on_a_node = self.on_a_node.errors(errors);
        self
    }

    /// Sets who will use the claims, as [`AllocateOptions::user`] does; nobody by default.
    #[must_use]
    pub fn user(mut self, user: &'a str) -> Self {
        self.on_a_node = self.on_a_node.user(user);
        self
    }

    /// Sets amounts of the node that are needed beside the claims, as
    /// [`AllocateOptions::amounts`] does; none by default.
    #[must_use]
    pub fn amounts(mut self, amounts: &'a Amounts) -> Self {
        self.on_a_node = self.on_a_node.amounts(amounts);
        self
    }

    /// Sets what becomes of devices on their way out; [`Releasing::Taken`] by default.
    #[must_use]
    pub fn releasing(mut self, releasing: Releasing) -> Self {
        self.on_a_node = self.on_a_node.releasing(releasing);
        self
    }

    /// Sets whether it is asked where the claims would fit if nothing were held,
    /// as [`Transaction::satisfiable`](crate::Transaction::satisfiable) does; not by
    /// default.
    ///
    /// The devices of the answers are those that the claims would get then.
    #[must_use]
    pub fn nothing_held(mut self, nothing_held: bool) -> Self {
        self.on_a_node.nothing_held = nothing_held;
        self
    }
}
