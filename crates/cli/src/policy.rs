//! What is wanted of answers, as the command line writes it.

use dralloc::{AllocateOptions, Budget, Policy, Term};
use jiff::Timestamp;

/// Is what is wanted of answers on a node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Wanted {
    /// Absent: what claims and classes carry counts.
    pub(crate) policy: Option<Policy>,
    /// Seconds since 1970.
    pub(crate) now: Option<i64>,
}

impl Wanted {
    /// Returns what is asked of a node with a budget.
    pub(crate) fn options<'a>(&'a self, budget: Budget<'a>) -> AllocateOptions<'a> {
        let options = AllocateOptions::new().budget(budget);
        let options = match &self.policy {
            Some(policy) => options.policy(policy),
            None => options,
        };
        match self.now {
            Some(now) => options.now(now),
            None => options,
        }
    }
}

/// Reads a policy by its name, or terms such as `waste,evenness=gpu.example.com/numa`.
pub(crate) fn parse(text: &str) -> Result<Policy, String> {
    let unknown = match text.parse::<Policy>() {
        Ok(policy) => return Ok(policy),
        Err(error) => error.message().to_owned(),
    };
    let mut terms: Vec<Term> = Vec::new();
    for part in text.split(',') {
        let (name, attribute) = match part.trim().split_once('=') {
            Some((name, attribute)) => (name, Some(attribute.into())),
            None => (part.trim(), None),
        };
        let is_word = part == text && attribute.is_none();
        let term = Term::new(name, attribute).map_err(|error| {
            let is_unknown = error.message().starts_with("unknown term");
            match error.message() {
                _ if is_word && is_unknown => {
                    format!("{unknown}, or terms such as `waste,evenness=ATTRIBUTE`")
                }
                message => message.to_owned(),
            }
        })?;
        if let Some(attribute) = term.attribute() {
            check_attribute(attribute)?;
        }
        if terms.contains(&term) {
            return Err(format!("term `{term}` is there twice, expected each once"));
        }
        terms.push(term);
    }
    Ok(Policy::Terms(terms))
}

/// Attributes have a domain and a name, as in a `PlacementPolicy`.
fn check_attribute(attribute: &str) -> Result<(), String> {
    match attribute.split_once('/') {
        Some((domain, name)) if !domain.is_empty() && !name.is_empty() && !name.contains('/') => {
            Ok(())
        }
        None if !attribute.is_empty() => Err(format!(
            "attribute `{attribute}` has no domain, expected one such as \
             `gpu.example.com/{attribute}`"
        )),
        _ => Err(format!(
            "attribute `{attribute}`, expected a domain and a name such as `gpu.example.com/numa`"
        )),
    }
}

/// Reads a time in RFC 3339; returns the seconds since 1970.
pub(crate) fn parse_time(text: &str) -> Result<i64, String> {
    let time = text.parse::<Timestamp>();
    time.map(Timestamp::as_second)
        .map_err(|_| format!("`{text}`, expected a time such as `2026-01-31T12:00:00Z`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policies_are_names_or_terms() {
        assert_eq!(parse("pack"), Ok(Policy::Pack));
        let even = Term::Evenness {
            attribute: Some("d/numa".into()),
        };
        let terms = Policy::Terms(vec![Term::Waste, even]);
        assert_eq!(parse("waste, evenness=d/numa"), Ok(terms));
        assert_eq!(parse("affinity"), Ok(Policy::Affinity));
        let near = Policy::Terms(vec![Term::Ring, Term::NicAlignment]);
        assert_eq!(parse("ring,nicAlignment"), Ok(near));
        assert_eq!(parse("waste"), Ok(Policy::Terms(vec![Term::Waste])));
        for (text, message) in [
            (
                "magic",
                "policy `magic` is not supported, expected kubernetes, pack, spread or affinity, \
                 or terms such as `waste,evenness=ATTRIBUTE`",
            ),
            (
                "waste,pack",
                "unknown term `pack`, expected alternativeRank, healthPenalty, waste, \
                 packingPotential, parentsTouched, evenness, ring, links, bottleneck, \
                 nicAlignment, span, hostUplink or linkPotential",
            ),
            (
                "waste=d/numa",
                "term `waste` has an attribute, expected none",
            ),
            (
                "evenness=numa",
                "attribute `numa` has no domain, expected one such as `gpu.example.com/numa`",
            ),
            (
                "evenness=",
                "attribute ``, expected a domain and a name such as `gpu.example.com/numa`",
            ),
            (
                "evenness=/numa",
                "attribute `/numa`, expected a domain and a name such as `gpu.example.com/numa`",
            ),
            (
                "waste,waste",
                "term `waste` is there twice, expected each once",
            ),
        ] {
            assert_eq!(parse(text), Err(message.to_owned()));
        }
    }

    #[test]
    fn times_are_in_rfc_3339() {
        assert_eq!(parse_time("2026-01-31T12:00:00Z"), Ok(1_769_860_800));
        assert_eq!(parse_time("2026-01-31T13:00:00+01:00"), Ok(1_769_860_800));
        let message = "`noon`, expected a time such as `2026-01-31T12:00:00Z`";
        assert_eq!(parse_time("noon"), Err(message.to_owned()));
    }
}
