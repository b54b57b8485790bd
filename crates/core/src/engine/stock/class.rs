//! Which devices a class selects.

use std::sync::Arc;

use super::Stock;
use crate::engine::Workspace;
use crate::error::Error;
use crate::model::{DeviceRequest, ExactDeviceRequest, ResourceClaim};

impl Stock {
    /// Returns the devices that all selectors of a class match, as places in
    /// [`Stock::devices`], in order; a device on which a selector fails is none of them.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`](crate::Code::NotFound) if there is no such class, and what else
    /// [`Snapshot::prepare`](crate::Snapshot::prepare) says of a claim for one device of it.
    pub fn selected_by(&self, class: &str, workspace: &mut Workspace) -> Result<Vec<usize>, Error> {
        let claims = self.snapshot.prepare(&[claim_for(class)])?;
        let first = claims.alternatives().next();
        let selectors = first.map_or(&[][..], |first| &first.selectors);
        let mut selected = Vec::new();
        let of_slices = self
            .devices
            .chunk_by(|one, other| Arc::ptr_eq(&one.stored, &other.stored));
        let mut first = 0;
        for devices in of_slices {
            let stored = &devices[0].stored;
            let verdicts = &mut workspace.verdicts;
            // Nothing stops it.
            if let Ok(words) = verdicts.of_slice(&claims, selectors, stored, &mut |_| Ok(())) {
                let places = (first..).zip(devices);
                let matches = places.filter(|(_, device)| {
                    let index = device.index;
                    words[index / 64] >> (index % 64) & 1 == 1
                });
                selected.extend(matches.map(|(place, _)| place));
            }
            first += devices.len();
        }
        Ok(selected)
    }
}

/// Returns a claim for one device of a class.
fn claim_for(class: &str) -> ResourceClaim {
    let mut claim = ResourceClaim::default();
    claim.metadata.name = "inventory".into();
    claim.spec.devices.requests.push(DeviceRequest {
        name: "device".into(),
        exactly: Some(ExactDeviceRequest {
            device_class_name: class.into(),
            allocation_mode: "ExactCount".into(),
            count: 1,
            ..ExactDeviceRequest::default()
        }),
        first_available: Vec::new(),
    });
    claim
}
