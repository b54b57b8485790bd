//! Terms over links and places: they count devices together.

use super::super::case::Case;
use super::super::question::Question;
use super::{Counted, Objective};
use crate::objective::Term;

impl Objective {
    /// Returns the devices that each term over links counts together.
    pub(in crate::verify::certificate) fn linked_groups(
        &self,
        question: &Question<'_, '_>,
    ) -> Vec<Vec<usize>> {
        let terms = self.terms.iter().map(|counted| &counted.term);
        let terms = terms.filter(|term| term.needs_topology());
        let counted = |term: &Term| {
            let all = 0..question.offers.len();
            all.filter(|offer| self.counts(question, term, *offer))
                .collect()
        };
        terms.map(counted).collect()
    }

    fn counts(&self, question: &Question<'_, '_>, term: &Term, offer: usize) -> bool {
        let linked = self.linked.as_ref();
        linked.is_some_and(|linked| linked.counts(term, question.offers[offer].1.key))
    }

    /// Returns, by term, whether it counts devices together of which some are not given
    /// here: with more of them its value may be less.
    pub(in crate::verify::certificate) fn open(
        &self,
        question: &Question<'_, '_>,
        case: &Case,
        requests: &[usize],
    ) -> Vec<bool> {
        let is_open = |counted: &Counted, request: usize| {
            let is_left_out =
                counted.requests.get(request) == Some(&true) && !requests.contains(&request);
            let mut left = case.left(question, request);
            is_left_out
                && left.any(|(_, choice, candidates)| {
                    let mut candidates = candidates.iter();
                    !choice.admin
                        && case.open(request, choice) > 0
                        && candidates.any(|offer| self.counts(question, &counted.term, offer))
                })
        };
        let terms = self.terms.iter().map(|counted| {
            let mut all = 0..question.requests.len();
            // What devices do not share they do not share beside others.
            let may_shrink = counted.term.needs_topology()
                && !matches!(counted.term, Term::AffinityLevel { .. });
            may_shrink && all.any(|request| is_open(counted, request))
        });
        terms.collect()
    }
}
