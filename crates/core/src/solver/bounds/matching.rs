//! Matching: requests that want the same devices.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::wanting::Wanting;
use crate::bitmap::Bitmap;
use crate::budget::{Budget, Meter};
use crate::solver::problem::{Later, Problem};

/// Returns whether later requests cannot all get devices at once.
///
/// A bipartite matching of the devices that are wanted with those that are
/// left. Admissible: it drops every rule but that a device is picked once, under
/// whatever name. By Hall's theorem it finds any set of requests that is too large for what it
/// can be served with.
/// If it is stopped, it knows nothing.
pub(in crate::solver) fn is_unmatched(
    problem: &Problem<'_>,
    later: Later<'_>,
    meter: &mut Meter<'_>,
) -> bool {
    let wanting: Vec<&Wanting> = later
        .iter()
        .map(|request| &problem.wanting[request])
        .filter(|one| one.needed > 0)
        .collect();
    if wanting.len() < 2 {
        return false;
    }
    let mut matching = Matching::new(problem, &wanting);
    wanting.iter().enumerate().any(|(place, one)| {
        one.needed > one.devices.len() || (0..one.needed).any(|_| !matching.augment(place, meter))
    })
}

/// Returns how many devices of those that are wanted can be had at once, by the
/// same relaxation.
pub(in crate::solver) fn served(problem: &Problem<'_>, wanting: &[&Wanting]) -> usize {
    let mut matching = Matching::new(problem, wanting);
    let (mut served, mut meter) = (0, Budget::new().meter());
    for (place, one) in wanting.iter().enumerate() {
        // One that finds no device now finds none later.
        let wanted = one.needed.min(one.devices.len());
        let got = (0..wanted).take_while(|_| matching.augment(place, &mut meter));
        served += got.count();
    }
    served
}

impl<'m> Matching<'m> {
    fn new(problem: &'m Problem<'_>, wanting: &'m [&'m Wanting]) -> Self {
        let devices = problem.view.devices.len();
        let twins = &problem.view.twins;
        let mut taken = Cow::Borrowed(problem.state.exclusive.taken_by_any());
        for (device, stand_in) in twins.stand_ins() {
            if taken.contains(device) {
                taken.to_mut().insert(stand_in);
            }
        }
        Self {
            wanting,
            taken,
            stand_ins: twins.stand_ins().collect(),
            owner: vec![None; devices],
        }
    }
}

struct Matching<'m> {
    wanting: &'m [&'m Wanting],
    taken: Cow<'m, Bitmap>,
    /// Devices with the one that stands for all that are physically the same.
    stand_ins: BTreeMap<usize, usize>,
    /// Who has a device.
    owner: Vec<Option<usize>>,
}

impl Matching<'_> {
    /// Finds one more device for a request, moving others to other devices if
    /// need be; breadth first, so that the depth of the stack is bounded. If it is
    /// stopped, there may be one.
    fn augment(&mut self, place: usize, meter: &mut Meter<'_>) -> bool {
        if meter.look_at_bits(self.owner.len()).is_err() {
            return true;
        }
        let mut visited = Bitmap::clone(&self.taken);
        // Each entry: the device reached, and the entry whose owner wants it.
        let mut reached: Vec<(usize, Option<usize>)> = Vec::new();
        let mut next = 0;
        let mut asking = Some((place, None));
        while let Some((who, from)) = asking {
            if next > 0 && meter.effort(1).is_err() {
                return true;
            }
            for device in self.wanting[who].devices.iter() {
                let device = self.stand_ins.get(&device).copied().unwrap_or(device);
                if visited.contains(device) {
                    continue;
                }
                visited.insert(device);
                reached.push((device, from));
                if self.owner[device].is_none() {
                    self.shift(place, &reached);
                    return true;
                }
            }
            asking = reached
                .get(next)
                .and_then(|(device, _)| self.owner[*device].map(|owner| (owner, Some(next))));
            next += 1;
        }
        false
    }

    /// Gives the device that was reached last to who wants it, and so on back.
    fn shift(&mut self, place: usize, reached: &[(usize, Option<usize>)]) {
        let mut at = reached.len().checked_sub(1);
        while let Some(entry) = at {
            let (device, from) = reached[entry];
            self.owner[device] = match from {
                Some(from) => self.owner[reached[from].0],
                None => Some(place),
            };
            at = from;
        }
    }
}
