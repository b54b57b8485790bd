//! [`GangRules`]: which nodes a gang may use, owned.

use std::collections::BTreeMap;

use dralloc::model::Str;
use dralloc::{DomainScope, Error, SliceRule};
use serde::Deserialize;

use crate::options::{natural, one_of};

/// Says which nodes the members of a gang may use together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GangRules {
    /// Labels that name the domains of nodes, by scope: `region`, `zone`, `core`, `block`,
    /// `rack` or `nvLinkDomain`. Those that are well known come after them.
    pub labels: Vec<(DomainScope, Str)>,
    /// The scope of which one domain must have all members; none by default.
    pub within: Option<DomainScope>,
    /// How many `nodes` of one domain of a `scope` may be used; any number by default.
    pub most_nodes: Option<(DomainScope, u32)>,
    /// How many members a node may have: `any` (default), `same`, `multipleOf`,
    /// `exactly`, `atLeast` (of `sliceSize`, 1 by default), or `wholeNodes`.
    pub slices: SliceRule,
}

/// Is what is read of rules, among other options.
#[derive(Default)]
pub(crate) struct RulesForm {
    pub(crate) labels: BTreeMap<Str, Str>,
    pub(crate) within: Option<Str>,
    pub(crate) most_nodes: Option<MostNodesForm>,
    pub(crate) slices: Option<Str>,
    pub(crate) slice_size: Option<i64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct MostNodesForm {
    scope: Str,
    nodes: i64,
}

fn scope(name: Option<&str>, path: &str) -> Result<Option<DomainScope>, Error> {
    let scopes = DomainScope::ALL.map(|scope| (scope.as_str(), scope));
    one_of(name, &scopes, path)
}

/// Returns a number of nodes or members; one beyond 32 bits has no end either.
fn count(number: i64, path: &str) -> Result<u32, Error> {
    let number = natural(Some(number), path)?.unwrap_or_default();
    Ok(u32::try_from(number).unwrap_or(u32::MAX))
}

impl RulesForm {
    pub(crate) fn rules(self) -> Result<GangRules, Error> {
        let mut rules = GangRules {
            within: scope(self.within.as_deref(), "within")?,
            ..GangRules::DEFAULT
        };
        for (name, label) in self.labels {
            if let Some(scope) = scope(Some(&name), "labels")? {
                rules.labels.push((scope, label));
            }
        }
        if let Some(most) = self.most_nodes {
            let nodes = count(most.nodes, "mostNodes.nodes")?;
            let scope = scope(Some(&most.scope), "mostNodes.scope")?;
            rules.most_nodes = scope.map(|scope| (scope, nodes));
        }
        let size = count(self.slice_size.unwrap_or(1), "sliceSize")?;
        let slices = [
            ("any", SliceRule::Any),
            ("same", SliceRule::Same),
            ("multipleOf", SliceRule::MultipleOf(size)),
            ("exactly", SliceRule::Exactly(size)),
            ("atLeast", SliceRule::AtLeast(size)),
            ("wholeNodes", SliceRule::WholeHosts),
        ];
        rules.slices = one_of(self.slices.as_deref(), &slices, "slices")?.unwrap_or_default();
        Ok(rules)
    }
}

impl GangRules {
    /// The rules where nothing is said.
    pub const DEFAULT: Self = Self {
        labels: Vec::new(),
        within: None,
        most_nodes: None,
        slices: SliceRule::Any,
    };

    /// Returns the labels as options take them.
    pub fn labels(&self) -> Vec<(DomainScope, &str)> {
        let labels = self.labels.iter();
        labels.map(|(scope, label)| (*scope, &**label)).collect()
    }
}
