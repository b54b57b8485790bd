//! [`Segment`]: pools of a part that follow each other in canonical order.

use std::ops::Range;

use super::{Seen, pool};

/// Is a piece of one of the parts of what a node sees.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    /// Place of the part.
    pub(crate) part: usize,
    /// Pools of the part.
    pub(crate) pools: Range<usize>,
    /// Devices of the part.
    pub(crate) devices: Range<usize>,
    /// Place of the first device among all that the node sees.
    pub(crate) first: usize,
}

impl Segment {
    pub(super) fn all_of(seen: &Seen) -> Self {
        Self {
            part: 0,
            pools: 0..seen.pools.len(),
            devices: 0..seen.devices.len(),
            first: 0,
        }
    }
}

/// Returns part and place there of a device that a node sees.
pub(crate) fn locate(segments: &[Segment], device: usize) -> (usize, usize) {
    let after = segments.partition_point(|segment| segment.first <= device);
    match segments.get(after.saturating_sub(1)) {
        Some(segment) => (
            segment.part,
            segment.devices.start + (device - segment.first),
        ),
        None => (0, device),
    }
}

/// Merges the pools of a node's own part with those of a shared one; no pool is
/// in both.
pub(super) fn merge(own: &Seen, shared: &Seen) -> Box<[Segment]> {
    let mut pieces = Pieces {
        parts: [own, shared],
        list: Vec::new(),
        first: 0,
    };
    let mut next = 0;
    for (place, one) in own.pools.iter().enumerate() {
        let order = pool::order(one);
        let end = shared
            .pools
            .partition_point(|other| pool::order(other) < order);
        pieces.add(1, next..end);
        pieces.add(0, place..place + 1);
        next = end;
    }
    pieces.add(1, next..shared.pools.len());
    pieces.list.into()
}

/// Is what was merged so far.
struct Pieces<'a> {
    parts: [&'a Seen; 2],
    list: Vec<Segment>,
    /// Place of the next device.
    first: usize,
}

impl Pieces<'_> {
    /// Adds pools of a part, if there are any.
    fn add(&mut self, part: usize, pools: Range<usize>) {
        if pools.is_empty() {
            return;
        }
        let seen = self.parts[part];
        let start = seen.of_pool(pools.start).start;
        let devices = start..seen.of_pool(pools.end - 1).end;
        let first = self.first;
        self.first += devices.len();
        match self.list.last_mut() {
            Some(last) if last.part == part && last.pools.end == pools.start => {
                last.pools.end = pools.end;
                last.devices.end = devices.end;
            }
            _ => self.list.push(Segment {
                part,
                pools,
                devices,
                first,
            }),
        }
    }
}
