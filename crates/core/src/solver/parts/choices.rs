//! All sets of devices of a part, in all ways that they can serve.

use super::lanes::Lanes;
use super::options::{STEPS, give, has_room, take};
use super::table::Kind;
use crate::budget::Meter;
use crate::outcome::StopCause;

/// Deadline and cancel flag are looked at once in so many steps.
pub(super) const POLL: usize = 64;

/// Returns each set of devices that there is room for, as bits, with how many it
/// gives for each need, no more than a target; nothing if that takes too many steps.
///
/// The same devices may serve needs in several ways.
pub(super) fn choices(
    kind: &Kind,
    masks: &[u64],
    left: &mut [i128],
    target: Lanes,
    meter: &mut Meter<'_>,
) -> Result<Option<Vec<(u64, Lanes)>>, StopCause> {
    let mut walk = Walk {
        kind,
        masks,
        left,
        target,
        found: Vec::new(),
        steps: 0,
        meter,
        stopped: None,
    };
    let devices = masks.iter().fold(0, |all, mask| all | mask);
    walk.go(devices, 0, Lanes::default());
    if let Some(cause) = walk.stopped {
        return Err(cause);
    }
    if walk.steps > STEPS {
        return Ok(None);
    }
    walk.found.sort_unstable();
    walk.found.dedup();
    Ok(Some(walk.found))
}

/// Tries devices one after the other.
struct Walk<'w, 'm> {
    kind: &'w Kind,
    masks: &'w [u64],
    left: &'w mut [i128],
    target: Lanes,
    found: Vec<(u64, Lanes)>,
    steps: usize,
    meter: &'w mut Meter<'m>,
    stopped: Option<StopCause>,
}

impl Walk<'_, '_> {
    /// Notes what is chosen and goes on with each of the devices after it; as
    /// deep as there are devices, so 64.
    fn go(&mut self, mut devices: u64, chosen: u64, lanes: Lanes) {
        self.found.push((chosen, lanes));
        while devices != 0 && self.steps <= STEPS && self.stopped.is_none() {
            self.steps += 1;
            if self.steps.is_multiple_of(POLL) {
                self.stopped = self.meter.poll().err();
            }
            let device = devices.trailing_zeros() as usize;
            devices &= devices - 1;
            let kind = self.kind;
            let uses = &kind.uses[device];
            if !has_room(uses, self.left) {
                continue;
            }
            take(uses, self.left);
            for (lane, mask) in self.masks.iter().enumerate() {
                let more = lanes.plus(Lanes::at(lane, 1), Lanes::full());
                if mask >> device & 1 == 1 && self.target.covers(more) {
                    self.go(devices, chosen | 1 << device, more);
                }
            }
            give(uses, self.left);
        }
    }
}
