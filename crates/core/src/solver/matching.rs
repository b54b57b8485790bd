//! Matching: requests that want the same devices.

use super::plan::Plan;
use super::problem::Problem;
use crate::bitmap::Bitmap;

/// Returns whether the requests up to `end` cannot all get devices at once.
///
/// A bipartite matching of the devices that are needed with the devices that
/// there are, where shared ones serve everybody. Admissible: it drops every
/// rule but that a device is picked once, and every request that has a choice.
/// By Hall's theorem it finds any set of requests that is too large for what
/// it can be served with.
pub(super) fn is_short(problem: &Problem<'_>, end: usize) -> bool {
    let wanting: Vec<&Plan<'_>> =
        (0..end).filter_map(|request| only_plan(problem, request)).collect();
    if wanting.len() < 2 {
        return false;
    }
    let mut matching = Matching {
        plans: &wanting,
        owner: vec![None; problem.view.devices.len()],
        visited: Bitmap::new(problem.view.devices.len()),
    };
    wanting.iter().enumerate().any(|(place, plan)| {
        let free = problem.view.shareable.iter().filter(|device| plan.candidates.contains(*device));
        let needed = plan.needed.saturating_sub(free.count());
        (0..needed).any(|_| {
            matching.visited = Bitmap::new(problem.view.devices.len());
            !matching.augment(place, &problem.view.shareable)
        })
    })
}

/// Returns the plan of a request without a choice, if it takes devices from others.
fn only_plan<'p, 'a>(problem: &'p Problem<'a>, request: usize) -> Option<&'p Plan<'a>> {
    match problem.plans_of(request) {
        [plan] if !plan.alternative.admin_access && plan.needed > 0 => Some(plan),
        _ => None,
    }
}

struct Matching<'m, 'p, 'a> {
    plans: &'m [&'p Plan<'a>],
    /// Which request has a device.
    owner: Vec<Option<usize>>,
    visited: Bitmap,
}

impl Matching<'_, '_, '_> {
    /// Finds one more device for a request, moving others to other devices if
    /// need be; breadth first, so that the depth of the stack is bounded.
    fn augment(&mut self, place: usize, shareable: &Bitmap) -> bool {
        // Each entry: the device reached, and the entry whose owner wants it.
        let mut reached: Vec<(usize, Option<usize>)> = Vec::new();
        let mut next = 0;
        let mut wanting = Some((place, None));
        while let Some((plan, from)) = wanting {
            for device in self.plans[plan].candidates.iter() {
                if shareable.contains(device) || self.visited.contains(device) {
                    continue;
                }
                self.visited.insert(device);
                reached.push((device, from));
                if self.owner[device].is_none() {
                    self.shift(place, &reached);
                    return true;
                }
            }
            wanting = reached.get(next).and_then(|(device, _)| {
                self.owner[*device].map(|owner| (owner, Some(next)))
            });
            next += 1;
        }
        false
    }

    /// Gives the device that was reached last to who wants it, and so on back.
    fn shift(&mut self, place: usize, reached: &[(usize, Option<usize>)]) {
        let mut at = reached.len().checked_sub(1);
        while let Some(entry) = at {
            let (device, from) = reached[entry];
            let owner = match from {
                Some(from) => self.owner[reached[from].0],
                None => Some(place),
            };
            self.owner[device] = owner;
            at = from;
        }
    }
}
