//! [`nested`]: domains of several levels, each inside one of the next.

use std::collections::BTreeMap;

use dralloc_topology::Scope;

use super::{AffinityScope, Machine};
use crate::bitmap::Bitmap;
use crate::number::number;

/// Says why groups cannot be counted by domains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Crossing {
    /// A device is in several domains of a level.
    Several { device: usize, level: AffinityScope },
    /// The first two devices have a link, and so have the last two, but the first and the
    /// last have none.
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
/// Devices that have links with each other, and with the same others, are a domain; a device
/// without links is one. Is nothing known of the wider domain that one of a nearer level is
/// in, it is in one of its own.
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
    let links = Links::new(machine, devices);
    let mut of_levels: Vec<Vec<Option<usize>>> = Vec::with_capacity(levels.len());
    for (place, level) in levels.iter().enumerate() {
        let mut domains = vec![None; count];
        for device in devices.iter() {
            if let Some(slot) = domains.get_mut(device) {
                let own = match *level {
                    AffinityScope::NvLink => Some(links.domain(device)?),
                    AffinityScope::Domain(scope) => domain(machine, scope, device)?,
                };
                *slot = own.map(Domain::Known);
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

/// Returns the only domain of a device for a scope.
fn domain(machine: &Machine, scope: Scope, device: usize) -> Result<Option<u32>, Crossing> {
    match machine.domains().of(scope, device) {
        [] => Ok(None),
        [one] => Ok(Some(*one)),
        _ => Err(Crossing::Several {
            device,
            level: AffinityScope::Domain(scope),
        }),
    }
}

/// Knows which of some devices have links.
struct Links<'m> {
    machine: &'m Machine,
    /// By place of a linked device, the first device that is it.
    firsts: Vec<Option<usize>>,
    /// By place, the places of the devices that have links with it.
    linked: Vec<Bitmap>,
}

impl<'m> Links<'m> {
    fn new(machine: &'m Machine, devices: &Bitmap) -> Self {
        let [count, _] = machine.counts();
        let mut firsts = vec![None; count];
        let mut own = Bitmap::new(count);
        for device in devices.iter() {
            if let Some(place) = machine.gpu(device) {
                own.insert(place);
                firsts[place].get_or_insert(device);
            }
        }
        let linked = (0..count).map(|place| {
            let mut linked = own.clone();
            match machine.linked(place) {
                Some(others) => linked.intersect(others),
                None => linked = Bitmap::new(count),
            }
            linked
        });
        Self {
            linked: linked.collect(),
            firsts,
            machine,
        }
    }

    /// Returns the number of the devices that have links with one and with each other: that
    /// of the first of them.
    ///
    /// Where each device has links with the same devices as the first that it is linked to,
    /// so have all that are linked.
    fn domain(&self, device: usize) -> Result<u32, Crossing> {
        let Some(own) = self.of(device) else {
            return Ok(number(device));
        };
        let first = self.first(own).unwrap_or(device);
        let others = self.of(first).unwrap_or(own);
        // Where a link is missing between two of three, the one in the middle has both.
        let chain = match (
            self.first_beside(own, others),
            self.first_beside(others, own),
        ) {
            (Some(end), _) => [first, device, end],
            (None, Some(end)) => [device, first, end],
            (None, None) => return Ok(number(first)),
        };
        Err(Crossing::Chain { devices: chain })
    }

    /// Returns the places that a device has links with; none if it is no linked device.
    fn of(&self, device: usize) -> Option<&Bitmap> {
        self.linked.get(self.machine.gpu(device)?)
    }

    fn first(&self, places: &Bitmap) -> Option<usize> {
        let devices = places.iter().filter_map(|place| self.firsts[place]);
        devices.min()
    }

    /// Returns the first device of those at some places that are not among others.
    fn first_beside(&self, places: &Bitmap, others: &Bitmap) -> Option<usize> {
        let mut rest = places.clone();
        rest.subtract(others);
        self.first(&rest)
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
