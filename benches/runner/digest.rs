//! Short names of answers: equal answers have equal digests.

use dralloc::Allocation;
use dralloc::model::AllocationResult;
use sha2::{Digest, Sha256};

/// Returns the lines of an answer: `claimIndex/request=driver/pool/device`.
pub(crate) fn lines(results: &[AllocationResult]) -> Vec<String> {
    let mut lines = Vec::new();
    for (claim, result) in results.iter().enumerate() {
        for device in &result.devices.results {
            let (driver, pool) = (&device.driver, &device.pool);
            let (request, device) = (&device.request, &device.device);
            lines.push(format!("{claim}/{request}={driver}/{pool}/{device}"));
        }
    }
    lines
}

/// Returns the digest of one answer.
pub(crate) fn digest(allocation: &Allocation) -> String {
    hex(&Sha256::digest(lines(&allocation.results()).join("\n")))
}

/// Digests a sequence of answers.
#[derive(Default)]
pub(crate) struct Sequence(Sha256);

impl Sequence {
    pub(crate) fn add(&mut self, allocation: &Allocation) {
        let lines = lines(&allocation.results()).join(" ");
        self.0
            .update(format!("{} {lines}\n", allocation.node()).as_bytes());
    }

    pub(crate) fn finish(self) -> String {
        hex(&self.0.finalize())
    }
}

fn hex(hash: &[u8]) -> String {
    let first = hash.iter().take(6);
    let number = first.fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    format!("{number:012x}")
}
