//! [`Questions`]: what one piece of work asks, of each kind of node.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use dralloc::model::{Node, NodeSelector, PodExtendedResourceClaimStatus, ResourceClaim};
use dralloc::{PreparedClaims, Snapshot};

use super::extended::Extended;
use super::question::Question;

/// Is what one piece of work asks of nodes.
///
/// That is the same of all nodes, but for extended resources: where a device plugin serves
/// one the pod's claim does not ask for it.
pub(crate) struct Questions<'a> {
    /// What is asked beside extended resources.
    question: Question,
    extended: Option<&'a Extended>,
    /// By which of the resources are devices.
    posed: BTreeMap<Vec<bool>, Posed>,
}

/// Is a question with what the engine made of it.
pub(crate) struct Posed {
    /// Its place among those that one piece of work asks.
    pub(crate) place: usize,
    pub(crate) question: Question,
    pub(crate) prepared: PreparedClaims,
    /// The claim for extended resources that is part of it, and which request serves what.
    pub(crate) special: Option<(ResourceClaim, PodExtendedResourceClaimStatus)>,
}

impl Posed {
    fn new(
        place: usize,
        question: Question,
        special: Option<(ResourceClaim, PodExtendedResourceClaimStatus)>,
        snapshot: &Snapshot,
    ) -> Result<Self, String> {
        match snapshot.prepare(&question.claims) {
            Ok(prepared) => Ok(Self {
                place,
                question,
                prepared,
                special,
            }),
            Err(error) => Err(question.describe(&error)),
        }
    }
}

impl<'a> Questions<'a> {
    /// Returns what is asked with a question, and by a pod's extended resources.
    ///
    /// # Errors
    ///
    /// What is wrong with the claims, in words.
    pub(crate) fn new(
        question: Question,
        extended: Option<&'a Extended>,
        snapshot: &Snapshot,
    ) -> Result<Self, String> {
        let alone = Posed::new(0, question.clone(), None, snapshot)?;
        let mut posed = BTreeMap::new();
        if extended.is_none() {
            posed.insert(Vec::new(), alone);
        }
        Ok(Self {
            question,
            extended,
            posed,
        })
    }

    /// Returns where the devices of claims that are no part of it can be reached.
    pub(crate) fn selectors(&self) -> &[NodeSelector] {
        &self.question.selectors
    }

    /// Returns what is asked of a node.
    ///
    /// # Errors
    ///
    /// What is wrong with the claims, in words.
    pub(crate) fn on(&mut self, node: &Node, snapshot: &Snapshot) -> Result<&Posed, String> {
        let kind = self.extended.map(|extended| extended.kind_of(node));
        let place = self.posed.len();
        match self.posed.entry(kind.unwrap_or_default()) {
            Entry::Occupied(entry) => Ok(entry.into_mut()),
            Entry::Vacant(entry) => {
                let here = self.extended.map(|extended| extended.on(node));
                let here = here.unwrap_or_default();
                let special = here.claim.clone().zip(here.pod_status());
                let question = self.question.with(&here);
                Ok(entry.insert(Posed::new(place, question, special, snapshot)?))
            }
        }
    }
}
