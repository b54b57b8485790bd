//! [`Policy`]: which of several answers is wanted.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Term;
use crate::error::{Code, Error};

/// Says which of several answers is wanted.
///
/// Its form in JSON is the name of a preset, or the list of terms.
///
/// # Examples
///
/// ```
/// use dralloc::{Policy, Term};
///
/// let pack: Policy = "pack".parse()?;
/// assert_eq!(pack.terms().first(), Some(&Term::AlternativeRank));
/// let own = Policy::Terms(vec![Term::ParentsTouched { attribute: None }]);
/// assert_eq!(own.to_string(), "parentsTouched");
/// # Ok::<(), dralloc::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Policy {
    /// The first in canonical order, as Kubernetes' own allocator means it.
    #[default]
    Kubernetes,
    /// Leaves as much as it can for what comes later: alternative rank, health
    /// penalty, waste, packing potential, parents touched.
    Pack,
    /// Uses all cards alike: alternative rank, health penalty, evenness.
    Spread,
    /// Devices that work together: alternative rank, health penalty, ring, links, NIC
    /// alignment, span, waste, link potential, packing potential.
    Affinity,
    /// These terms, the most important first.
    Terms(Vec<Term>),
}

impl Policy {
    /// Returns the name of the preset; `terms` for an own list.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Kubernetes => "kubernetes",
            Self::Pack => "pack",
            Self::Spread => "spread",
            Self::Affinity => "affinity",
            Self::Terms(_) => "terms",
        }
    }

    /// Returns the terms, the most important first; none for [`Policy::Kubernetes`].
    pub fn terms(&self) -> Cow<'_, [Term]> {
        match self {
            Self::Kubernetes => Cow::Borrowed(&[]),
            Self::Pack => Cow::Owned(vec![
                Term::AlternativeRank,
                Term::HealthPenalty,
                Term::Waste,
                Term::PackingPotential,
                Term::ParentsTouched { attribute: None },
            ]),
            Self::Spread => Cow::Owned(vec![
                Term::AlternativeRank,
                Term::HealthPenalty,
                Term::Evenness { attribute: None },
            ]),
            Self::Affinity => Cow::Owned(vec![
                Term::AlternativeRank,
                Term::HealthPenalty,
                Term::Ring,
                Term::Links,
                Term::NicAlignment,
                Term::Span,
                Term::Waste,
                Term::LinkPotential,
                Term::PackingPotential,
            ]),
            Self::Terms(terms) => Cow::Borrowed(terms),
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Terms(terms) = self else {
            return formatter.write_str(self.as_str());
        };
        for (place, term) in terms.iter().enumerate() {
            let separator = if place == 0 { "" } else { ", " };
            write!(formatter, "{separator}{term}")?;
        }
        Ok(())
    }
}

impl FromStr for Policy {
    type Err = Error;

    /// Returns the preset of a name.
    ///
    /// # Errors
    ///
    /// [`Code::Unsupported`] for any other name.
    fn from_str(name: &str) -> Result<Self, Error> {
        let message = match name {
            "kubernetes" => return Ok(Self::Kubernetes),
            "pack" => return Ok(Self::Pack),
            "spread" => return Ok(Self::Spread),
            "affinity" => return Ok(Self::Affinity),
            _ => format!(
                "policy `{}` is not supported, expected kubernetes, pack, spread or affinity",
                name.escape_debug()
            ),
        };
        Err(Error::new(Code::Unsupported, message).at("policy"))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "expected kubernetes, pack, spread, affinity or a list of terms"
)]
enum Form {
    Preset(String),
    Terms(Vec<Term>),
}

impl Serialize for Policy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Terms(terms) => terms.serialize(serializer),
            preset => serializer.serialize_str(preset.as_str()),
        }
    }
}

impl<'de> Deserialize<'de> for Policy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Form::deserialize(deserializer)? {
            Form::Preset(name) => name
                .parse()
                .map_err(|error: Error| D::Error::custom(error.message())),
            Form::Terms(terms) => Ok(Self::Terms(terms)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_are_names_or_lists_of_terms() {
        for text in [
            r#""kubernetes""#,
            r#""pack""#,
            r#""spread""#,
            r#""affinity""#,
            r#"["ring","nicAlignment","span"]"#,
            r#"["waste",{"term":"evenness","attribute":"d/numa"},"evenness"]"#,
        ] {
            let policy: Policy = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&policy).unwrap(), text);
        }
        let error = serde_json::from_str::<Policy>(r#""best""#).unwrap_err();
        assert_eq!(
            error.to_string(),
            "policy `best` is not supported, expected kubernetes, pack, spread or affinity"
        );
        for term in [
            r#"{"term":"affinityLevel","levels":["island"]}"#,
            r#"{"term":"unitLevel","requests":{"gpu":1},"levels":["island"]}"#,
            r#"{"term":"unitLevel","requests":{"gpu":0},"levels":["rack"]}"#,
        ] {
            let error = serde_json::from_str::<Term>(term).unwrap_err();
            assert_eq!(
                error.to_string(),
                "unknown levels, expected those of affinityLevel or unitLevel"
            );
        }
        for term in Policy::Affinity.terms().iter() {
            assert_eq!(Term::new(term.as_str(), None).as_ref(), Ok(term));
        }
        assert_eq!(
            Term::new("waste", Some("a".into()))
                .unwrap_err()
                .to_string(),
            "attribute: term `waste` has an attribute, expected none"
        );
    }
}
