//! [`Unit`]: what one link is.

use crate::fabric::{Fabric, Wire};
use crate::rate::Rate;
use crate::ratio::gcd;

/// Is the measure of capacities: rings are counted in it.
///
/// Where every link of a machine has the same rate, or a rate is not known, one unit is
/// one link, and a capacity is a count. Where rates differ, a unit is the greatest rate
/// that divides the rates of all links, so that capacities are whole numbers still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    rate: Option<Rate>,
    is_link: bool,
}

impl Unit {
    /// Returns the unit of a fabric.
    pub(crate) fn of(fabric: &Fabric, devices: usize) -> Self {
        let mut unit: Option<Rate> = None;
        let mut same = true;
        for device in 0..devices {
            let port = fabric.port(device).map(|port| (port.count, port.rate));
            let peers = fabric
                .peers(device)
                .iter()
                .map(|(_, wire)| (wire.count, wire.rate));
            for (count, rate) in peers.chain(port) {
                let Some(rate) = rate.filter(|rate| rate.thousandths() > 0) else {
                    return Self {
                        rate: None,
                        is_link: true,
                    };
                };
                let of_link = Rate::from_thousandths(rate.thousandths() / u64::from(count.max(1)));
                let exact = of_link.thousandths() * u64::from(count) == rate.thousandths();
                match unit {
                    None => unit = Some(of_link),
                    Some(before) => same &= before == of_link,
                }
                same &= exact;
            }
        }
        if same {
            return Self {
                rate: unit,
                is_link: true,
            };
        }
        let mut divisor = 0;
        for device in 0..devices {
            let port = fabric.port(device).and_then(|port| port.rate);
            let peers = fabric
                .peers(device)
                .iter()
                .filter_map(|(_, wire)| wire.rate);
            for rate in peers.chain(port) {
                divisor = gcd(divisor, u128::from(rate.thousandths()));
            }
        }
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
            (false, Some(unit), Some(rate)) => rate.thousandths() / unit.thousandths().max(1),
            _ => u64::from(count),
        }
    }

    /// Returns how many units a wire has.
    pub(crate) fn of_wire(self, wire: &Wire) -> u64 {
        self.capacity(wire.count, wire.rate)
    }
}
