//! [`nested`]: domains of several levels, each inside one of the next.

use std::collections::BTreeMap;

use dralloc_topology::Scope;

use super::{AffinityScope, Machine};
use crate::bitmap::Bitmap;

/// Says why groups cannot be counted by domains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Crossing {
    /// A device is in several domains of a level.
    Several { device: usize, level: Scope },
    /// Two devices are in one domain of a level, and not in one of a farther level.
    Apart {
        devices: [usize; 2],
        near: Scope,
        far: Scope,
    },
}

/// Returns for each level the domain of each of some devices, numbered from 0 on; none
/// where a device is in no domain.
///
/// Is nothing known of the wider domain that one of a nearer level is in, it is in one of
/// its own.
///
/// # Errors
///
/// The first device that is in several domains of a level, or the first two that share a
/// domain of a level and of which the next one is not the same.
pub(crate) fn nested(
    machine: &Machine,
    levels: &[Scope],
    devices: &Bitmap,
) -> Result<Vec<Vec<Option<usize>>>, Crossing> {
    let count = devices.iter().last().map_or(0, |last| last + 1);
    let mut of_levels: Vec<Vec<Option<usize>>> = Vec::with_capacity(levels.len());
    for (place, level) in levels.iter().enumerate() {
        let mut domains = vec![None; count];
        for device in devices.iter() {
            let domain = match machine.domains().of(*level, device) {
                [] => continue,
                [one] => Domain::Known(*one),
                _ => {
                    let level = *level;
                    return Err(Crossing::Several { device, level });
                }
            };
            if let Some(slot) = domains.get_mut(device) {
                *slot = Some(domain);
            }
        }
        if let Some(inner) = of_levels.last() {
            around(inner, &mut domains).map_err(|devices| {
                let [one, other] = devices;
                let mut nearer = levels.iter().take(place).rev();
                let shared = |near: &&Scope| {
                    let scope = AffinityScope::Domain(**near);
                    machine.share(scope, one, other)
                };
                Crossing::Apart {
                    devices,
                    near: *nearer.find(shared).unwrap_or(level),
                    far: *level,
                }
            })?;
        }
        of_levels.push(numbered(&domains));
    }
    Ok(of_levels)
}

/// Is what tells a domain of a level from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Domain {
    Known(u32),
    /// The only one that is known to be inside has this number.
    Around(usize),
}

/// Puts domains into those of the next level.
///
/// # Errors
///
/// The first two devices of one domain that are not in the same one of the next level.
fn around(inner: &[Option<usize>], outer: &mut [Option<Domain>]) -> Result<(), [usize; 2]> {
    let mut first: BTreeMap<usize, (usize, Option<Domain>)> = BTreeMap::new();
    for (device, (inner, outer)) in inner.iter().zip(outer).enumerate() {
        let Some(inner) = *inner else {
            continue;
        };
        let (first, known) = *first.entry(inner).or_insert((device, *outer));
        if known != *outer {
            return Err([first, device]);
        }
        outer.get_or_insert(Domain::Around(inner));
    }
    Ok(())
}

/// Numbers domains in the order of devices.
fn numbered(domains: &[Option<Domain>]) -> Vec<Option<usize>> {
    let mut numbers: BTreeMap<Domain, usize> = BTreeMap::new();
    let number = |domain: &Option<Domain>| {
        let next = numbers.len();
        domain.map(|domain| *numbers.entry(domain).or_insert(next))
    };
    domains.iter().map(number).collect()
}
