//! Explanations in one line.

use std::fmt::{self, Display};

use super::{Class, Conflict, ConflictRequest, Explanation, Holder, WholeFailure};
use crate::solver::{Arithmetic, Check};

/// So many holders are named.
const MAX_HOLDERS: usize = 4;

/// Joins holders as people do.
pub(super) struct Listed<'a>(pub(super) &'a [Holder]);

impl Display for Listed<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(holders) = self;
        let named = holders.iter().take(MAX_HOLDERS);
        let more = holders.len().saturating_sub(MAX_HOLDERS);
        for (place, holder) in named.enumerate() {
            let is_last = place + 1 == holders.len();
            let before = match place {
                0 => "",
                _ if is_last => " and ",
                _ => ", ",
            };
            write!(formatter, "{before}{holder}")?;
        }
        if more > 0 {
            write!(formatter, " and {more} more")?;
        }
        Ok(())
    }
}

/// Prints what is short and who could give it back, such as
/// ``4 requests need `d/numa` equal; the largest free group has 3; if claim
/// `default/b` were released it would have 4``; nothing if the claims fit.
impl Display for Explanation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.class {
            Some(Class::BadInput { error }) => return error.fmt(formatter),
            None if self.conflict.is_none() => return Ok(()),
            _ => {}
        }
        let is_never = self.class == Some(Class::NeverPossible);
        match &self.conflict {
            Some(conflict) => self.write_conflict(formatter, conflict, is_never)?,
            None => formatter.write_str("it does not fit as things are")?,
        }
        match self.release() {
            Some(release) => write!(formatter, "; {release}"),
            None if is_never => formatter.write_str("; no release would help"),
            None => Ok(()),
        }
    }
}

impl Explanation {
    /// Returns what a release would change in words, such as ``if claim `default/b`
    /// were released it would have 4``; nothing if none would, or that is not known.
    pub fn release(&self) -> Option<String> {
        let Some(Class::AfterRelease { holders }) = &self.class else {
            return None;
        };
        let then = self.arithmetic.first().and_then(Arithmetic::after_release);
        let then = then.unwrap_or_else(|| "it would fit".to_owned());
        let holders = Listed(holders);
        Some(format!("if {holders} were released {then}"))
    }

    /// Names a request, with its claim if there are several.
    fn named(&self, request: &ConflictRequest) -> String {
        let ConflictRequest { claim, request } = request;
        if self.requests.iter().all(|one| one.claim == *claim) {
            format!("request `{request}`")
        } else {
            format!("request `{request}` of claim {claim}")
        }
    }

    fn write_conflict(
        &self,
        formatter: &mut fmt::Formatter<'_>,
        conflict: &Conflict,
        is_never: bool,
    ) -> fmt::Result {
        let arithmetic = self.arithmetic.first();
        match (&*conflict.requests, arithmetic) {
            ([one], Some(_)) => write!(formatter, "{}: ", self.named(one))?,
            (_, Some(_)) => {}
            ([one], None) => {
                let request = self.named(one);
                write!(formatter, "no devices will do for {request}")?;
            }
            (several, None) => {
                let count = several.len();
                write!(
                    formatter,
                    "no devices will do for {count} requests together"
                )?;
            }
        }
        match arithmetic {
            Some(arithmetic) if is_never => write!(formatter, "{arithmetic:#}")?,
            Some(arithmetic) => write!(formatter, "{arithmetic}")?,
            None => {}
        }
        if matches!(arithmetic, None | Some(Arithmetic::AtOnce { .. })) {
            self.write_rules(formatter, conflict)?;
        }
        let (Some(Arithmetic::Count { .. }), [request]) = (arithmetic, &*conflict.requests) else {
            return Ok(());
        };
        let alternatives = self.requests.iter().filter(|one| {
            let name = one.name.split('/').next();
            one.claim == request.claim && name == Some(&*request.request)
        });
        let first = alternatives.take(1).flat_map(|one| &one.refused);
        // What is held is not what keeps them away.
        let refused = first.filter(|(check, _)| !(is_never && *check == Check::InUse));
        let refused = refused.map(|(check, count)| format!("{count} {}", check.as_phrase()));
        let refused: Vec<String> = refused.collect();
        if refused.is_empty() {
            return Ok(());
        }
        write!(formatter, " ({})", refused.join(", "))
    }

    /// Names what policies and the machine require, where no sum says it.
    fn write_rules(&self, formatter: &mut fmt::Formatter<'_>, conflict: &Conflict) -> fmt::Result {
        for (place, policy) in conflict.policies.iter().enumerate() {
            let before = if place == 0 { "; wanted:" } else { " and" };
            write!(formatter, "{before} {}", policy.requires)?;
        }
        if self.whole.contains(&WholeFailure::AllowedSets) {
            formatter.write_str("; the machine allows only some sets of devices")?;
        }
        Ok(())
    }
}
