//! [`Groups`]: nodes by why they fit or not.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::found::{Group, Verdict};
use super::survey::{Rooms, Survey, Weight};
use super::taints;
use crate::cluster::question::Question;
use crate::reasons::Reason;

/// Puts nodes together that have one reason.
#[derive(Default)]
pub(super) struct Groups {
    groups: Vec<Group>,
    /// Places in the list.
    places: BTreeMap<(Verdict, Option<String>), usize>,
}

impl Groups {
    /// Adds nodes.
    pub(super) fn add(&mut self, mut group: Group) {
        let reason = group.reason.as_ref().map(|reason| reason.detail.clone());
        match self.places.entry((group.verdict, reason)) {
            Entry::Occupied(entry) => {
                let known = &mut self.groups[*entry.get()];
                // What is told of one node in particular stays with it.
                let key = |group: &Group| (group.weight, group.of.clone());
                if key(&group) < key(known) {
                    std::mem::swap(known, &mut group);
                }
                known.nodes.append(&mut group.nodes);
            }
            Entry::Vacant(entry) => {
                entry.insert(self.groups.len());
                self.groups.push(group);
            }
        }
    }

    /// Adds what nodes say to a question, and those that are not asked.
    pub(super) fn add_survey(&mut self, question: &Question, survey: &Survey, rooms: &Rooms) {
        for surveyed in &survey.groups {
            let one = &surveyed.group;
            let verdict = Verdict::from(one.verdict);
            let reason = (verdict != Verdict::Fits).then(|| {
                let reason = Reason::of(question, one.verdict, &one.explanation);
                reason.on(&surveyed.of, taints::words(&surveyed.tainted))
            });
            let mut group = Group::of(verdict, reason);
            group.nodes.clone_from(&one.nodes);
            group.of = Some(surveyed.of.clone());
            group.weight = surveyed.weight;
            group.explanation = Some(one.explanation.clone());
            self.add(group);
        }
        for (reason, nodes) in &rooms.ruled_out {
            let mut group = Group::of(Verdict::RuledOut, Some(Reason::plain(reason.as_str())));
            group.nodes.clone_from(nodes);
            self.add(group);
        }
    }

    /// Returns the groups, the most hopeful first, then those of most nodes.
    pub(super) fn finish(self) -> Vec<Group> {
        let mut groups = self.groups;
        for group in &mut groups {
            group.nodes.sort_unstable();
        }
        groups.sort_by(|one, other| {
            let key = |group: &Group| (group.verdict, Reverse(group.nodes.len()));
            let first = one.nodes.first().cmp(&other.nodes.first());
            key(one).cmp(&key(other)).then(first)
        });
        groups
    }
}

impl Group {
    /// Returns a group without nodes.
    pub(super) fn of(verdict: Verdict, reason: Option<Reason>) -> Self {
        Self {
            verdict,
            nodes: Vec::new(),
            reason,
            of: None,
            explanation: None,
            weight: Weight::default(),
        }
    }
}
