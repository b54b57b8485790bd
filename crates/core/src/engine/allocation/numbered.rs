//! [`NumberedDevice`]: one device that a claim got, as numbers.

use super::{AllocatedDevice, Allocation};
use crate::engine::Snapshot;
use crate::model::DeviceId;
use crate::number::number;

/// Is one device that a claim got, as numbers, for hosts that cannot afford names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberedDevice {
    /// Place of the claim in the question.
    pub claim: u32,
    /// Place of the request in the claim, as [`AllocatedDevice::request`].
    pub request: u32,
    /// Place of the alternative in the request, 0 for one without a choice.
    pub alternative: u32,
    /// Number of the device: the same in all snapshots of an engine.
    pub device: u32,
}

impl Snapshot {
    /// Returns the devices of an answer of this snapshot, or of a transaction on
    /// it, in the order of [`Allocation::devices`].
    pub fn numbered_devices<'a>(
        &'a self,
        allocation: &'a Allocation,
    ) -> impl Iterator<Item = NumberedDevice> + 'a {
        let is_granted = allocation.granted.is_some();
        let had = is_granted.then(|| allocation.devices()).into_iter();
        let had = had.flatten().map(|device| self.numbered(&device));
        let answer = &*allocation.answer;
        let picked = answer.picked.as_slice();
        let picked = if is_granted { &[][..] } else { picked };
        had.chain(picked.iter().map(|picked| {
            let (claim, request) = (picked.claim, picked.request);
            let alternative = answer.alternative(claim as usize, request as usize);
            NumberedDevice {
                claim,
                request,
                alternative: number(alternative),
                device: answer.entry(picked).key.number(),
            }
        }))
    }

    fn numbered(&self, device: &AllocatedDevice) -> NumberedDevice {
        let (_, key) = self.catalog.lock().keys(&device.device);
        NumberedDevice {
            claim: number(device.claim),
            request: number(device.request),
            alternative: number(device.alternative),
            device: key.number(),
        }
    }

    /// Returns the name of the device with a number; none if no device ever had it.
    ///
    /// It takes time in proportion to the number of pools: a host keeps what it
    /// was told, since numbers never change.
    pub fn device_name(&self, number: u32) -> Option<DeviceId> {
        self.catalog.lock().device(number)
    }
}
