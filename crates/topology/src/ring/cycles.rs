//! All rings through a part.

use super::{LARGEST_PACKING, Part};

/// Is a ring: the devices in order, the first one first.
pub(super) type Cycle = [u8; LARGEST_PACKING];

/// Returns all Hamiltonian cycles over the links of a part of 3 to [`LARGEST_PACKING`]
/// devices, each once: the second device has a lower number than the last.
///
/// At most 7!/2 = 2,520 of them; the walk has a stack of its own.
pub(super) fn cycles(part: &Part) -> Vec<Cycle> {
    let size = part.len();
    let mut found = Vec::new();
    if !(3..=LARGEST_PACKING).contains(&size) {
        return found;
    }
    let neighbours: Vec<u32> = (0..size)
        .map(|a| {
            let linked = (0..size).filter(|&b| a != b && part.pair(a, b) > 0);
            linked.fold(0, |mask, b| mask | 1 << b)
        })
        .collect();
    let of = |device: u8| neighbours.get(usize::from(device)).copied().unwrap_or(0);
    let mut cycle: Cycle = [0; LARGEST_PACKING];
    // What may come at each place still.
    let mut open = [0_u32; LARGEST_PACKING];
    let mut used = 1_u32;
    let mut place = 1;
    open[1] = of(0);
    while place > 0 {
        let Some(choices) = open.get_mut(place) else {
            break;
        };
        if *choices == 0 {
            place -= 1;
            if place > 0 {
                used &= !(1 << cycle.get(place).copied().unwrap_or(0));
            }
            continue;
        }
        let next = choices.trailing_zeros();
        *choices &= *choices - 1;
        let device = u8::try_from(next).unwrap_or(0);
        if let Some(entry) = cycle.get_mut(place) {
            *entry = device;
        }
        if place + 1 == size {
            let closes = of(device) & 1 != 0;
            if closes && cycle.get(1).is_some_and(|&second| second < device) {
                found.push(cycle);
            }
            continue;
        }
        used |= 1 << next;
        place += 1;
        if let Some(entry) = open.get_mut(place) {
            *entry = of(device) & !used;
        }
    }
    found
}
