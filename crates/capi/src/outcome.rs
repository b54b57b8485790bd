//! [`dralloc_outcome`]: what a question to one node is answered with.

use std::sync::OnceLock;

use dralloc::{NumberedDevice, Outcome};
use dralloc_forms::Kind;

use crate::error::{Failure, dralloc_error};
use crate::raw::{Noun, Shared, call};
use crate::snapshot::dralloc_snapshot;
use crate::status::dralloc_status;

/// Answers whether claims fit, and how. It never changes, so that any number of
/// threads may use it.
pub struct dralloc_outcome(());

/// Classifies outcomes; none of them is a failure.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum dralloc_outcome_kind {
    /// The best allocation; in the `kubernetes` policy the first in canonical order.
    Optimal = 0,
    /// An allocation that may not be the best; the gap says by how much at most.
    Feasible = 1,
    /// There is no allocation.
    Infeasible = 2,
    /// The search ended before it knew.
    Unknown = 3,
}

/// Is one device that a claim got.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct dralloc_device {
    /// Place of the claim in the question.
    pub claim: u32,
    /// Place of the request in the claim; the number of requests for a device that it
    /// had already by a request that it does not have.
    pub request: u32,
    /// Place of the alternative in the request, 0 for one without a choice.
    pub alternative: u32,
    /// Number of the device: see `dralloc_snapshot_device`.
    pub device: u32,
}

impl From<NumberedDevice> for dralloc_device {
    fn from(numbered: NumberedDevice) -> Self {
        Self {
            claim: numbered.claim,
            request: numbered.request,
            alternative: numbered.alternative,
            device: numbered.device,
        }
    }
}

impl dralloc_outcome_kind {
    pub(crate) fn of(outcome: &Outcome) -> Self {
        match Kind::of(outcome) {
            Kind::Optimal => Self::Optimal,
            Kind::Feasible => Self::Feasible,
            Kind::Infeasible => Self::Infeasible,
            Kind::Unknown => Self::Unknown,
        }
    }
}

/// Is an outcome with its JSON, which is made when it is asked for.
#[derive(Debug)]
pub struct Answer {
    outcome: Outcome,
    json: OnceLock<String>,
    results: OnceLock<String>,
}

impl From<Outcome> for Answer {
    fn from(outcome: Outcome) -> Self {
        Self {
            outcome,
            json: OnceLock::new(),
            results: OnceLock::new(),
        }
    }
}

impl Answer {
    fn json(&self) -> Result<&str, Failure> {
        if let Some(json) = self.json.get() {
            return Ok(json);
        }
        let json = dralloc_forms::outcome(&self.outcome)?;
        Ok(self.json.get_or_init(|| json))
    }

    fn results(&self) -> Result<&str, Failure> {
        if let Some(results) = self.results.get() {
            return Ok(results);
        }
        let results = match self.outcome.allocation() {
            Some(allocation) => dralloc_forms::results(allocation)?,
            None => "[]".to_owned(),
        };
        Ok(self.results.get_or_init(|| results))
    }
}

impl Noun for dralloc_outcome {
    type Value = Answer;
    const TAG: u32 = 0xd7a1_000c;
    const NAME: &'static str = "outcome";
}

impl Shared for dralloc_outcome {}

/// Returns the kind of an outcome.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_outcome_get_kind(
    outcome: *const dralloc_outcome,
    kind: *mut dralloc_outcome_kind,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(kind, "kind")?;
        out.write(dralloc_outcome_kind::of(&caller.shared(outcome)?.outcome));
        Ok(())
    })
}

/// Returns an outcome as JSON: `outcome` (`optimal`, `feasible`, `infeasible`,
/// `unknown`); with an answer `node`, `results`, and under a policy `objective`,
/// `warnings` and `gap`; without one `reason` or `stopCause`. It lives as long as the
/// outcome.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_outcome_json(
    outcome: *const dralloc_outcome,
    data: *mut *const u8,
    length: *mut usize,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out_text(data, length)?;
        out.write(caller.shared(outcome)?.json()?);
        Ok(())
    })
}

/// Returns what Kubernetes keeps in `status.allocation` of each claim, as a JSON array
/// in the order of the claims; it is empty if there is no answer. It lives as long as
/// the outcome.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_outcome_results(
    outcome: *const dralloc_outcome,
    data: *mut *const u8,
    length: *mut usize,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out_text(data, length)?;
        out.write(caller.shared(outcome)?.results()?);
        Ok(())
    })
}

/// Writes the devices of an outcome by number, as many as there is room for; `count`
/// gets how many there are. `snapshot` is one of the engine that was asked.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_outcome_devices(
    outcome: *const dralloc_outcome,
    snapshot: *const dralloc_snapshot,
    devices: *mut dralloc_device,
    capacity: usize,
    count: *mut usize,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let devices = caller.array(devices, capacity, "devices")?;
        let count = caller.out(count, "count")?;
        let answer = caller.shared(outcome)?;
        let snapshot = caller.shared(snapshot)?.get();
        let allocations = answer.outcome.allocation().into_iter();
        let numbered = allocations.flat_map(|one| snapshot.numbered_devices(one));
        count.write(devices.write(numbered.map(dralloc_device::from)));
        Ok(())
    })
}

/// Frees an outcome; null is none. What is held stays held.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_outcome_free(outcome: *mut dralloc_outcome) -> dralloc_status {
    call!(std::ptr::null_mut(), |caller| {
        caller.take(outcome).map(drop)
    })
}
