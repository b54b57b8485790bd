//! [`spread`]: devices of several hosts.
//!
//! # What is the best
//!
//! Hosts stand in a tree: level 1 is the outermost, such as blocks, and hosts are the
//! innermost. A *spread* says how many devices each host gives, `k` in total. Of those that
//! the limits allow the best is the one with the least key, compared from the left:
//!
//! ```text
//! domains(1), -smallest(1), domains(2), -smallest(2), …, hosts, -smallest slice, loss, left
//! ```
//!
//! - `domains(l)`: how many domains of level `l` give devices; `smallest(l)`: the fewest
//!   that one of those gives. So all come from the nearest domain that has enough (it
//!   counts 1 on all levels down to it), else from as few domains as can be, and these
//!   give slices as equal as can be.
//! - `loss`: packing potential before, less that after, summed over the domains of all
//!   levels, hosts among them, each as [`Knapsack`](crate::Knapsack) defines it: what is
//!   broken is used up first, what is whole stays whole.
//! - `left`: what stays free in the domains that give some, summed over them: the tightest
//!   fit.
//!
//! Spreads with equal keys differ in which of like domains they use. Domains of one parent
//! are in the order of what they can give, most first; then those of the kind that comes
//! first, then as given. The answer gives as much as it can from the first domain of the
//! outermost level where such spreads differ, then from the second, and so on.
//!
//! # Why the search is exact
//!
//! All parts of the key but the smallest slices are sums over domains of something that
//! depends on what the domain gives, and none of them is negative. `smallest(l)` is not a
//! sum, but "at least `t`" is a condition on single domains. So the levels are settled one
//! after another (`stages`): first the least `domains(l)` under the conditions so far, then
//! the greatest `t` for which `domains(1)` to `domains(l)` stay what they are; the larger
//! `t`, the fewer spreads are left, so halving finds it. Then conditions are all there is of
//! the slices, and the rest of the key is a list of sums, which is compared like one number
//! (`value`): adding the same to both sides keeps its order. The least sum for `j` devices
//! of a domain is therefore a sum of least sums of its parts (`layers`), whatever the rest
//! of the tree does. Where a domain may give so many hosts only, the number of hosts is
//! part of what is asked of its parts.
//!
//! What is left out of that (`layers`, `closed`) cannot be part of a best spread; the
//! reasons stand where it is done. Domains that look alike are solved once.

mod answer;
mod closed;
mod layers;
mod pick;
mod question;
mod same;
mod shortage;
mod solver;
mod stages;
mod supply;
mod tree;
mod value;

pub use answer::{LevelUse, Shortage, Spread, SpreadLimit, Spreading};
pub use question::{Host, MostHosts, SliceRule, SpreadQuestion};

use crate::error::{Code, Error};

/// More hosts are an error.
pub const MAX_HOSTS: usize = 1 << 16;

/// More devices of one host are an error.
pub const MAX_HOST_DEVICES: u32 = 1 << 12;

/// More levels over hosts are an error.
pub const MAX_HOST_LEVELS: usize = 8;

/// More states of a search at once, or numbers in a table, are an error.
const MAX_STATES: usize = 1 << 24;

fn too_many() -> Halt {
    let message = "expected fewer hosts, devices or limits: too many states";
    Halt::Error(Error::new(Code::LimitExceeded, "count", message))
}

/// Ends a search before its answer.
enum Halt {
    /// The caller wants no answer any more.
    Stopped,
    Error(Error),
}

/// Is told of steps, and says whether to stop.
type Watch<'a> = &'a mut dyn FnMut(u64) -> bool;

/// Returns the best way to take devices of several hosts, or why there is none.
///
/// The best is defined by a key, compared from the left: for each level, the outermost first
/// and hosts last, the fewest domains that give devices, then the largest smallest slice
/// of these; then the least loss of packing potential, as [`Knapsack`](crate::Knapsack)
/// defines it, over the domains of all levels; then the fewest devices left free in those
/// that give some. So everything comes from the nearest domain that has enough, else from
/// few domains in equal slices; broken ones are used up and whole ones stay whole. The
/// answer is exact. Of equal ones it is the first: domains of one parent are in the order
/// of what they can give, the most first, then as given, and the first gives as much as it
/// can.
///
/// With `n` hosts and `k` devices it takes at most `n` times `k` times the devices of a
/// domain steps for each level and condition; usually far fewer, since only numbers that
/// fewest domains and equal slices allow are looked at.
///
/// # Errors
///
/// [`Code::Invalid`] for a host with another number of domains than there are levels, more
/// free devices than it has, or a level that there is not; [`Code::LimitExceeded`] for more
/// than [`MAX_HOSTS`] hosts, [`MAX_HOST_DEVICES`] devices of one or [`MAX_HOST_LEVELS`]
/// levels, or where the search would need too much memory. The path is a field of the
/// question.
pub fn spread(question: &SpreadQuestion<'_>) -> Result<Spreading, Error> {
    let answer = spread_until(question, &mut |_| false)?;
    answer.ok_or_else(|| Error::new(Code::Invalid, "", "expected an answer"))
}

/// Returns what [`spread`] does, unless it is stopped.
///
/// `stop` is told how many steps were taken since it was asked last, some 10,000 usually,
/// and ends the search by true.
///
/// # Errors
///
/// Those of [`spread`].
pub fn spread_until(
    question: &SpreadQuestion<'_>,
    stop: &mut dyn FnMut(u64) -> bool,
) -> Result<Option<Spreading>, Error> {
    check(question)?;
    match answer(question, stop) {
        Ok(answer) => Ok(Some(answer)),
        Err(Halt::Stopped) => Ok(None),
        Err(Halt::Error(error)) => Err(error),
    }
}

fn answer(question: &SpreadQuestion<'_>, stop: Watch<'_>) -> Result<Spreading, Halt> {
    if question.count == 0 {
        return Ok(Spreading::Found(Spread {
            levels: vec![LevelUse::default(); question.levels + 1],
            ..Spread::default()
        }));
    }
    let found = if question.slices == SliceRule::Same {
        same::best(question, stop)?
    } else {
        stages::best(question, stop)?
    };
    match found {
        Some(spread) => Ok(Spreading::Found(spread)),
        None => shortage::of(question, stop).map(Spreading::Short),
    }
}

fn check(question: &SpreadQuestion<'_>) -> Result<(), Error> {
    let too_many = |path: String, most: u64| {
        let message = format!("expected {most} at most");
        Err(Error::new(Code::LimitExceeded, path, message))
    };
    if question.hosts.len() > MAX_HOSTS {
        return too_many("hosts".to_owned(), MAX_HOSTS as u64);
    }
    if question.levels > MAX_HOST_LEVELS {
        return too_many("levels".to_owned(), MAX_HOST_LEVELS as u64);
    }
    let most = question.most_hosts.map(|most| most.level);
    for (level, path) in [(question.within, "within"), (most, "mostHosts.level")] {
        if level.is_some_and(|level| level >= question.levels) {
            let message = format!("expected a level below {}", question.levels);
            return Err(Error::new(Code::Invalid, path, message));
        }
    }
    for (place, host) in question.hosts.iter().enumerate() {
        if host.domains.len() != question.levels {
            let message = format!("expected {} domains", question.levels);
            let path = format!("hosts[{place}].domains");
            return Err(Error::new(Code::Invalid, path, message));
        }
        if host.devices > MAX_HOST_DEVICES {
            return too_many(
                format!("hosts[{place}].devices"),
                u64::from(MAX_HOST_DEVICES),
            );
        }
        if host.free > host.devices {
            let message = format!("expected no more than its {} devices", host.devices);
            let path = format!("hosts[{place}].free");
            return Err(Error::new(Code::Invalid, path, message));
        }
    }
    Ok(())
}
