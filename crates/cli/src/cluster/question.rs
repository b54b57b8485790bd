//! [`Question`]: the claims that one piece of work waits for.

use dralloc::Error;
use dralloc::model::{NodeSelector, ResourceClaim};

use super::ObjectName;

/// Is what is asked of each node.
#[derive(Debug)]
pub(crate) struct Question {
    /// Names of the claims.
    pub(crate) names: Vec<ObjectName>,
    /// The claims, none of which has devices.
    pub(crate) claims: Vec<ResourceClaim>,
    /// Where the devices of the other claims can be reached.
    pub(crate) selectors: Vec<NodeSelector>,
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
            key,
        }
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
