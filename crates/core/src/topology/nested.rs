//! [`nested`]: domains of several levels, each inside one of the next.

use std::collections::BTreeMap;

use dralloc_topology::Scope;

use super::Machine;
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
/// # Errors
///
/// The first device that is in several domains of a level, or the first two that share a
/// domain of a level and none of the next one.
pub(crate) fn nested(
    machine: &Machine,
    levels: &[Scope],
    devices: &Bitmap,
) -> Result<Vec<Vec<Option<usize>>>, Crossing> {
    let count = devices.iter().last().map_or(0, |last| last + 1);
    let mut of_levels: Vec<Vec<Option<usize>>> = Vec::with_capacity(levels.len());
    for level in levels {
        let mut numbers: BTreeMap<u32, usize> = BTreeMap::new();
        let mut domains = vec![None; count];
        for device in devices.iter() {
            let domain = match machine.domains().of(*level, device) {
                [] => continue,
                [one] => *one,
                _ => {
                    let level = *level;
                    return Err(Crossing::Several { device, level });
                }
            };
            let next = numbers.len();
            if let Some(slot) = domains.get_mut(device) {
                *slot = Some(*numbers.entry(domain).or_insert(next));
            }
        }
        of_levels.push(domains);
    }
    for (place, pair) in levels.windows(2).enumerate() {
        let (Some(inner), Some(outer)) = (of_levels.get(place), of_levels.get(place + 1)) else {
            continue;
        };
        let mut around: BTreeMap<usize, (usize, Option<usize>)> = BTreeMap::new();
        let both = inner.iter().zip(outer).enumerate();
        for (device, (inner, outer)) in both {
            let Some(inner) = inner else {
                continue;
            };
            let (first, known) = *around.entry(*inner).or_insert((device, *outer));
            // Alone in its domain a device shares nothing that could be lost.
            if first != device && (known != *outer || outer.is_none()) {
                return Err(Crossing::Apart {
                    devices: [first, device],
                    near: pair[0],
                    far: pair[1],
                });
            }
        }
    }
    Ok(of_levels)
}
