//! [`Question`]: the claims that one piece of work waits for.

use std::fmt::Write as _;

use dralloc::model::{Amounts, NodeSelector, Pod, ResourceClaim, ResourceClaimConsumerReference};
use dralloc::{Code, Error, ExtendedResourcesOnNode, Features, validate};

use super::{Cluster, Given, ObjectName, meant};

/// Most users of one claim (`resource/v1 ResourceClaimStatus.reservedFor`).
const RESERVED_FOR_MAX_SIZE: usize = 256;

/// Says who asks for what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    /// All claims that are needed.
    pub(crate) names: &'a [ObjectName],
    /// The pod that needs them, if it is one.
    pub(crate) pod: Option<&'a Pod>,
    /// Whether what they have already does not count.
    pub(crate) anew: bool,
}

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
    /// Which class was perhaps meant, where there is no such class.
    class_hint: String,
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
            class_hint: String::new(),
        }
    }

    /// Returns the same question with what extended resources come to on some nodes.
    pub(crate) fn with(&self, here: &ExtendedResourcesOnNode) -> Self {
        let claims = self.claims.iter().chain(&here.claim);
        let mut question = Self::new(claims.cloned().collect(), self.selectors.clone());
        for (name, amount) in &here.amounts {
            let _ = write!(question.key, " {name}={amount}");
        }
        question.amounts = here.amounts.clone();
        question.class_hint.clone_from(&self.class_hint);
        question
    }

    /// Returns the question about all claims that somebody needs.
    ///
    /// # Errors
    ///
    /// What is wrong with a claim whatever the devices are.
    pub(crate) fn of(
        cluster: &Cluster,
        asked: &Asked<'_>,
        features: &Features,
    ) -> Result<Self, String> {
        let mut waiting = Vec::new();
        let mut selectors = Vec::new();
        for name in asked.names {
            let Some(given) = cluster.claims.get(name) else {
                return Err(format!("there is no claim `{name}`"));
            };
            check(name, given, asked.pod, features)?;
            let claim = &given.object;
            if asked.anew {
                let mut anew = claim.clone();
                anew.status.allocation = None;
                waiting.push(anew);
            } else if let Some(allocation) = &claim.status.allocation {
                selectors.extend(allocation.node_selector.clone());
            } else {
                waiting.push(claim.clone());
            }
        }
        let mut question = Self::new(waiting, selectors);
        question.class_hint = class_hint(cluster, &question.claims);
        Ok(question)
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
        let text = match claim {
            Some((name, "")) => format!("claim `{}`: {}", name.name, error.message()),
            Some((name, path)) => format!("claim `{}`: {path}: {}", name.name, error.message()),
            None => error.to_string(),
        };
        if error.code() == Code::NotFound && error.path().ends_with("deviceClassName") {
            return text + &self.class_hint;
        }
        text
    }
}

/// Says which class was perhaps meant by the first that does not exist; the engine ends at
/// the same.
fn class_hint(cluster: &Cluster, claims: &[ResourceClaim]) -> String {
    let requests = claims.iter().flat_map(|claim| &claim.spec.devices.requests);
    let mut named = requests.flat_map(|request| {
        let exactly = request.exactly.iter().map(|one| &one.device_class_name);
        let others = request.first_available.iter();
        exactly.chain(others.map(|one| &one.device_class_name))
    });
    let known = &cluster.class_names;
    let Some(missing) = named.find(|class| !known.contains(class)) else {
        return String::new();
    };
    meant::did_you_mean(meant::meant(missing, known.iter().map(|name| &**name)))
}

/// Finds what is wrong with a claim whatever the devices are.
fn check(
    name: &ObjectName,
    given: &Given<ResourceClaim>,
    pod: Option<&Pod>,
    features: &Features,
) -> Result<(), String> {
    let claim = &given.object;
    // The template was checked, and the rest was not written by the user.
    let is_generated = given.origin.is_none();
    if claim.metadata.deletion_timestamp.is_some() {
        return Err(format!("claim `{}` is being deleted", name.name));
    }
    let users = &claim.status.reserved_for;
    if users.len() >= RESERVED_FOR_MAX_SIZE
        && pod.is_some_and(|pod| !users.iter().any(|user| is_user(user, pod)))
    {
        return Err(format!(
            "claim `{}` is reserved for {} users already, the most there may be",
            name.name,
            users.len()
        ));
    }
    if claim.status.allocation.is_some() || is_generated {
        return Ok(());
    }
    match validate::resource_claim(claim, features).first() {
        Some(error) => Err(format!("claim `{}`: {error}", name.name)),
        None => Ok(()),
    }
}

/// Returns whether a user of a claim is a pod.
pub(crate) fn is_user(user: &ResourceClaimConsumerReference, pod: &Pod) -> bool {
    let is_pod = user.api_group.is_empty() && &*user.resource == "pods";
    let uid = pod.metadata.uid.as_deref().unwrap_or_default();
    is_pod && user.name == pod.metadata.name && *user.uid == *uid
}
