//! [`Survey`]: one question to all nodes.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use dralloc::model::{Node, Pod, Str};
use dralloc::{
    AllocateOptions, AllocatedDevice, Budget, Class, Deadline, Error, Find, NodeGroup, NodeVerdict,
    PlaceOptions, Placement, PreparedClaims, Remedy, Snapshot, Transaction, Workspace,
};

use super::whole::Wanted;
use crate::cluster::Cluster;
use crate::cluster::nodes::{self, RuledOut};
use crate::cluster::question::Question;

/// So many groups are asked what would help.
const MAX_REMEDIED: usize = 6;

/// Is the nodes that come into question, and those that do not.
pub(super) struct Rooms {
    pub(super) asked: Vec<Str>,
    /// By reason.
    pub(super) ruled_out: BTreeMap<RuledOut, Vec<Str>>,
}

/// Is what all nodes say to a question.
pub(super) struct Survey {
    pub(super) groups: Vec<NodeGroup>,
    /// What it would get on the first node where it fits.
    pub(super) would_get: Option<(Str, Vec<AllocatedDevice>)>,
    pub(super) helps: Vec<Help>,
    /// Nodes that are ruled out, and on which it would fit.
    pub(super) elsewhere: BTreeMap<RuledOut, Vec<Str>>,
}

/// Is a remedy and where it helps.
pub(super) struct Help {
    pub(super) remedy: Remedy,
    pub(super) nodes: usize,
    pub(super) example: Str,
}

/// Ends a question after some time.
struct Patience {
    start: Instant,
    limit: Duration,
}

impl Deadline for Patience {
    fn is_over(&self) -> bool {
        self.start.elapsed() > self.limit
    }
}

impl Rooms {
    pub(super) fn of(cluster: &Cluster, pod: Option<&Pod>, question: &Question) -> Self {
        let mut rooms = Self {
            asked: Vec::new(),
            ruled_out: BTreeMap::new(),
        };
        for given in cluster.nodes.values() {
            let node: &Node = &given.object;
            let name = node.metadata.name.clone();
            match nodes::ruled_out(node, pod, &question.selectors) {
                Some(reason) => rooms.ruled_out.entry(reason).or_default().push(name),
                None => rooms.asked.push(name),
            }
        }
        rooms
    }

    /// Returns a text that is equal where the nodes are.
    pub(super) fn key(pod: Option<&Pod>, question: &Question) -> String {
        let pod = pod.map(|pod| (&pod.spec.node_selector, &pod.spec.node_name));
        format!("{pod:?} {:?}", question.selectors)
    }
}

impl Survey {
    /// Asks all nodes, and where it fits on none what would help.
    pub(super) fn take(
        question: &Question,
        rooms: &Rooms,
        snapshot: &Snapshot,
        wanted: &Wanted,
        workspace: &mut Workspace,
    ) -> Result<Self, Error> {
        let patience = Patience {
            start: Instant::now(),
            limit: Duration::from_secs(wanted.patience),
        };
        let budget = Budget::new().deadline(&patience);
        let claims = snapshot.prepare(&question.claims)?;
        let nodes = snapshot.node_list(rooms.asked.iter().map(|name| &**name));
        // An error is one, as it is for those who allocate.
        let options = PlaceOptions::default().node_list(&nodes).budget(budget);
        let transaction = snapshot.transaction();
        let groups = transaction.explain_nodes(&claims, &options, workspace)?;
        let fits = |group: &&NodeGroup| group.verdict == NodeVerdict::Fits;
        let on_a_node = wanted.options(budget);
        let first = groups
            .iter()
            .find(fits)
            .and_then(|group| group.nodes.first());
        let mut survey = Self {
            would_get: None,
            helps: Vec::new(),
            elsewhere: BTreeMap::new(),
            groups: Vec::new(),
        };
        if let Some(node) = first {
            let mut transaction = snapshot.transaction();
            let outcome = transaction.allocate(node, &claims, &on_a_node, workspace)?;
            let devices = outcome
                .allocation()
                .map(|allocation| allocation.devices().collect());
            survey.would_get = devices.map(|devices| (node.clone(), devices));
        }
        let fails = groups
            .iter()
            .any(|group| group.verdict == NodeVerdict::BadInput);
        if first.is_none() || fails {
            survey.helps = helps(
                &groups,
                &transaction,
                &claims,
                (&options, &on_a_node),
                workspace,
            );
            for (reason, names) in &rooms.ruled_out {
                let nodes = snapshot.node_list(names.iter().map(|name| &**name));
                let options = options.node_list(&nodes).find(Find::All);
                let placed = transaction.place(&claims, &options, workspace);
                let names: Vec<Str> = placed.map_or_else(
                    |_| Vec::new(),
                    |placed| {
                        placed
                            .nodes()
                            .iter()
                            .map(|node| node.name().into())
                            .collect()
                    },
                );
                if !names.is_empty() {
                    survey.elsewhere.insert(*reason, names);
                }
            }
        }
        survey.groups = groups;
        Ok(survey)
    }

    /// Returns the errors that nodes meet.
    pub(super) fn errors(&self) -> impl Iterator<Item = &Error> {
        let classes = self.groups.iter();
        classes.filter_map(|group| match &group.explanation.class {
            Some(Class::BadInput { error }) => Some(error),
            _ => None,
        })
    }
}

impl Wanted {
    /// Returns what is wanted on a node.
    pub(super) fn options<'a>(&'a self, budget: Budget<'a>) -> AllocateOptions<'a> {
        let options = AllocateOptions::new().budget(budget);
        let options = match &self.policy {
            Some(policy) => options.policy(policy),
            None => options,
        };
        match self.now {
            Some(now) => options.now(now),
            None => options,
        }
    }
}

/// Asks the most hopeful groups what would help; what changes the question is tried on
/// all nodes.
fn helps(
    groups: &[NodeGroup],
    transaction: &Transaction,
    claims: &PreparedClaims,
    (place, on_a_node): (&PlaceOptions<'_>, &AllocateOptions<'_>),
    workspace: &mut Workspace,
) -> Vec<Help> {
    let mut order: Vec<&NodeGroup> = groups.iter().collect();
    order.retain(|group| group.verdict != NodeVerdict::Fits);
    let holders = |group: &NodeGroup| match &group.explanation.class {
        Some(Class::AfterRelease { holders }) => holders.len(),
        _ => 0,
    };
    order.sort_by_key(|group| {
        let nodes = std::cmp::Reverse(group.nodes.len());
        (group.verdict, holders(group), nodes)
    });
    let mut helps: Vec<Help> = Vec::new();
    for group in order.into_iter().take(MAX_REMEDIED) {
        let Some(node) = group.nodes.first() else {
            continue;
        };
        let remedies = transaction.remedies(node, claims, on_a_node, workspace);
        for mut remedy in remedies.unwrap_or_default() {
            let (mut nodes, mut example) = (1, node.clone());
            if remedy.is_about_the_question() {
                let everywhere = Everywhere {
                    transaction,
                    claims,
                    place,
                };
                everywhere.raise(&mut remedy, workspace);
                // Where it helps one node only another may still end the attempt.
                if let Some((count, first)) = everywhere.ask(&remedy, workspace) {
                    (nodes, example) = (count, first);
                } else if group.verdict == NodeVerdict::BadInput {
                    continue;
                }
            }
            if helps.iter().all(|known| known.remedy != remedy) {
                helps.push(Help {
                    remedy,
                    nodes,
                    example,
                });
            }
        }
    }
    helps
}

/// Tries remedies on all nodes.
struct Everywhere<'e> {
    transaction: &'e Transaction,
    claims: &'e PreparedClaims,
    place: &'e PlaceOptions<'e>,
}

impl Everywhere<'_> {
    /// Returns on how many nodes it fits with a remedy, and the first; nothing if on none.
    fn ask(&self, remedy: &Remedy, workspace: &mut Workspace) -> Option<(usize, Str)> {
        let count = self.find(Find::Count, remedy, workspace)?;
        let first = self.find(Find::First, remedy, workspace)?;
        let first = first.nodes().first()?.name().into();
        Some((count.feasible(), first))
    }

    fn find(&self, find: Find, remedy: &Remedy, workspace: &mut Workspace) -> Option<Placement> {
        let mut transaction = self.transaction.clone();
        let claims = transaction.remedied(self.claims, remedy).ok()?;
        let options = self.place.find(find);
        transaction.place(&claims, &options, workspace).ok()
    }

    /// Makes a count the largest that fits anywhere.
    fn raise(&self, remedy: &mut Remedy, workspace: &mut Workspace) {
        let Remedy::Count { asked, instead, .. } = remedy else {
            return;
        };
        // Fewer are never harder to have.
        let (mut fits, mut too_many) = (*instead, *asked);
        while too_many - fits > 1 {
            let between = fits + (too_many - fits) / 2;
            let mut more = remedy.clone();
            if let Remedy::Count { instead, .. } = &mut more {
                *instead = between;
            }
            let placed = self.find(Find::First, &more, workspace);
            if placed.is_some_and(|placed| placed.feasible() > 0) {
                fits = between;
            } else {
                too_many = between;
            }
        }
        if let Remedy::Count { instead, .. } = remedy {
            *instead = fits;
        }
    }
}
