//! [`AllocatedDevice`]: one device that a claim got.

use super::Allocation;
use crate::model::{DeviceId, DeviceRequestAllocationResult};

/// Is one device that a claim got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllocatedDevice {
    /// Place of the claim in the question.
    pub claim: usize,
    /// Place of the request in the claim; the number of requests for a device
    /// that it had already by a request that it does not have.
    pub request: usize,
    /// Place of the alternative in the request, 0 for one without a choice.
    pub alternative: usize,
    /// The device.
    pub device: DeviceId,
}

impl Allocation {
    /// Returns the devices in the order of the search, those that claims had
    /// already among them.
    pub fn devices(&self) -> impl Iterator<Item = AllocatedDevice> + '_ {
        let answer = &*self.answer;
        (0..answer.compiled.claims.len()).flat_map(move |claim| {
            let had = self.granted_to(claim).into_iter();
            let had = had.flat_map(|result| &result.devices.results);
            let had = had.map(move |result| self.had(claim, result));
            let picked = answer.picked.as_slice().iter();
            let picked = picked.filter(move |picked| picked.claim as usize == claim);
            had.chain(picked.map(move |picked| {
                let request = picked.request as usize;
                AllocatedDevice {
                    claim,
                    request,
                    alternative: answer.alternative(claim, request),
                    device: answer.entry(picked).id(),
                }
            }))
        })
    }

    /// Returns a device that a claim had already.
    fn had(&self, claim: usize, result: &DeviceRequestAllocationResult) -> AllocatedDevice {
        let requests = &self.answer.compiled.claims[claim].spec.requests;
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
