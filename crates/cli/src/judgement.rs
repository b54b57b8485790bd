//! [`Judgement`]: how good an answer is.

use std::fmt;

use dralloc::{Allocation, Gap, TermValue};

/// Says how good an answer is by the terms that were asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Judgement {
    values: Vec<TermValue>,
    /// What is not proved, if the search ended early.
    gap: Option<Gap>,
}

impl Judgement {
    /// Returns that of an answer; none if the first one was wanted.
    pub(crate) fn of(allocation: &Allocation, gap: Option<Gap>) -> Option<Self> {
        let values = allocation.objective();
        (!values.is_empty()).then(|| Self {
            values: values.to_vec(),
            gap,
        })
    }

    /// Returns whether it is proved that no answer is better.
    pub(crate) fn is_proved(&self) -> bool {
        self.gap.is_none()
    }
}

/// Prints the terms with their values; of the first that is not proved also what
/// the best can be.
impl fmt::Display for Judgement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, TermValue { term, value }) in self.values.iter().enumerate() {
            let separator = if place == 0 { "" } else { ", " };
            write!(formatter, "{separator}{term} {}", term.words(*value))?;
            match self.gap {
                Some(gap) if gap.term == place => {
                    write!(formatter, " (at best {})", term.words(gap.bound))?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use dralloc::Term;

    use super::*;

    #[test]
    fn the_first_term_that_is_not_proved_is_told_with_its_bound() {
        let value = |term, value| TermValue { term, value };
        let even = Term::Evenness {
            attribute: Some("d/numa".into()),
        };
        let mut judgement = Judgement {
            values: vec![value(Term::Waste, 0), value(even, 5)],
            gap: None,
        };
        assert_eq!(judgement.to_string(), "waste 0, evenness by d/numa 5");
        judgement.gap = Some(Gap {
            term: 1,
            value: 5,
            bound: 3,
        });
        assert_eq!(
            judgement.to_string(),
            "waste 0, evenness by d/numa 5 (at best 3)"
        );
        assert!(!judgement.is_proved());
    }
}
