//! [`Unit`]: equal groups that the devices of several requests make.

use std::fmt;

use dralloc_topology::Scope;

use crate::claims::Needed;
use crate::claims::compiled::PreparedRequest;
use crate::error::{Code, Error};
use crate::model::{PlacementUnit, Str};
use crate::topology::AffinityScope;

/// Asks for equal groups of devices, each with a domain in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unit {
    /// How many devices of a request a group has, by request.
    pub(crate) counts: Vec<(Str, usize)>,
    /// What a group is to have in common, the best first; one if it is required.
    pub(crate) levels: Vec<Scope>,
    pub(crate) mode: UnitMode,
}

/// Says how strongly it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnitMode {
    /// Each group has its first level; no two groups a domain of the scope, if
    /// there is one.
    Required {
        apart_over: Option<Scope>,
    },
    Preferred,
}

impl Unit {
    /// Returns what a document asks for that was found right.
    pub(super) fn of(document: &PlacementUnit) -> Self {
        let words = std::iter::once(&document.scope).chain(&document.fallback);
        let mode = if *document.mode == *"required" {
            let apart_over = document.apart_over.as_ref();
            let apart_over = apart_over.and_then(|word| place(word));
            UnitMode::Required { apart_over }
        } else {
            UnitMode::Preferred
        };
        let counts = document.requests.iter();
        let counts =
            counts.map(|(name, count)| (name.clone(), usize::try_from(*count).unwrap_or(1).max(1)));
        Self {
            counts: counts.collect(),
            levels: words.filter_map(|word| place(word)).collect(),
            mode,
        }
    }

    pub(crate) fn is_required(&self) -> bool {
        self.mode != UnitMode::Preferred
    }

    /// Returns how many devices of a request a group has; none if it has none.
    pub(crate) fn count_of(&self, request: &str) -> Option<usize> {
        let mut counts = self.counts.iter();
        counts.find_map(|(name, count)| (**name == *request).then_some(*count))
    }
}

impl Unit {
    /// Checks that the requests of a policy make whole groups.
    ///
    /// # Errors
    ///
    /// [`Code::Invalid`] for requests that are none of the policy, that ask for all
    /// devices or for administration, or for numbers that are not as many groups as
    /// those of others; paths begin with the name of the request.
    pub(super) fn check(&self, names: &[Str], requests: &[PreparedRequest]) -> Result<(), Error> {
        let mut groups: Option<(&Str, usize)> = None;
        for (name, count) in &self.counts {
            let invalid =
                |message: String| Err(Error::new(Code::Invalid, message).at(format!("[{name}]")));
            let first = |request: &&PreparedRequest| {
                let first = request.alternatives.first();
                first.is_some_and(|first| *first.name.request() == **name)
            };
            let found = requests.iter().find(first);
            let found = found.filter(|_| names.is_empty() || names.contains(name));
            let Some(request) = found else {
                return invalid("expected the name of a request of this policy".to_owned());
            };
            for alternative in &request.alternatives {
                let Needed::Count(needed) = alternative.needed else {
                    return invalid(
                        "expected a request for a number of devices, found all".to_owned(),
                    );
                };
                if alternative.admin_access {
                    return invalid("expected a request without administrative access".to_owned());
                }
                if needed % count != 0 {
                    return invalid(format!(
                        "expected a request for a multiple of {count} devices, found {needed}"
                    ));
                }
                let own = needed / count;
                let (first, known) = *groups.get_or_insert((name, own));
                if known != own {
                    return invalid(format!(
                        "expected {known} groups, as of request `{first}`, found {own}"
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Returns a scope that is a place; links are none.
fn place(word: &str) -> Option<Scope> {
    match AffinityScope::new(word)? {
        AffinityScope::Domain(scope) => Some(scope),
        AffinityScope::NvLink => None,
    }
}

/// Prints such as ``units of 1 `gpu` and 1 `nic` in one `pcieSwitch` each``.
impl fmt::Display for Unit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("units of ")?;
        for (place, (name, count)) in self.counts.iter().enumerate() {
            let before = if place == 0 { "" } else { " and " };
            write!(formatter, "{before}{count} `{name}`")?;
        }
        if let Some(level) = self.levels.first() {
            write!(formatter, " in one `{}` each", level.as_str())?;
        }
        if let UnitMode::Required {
            apart_over: Some(apart),
        } = self.mode
        {
            write!(formatter, ", no two in one `{}`", apart.as_str())?;
        }
        Ok(())
    }
}
