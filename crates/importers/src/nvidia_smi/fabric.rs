//! [`Fabric`]: `NVLink`s, direct or over a switch.

use std::collections::BTreeMap;

use dralloc_topology::Level;

use super::matrix::Device;
use super::pairs::Pairs;
use crate::error::Warnings;
use crate::text::quoted;

/// How many links a device has at most, up to Blackwell.
const MOST_LINKS: u32 = 18;

/// Has the parts of the fabric: devices that links join, directly or over others.
#[derive(Clone, Debug)]
pub(super) struct Fabric {
    /// The links of each switch: device and count.
    pub(super) switches: Vec<Vec<(usize, u32)>>,
    /// Direct links: both devices and the count.
    pub(super) links: Vec<(usize, usize, u32)>,
}

impl Fabric {
    /// Returns the fabric of devices.
    pub(super) fn new(devices: &[Device<'_>], pairs: &Pairs, warnings: &mut Warnings) -> Self {
        let mut fabric = Self {
            switches: Vec::new(),
            links: Vec::new(),
        };
        for part in parts(devices.len(), pairs) {
            let needed = part.iter().map(|&a| {
                let counts = part.iter().filter_map(|&b| pairs.links(a, b));
                (a, counts.fold(0_u32, u32::saturating_add))
            });
            let most = needed.max_by_key(|&(device, count)| (count, std::cmp::Reverse(device)));
            let over = most.filter(|&(_, count)| part.len() > 2 && count > MOST_LINKS);
            if let Some((device, count)) = over {
                if let Some(ports) = ports(&part, pairs) {
                    fabric.switches.push(ports);
                    continue;
                }
                let first = part.iter().find_map(|&other| {
                    let (level, position) = pairs.get(device, other)?;
                    matches!(level, Level::NvLink(_)).then_some(position)
                });
                if let (Some(position), Some(device)) = (first, devices.get(device)) {
                    let message = format!(
                        "{} has {count} `NVLink`s in all, more than {MOST_LINKS}, but its part is \
                         not linked each to each as over a switch, the links count as direct",
                        quoted(device.name),
                    );
                    warnings.add(position, message);
                }
            }
            for (place, &a) in part.iter().enumerate() {
                let others = part.iter().skip(place + 1);
                let links = others.filter_map(|&b| Some((a, b, pairs.links(a, b)?)));
                fabric.links.extend(links);
            }
        }
        fabric.links.sort_unstable();
        fabric
    }
}

/// Returns the links of each device into a switch, where all pairs are what follows from
/// them: as many links as the device with fewer of them has.
fn ports(part: &[usize], pairs: &Pairs) -> Option<Vec<(usize, u32)>> {
    let ports = part.iter().map(|&a| {
        let counts = part.iter().filter_map(|&b| pairs.links(a, b));
        (a, counts.max().unwrap_or(0))
    });
    let ports: Vec<(usize, u32)> = ports.collect();
    let follows = ports.iter().enumerate().all(|(place, &(a, first))| {
        let others = ports.iter().skip(place + 1);
        let mut others = others.map(|&(b, second)| (pairs.links(a, b), first.min(second)));
        others.all(|(count, expected)| count == Some(expected))
    });
    follows.then_some(ports)
}

/// Returns the parts of more than one device, each ascending, by their first.
fn parts(count: usize, pairs: &Pairs) -> Vec<Vec<usize>> {
    let mut part: Vec<usize> = (0..count).collect();
    for (a, b) in pairs.all() {
        let (Some(&first), Some(&second)) = (part.get(a), part.get(b)) else {
            continue;
        };
        if first != second && pairs.links(a, b).is_some() {
            let (into, from) = (first.min(second), first.max(second));
            for entry in &mut part {
                if *entry == from {
                    *entry = into;
                }
            }
        }
    }
    let mut parts: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (device, first) in part.into_iter().enumerate() {
        parts.entry(first).or_default().push(device);
    }
    parts.into_values().filter(|part| part.len() > 1).collect()
}
