//! [`Question`]: the claims that one piece of work waits for.

use dralloc::Error;
use dralloc::model::{NodeSelector, ResourceClaim};

use super::cluster::ObjectName;

/// Is what is asked of each node.
#[derive(Debug)]
pub(super) struct Question {
    /// Names of the claims.
    pub(super) names: Vec<ObjectName>,
    /// The claims, none of which has devices.
    pub(super) claims: Vec<ResourceClaim>,
    /// Where the devices of the other claims can be reached.
    pub(super) selectors: Vec<NodeSelector>,
}

impl Question {
    /// Returns a text that is equal for questions that ask for the same.
    pub(super) fn key(&self) -> String {
        let specs: Vec<_> = self.claims.iter().map(|claim| &claim.spec).collect();
        // What was read can be written, and an empty key only costs time.
        serde_json::to_string(&specs).unwrap_or_default()
    }

    /// Describes an error, with names of claims in the place of numbers.
    pub(super) fn describe(&self, error: &Error) -> String {
        let numbered = error.path().strip_prefix("claims[").and_then(|rest| rest.split_once(']'));
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
