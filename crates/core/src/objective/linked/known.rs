//! [`Known`]: what a machine says of the devices of a question.

use std::collections::BTreeMap;
use std::sync::Arc;

use dralloc_topology::Table;

use crate::bitmap::Bitmap;
use crate::budget::Meter;
use crate::number::number;
use crate::outcome::StopCause;
use crate::state::Draft;
use crate::store::NodeView;
use crate::topology::Machine;

/// Is what a device is to these terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A linked device, by the place of its vertex in the table.
    Gpu(usize),
    /// No device of the machine, of a driver that has one, or of a machine that has none: it
    /// has no links.
    Outsider,
    /// Of another driver, such as a CPU.
    Other,
}

/// Says what the devices of a node are, and which of them were free.
#[derive(Debug)]
pub(crate) struct Known {
    pub(super) machine: Arc<Machine>,
    pub(super) kinds: Vec<Kind>,
    /// Vertices of which no device is held.
    pub(super) free: u64,
    pub(super) shareable: Bitmap,
    /// By device: a number that it shares with those that are in the same domains.
    pub(super) places: Vec<u32>,
}

impl Known {
    /// Writes down what a machine says of devices, before anything is picked.
    pub(in crate::objective) fn new(
        view: &NodeView,
        held: &Draft,
        machine: &Arc<Machine>,
        meter: &mut Meter<'_>,
    ) -> Result<Self, StopCause> {
        meter.look_at(view.devices.len())?;
        let kind = |device: usize| match machine.gpu(device) {
            Some(place) => Kind::Gpu(place),
            None if machine.is_outsider(device) => Kind::Outsider,
            None => Kind::Other,
        };
        let kinds: Vec<Kind> = (0..view.devices.len()).map(kind).collect();
        let mut domains: BTreeMap<Vec<&[u32]>, u32> = BTreeMap::new();
        let mut places = Vec::with_capacity(kinds.len());
        for device in 0..kinds.len() {
            meter.effort(1)?;
            let own: Vec<&[u32]> = machine.domains().of_all(device).collect();
            let next = number(domains.len());
            places.push(*domains.entry(own).or_insert(next));
        }
        Ok(Self {
            machine: Arc::clone(machine),
            kinds,
            free: free(view, held, machine),
            shareable: view.shareable.clone(),
            places,
        })
    }

    pub(super) fn kind(&self, device: usize) -> Kind {
        self.kinds.get(device).copied().unwrap_or(Kind::Other)
    }

    /// Returns the table; none where there is nothing to look up.
    pub(super) fn table(&self) -> Option<&Table> {
        self.machine.table().map(|table| &**table)
    }

    /// Writes what tells devices apart for terms over links.
    pub(in crate::objective) fn describe(&self, devices: &[u32], key: &mut Vec<i128>) {
        for device in devices {
            let device = *device as usize;
            key.push(match self.kind(device) {
                Kind::Gpu(place) => i128::from(number(place)),
                Kind::Outsider => -1,
                Kind::Other => -2,
            });
            let nic = self.machine.nic(device);
            key.push(nic.map_or(-1, |place| i128::from(number(place))));
            let place = self.places.get(device);
            key.push(place.map_or(-1, |place| i128::from(*place)));
        }
    }
}

/// Returns the vertices of which no device is held.
pub(super) fn free(view: &NodeView, held: &Draft, machine: &Machine) -> u64 {
    let (mut there, mut taken) = (0, 0);
    for (device, entry) in view.devices.iter().enumerate() {
        if let Some(place) = machine.gpu(device) {
            there |= bit(place);
            if held.is_held(entry.key) {
                taken |= bit(place);
            }
        }
    }
    there & !taken
}

/// Returns the mask of a place; nothing for those beyond a mask.
pub(super) fn bit(place: usize) -> u64 {
    let place = u32::try_from(place).unwrap_or(u32::MAX);
    1_u64.checked_shl(place).unwrap_or(0)
}
