//! [`nested`]: domains of several levels, each inside one of the next.

use std::collections::BTreeMap;

use super::{AffinityScope, Machine};
use crate::bitmap::Bitmap;
use crate::number::number;

/// Says why groups cannot be counted by domains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Crossing {
    /// A device is in several domains of a level.
    Several { device: usize, level: AffinityScope },
    /// The first two devices have a link, and so have the last two, but not all three.
    Chain { devices: [usize; 3] },
    /// Two devices are in one domain of a level, and not in one of a farther level.
    Apart {
        devices: [usize; 2],
        near: AffinityScope,
        far: AffinityScope,
    },
    /// Groups are preferred at levels and must be apart: which of them are apart depends on
    /// how they are cut.
    Both,
}

/// Returns for each level the domain of each of some devices, numbered from 0 on; none
/// where a device is in no domain.
///
/// Devices that have links, each two of them, are a domain; a device without links is one.
/// Is nothing known of the wider domain that one of a nearer level is in, it is in one of
/// its own.
///
/// # Errors
///
/// The first device that is in several domains of a level, the first that are linked in a
/// chain, or the first two that share a domain of a level and of which the next one is not
/// the same.
pub(crate) fn nested(
    machine: &Machine,
    levels: &[AffinityScope],
    devices: &Bitmap,
) -> Result<Vec<Vec<Option<usize>>>, Crossing> {
    let count = devices.iter().last().map_or(0, |last| last + 1);
    let mut of_levels: Vec<Vec<Option<usize>>> = Vec::with_capacity(levels.len());
    for (place, level) in levels.iter().enumerate() {
        let mut domains = vec![None; count];
        for device in devices.iter() {
            if let Some(slot) = domains.get_mut(device) {
                *slot = domain(machine, *level, devices, device)?.map(Domain::Known);
            }
        }
        if let Some(inner) = of_levels.last() {
            around(inner, &mut domains).map_err(|devices| {
                let [one, other] = devices;
                let mut nearer = levels.iter().take(place).rev();
                let shared = |near: &&AffinityScope| machine.share(**near, one, other);
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

/// Returns the only domain of a device for a level.
fn domain(
    machine: &Machine,
    level: AffinityScope,
    devices: &Bitmap,
    device: usize,
) -> Result<Option<u32>, Crossing> {
    let AffinityScope::Domain(scope) = level else {
        return links(machine, devices, device).map(Some);
    };
    match machine.domains().of(scope, device) {
        [] => Ok(None),
        [one] => Ok(Some(*one)),
        _ => Err(Crossing::Several { device, level }),
    }
}

/// Returns the number of the devices that have links with one and with each other: that of
/// the first of them.
fn links(machine: &Machine, devices: &Bitmap, device: usize) -> Result<u32, Crossing> {
    let are_linked = |one: usize, other: usize| machine.share(AffinityScope::NvLink, one, other);
    let linked = || devices.iter().filter(|other| are_linked(device, *other));
    let first = linked().next().unwrap_or(device);
    let apart = linked().find(|other| !are_linked(first, *other));
    match apart {
        Some(other) => Err(Crossing::Chain {
            devices: [first, device, other],
        }),
        None => Ok(number(first)),
    }
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
