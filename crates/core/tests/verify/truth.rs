//! Whether an answer is right, by brute force.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use dralloc::model::{
    AllocationResult, CelDeviceSelector, Device, DeviceAttribute, DeviceRequest,
    DeviceRequestAllocationResult, DeviceSelector, DeviceSubRequest,
};
use dralloc_testkit::case::{Answer, Case, Observed, OutcomeKind};
use dralloc_testkit::compare::differences_from;
use dralloc_testkit::oracle::{Cel, Expressions, Failure, Options, Solution, solve};

/// Returns whether the oracle gives exactly this answer if every request can
/// have nothing but its devices; nothing if that does not decide it.
pub(crate) fn is_right(case: &Case, cel: &Cel, results: &[AllocationResult]) -> Option<bool> {
    if results.len() != case.claims.len() {
        return Some(false);
    }
    let mut narrowed = case.clone();
    let mut given_for: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
    let mut has_all = false;
    for (claim, (content, result)) in narrowed.claims.iter_mut().zip(results).enumerate() {
        let devices = &result.devices.results;
        let mut known = 0;
        for (place, request) in content.spec.devices.requests.iter_mut().enumerate() {
            let expression = format!("picked for {claim} {place}");
            let (mine, is_all) = match narrow(request, devices, &expression) {
                Ok(narrowed) => narrowed,
                Err(verdict) => return verdict,
            };
            known += mine.len();
            has_all |= is_all;
            let mine = mine.into_iter().map(|index| (claim, index));
            given_for.insert(expression, mine.collect());
        }
        match known.cmp(&devices.len()) {
            Ordering::Less => return Some(false),
            Ordering::Equal => {}
            // Several requests have one name.
            Ordering::Greater => return None,
        }
    }
    let mut picked = Picked {
        cel,
        has_all,
        devices: BTreeMap::new(),
    };
    for (expression, places) in given_for {
        let mut devices = Vec::new();
        for (claim, index) in places {
            let given = &results[claim].devices.results[index];
            for slice in &narrowed.resource_slices {
                if slice.spec.driver == given.driver && slice.spec.pool.name == given.pool {
                    let named = slice.spec.devices.iter();
                    let named = named.filter(|device| device.name == given.device);
                    devices.extend(named.map(std::ptr::from_ref));
                }
            }
        }
        picked.devices.insert(expression, devices);
    }
    let options = Options {
        steps: 5_000,
        ..Options::default()
    };
    match solve(&narrowed, &picked, options).0 {
        Solution::Allocated(right) => {
            let observed = Observed {
                outcome: OutcomeKind::Allocated,
                results: Some(sorted(right)),
                error: None,
                node_local: false,
                steps: 0,
            };
            let answer = Answer::allocated(case.name.clone(), sorted(results.to_vec()));
            Some(differences_from(&answer, &observed).is_empty())
        }
        Solution::Skipped => None,
        Solution::Infeasible | Solution::Error(_) => Some(false),
    }
}

/// Lets a request for a number of devices have nothing but its own; returns
/// their places in the result, and whether the request is for all devices.
///
/// # Errors
///
/// With the verdict, if no search is needed or possible.
fn narrow(
    request: &mut DeviceRequest,
    devices: &[DeviceRequestAllocationResult],
    expression: &str,
) -> Result<(Vec<usize>, bool), Option<bool>> {
    let name = request.name.to_string();
    let is_mine = |given: &str| *given == name || given.starts_with(&format!("{name}/"));
    let mine = (0..devices.len()).filter(|index| is_mine(&devices[*index].request));
    let mine: Vec<usize> = mine.collect();
    let (selectors, mode, count) = if let Some(one) = &mut request.exactly {
        (&mut one.selectors, &one.allocation_mode, one.count)
    } else {
        let alternatives = &mut request.first_available;
        let Some(first) = mine.first() else {
            // Which alternative was chosen cannot be seen if some need no device.
            let needs_some =
                |one: &DeviceSubRequest| *one.allocation_mode == *"All" || one.count != 0;
            let all_do = alternatives.iter().all(needs_some);
            return Err(if all_do { Some(false) } else { None });
        };
        let chosen = &devices[*first].request;
        alternatives.retain(|one| **chosen == *format!("{name}/{}", one.name));
        let one = alternatives.first_mut().ok_or(Some(false))?;
        (&mut one.selectors, &one.allocation_mode, one.count)
    };
    // What needs no search: brute force would take too long to see it.
    let mut once = BTreeSet::new();
    let mut given = mine.iter().map(|index| &devices[*index]);
    if !given.all(|given| once.insert((&given.driver, &given.pool, &given.device))) {
        return Err(Some(false));
    }
    let is_all = **mode == *"All";
    if !is_all {
        if usize::try_from(count) != Ok(mine.len()) {
            return Err(Some(false));
        }
        let cel = Some(CelDeviceSelector {
            expression: expression.into(),
        });
        selectors.insert(0, DeviceSelector { cel });
    }
    Ok((mine, is_all))
}

/// The order of devices carries no meaning here.
fn sorted(mut results: Vec<AllocationResult>) -> Vec<AllocationResult> {
    for result in &mut results {
        result.devices.results.sort_by(|a, b| {
            (&a.request, &a.driver, &a.pool, &a.device)
                .cmp(&(&b.request, &b.driver, &b.pool, &b.device))
        });
    }
    results
}

/// Selects what an answer has, and else asks CEL.
struct Picked<'a> {
    cel: &'a Cel,
    has_all: bool,
    /// By the expression that stands for them.
    devices: BTreeMap<String, Vec<*const Device>>,
}

impl Expressions for Picked<'_> {
    fn selects(&self, expression: &str, driver: &str, device: &Device) -> Result<bool, Failure> {
        let device_place: *const Device = std::ptr::from_ref(device);
        if let Some(devices) = self.devices.get(expression) {
            return Ok(devices.contains(&device_place));
        }
        // Devices that are not in the answer must not end the search with an error.
        let is_in = self
            .devices
            .values()
            .any(|devices| devices.contains(&device_place));
        if !is_in && !self.has_all {
            return Ok(false);
        }
        self.cel.selects(expression, driver, device)
    }

    fn derives(
        &self,
        expression: &str,
        driver: &str,
        device: &Device,
    ) -> Result<DeviceAttribute, Failure> {
        self.cel.derives(expression, driver, device)
    }
}
