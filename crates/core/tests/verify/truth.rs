//! Whether an answer is right, by brute force.

use std::collections::BTreeMap;

use dralloc::model::{
    AllocationResult, CelDeviceSelector, Device, DeviceAttribute, DeviceSelector,
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
    let mut names: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
    let mut has_all = false;
    for (claim, (content, result)) in narrowed.claims.iter_mut().zip(results).enumerate() {
        let devices = &result.devices.results;
        let mut known = 0;
        for (place, request) in content.spec.devices.requests.iter_mut().enumerate() {
            let name = request.name.to_string();
            let of_request = |given: &str| *given == name || given.starts_with(&format!("{name}/"));
            let mine: Vec<usize> =
                (0..devices.len()).filter(|index| of_request(&devices[*index].request)).collect();
            known += mine.len();
            let (selectors, mode) = if let Some(exactly) = &mut request.exactly {
                (&mut exactly.selectors, &exactly.allocation_mode)
            } else {
                let chosen = devices.get(*mine.first()?)?.request.clone();
                request.first_available.retain(|one| *chosen == *format!("{name}/{}", one.name));
                let Some(one) = request.first_available.first_mut() else { return Some(false) };
                (&mut one.selectors, &one.allocation_mode)
            };
            if **mode == *"All" {
                has_all = true;
                continue;
            }
            let expression = format!("picked for {claim} {place}");
            names.insert(expression.clone(), mine.iter().map(|index| (claim, *index)).collect());
            let cel = Some(CelDeviceSelector { expression: expression.into() });
            selectors.insert(0, DeviceSelector { cel });
        }
        match known.cmp(&devices.len()) {
            std::cmp::Ordering::Less => return Some(false),
            std::cmp::Ordering::Equal => {}
            // Several requests have one name.
            std::cmp::Ordering::Greater => return None,
        }
    }
    let mut picked = Picked { cel, has_all, names: BTreeMap::new() };
    for (name, places) in names {
        let mut devices = Vec::new();
        for (claim, index) in places {
            let given = &results[claim].devices.results[index];
            for slice in &narrowed.resource_slices {
                if slice.spec.driver == given.driver && slice.spec.pool.name == given.pool {
                    let named = |device: &&Device| device.name == given.device;
                    devices.extend(slice.spec.devices.iter().filter(named).map(std::ptr::from_ref));
                }
            }
        }
        picked.names.insert(name, devices);
    }
    let options = Options { steps: 20_000, ..Options::default() };
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
    names: BTreeMap<String, Vec<*const Device>>,
}

impl Expressions for Picked<'_> {
    fn selects(&self, expression: &str, driver: &str, device: &Device) -> Result<bool, Failure> {
        let device_place: *const Device = std::ptr::from_ref(device);
        if let Some(devices) = self.names.get(expression) {
            return Ok(devices.contains(&device_place));
        }
        // Devices that are not in the answer must not end the search with an error.
        let is_in = self.names.values().any(|devices| devices.contains(&device_place));
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
