//! [`GangOptions`]: which nodes a gang may use, and how.

use dralloc_topology::SliceRule;

use crate::budget::Budget;
use crate::engine::{CarriedPolicies, Find, NodeList, PlaceOptions, Releasing};
use crate::objective::Policy;
use crate::rules::DomainScope;
use crate::solver::ErrorMode;

/// Says which nodes the members of a gang may use, and how.
#[derive(Clone, Copy, Debug)]
pub struct GangOptions<'a> {
    /// The question for one member.
    pub(in crate::engine) place: PlaceOptions<'a>,
    pub(in crate::engine) labels: &'a [(DomainScope, &'a str)],
    pub(in crate::engine) within: Option<DomainScope>,
    pub(in crate::engine) most_nodes: Option<(DomainScope, u32)>,
    pub(in crate::engine) slices: SliceRule,
}

impl Default for GangOptions<'_> {
    fn default() -> Self {
        Self {
            place: PlaceOptions::new().find(Find::All),
            labels: &[],
            within: None,
            most_nodes: None,
            slices: SliceRule::Any,
        }
    }
}

impl<'a> GangOptions<'a> {
    /// Returns the defaults: all nodes, domains by well-known labels, no limits, and what
    /// [`PlaceOptions::new`] says of members.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the nodes that may be used, in the order that decides between equals; all by
    /// name if it is not called. A name that no node has, or that is there before, is
    /// left out.
    #[must_use]
    pub fn nodes(mut self, nodes: &'a [&'a str]) -> Self {
        self.place = self.place.nodes(nodes);
        self
    }

    /// Sets the nodes that may be used like [`GangOptions::nodes`], by a list that was made
    /// once.
    #[must_use]
    pub fn node_list(mut self, nodes: &'a NodeList) -> Self {
        self.place = self.place.node_list(nodes);
        self
    }

    /// Sets labels of the caller's that name the domains of nodes; they come before those
    /// that are well known ([`DomainScope::labels`]).
    #[must_use]
    pub fn labels(mut self, labels: &'a [(DomainScope, &'a str)]) -> Self {
        self.labels = labels;
        self
    }

    /// Sets the scope of which one domain must have all members; by default they may be
    /// anywhere, as near to each other as they can.
    ///
    /// A node without such a label is in no domain with others.
    #[must_use]
    pub fn within(mut self, scope: DomainScope) -> Self {
        self.within = Some(scope);
        self
    }

    /// Sets how many nodes of one domain may be used, such as 18 of an `NVLink` domain for
    /// `ComputeDomains`; as many as there are by default.
    #[must_use]
    pub fn most_nodes(mut self, scope: DomainScope, nodes: u32) -> Self {
        self.most_nodes = Some((scope, nodes));
        self
    }

    /// Sets how many members a node may have; any number by default. What says devices
    /// there is members here, and a whole node is one with as many as it could have if
    /// nothing were held.
    #[must_use]
    pub fn slices(mut self, rule: SliceRule) -> Self {
        self.slices = rule;
        self
    }

    /// Sets the budget; none by default.
    ///
    /// A limit of branches is for each node and member. Deadline and cancel flag end the
    /// call without an answer.
    #[must_use]
    pub fn budget(mut self, budget: Budget<'a>) -> Self {
        self.place = self.place.budget(budget);
        self
    }

    /// Sets the policy by which each member gets devices of its node, as
    /// [`PlaceOptions::policy`] does.
    #[must_use]
    pub fn policy(mut self, policy: &'a Policy) -> Self {
        self.place = self.place.policy(policy);
        self
    }

    /// Sets what becomes of policies that claims and classes carry; they are used by
    /// default.
    #[must_use]
    pub fn carried_policies(mut self, carried: CarriedPolicies) -> Self {
        self.place = self.place.carried_policies(carried);
        self
    }

    /// Sets the time of the question in seconds since 1970; by default no failure is
    /// forgotten.
    #[must_use]
    pub fn now(mut self, seconds: i64) -> Self {
        self.place = self.place.now(seconds);
        self
    }

    /// Sets what a device does on which evaluation fails; [`ErrorMode::Skip`] by default.
    #[must_use]
    pub fn errors(mut self, errors: ErrorMode) -> Self {
        self.place = self.place.errors(errors);
        self
    }

    /// Sets what becomes of devices on their way out; [`Releasing::Taken`] by default.
    #[must_use]
    pub fn releasing(mut self, releasing: Releasing) -> Self {
        self.place = self.place.releasing(releasing);
        self
    }
}
