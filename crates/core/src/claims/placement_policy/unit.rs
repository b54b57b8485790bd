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
    pub(crate) levels: Vec<AffinityScope>,
    /// Whether each group must have the first level.
    pub(crate) is_required: bool,
    /// The scope of which no domain may have devices of two groups.
    pub(crate) apart_over: Option<Scope>,
}

impl Unit {
    /// Returns what a document asks for that was found right.
    pub(super) fn of(document: &PlacementUnit) -> Self {
        let words = std::iter::once(&document.scope).chain(&document.fallback);
        let apart_over = document.apart_over.as_ref();
        let counts = document.requests.iter();
        let counts =
            counts.map(|(name, count)| (name.clone(), usize::try_from(*count).unwrap_or(1).max(1)));
        Self {
            counts: counts.collect(),
            levels: words.filter_map(|word| AffinityScope::new(word)).collect(),
            is_required: *document.mode == *"required",
            apart_over: apart_over.and_then(|word| AffinityScope::place(word)),
        }
    }

    /// Returns whether it refuses devices, and does not only prefer others.
    pub(crate) fn is_demand(&self) -> bool {
        self.is_required || self.apart_over.is_some()
    }

    /// Returns how many devices of a request a group has; none if it has none.
    pub(crate) fn count_of(&self, request: &str) -> Option<usize> {
        let mut counts = self.counts.iter();
        counts.find_map(|(name, count)| (**name == *request).then_some(*count))
    }

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

/// Prints such as ``units of 1 `gpu` and 1 `nic` in one `pcieSwitch` each``.
impl fmt::Display for Unit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("units of ")?;
        for (place, (name, count)) in self.counts.iter().enumerate() {
            let before = if place == 0 { "" } else { " and " };
            write!(formatter, "{before}{count} `{name}`")?;
        }
        if let Some(level) = self.levels.first().filter(|_| self.is_required) {
            write!(formatter, " in one `{}` each", level.as_str())?;
        }
        if let Some(apart) = self.apart_over {
            write!(formatter, ", no two in one `{}`", apart.as_str())?;
        }
        Ok(())
    }
}
