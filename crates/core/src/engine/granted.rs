//! What claims had before an answer, as part of it.

use std::sync::Arc;

use super::{AllocatedDevice, Allocation};
use crate::model::{AllocationResult, DeviceId, DeviceRequestAllocationResult};

/// What claims have already, by their place; none if none has anything.
pub(super) type Granted = Option<Arc<[Option<Arc<AllocationResult>>]>>;

impl Allocation {
    /// Returns what a claim had already.
    pub(super) fn granted_to(&self, claim: usize) -> Option<&Arc<AllocationResult>> {
        self.granted.as_ref()?.get(claim)?.as_ref()
    }

    /// Returns whether a claim had something already.
    pub(super) fn is_granted(&self, claim: usize) -> bool {
        self.granted_to(claim).is_some()
    }

    /// Returns a device that a claim had already.
    pub(super) fn had(
        &self,
        claim: usize,
        result: &DeviceRequestAllocationResult,
    ) -> AllocatedDevice {
        let requests = &self.compiled.claims[claim].spec.requests;
        let (name, subrequest) = match result.request.split_once('/') {
            Some((name, subrequest)) => (name, Some(subrequest)),
            None => (&*result.request, None),
        };
        let request = requests.iter().position(|request| *request.name == *name);
        let alternatives = request.map_or(&[][..], |request| &requests[request].first_available);
        let alternative = alternatives
            .iter()
            .position(|one| subrequest == Some(&*one.name));
        let (driver, pool) = (result.driver.clone(), result.pool.clone());
        AllocatedDevice {
            claim,
            request: request.unwrap_or(requests.len()),
            alternative: alternative.unwrap_or(0),
            device: DeviceId::new(driver, pool, result.device.clone()),
        }
    }
}
