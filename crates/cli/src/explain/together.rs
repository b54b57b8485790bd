//! [`Together`]: what fits by itself, given out one after the other.

use std::collections::BTreeSet;

use serde::Serialize;

use super::found::{Found, Named, Verdict};
use super::whole::NOT_DEVICES;
use crate::allocate::placement::{self, Placement};
use crate::cluster::queue::{Subject, Work};
use crate::words::few;

/// Says how many of those that fit by themselves do so together, in the order in which
/// they wait.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Together {
    /// How many fit by themselves.
    pub(super) each: usize,
    /// How many of them find devices one after the other.
    pub(super) placed: usize,
    /// Those that do not, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) left: Vec<Named>,
}

impl Together {
    /// Places what fits by itself, as `dralloc allocate` does; nothing is said of a single
    /// one. Those that find nothing left are told so.
    pub(super) fn of(
        placement: &mut Placement,
        works: Vec<Work>,
        found: &mut [Found],
    ) -> Option<Self> {
        let fits = found.iter().filter(|one| one.verdict == Verdict::Fits);
        let fits = fits.flat_map(|one| one.others.iter().chain([&one.subject]));
        let fits: BTreeSet<Subject> = fits.map(Named::subject).collect();
        if fits.len() < 2 {
            return None;
        }
        let mut left: BTreeSet<Subject> = BTreeSet::new();
        let mut names = Vec::new();
        placement.says_why = false;
        for mut work in works {
            if !fits.contains(&work.subject) {
                continue;
            }
            if let placement::Verdict::Failed(_) = placement.place(&mut work) {
                names.push(Named::of(&work.subject));
                left.insert(work.subject);
            }
        }
        for one in found {
            let mut all = one.others.iter().chain([&one.subject]);
            if all.any(|one| left.contains(&one.subject())) {
                let place = one.message.strip_suffix(NOT_DEVICES);
                let place = place.unwrap_or(&one.message);
                one.message = match one.others.len() {
                    0 => format!("{place} by itself, but not beside what waits before it"),
                    1 => format!("{place} by itself; for both of these there is too little"),
                    more => {
                        let all = more + 1;
                        format!("{place} by itself; for all {all} of these there is too little")
                    }
                };
            }
        }
        Some(Self {
            each: fits.len(),
            placed: fits.len() - names.len(),
            left: names,
        })
    }

    /// Returns whether all of them fit together.
    pub(super) fn is_all(&self) -> bool {
        self.left.is_empty()
    }

    /// Says it in a sentence.
    pub(super) fn sentence(&self) -> String {
        let Self { each, placed, left } = self;
        if self.is_all() {
            return match each {
                2 => "Both fit together, too.".to_owned(),
                _ => format!("All {each} fit together, too."),
            };
        }
        let do_fit = if *placed == 1 { "does" } else { "do" };
        format!(
            "Each of these {each} fits by itself; together only {placed} of {each} {do_fit}. \
             Given out in the order in which they wait, nothing is left for {}.",
            few(left)
        )
    }
}
