//! Rings that all have one weight.

use super::Part;
use super::cycles::Cycle;
use super::packing::Rows;
use crate::ratio::Ratio;

/// Returns the rings of devices of which each two have a direct link, all of one capacity;
/// none for others.
///
/// Each link is in as many of all cycles as any other. So with one weight for all of them
/// every link can be full, and the rings are the links of a device: there are no more.
pub(super) fn of_complete(part: &Part) -> Option<u64> {
    let capacity = part.direct(0, 1);
    let is_one = |(a, b)| !part.is_switched(a, b) && part.direct(a, b) == capacity;
    let mut pairs = (0..part.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
    let is_complete = capacity > 0 && pairs.all(is_one);
    is_complete.then(|| capacity.saturating_mul(part.len().saturating_sub(1) as u64))
}

/// Returns twice the weight of all cycles with one weight for each, if that is as much as
/// the links of a device let through: no packing is heavier then. So it is where every
/// device has links to all others, and where links form a cube.
pub(super) fn rings(part: &Part, cycles: &[Cycle]) -> Option<Ratio> {
    let rows = Rows::new(part);
    let mut loads = vec![0_u64; rows.capacities.len()];
    for &cycle in cycles {
        for row in rows.column(part, cycle).rows() {
            *loads.get_mut(row)? += 1;
        }
    }
    // The row that is full first.
    let capacity = |row: usize| u64::try_from(*rows.capacities.get(row)?).ok();
    let mut weight: Option<Ratio> = None;
    for (row, &load) in loads.iter().enumerate().filter(|&(_, &load)| load > 0) {
        let own = Ratio::new(capacity(row)?, load)?;
        weight = Some(weight.map_or(own, |least| least.min(own)));
    }
    let weight = weight?;
    let twice = u128::from(weight.numerator()) * 2 * cycles.len() as u128;
    let rings = Ratio::reduced(twice, u128::from(weight.denominator()))?;
    if cycles.len() == 1 {
        return Some(rings);
    }
    let through = |device: usize| {
        let links = (0..part.len()).map(|other| {
            let switched = part.is_switched(device, other);
            if switched {
                0
            } else {
                part.direct(device, other)
            }
        });
        let has_row = rows.ports.get(device).copied().flatten().is_some();
        let switches = if has_row { part.port(device) } else { 0 };
        links.fold(switches, u64::saturating_add)
    };
    let most = (0..part.len()).map(through).min()?;
    (rings == Ratio::whole(most)).then_some(rings)
}
