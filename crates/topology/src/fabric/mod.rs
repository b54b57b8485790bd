//! [`Fabric`]: `NVLink` and xGMI of devices, direct and over switches.

mod build;
mod wire;

pub use wire::{Make, Wire};

use crate::cost::ASSUMED_LINK;
use crate::rate::Rate;

/// Returns the rate of so many links, or what counts where it is not known.
pub(crate) fn assumed(count: u32, rate: Option<Rate>) -> Rate {
    rate.unwrap_or_else(|| {
        let rate = ASSUMED_LINK.thousandths().saturating_mul(u64::from(count));
        Rate::from_thousandths(rate)
    })
}

/// Has the links of each device, by its place among the devices.
#[derive(Clone, Debug)]
pub(crate) struct Fabric {
    /// Direct links, by the other device.
    peers: Vec<Vec<(u32, Wire)>>,
    /// Links into switches.
    ports: Vec<Port>,
}

/// Is what a device has into switches.
#[derive(Clone, Debug, Default)]
pub(crate) struct Port {
    /// The planes that it is on, ascending: switches that trunks join are one plane.
    planes: Vec<u32>,
    /// How many links it has into all of them.
    pub(crate) count: u32,
    /// Rate of all of them, where one is known; the others count as is assumed.
    pub(crate) rate: Option<Rate>,
}

impl Fabric {
    /// Returns what links two devices: directly, else over switches.
    ///
    /// Over switches a pair has as many links as the device with fewer of them
    /// (`topo -m` counts so); two devices that are on no common plane have none.
    pub(crate) fn wire(&self, a: usize, b: usize) -> Option<Wire> {
        self.direct(a, b).or_else(|| self.switched(a, b))
    }

    /// Returns the direct link of two devices.
    pub(crate) fn direct(&self, a: usize, b: usize) -> Option<Wire> {
        let peers = self.peers.get(a)?;
        let b = u32::try_from(b).ok()?;
        let place = peers.binary_search_by_key(&b, |peer| peer.0).ok()?;
        peers.get(place).map(|peer| peer.1)
    }

    /// Returns what two devices have over switches.
    pub(crate) fn switched(&self, a: usize, b: usize) -> Option<Wire> {
        let (a, b) = (self.ports.get(a)?, self.ports.get(b)?);
        if !common(&a.planes, &b.planes) {
            return None;
        }
        Some(Wire {
            make: Make::NvLink,
            count: a.count.min(b.count),
            rate: match (a.rate, b.rate) {
                (None, None) => None,
                _ => Some(assumed(a.count, a.rate).min(assumed(b.count, b.rate))),
            },
        })
    }

    /// Returns what a device has into switches.
    pub(crate) fn port(&self, device: usize) -> Option<&Port> {
        self.ports.get(device).filter(|port| port.count > 0)
    }

    /// Returns the direct links of a device, by the other device.
    pub(crate) fn peers(&self, device: usize) -> &[(u32, Wire)] {
        self.peers.get(device).map_or(&[], Vec::as_slice)
    }
}

impl Port {
    /// Returns the planes that the device is on.
    pub(crate) fn planes(&self) -> &[u32] {
        &self.planes
    }
}

/// Says whether two ascending lists have a number in common.
fn common(a: &[u32], b: &[u32]) -> bool {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    while let (Some(first), Some(second)) = (a.peek(), b.peek()) {
        match first.cmp(second) {
            std::cmp::Ordering::Less => a.next(),
            std::cmp::Ordering::Greater => b.next(),
            std::cmp::Ordering::Equal => return true,
        };
    }
    false
}
