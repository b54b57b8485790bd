//! Gangs: what the members of one ask for beside devices, and where they go.

mod outcome;
mod rules;

#[cfg(test)]
mod tests;

pub use outcome::gang;
pub use rules::GangRules;
pub(crate) use rules::{MostNodesForm, RulesForm};
