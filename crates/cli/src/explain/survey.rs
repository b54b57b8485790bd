//! [`Survey`]: one question to all nodes.

use std::collections::BTreeMap;

use dralloc::model::{Node, Pod, Str};
use dralloc::{
    AllocateOptions, AllocatedDevice, Budget, Check, Class, Error, Explanation, Find, NodeGroup,
    NodeVerdict, PlaceOptions, Placement, PreparedClaims, Remedy, Scope, Snapshot, TaintedDevice,
    Transaction, Workspace,
};

use super::patience::Patience;
use crate::cluster::nodes::{self, RuledOut};
use crate::cluster::question::Question;
use crate::cluster::{Cluster, ObjectName};
use crate::policy::Wanted;

/// So many groups are asked what would help.
const MAX_REMEDIED: usize = 6;

/// So many nodes are looked at beside the first of each group, for the smallest release.
const MAX_LOOKED_AT: usize = 16;

/// Is the nodes that come into question, and those that do not.
pub(super) struct Rooms {
    pub(super) asked: Vec<Str>,
    /// By reason.
    pub(super) ruled_out: BTreeMap<RuledOut, Vec<Str>>,
}

/// Says how much would have to be released on a node: devices, then holders. Of each group
/// of nodes that are alike to a question one may have other holders than the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Weight {
    devices: usize,
    holders: usize,
}

/// Is who is asked, and how.
#[derive(Clone, Copy)]
pub(super) struct Poll<'p> {
    pub(super) cluster: &'p Cluster,
    pub(super) snapshot: &'p Snapshot,
    pub(super) wanted: &'p Wanted,
    /// Seconds that it may take.
    pub(super) patience: u64,
}

/// Is nodes that are alike to a question.
pub(super) struct Surveyed {
    /// With the explanation of one node.
    pub(super) group: NodeGroup,
    /// That node.
    pub(super) of: Str,
    pub(super) weight: Weight,
    /// Devices on it that taints keep away.
    pub(super) tainted: Vec<TaintedDevice>,
}

/// Is what all nodes say to a question.
pub(super) struct Survey {
    pub(super) groups: Vec<Surveyed>,
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
        poll: Poll<'_>,
        workspace: &mut Workspace,
    ) -> Result<Self, Error> {
        let Poll {
            snapshot, wanted, ..
        } = poll;
        let patience = Patience::of_seconds(poll.patience);
        let budget = Budget::new().deadline(&patience);
        let claims = snapshot.prepare(&question.claims)?;
        let nodes = snapshot.node_list(rooms.asked.iter().map(|name| &**name));
        // An error is one, as it is for those who allocate.
        let options = PlaceOptions::default().node_list(&nodes).budget(budget);
        let transaction = snapshot.transaction();
        let groups = transaction.explain_nodes(&claims, &options, workspace)?;
        let mut fits = groups
            .iter()
            .filter(|group| group.verdict == NodeVerdict::Fits);
        let on_a_node = wanted.options(budget);
        let first = fits.next().and_then(|group| group.nodes.first()).cloned();
        let mut survey = Self {
            would_get: None,
            helps: Vec::new(),
            elsewhere: BTreeMap::new(),
            groups: Vec::new(),
        };
        if let Some(node) = &first {
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
        let groups = looked_at(groups, poll, &transaction, &claims, &on_a_node, workspace);
        if first.is_none() || fails {
            survey.helps = helps(
                &groups,
                &transaction,
                &claims,
                (&options, &on_a_node),
                workspace,
            );
            // Where an error ends the attempt more nodes are of no use.
            let ends = is_ended_by_error(&groups);
            let ruled_out = rooms.ruled_out.iter().filter(|_| !ends);
            for (reason, names) in ruled_out {
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

    /// Returns whether an error of some node ends the attempt on all.
    pub(super) fn is_ended_by_error(&self) -> bool {
        is_ended_by_error(&self.groups)
    }
}

fn is_ended_by_error(groups: &[Surveyed]) -> bool {
    groups.iter().any(|one| match &one.group.explanation.class {
        Some(Class::BadInput { error }) => error.scope() == Scope::Request,
        _ => false,
    })
}

/// Finds out what is to be told of one node of each group: of that where least would have to
/// be released, as far as nodes are looked at, else of the first.
fn looked_at(
    groups: Vec<NodeGroup>,
    poll: Poll<'_>,
    transaction: &Transaction,
    claims: &PreparedClaims,
    options: &AllocateOptions<'_>,
    workspace: &mut Workspace,
) -> Vec<Surveyed> {
    let mut left = MAX_LOOKED_AT;
    let mut surveyed = Vec::new();
    for mut group in groups {
        let Some(mut of) = group.nodes.first().cloned() else {
            continue;
        };
        let mut weight = weight(poll.cluster, group.verdict, &group.explanation);
        let is_waiting = group.verdict == NodeVerdict::AfterRelease;
        let others = group.nodes.iter().skip(1).filter(|_| is_waiting);
        for node in others.take(left) {
            left -= 1;
            let Ok(explanation) = transaction.explain(node, claims, options, workspace) else {
                continue;
            };
            let other = self::weight(poll.cluster, group.verdict, &explanation);
            if other < weight {
                (of, weight) = (node.clone(), other);
                group.explanation = explanation;
            }
        }
        let mut refused = group
            .explanation
            .requests
            .iter()
            .flat_map(|one| &one.refused);
        let tainted = if refused.any(|(check, _)| *check == Check::Taint) {
            let tainted = transaction.tainted(&of, claims, options, workspace);
            tainted.unwrap_or_default()
        } else {
            Vec::new()
        };
        surveyed.push(Surveyed {
            group,
            of,
            weight,
            tainted,
        });
    }
    surveyed
}

/// Returns how much would have to be released.
fn weight(cluster: &Cluster, verdict: NodeVerdict, explanation: &Explanation) -> Weight {
    let Some(Class::AfterRelease { holders }) = &explanation.class else {
        // What is not known is not little.
        let known = verdict != NodeVerdict::AfterRelease;
        let weight = if known { 0 } else { usize::MAX };
        return Weight {
            devices: weight,
            holders: weight,
        };
    };
    let devices = holders.iter().map(|holder| {
        let name = holder.name.as_ref().unwrap_or(&holder.owner);
        let name = name.split_once('/');
        let claim =
            name.and_then(|(namespace, name)| cluster.claim(&ObjectName::new(namespace, name)));
        let allocation = claim.and_then(|claim| claim.status.allocation.as_ref());
        allocation.map_or(1, |allocation| allocation.devices.results.len())
    });
    Weight {
        devices: devices.sum(),
        holders: holders.len(),
    }
}

/// Asks the most hopeful groups what would help; what changes the question is tried on
/// all nodes.
fn helps(
    groups: &[Surveyed],
    transaction: &Transaction,
    claims: &PreparedClaims,
    (place, on_a_node): (&PlaceOptions<'_>, &AllocateOptions<'_>),
    workspace: &mut Workspace,
) -> Vec<Help> {
    let mut order: Vec<&Surveyed> = groups.iter().collect();
    order.retain(|one| one.group.verdict != NodeVerdict::Fits);
    let fails = |one: &Surveyed| one.group.verdict == NodeVerdict::BadInput;
    let is_error = groups.iter().any(fails);
    order.sort_by_key(|one| {
        let nodes = std::cmp::Reverse(one.group.nodes.len());
        (one.group.verdict, one.weight, nodes)
    });
    let mut helps: Vec<Help> = Vec::new();
    for group in order.into_iter().take(MAX_REMEDIED) {
        let node = &group.of;
        let remedies = transaction.remedies(node, claims, on_a_node, workspace);
        let mut remedies = remedies.unwrap_or_default();
        if fails(group) {
            // It may fit elsewhere once nothing fails here.
            let guards = transaction.guards(node, claims, on_a_node, workspace);
            remedies.extend(guards.unwrap_or_default());
        }
        for mut remedy in remedies {
            if helps.iter().any(|known| is_known(&known.remedy, &remedy)) {
                continue;
            }
            let (mut nodes, mut example) = (1, node.clone());
            let everywhere = Everywhere {
                transaction,
                claims,
                place,
            };
            let is_of_all = remedy.is_about_the_question();
            if is_of_all {
                remedy = everywhere.raised(remedy, workspace);
            }
            if is_of_all || is_error {
                match everywhere.ask(&remedy, workspace) {
                    Some((count, first)) if is_of_all => (nodes, example) = (count, first),
                    // An error of any node still ends the attempt on all.
                    None if is_error => continue,
                    _ => {}
                }
            }
            helps.push(Help {
                remedy,
                nodes,
                example,
            });
        }
    }
    helps
}

/// Returns whether a remedy is one of those that are known: counts of a request are made the
/// largest that fits anywhere, so that one is enough.
fn is_known(known: &Remedy, remedy: &Remedy) -> bool {
    let counted = |remedy: &Remedy| match remedy {
        Remedy::Count { claim, request, .. } => Some((*claim, request.clone())),
        _ => None,
    };
    match counted(remedy) {
        Some(of) => counted(known) == Some(of),
        None => known == remedy,
    }
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

    /// Makes a count the largest that fits anywhere. Fewer may be harder to have, where only
    /// some sets of devices may be used, so that all are tried.
    fn raised(&self, remedy: Remedy, workspace: &mut Workspace) -> Remedy {
        let mut larger = remedy.larger_counts();
        let raised = larger.find(|more| {
            let placed = self.find(Find::First, more, workspace);
            placed.is_some_and(|placed| placed.feasible() > 0)
        });
        raised.unwrap_or(remedy)
    }
}
