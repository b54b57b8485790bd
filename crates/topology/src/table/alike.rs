//! [`Alike`]: which sets have the same links.

use super::LARGEST_TABLE;
use crate::ring::{LARGEST_PACKING, Part};

/// How many kinds of pairs, and of ports, a key can tell apart.
const KINDS: usize = 8;

/// Tells sets of up to [`LARGEST_PACKING`] devices with equal links by a number.
#[derive(Debug)]
pub(super) struct Alike {
    /// The kind of each pair.
    pairs: [[u8; LARGEST_TABLE]; LARGEST_TABLE],
    /// The kind of port of each device.
    ports: [u8; LARGEST_TABLE],
    /// How many kinds of pairs there are, and with whom each device is one of them.
    kinds: usize,
    of_kind: [[u16; KINDS]; LARGEST_TABLE],
}

impl Alike {
    /// Returns what tells sets apart; none where there are too many kinds.
    pub(super) fn new(part: &Part) -> Option<Self> {
        let mut alike = Self {
            pairs: [[0; LARGEST_TABLE]; LARGEST_TABLE],
            ports: [0; LARGEST_TABLE],
            kinds: 0,
            of_kind: [[0; KINDS]; LARGEST_TABLE],
        };
        let (mut pairs, mut ports) = (Vec::new(), Vec::new());
        for (a, (row, port)) in alike.pairs.iter_mut().zip(&mut alike.ports).enumerate() {
            *port = number(&mut ports, part.port(a))?;
            for (b, pair) in row.iter_mut().enumerate() {
                *pair = number(&mut pairs, (part.direct(a, b), part.is_switched(a, b)))?;
            }
        }
        alike.kinds = pairs.len();
        for (a, (row, of_kind)) in alike.pairs.iter().zip(&mut alike.of_kind).enumerate() {
            for (b, &kind) in row.iter().enumerate().filter(|&(b, _)| a != b) {
                if let Some(others) = of_kind.get_mut(usize::from(kind)) {
                    *others |= 1 << b;
                }
            }
        }
        Some(alike)
    }

    /// Returns the key of a set: sets of one size with equal keys have equal links, from
    /// device to device in some order. None for more than [`LARGEST_PACKING`] devices.
    pub(super) fn key(&self, set: u16) -> Option<u128> {
        // Order by what does not depend on order brings more of them together.
        let mut devices = [(0_u32, 0_usize); LARGEST_PACKING];
        let len = set.count_ones() as usize;
        let mut left = set;
        for entry in devices.get_mut(..len)? {
            let device = left.trailing_zeros() as usize;
            left &= left - 1;
            let of_kind = self.of_kind.get(device)?.iter().take(self.kinds);
            let kinds = of_kind.fold(0, |kinds, others| kinds << 4 | (others & set).count_ones());
            *entry = (kinds, device);
        }
        let devices = devices.get_mut(..len)?;
        devices.sort_unstable();
        let mut key = 0_u128;
        for (place, &(_, a)) in devices.iter().enumerate() {
            key = key << 3 | u128::from(*self.ports.get(a)?);
            let row = self.pairs.get(a)?;
            for &(_, b) in devices.iter().take(place) {
                key = key << 3 | u128::from(*row.get(b)?);
            }
        }
        Some(key)
    }
}

/// Returns the number of a kind; none where there are too many.
fn number<T: PartialEq>(known: &mut Vec<T>, kind: T) -> Option<u8> {
    let place = known.iter().position(|known| *known == kind);
    let place = place.unwrap_or_else(|| {
        known.push(kind);
        known.len() - 1
    });
    u8::try_from(place).ok().filter(|_| place < KINDS)
}
