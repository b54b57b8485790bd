//! [`Run`]: devices of a node that lie side by side in the state, too.

use super::set::Set;
use crate::number::number;
use crate::state::Draft;
use crate::store::{DeviceKey, NodeView};

/// Is a run of devices with consecutive numbers, in the view and in one block of the state.
#[derive(Debug)]
pub(super) struct Run {
    /// Place of the first device in the view.
    device: u32,
    block: u32,
    /// Place of the first device in its block.
    shift: u32,
    /// As many bits as there are devices.
    mask: u64,
}

impl Run {
    /// Returns the runs of a view with at most [`Set::BOUND`] devices that have
    /// some of these; drivers rarely need more than one for each pool.
    pub(super) fn all(view: &NodeView, wanted: &Set) -> Box<[Self]> {
        let mut runs: Vec<Self> = Vec::new();
        let mut last: Option<DeviceKey> = None;
        for (device, entry) in view.devices.iter().enumerate() {
            let key = entry.key;
            let goes_on = last
                .is_some_and(|last| last.block() == key.block() && last.bit() << 1 == key.bit());
            match runs.last_mut().filter(|_| goes_on) {
                Some(run) => run.mask = run.mask << 1 | 1,
                None => runs.push(Self {
                    device: number(device),
                    block: number(key.block()),
                    shift: key.bit().trailing_zeros(),
                    mask: 1,
                }),
            }
            last = Some(key);
        }
        runs.retain(|run| {
            let mut devices = Set::default();
            devices.insert_word(run.device as usize, run.mask);
            devices.intersect(wanted);
            devices != Set::default()
        });
        runs.into()
    }

    /// Returns which devices of runs are held.
    pub(super) fn held(runs: &[Self], held: &Draft) -> Set {
        let mut away = Set::default();
        for run in runs {
            let word = held.held_word(run.block as usize) >> run.shift & run.mask;
            away.insert_word(run.device as usize, word);
        }
        away
    }
}
