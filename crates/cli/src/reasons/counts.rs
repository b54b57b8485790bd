//! [`TooFew`]: what became of the devices that a request could have, in numbers.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use dralloc::{Check, Explanation, RequestExplanation};

use super::amount::Amount;
use crate::cluster::question::Question;

/// Is a request that has too few devices, in all of its alternatives; prints as text such
/// as ``request `gpu` needs 2 devices, 1 of 4 is usable: 3 in use``.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TooFew {
    /// With its claim if there are several.
    request: String,
    alternatives: Vec<Counts>,
    /// What its policy requires of places, where that keeps devices away.
    pub(super) required: Option<String>,
}

/// Counts the devices for one alternative, on a node or on several.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Counts {
    /// Name of the alternative.
    name: String,
    /// None for all that match.
    needed: Option<usize>,
    considered: Amount,
    usable: Amount,
    refused: BTreeMap<Check, Refused>,
}

/// Is devices that fail a check.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Refused {
    count: Amount,
    phrase: String,
}

impl TooFew {
    /// Reads an explanation.
    pub(super) fn of(
        question: &Question,
        explanation: &Explanation,
        claim: usize,
        request: &str,
    ) -> Self {
        let is_meant = |one: &&RequestExplanation| {
            let rest = one.name.strip_prefix(request);
            one.claim == claim && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let alternatives = explanation.requests.iter().filter(is_meant);
        let mut name = format!("request `{request}`");
        if let (true, Some(claim)) = (question.names.len() > 1, question.names.get(claim)) {
            name = format!("{name} of claim `{}`", claim.name);
        }
        Self {
            request: name,
            alternatives: alternatives.map(|one| Counts::of(question, one)).collect(),
            required: None,
        }
    }

    /// Returns what has to be equal where numbers may be told together: the request alone,
    /// or also what keeps devices away from it.
    pub(super) fn key(&self, is_coarse: bool) -> String {
        let mut key = self.request.clone();
        if !is_coarse {
            for one in &self.alternatives {
                let checks: Vec<_> = one.refused.keys().collect();
                let _ = write!(key, " {checks:?} {:?}", self.required);
            }
        }
        key
    }

    /// Adds the numbers of other nodes.
    pub(super) fn add(&mut self, other: &Self) {
        for (one, other) in self.alternatives.iter_mut().zip(&other.alternatives) {
            one.add(other);
        }
        if self.required.is_none() {
            self.required.clone_from(&other.required);
        }
    }
}

impl fmt::Display for TooFew {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.request)?;
        match self.alternatives.as_slice() {
            [one] => write!(formatter, " {one}")?,
            several => {
                for (place, one) in several.iter().enumerate() {
                    let separator = if place == 0 { ":" } else { ";" };
                    write!(formatter, "{separator} `{}` {one}", one.name)?;
                }
            }
        }
        match &self.required {
            Some(required) => write!(formatter, "; its policy requires {required}"),
            None => Ok(()),
        }
    }
}

impl Counts {
    fn of(question: &Question, request: &RequestExplanation) -> Self {
        let refused = request.refused.iter().map(|(check, count)| {
            let refused = Refused {
                count: Amount::of(*count),
                phrase: phrase(question, request.claim, *check),
            };
            (*check, refused)
        });
        let name = request.name.rsplit('/').next();
        Self {
            name: name.unwrap_or_default().to_owned(),
            needed: (!request.all).then_some(request.needed),
            considered: Amount::of(request.considered),
            usable: Amount::of(request.usable),
            refused: refused.collect(),
        }
    }

    fn add(&mut self, other: &Self) {
        self.considered = self.considered.and(other.considered);
        self.usable = self.usable.and(other.usable);
        let nothing = Amount::of(0);
        for (check, refused) in &mut self.refused {
            let count = other.refused.get(check).map_or(nothing, |one| one.count);
            refused.count = refused.count.and(count);
        }
        for (check, refused) in &other.refused {
            self.refused.entry(*check).or_insert_with(|| Refused {
                count: refused.count.and(nothing),
                phrase: refused.phrase.clone(),
            });
        }
    }
}

/// Prints text such as `needs 2 devices, 1 of 4 is usable: 3 in use`.
impl fmt::Display for Counts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            considered, usable, ..
        } = *self;
        match self.needed {
            None => formatter.write_str("needs all devices that match, ")?,
            Some(1) => formatter.write_str("needs 1 device, ")?,
            Some(needed) => write!(formatter, "needs {needed} devices, ")?,
        }
        let refused = self.refused.values();
        if considered.is(0) {
            return formatter.write_str("there are none");
        }
        if let (true, 1, Some(only)) = (usable.is(0), self.refused.len(), refused.clone().next())
            && considered.least > 0
        {
            return match considered {
                one if one.is(1) => write!(formatter, "the only one is {}", only.phrase),
                two if two.is(2) => write!(formatter, "both are {}", only.phrase),
                all => write!(formatter, "all {all} are {}", only.phrase),
            };
        }
        if refused.len() == 0 && self.needed.is_some() {
            let is = if considered.is(1) { "is" } else { "are" };
            return write!(formatter, "there {is} only {considered}");
        }
        match (usable, considered) {
            (none, two) if none.is(0) && two.is(2) => formatter.write_str("neither is usable")?,
            (none, _) if none.is(0) => write!(formatter, "none of {considered} are usable")?,
            (one, _) if one.is(1) => write!(formatter, "1 of {considered} is usable")?,
            _ => write!(formatter, "{usable} of {considered} are usable")?,
        }
        for (place, Refused { count, phrase }) in refused.enumerate() {
            let separator = if place == 0 { ":" } else { "," };
            write!(formatter, "{separator} {count} {phrase}")?;
        }
        Ok(())
    }
}

/// Says what a device is that fails a check, with the attribute that it lacks where only
/// one is compared.
fn phrase(question: &Question, claim: usize, check: Check) -> String {
    let claim = question.claims.get(claim);
    let constraints = claim.map(|claim| &*claim.spec.devices.constraints);
    if let (Check::Constraint, Some([only])) = (check, constraints) {
        let attribute = only.match_attribute.as_ref();
        if let Some(attribute) = attribute.or(only.distinct_attribute.as_ref()) {
            return format!("without `{attribute}` to compare");
        }
    }
    check.as_phrase().to_owned()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns the numbers of one request on a node.
    pub(in crate::reasons) fn short(
        needed: usize,
        (usable, considered): (usize, usize),
        refused: &[(Check, usize)],
    ) -> TooFew {
        let refused = refused.iter().map(|(check, count)| {
            let refused = Refused {
                count: Amount::of(*count),
                phrase: check.as_phrase().to_owned(),
            };
            (*check, refused)
        });
        let counts = Counts {
            name: "gpu".to_owned(),
            needed: Some(needed),
            considered: Amount::of(considered),
            usable: Amount::of(usable),
            refused: refused.collect(),
        };
        TooFew {
            request: "request `gpu`".to_owned(),
            alternatives: vec![counts],
            required: None,
        }
    }

    #[test]
    fn numbers_are_said_as_people_do() {
        use Check::{InUse, Selector};
        for (needed, considered, refused, expected) in [
            (2, (0, 0), &[][..], "needs 2 devices, there are none"),
            (
                1,
                (0, 1),
                &[(InUse, 1)],
                "needs 1 device, the only one is in use",
            ),
            (1, (0, 2), &[(InUse, 2)], "needs 1 device, both are in use"),
            (1, (0, 3), &[(InUse, 3)], "needs 1 device, all 3 are in use"),
            (2, (1, 1), &[], "needs 2 devices, there is only 1"),
            (9, (8, 8), &[], "needs 9 devices, there are only 8"),
            (
                2,
                (0, 2),
                &[(InUse, 1), (Selector, 1)],
                "needs 2 devices, neither is usable: 1 in use, 1 refused by a selector",
            ),
            (
                2,
                (0, 3),
                &[(InUse, 1), (Selector, 2)],
                "needs 2 devices, none of 3 are usable: 1 in use, 2 refused by a selector",
            ),
            (
                4,
                (1, 8),
                &[(InUse, 7)],
                "needs 4 devices, 1 of 8 is usable: 7 in use",
            ),
            (
                4,
                (2, 8),
                &[(InUse, 6)],
                "needs 4 devices, 2 of 8 are usable: 6 in use",
            ),
        ] {
            let text = short(needed, considered, refused).to_string();
            assert_eq!(text, format!("request `gpu` {expected}"));
        }
    }

    #[test]
    fn numbers_of_several_nodes_are_ranges() {
        use Check::{InUse, Selector};
        let sum = |others: &[TooFew]| {
            let mut sum = short(4, (2, 8), &[(InUse, 6)]);
            for other in others {
                sum.add(other);
            }
            sum.to_string()
        };
        let start = "request `gpu` needs 4 devices, ";
        let fuller = short(4, (0, 8), &[(InUse, 8)]);
        let smaller = short(4, (1, 4), &[(Selector, 3)]);
        let empty = short(4, (0, 0), &[]);
        for (others, expected) in [
            (
                &[fuller.clone()][..],
                "0 to 2 of 8 are usable: 6 to 8 in use",
            ),
            (
                &[fuller, smaller],
                "0 to 2 of 4 to 8 are usable: 0 to 8 in use, 0 to 3 refused by a selector",
            ),
            (&[empty], "0 to 2 of 0 to 8 are usable: 0 to 6 in use"),
        ] {
            assert_eq!(sum(others), format!("{start}{expected}"));
        }
        let mut full = short(4, (0, 2), &[(InUse, 2)]);
        full.add(&short(4, (0, 8), &[(InUse, 8)]));
        assert_eq!(full.to_string(), format!("{start}all 2 to 8 are in use"));
    }
}
