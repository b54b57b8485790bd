//! Selectors of nodes without the order that carries no meaning.

use std::collections::BTreeSet;

use dralloc::model::{NodeSelector, NodeSelectorRequirement};

/// Is a requirement whose values are a set.
type Requirement<'a> = (&'a str, &'a str, BTreeSet<&'a str>);

/// Is a term whose requirements are sets.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Term<'a> {
    match_expressions: BTreeSet<Requirement<'a>>,
    match_fields: BTreeSet<Requirement<'a>>,
}

/// Returns the terms of a selector as a set.
pub(super) fn terms(selector: &NodeSelector) -> BTreeSet<Term<'_>> {
    selector
        .node_selector_terms
        .iter()
        .map(|term| Term {
            match_expressions: requirements(&term.match_expressions),
            match_fields: requirements(&term.match_fields),
        })
        .collect()
}

fn requirements(list: &[NodeSelectorRequirement]) -> BTreeSet<Requirement<'_>> {
    list.iter()
        .map(|requirement| {
            let values = requirement.values.iter().map(|value| &**value).collect();
            (&*requirement.key, &*requirement.operator, values)
        })
        .collect()
}
