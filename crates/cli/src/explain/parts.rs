//! [`Parts`]: nodes by what extended resources come to on them.

use std::collections::BTreeMap;

use dralloc::model::{Node, Quantity, Str};

use super::found::{Group, Verdict};
use super::groups::Groups;
use super::survey::Rooms;
use super::whole::Explainer;
use crate::cluster::extended::Extended;
use crate::cluster::question::Question;
use crate::cluster::queue::{Subject, Work};
use crate::reasons::Reason;

/// Is what is asked of which nodes, where it is not the same of all.
pub(super) struct Parts {
    /// Nodes whose device plugins have enough, by what is left to ask for.
    pub(super) asked: Vec<(Question, Rooms)>,
    /// Nodes whose device plugins have too little.
    pub(super) short: Groups,
}

impl Parts {
    /// Parts the nodes that come into question for a pod.
    pub(super) fn of(
        explainer: &Explainer<'_>,
        extended: &Extended,
        work: &Work,
        question: &Question,
        rooms: Rooms,
    ) -> Self {
        let pod = match &work.subject {
            Subject::Pod(name) => explainer.cluster.pod(name),
            Subject::Claim(_) => None,
        };
        let bound = pod.map_or("", |pod| &*pod.spec.node_name);
        let mut kinds: BTreeMap<Vec<bool>, (Question, Vec<Str>)> = BTreeMap::new();
        let mut short = Groups::default();
        let nodes = explainer.cluster.nodes.values().map(|given| &given.object);
        // Both are in the order of names.
        let asked = nodes.filter(|node| rooms.asked.binary_search(&node.metadata.name).is_ok());
        for node in asked {
            let (question, names) = kinds
                .entry(extended.kind_of(node))
                .or_insert_with(|| (question.with(&extended.on(node)), Vec::new()));
            match shortage(explainer, question, node, bound) {
                Some((verdict, reason)) => {
                    let mut group = Group::of(verdict, Some(reason));
                    group.nodes.push(node.metadata.name.clone());
                    short.add(group);
                }
                None => names.push(node.metadata.name.clone()),
            }
        }
        let kinds = kinds.into_iter().rev();
        let kinds = kinds.filter(|(_, (_, names))| !names.is_empty());
        let parts = kinds.map(|(_, (question, asked))| {
            let rooms = Rooms {
                asked,
                ruled_out: BTreeMap::new(),
            };
            (question, rooms)
        });
        let mut asked: Vec<_> = parts.collect();
        if let Some((_, first)) = asked.first_mut() {
            first.ruled_out = rooms.ruled_out;
        } else {
            let none = Rooms {
                asked: Vec::new(),
                ..rooms
            };
            asked.push((question.clone(), none));
        }
        Self { asked, short }
    }
}

/// Returns what a node has too little of beside devices, if anything.
fn shortage(
    explainer: &Explainer<'_>,
    question: &Question,
    node: &Node,
    bound: &str,
) -> Option<(Verdict, Reason)> {
    if *node.metadata.name == *bound {
        // It is among those who use the node.
        return None;
    }
    let used = explainer.snapshot.amounts_in_use(&node.metadata.name);
    let nothing = Quantity::default();
    question.amounts.iter().find_map(|(name, asked)| {
        let listed = node.status.allocatable.get(name).unwrap_or(&nothing);
        let needed = asked + used.get(name).unwrap_or(&nothing);
        let missing = &needed - listed;
        if missing.sign() <= 0 {
            return None;
        }
        let verdict = if asked > listed {
            Verdict::NeverPossible
        } else {
            Verdict::AfterRelease
        };
        let features = &explainer.features;
        let reason = Reason::shortage(question, node, name, &missing, features);
        Some((verdict, reason))
    })
}
