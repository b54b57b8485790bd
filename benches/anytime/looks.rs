//! How long calls work between two looks at the deadline.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use dralloc::{AllocateOptions, Budget, Deadline, Policy, Workspace};

use super::clock::spent_so_far;
use super::{Case, hold_noise};

/// So often a call is repeated. It looks in the same places each time, so the
/// least time between two of them is what the call itself takes there.
const REPEATS: u32 = 12;

/// The first calls with a workspace that knows the question make it known.
const FIRST: u32 = 2;

/// A call is followed for so many branches.
const BRANCHES: u64 = 3_000;

/// Is never over, and writes down when it was looked at.
#[derive(Default)]
struct Looks(Mutex<Vec<Duration>>);

impl Looks {
    fn note(&self) {
        let mut times = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        times.push(spent_so_far());
    }
}

impl Deadline for Looks {
    fn is_over(&self) -> bool {
        self.note();
        false
    }
}

/// Says how long a call works without a look.
#[derive(Clone, Copy, Default)]
pub(crate) struct Longest {
    /// Between two looks, or before the first.
    pub(crate) between: Duration,
    /// After the last. Much of that is to give memory back, of which a call that is
    /// stopped earlier has less.
    pub(crate) after: Duration,
}

/// Returns how long a call works without a look.
pub(crate) fn longest(case: &mut Case, policy: &Policy, is_cold: bool) -> Longest {
    let mut workspace = Workspace::new();
    let mut least: Vec<Duration> = Vec::new();
    for repeat in 0..REPEATS {
        hold_noise(&mut case.transaction, false);
        hold_noise(&mut case.transaction, true);
        if is_cold {
            workspace = Workspace::new();
        }
        let looks = Looks::default();
        let options = AllocateOptions::new()
            .policy(policy)
            .budget(Budget::new().branches(BRANCHES).deadline(&looks));
        looks.note();
        let (transaction, claims) = (&case.transaction, &case.claims);
        let outcome = transaction.consider(&case.node, claims, &options, &mut workspace);
        looks.note();
        drop(outcome);
        if !is_cold && repeat < FIRST {
            continue;
        }
        let times = looks.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut gaps = times.windows(2);
        let gaps = std::iter::from_fn(|| match gaps.next()? {
            [one, other] => Some(other.saturating_sub(*one)),
            _ => None,
        });
        let gaps: Vec<Duration> = gaps.collect();
        if least.len() == gaps.len() {
            for (least, gap) in least.iter_mut().zip(gaps) {
                *least = gap.min(*least);
            }
        } else {
            least = gaps;
        }
    }
    let after = least.pop().unwrap_or_default();
    Longest {
        between: least.into_iter().max().unwrap_or_default(),
        after,
    }
}
