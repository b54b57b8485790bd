//! [`Unit`]: what one link is.

use crate::fabric::{Fabric, Wire, assumed};
use crate::rate::Rate;
use crate::ratio::gcd;

/// Is the measure of capacities: rings are counted in it.
///
/// Where every link of a machine has the same rate, or no rate is known, one unit is one
/// link, and a capacity is a count. Where rates differ, a unit is the greatest rate that
/// divides the rates of all links, so that capacities are whole numbers still. A link of
/// which the rate is not known, on a machine with others of which it is, counts with
/// [`ASSUMED_LINK`](crate::ASSUMED_LINK).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    rate: Option<Rate>,
    is_link: bool,
}

impl Unit {
    /// Returns the unit of a fabric.
    pub(crate) fn of(fabric: &Fabric, devices: usize) -> Self {
        let links = || {
            (0..devices).flat_map(|device| {
                let port = fabric.port(device).map(|port| (port.count, port.rate));
                let peers = fabric.peers(device).iter();
                peers.map(|(_, wire)| (wire.count, wire.rate)).chain(port)
            })
        };
        if links().all(|(_, rate)| rate.is_none()) {
            return Self {
                rate: None,
                is_link: true,
            };
        }
        let rates = || links().map(|(count, rate)| (count, assumed(count, rate).thousandths()));
        let of_link = |(count, rate): (u32, u64)| {
            let of_link = rate / u64::from(count.max(1));
            (of_link > 0 && of_link * u64::from(count) == rate).then_some(of_link)
        };
        let mut of_links = rates().map(of_link);
        let first = of_links.next().flatten();
        if first.is_some() && of_links.all(|other| other == first) {
            return Self {
                rate: first.map(Rate::from_thousandths),
                is_link: true,
            };
        }
        let divisor = rates().fold(0, |divisor, (_, rate)| gcd(divisor, u128::from(rate)));
        Self {
            rate: u64::try_from(divisor).ok().map(Rate::from_thousandths),
            is_link: false,
        }
    }

    /// Returns the rate of a unit per direction, where rates are known.
    pub fn rate(self) -> Option<Rate> {
        self.rate
    }

    /// Says whether a unit is one link.
    pub fn is_link(self) -> bool {
        self.is_link
    }

    /// Returns how many units a wire has.
    pub(crate) fn capacity(self, count: u32, rate: Option<Rate>) -> u64 {
        match (self.is_link, self.rate, rate) {
            (false, Some(unit), rate) => {
                assumed(count, rate).thousandths() / unit.thousandths().max(1)
            }
            _ => u64::from(count),
        }
    }

    /// Returns how many units a wire has.
    pub(crate) fn of_wire(self, wire: &Wire) -> u64 {
        self.capacity(wire.count, wire.rate)
    }
}
