//! [`Spans`]: how far apart picks are.

use std::collections::BTreeMap;

use dralloc_topology::Scope;

use super::Linked;
use super::known::Known;
use super::open::{Candidates, Open};
use crate::topology::SCOPES;

/// Says which domains have devices enough for whole requests.
#[derive(Debug)]
pub(super) struct Spans {
    /// By scope, then by domain, then by alternative: how many devices it can have there.
    counts: Vec<BTreeMap<u32, Vec<i64>>>,
    /// Whether some device can be picked more than once.
    is_shared: bool,
}

impl Spans {
    pub(super) fn new(known: &Known, candidates: &[Option<Candidates<'_>>]) -> Self {
        let mut spans = Self {
            counts: vec![BTreeMap::new(); SCOPES.len()],
            is_shared: false,
        };
        for (alternative, own) in candidates.iter().enumerate() {
            for device in own.iter().flat_map(|own| own.devices.iter()) {
                spans.is_shared |= known.shareable.contains(device);
                let domains = known.machine.domains().of_all(device);
                for (counts, domains) in spans.counts.iter_mut().zip(domains) {
                    for domain in domains {
                        let counts = counts.entry(*domain);
                        let counts = counts.or_insert_with(|| vec![0; candidates.len()]);
                        if let Some(count) = counts.get_mut(alternative) {
                            *count += 1;
                        }
                    }
                }
            }
        }
        spans
    }

    /// Returns how many domains there are.
    pub(super) fn len(&self) -> usize {
        self.counts.iter().map(BTreeMap::len).sum()
    }
}

impl Linked {
    /// Returns the number of the nearest scope that all picks can have in common;
    /// exactly, when nothing is open.
    ///
    /// A domain of a scope will do if it has all that is picked, and candidates enough
    /// for each request.
    pub(super) fn span(&self, known: &Known, open: &Open) -> i64 {
        let picked = &self.picked.devices;
        let now = known.machine.span(picked.iter().copied());
        let Some(spans) = self.spans.as_ref().filter(|_| open.all.1 > 0) else {
            return now as i64;
        };
        let in_the_end = i64::try_from(picked.len()).unwrap_or(i64::MAX) + open.all.0;
        if now == Scope::Device && (in_the_end < 2 || spans.is_shared) {
            return Scope::Device as i64;
        }
        let scopes = SCOPES.iter().zip(&spans.counts);
        let mut scopes = scopes.filter(|(scope, _)| **scope >= now);
        let first = scopes.find(|(scope, counts)| {
            let all_in = |domain: u32| {
                let mut picked = picked.iter();
                picked.all(|device| {
                    known
                        .machine
                        .domains()
                        .of(**scope, *device)
                        .contains(&domain)
                })
            };
            let mut domains = counts.iter();
            domains.any(|(domain, counts)| self.has_enough(counts) && all_in(*domain))
        });
        first.map_or(Scope::Fabric, |(scope, _)| *scope) as i64
    }

    /// Returns whether requests can have all their devices among some, of which each
    /// alternative can have so many.
    fn has_enough(&self, counts: &[i64]) -> bool {
        let counts = |alternative: &usize| counts.get(*alternative).copied().unwrap_or(0);
        self.requests.iter().all(|request| {
            let mut found = false;
            request.each(self, |number, alternative| {
                found |= counts(&number) >= alternative.needed;
            });
            found
        })
    }
}
