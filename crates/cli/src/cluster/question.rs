//! [`Question`]: the claims that one piece of work waits for. [`Questions`] has one for
//! each kind of node.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Write as _;

use dralloc::model::{Amounts, Node, NodeSelector, PodExtendedResourceClaimStatus, ResourceClaim};
use dralloc::{Error, PreparedClaims, Snapshot};

use super::ObjectName;
use super::extended::Extended;

/// Is what is asked of each node.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    /// Names of the claims.
    pub(crate) names: Vec<ObjectName>,
    /// The claims, none of which has devices.
    pub(crate) claims: Vec<ResourceClaim>,
    /// Where the devices of the other claims can be reached.
    pub(crate) selectors: Vec<NodeSelector>,
    /// Extended resources that the node has to have beside devices.
    pub(crate) amounts: Amounts,
    /// Is equal for questions that ask for the same.
    pub(crate) key: String,
}

impl Question {
    /// Returns a question about claims that have no devices, in their order.
    pub(crate) fn new(claims: Vec<ResourceClaim>, selectors: Vec<NodeSelector>) -> Self {
        let names = claims
            .iter()
            .map(|claim| ObjectName::of(&claim.metadata))
            .collect();
        let specs: Vec<_> = claims.iter().map(|claim| &claim.spec).collect();
        // What cannot be written is equal to nothing but itself.
        let key = serde_json::to_string(&specs).unwrap_or_else(|_| format!("{names:?}"));
        Self {
            names,
            claims,
            selectors,
            amounts: Amounts::new(),
            key,
        }
    }

    /// Asks for amounts of the node, too.
    fn with_amounts(mut self, amounts: Amounts) -> Self {
        for (name, amount) in &amounts {
            let _ = write!(self.key, " {name}={amount}");
        }
        self.amounts = amounts;
        self
    }

    /// Describes an error, with names of claims in the place of numbers.
    pub(crate) fn describe(&self, error: &Error) -> String {
        let numbered = error
            .path()
            .strip_prefix("claims[")
            .and_then(|rest| rest.split_once(']'));
        let claim = numbered.and_then(|(number, path)| {
            let name = self.names.get(number.parse::<usize>().ok()?)?;
            Some((name, path.trim_start_matches('.')))
        });
        match claim {
            Some((name, "")) => format!("claim `{}`: {}", name.name, error.message()),
            Some((name, path)) => format!("claim `{}`: {path}: {}", name.name, error.message()),
            None => error.to_string(),
        }
    }
}

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
    pub(crate) question: Question,
    pub(crate) prepared: PreparedClaims,
    /// The claim for extended resources that is part of it, and which request serves what.
    pub(crate) special: Option<(ResourceClaim, PodExtendedResourceClaimStatus)>,
}

impl Posed {
    fn new(
        question: Question,
        special: Option<(ResourceClaim, PodExtendedResourceClaimStatus)>,
        snapshot: &Snapshot,
    ) -> Result<Self, String> {
        match snapshot.prepare(&question.claims) {
            Ok(prepared) => Ok(Self {
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
        let alone = Posed::new(question.clone(), None, snapshot)?;
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
        match self.posed.entry(kind.unwrap_or_default()) {
            Entry::Occupied(entry) => Ok(entry.into_mut()),
            Entry::Vacant(entry) => {
                let here = self.extended.map(|extended| extended.on(node));
                let here = here.unwrap_or_default();
                let special = here.claim.clone().zip(here.pod_status());
                let claims = self.question.claims.iter().cloned().chain(here.claim);
                let selectors = self.question.selectors.clone();
                let question = Question::new(claims.collect(), selectors);
                let question = question.with_amounts(here.amounts);
                Ok(entry.insert(Posed::new(question, special, snapshot)?))
            }
        }
    }
}
