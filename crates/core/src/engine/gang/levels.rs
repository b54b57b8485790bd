//! [`Levels`]: the domains of nodes, as a tree.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::GangOptions;
use crate::model::Node;
use crate::number::number;
use crate::rules::{DomainScope, domain_of};

/// Says which scopes make a tree, and the domain of each node for each of them.
pub(super) struct Levels {
    /// The widest first.
    pub(super) scopes: Vec<DomainScope>,
    /// By node, then by scope.
    pub(super) domains: Vec<Vec<Option<u32>>>,
}

impl Levels {
    /// Finds the scopes that nest.
    ///
    /// From the nearest on each is used whose domains do not cut through those of a nearer
    /// one: an `NVLink` domain under two leaf switches stays whole. Scopes that the caller
    /// names are used anyway.
    pub(super) fn of(nodes: &[Arc<Node>], options: &GangOptions<'_>) -> Self {
        let most = options.most_nodes.map(|(scope, _)| scope);
        let is_named = |scope: DomainScope| [options.within, most].contains(&Some(scope));
        let mut used: Vec<(DomainScope, Vec<Option<u32>>)> = Vec::new();
        for scope in DomainScope::ALL.into_iter().rev() {
            let domains = numbered(nodes, scope, options);
            let tells_apart = domains.iter().any(Option::is_some);
            let nests = || used.iter().all(|(_, inner)| nest(inner, &domains));
            if is_named(scope) || tells_apart && nests() {
                used.push((scope, domains));
            }
        }
        used.reverse();
        let of_node = |node: usize| used.iter().map(|(_, domains)| domains[node]).collect();
        Self {
            domains: (0..nodes.len()).map(of_node).collect(),
            scopes: used.iter().map(|(scope, _)| *scope).collect(),
        }
    }

    /// Returns the place of a scope.
    pub(super) fn place(&self, scope: DomainScope) -> Option<usize> {
        self.scopes.iter().position(|other| *other == scope)
    }
}

/// Numbers the domains of a scope in the order in which they are met.
fn numbered(
    nodes: &[Arc<Node>],
    scope: DomainScope,
    options: &GangOptions<'_>,
) -> Vec<Option<u32>> {
    let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
    let names = nodes.iter();
    let names = names.map(|node| domain_of(node, scope, options.labels));
    let domains = names.map(|name| {
        let next = number(numbers.len());
        name.map(|name| *numbers.entry(name).or_insert(next))
    });
    domains.collect()
}

/// Returns whether each inner domain lies in one outer domain, or in none as a whole.
fn nest(inner: &[Option<u32>], outer: &[Option<u32>]) -> bool {
    let mut outer_of: BTreeMap<u32, Option<u32>> = BTreeMap::new();
    let pairs = inner.iter().zip(outer);
    let mut pairs = pairs.filter_map(|(inner, outer)| Some(((*inner)?, *outer)));
    pairs.all(|(inner, outer)| *outer_of.entry(inner).or_insert(outer) == outer)
}
