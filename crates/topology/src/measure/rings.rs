//! Ring bandwidth of a set.

use crate::fabric::Port;
use crate::ratio::Ratio;
use crate::ring::{Exactness, LARGEST_PACKING, Part, Ring, RingProof, proof, ring};
use crate::topology::Topology;
use crate::watch::Unwatched;

/// Up to how many devices of a direct mesh the smallest cut is computed; beyond it only
/// the cuts around single devices are.
const LARGEST_CUT: usize = 128;

impl Topology {
    /// Returns the ring bandwidth of a set, by the definition of [`Ring`].
    ///
    /// Takes time in proportion to the set where all devices share switches, and at most
    /// the packing of 2,520 cycles (below a millisecond) for meshes of up to 8 devices,
    /// the cube of the set for up to 128.
    ///
    /// # Examples
    ///
    /// ```
    /// # use dralloc_topology::{Document, Topology};
    /// # let text = include_str!("../../../../testdata/topologies/dgx1-v100.json");
    /// let dgx1 = Topology::new(&Document::read(text)?)?;
    /// // All eight: six rings of 25 GB/s each.
    /// assert_eq!(dgx1.ring(&[0, 1, 2, 3, 4, 5, 6, 7]).rings.to_string(), "6");
    /// assert_eq!(dgx1.unit().rate().map(|rate| rate.to_string()), Some("25".to_owned()));
    /// // A worse choice of four has half the rings of the best.
    /// assert_eq!(dgx1.ring(&[0, 1, 2, 3]).rings.to_string(), "4");
    /// assert_eq!(dgx1.ring(&[0, 1, 4, 5]).rings.to_string(), "2");
    /// # Ok::<(), dralloc_topology::Error>(())
    /// ```
    pub fn ring(&self, set: &[usize]) -> Ring {
        let members = self.members(set);
        if members.len() > 2 && self.on_the_same_planes(&members) {
            let ports = members.iter().map(|&device| self.port_capacity(device));
            return Ring::exact(Ratio::whole(ports.min().unwrap_or(0)));
        }
        if members.len() > LARGEST_CUT {
            return Ring {
                rings: Ratio::whole(self.least_alone(&members)),
                exactness: Exactness::AtMost,
            };
        }
        let Ok(ring) = ring(&self.part(&members), &mut Unwatched);
        ring
    }

    /// Returns the proof of [`Topology::ring`] for 3 to 8 devices that do not all share
    /// switches; none for others, whose rings are read off links or ports.
    pub fn ring_proof(&self, set: &[usize]) -> Option<RingProof> {
        let members = self.members(set);
        if members.len() > LARGEST_PACKING {
            return None;
        }
        proof(&self.part(&members), &members)
    }

    /// Returns the fabric inside a set.
    pub(crate) fn part(&self, members: &[usize]) -> Part {
        let mut part = Part::new(members.len());
        for (place, &device) in members.iter().enumerate() {
            part.set_port(place, self.port_capacity(device));
            for (other_place, &other) in members.iter().enumerate().take(place) {
                if let Some(wire) = self.fabric.direct(device, other) {
                    part.link(place, other_place, self.unit().of_wire(&wire));
                } else if self.fabric.switched(device, other).is_some() {
                    part.switch(place, other_place);
                }
            }
        }
        part
    }

    /// Says whether devices have the same switches and no direct links.
    pub(crate) fn on_the_same_planes(&self, members: &[usize]) -> bool {
        let planes = |device: usize| {
            let port = self
                .fabric
                .port(device)
                .filter(|_| self.fabric.peers(device).is_empty());
            port.map(Port::planes)
        };
        let first = members.first().and_then(|&device| planes(device));
        first.is_some() && members.iter().all(|&device| planes(device) == first)
    }

    /// Returns what a device has into switches, in units.
    pub(crate) fn port_capacity(&self, device: usize) -> u64 {
        let port = self.fabric.port(device);
        port.map_or(0, |port| self.unit().capacity(port.count, port.rate))
    }

    /// Returns the least that one device of a set has to the others.
    fn least_alone(&self, members: &[usize]) -> u64 {
        let alone = members.iter().map(|&device| {
            let peers = self.fabric.peers(device).iter();
            let inside =
                peers.filter(|(other, _)| members.binary_search(&(*other as usize)).is_ok());
            let direct = inside.map(|(_, wire)| self.unit().of_wire(wire));
            direct.fold(self.port_capacity(device), u64::saturating_add)
        });
        alone.min().unwrap_or(0)
    }
}
