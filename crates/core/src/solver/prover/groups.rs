//! There are more constraints than values that their devices can have in common.

use std::collections::{BTreeMap, BTreeSet};

use super::case::{Case, shows};
use super::count;
use super::flow::{Want, deficient};
use super::split::common;
use crate::bitmap::Bitmap;
use crate::budget::Meter;
use crate::outcome::StopCause;
use crate::rules::AttributeValue;
use crate::solver::problem::Problem;

/// Is too few values for some constraints.
pub(super) struct Groups {
    pub(super) constraints: Vec<usize>,
    pub(super) values: Vec<Having>,
}

/// Is how many constraints can have a value.
pub(super) struct Having {
    pub(super) value: AttributeValue,
    /// A request of each constraint that can have it.
    pub(super) requests: Vec<usize>,
    pub(super) available: usize,
}

/// Returns constraints that need more values than there are for them together.
pub(super) fn short(
    problem: &Problem<'_>,
    case: &Case,
    order: &[usize],
    meter: &mut Meter<'_>,
) -> Result<Option<Groups>, StopCause> {
    let mut constraints = Vec::new();
    let mut of_constraints: Vec<BTreeSet<&AttributeValue>> = Vec::new();
    for id in 0..problem.constraints.len() {
        if let Some((_, common)) = common(problem, case, id) {
            let sets = &problem.constraints[id].sets;
            constraints.push(id);
            of_constraints.push(
                common
                    .iter()
                    .filter_map(|value| sets.value(*value))
                    .collect(),
            );
        }
    }
    if constraints.len() < 2 {
        return Ok(None);
    }
    let all: BTreeSet<&AttributeValue> = of_constraints.iter().flatten().copied().collect();
    let places: BTreeMap<&AttributeValue, usize> = all
        .iter()
        .enumerate()
        .map(|(place, value)| (*value, place))
        .collect();
    let wants = of_constraints.iter().map(|values| {
        let mut kinds = Bitmap::new(all.len());
        values
            .iter()
            .filter_map(|value| places.get(value))
            .for_each(|place| kinds.insert(*place));
        Want { needed: 1, kinds }
    });
    let wants: Vec<Want> = wants.collect();
    let having = |value: &AttributeValue, among: &[usize]| {
        let can = |place: &&usize| of_constraints[**place].contains(value);
        let can: Vec<usize> = among
            .iter()
            .filter(can)
            .map(|place| constraints[*place])
            .collect();
        having(problem, case, &can, value, order)
    };
    let everyone: Vec<usize> = (0..constraints.len()).collect();
    let mut available = Vec::with_capacity(all.len());
    for value in &all {
        meter.branch()?;
        available.push(having(value, &everyone).available);
    }
    let Some(short) = deficient(&wants, &available, meter)? else {
        return Ok(None);
    };
    let mut values: BTreeSet<&AttributeValue> = BTreeSet::new();
    for place in &short {
        values.extend(&of_constraints[*place]);
    }
    let values: Vec<Having> = values
        .into_iter()
        .map(|value| having(value, &short))
        .collect();
    let available: usize = values.iter().map(|having| having.available).sum();
    Ok((available < short.len()).then(|| Groups {
        constraints: short.into_iter().map(|place| constraints[place]).collect(),
        values,
    }))
}

/// Returns how many of some constraints can have a value at most, by the requests
/// that show it best.
fn having(
    problem: &Problem<'_>,
    case: &Case,
    constraints: &[usize],
    value: &AttributeValue,
    order: &[usize],
) -> Having {
    // By constraint the requests that join it, with the devices that have the value.
    let of_constraint = |id: usize| {
        let joins = |request: &usize| case.joining(problem, *request, id) > 0;
        let requests = (0..problem.requests.len()).filter(joins);
        let all: Vec<(usize, Bitmap)> = requests
            .map(|request| (request, with(problem, case, (request, id), value)))
            .collect();
        all
    };
    let all: Vec<Vec<(usize, Bitmap)>> = constraints.iter().map(|id| of_constraint(*id)).collect();
    let mut best: Option<Having> = None;
    // Requests that can have the same devices compete for them.
    let mut seen: Vec<&Bitmap> = Vec::new();
    for (_, devices) in all.iter().flatten() {
        if seen.contains(&devices) {
            continue;
        }
        seen.push(devices);
        let mut requests = Vec::with_capacity(all.len());
        let mut together = Bitmap::new(problem.view.devices.len());
        let mut least = usize::MAX;
        for (of_one, id) in all.iter().zip(constraints) {
            let apart = |other: &Bitmap| other.len_without(devices);
            let Some((request, own)) = of_one.iter().min_by_key(|(_, own)| apart(own)) else {
                continue;
            };
            requests.push(*request);
            together.unite(own);
            least = least.min(case.joining(problem, *request, *id));
        }
        // Constraints of one request need no more devices than it does.
        let mut distinct = requests.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let again = requests.len() - distinct.len();
        let places = count::available(problem, case, &distinct, &together, order);
        let available = (places / least.max(1)).min(distinct.len()) + again;
        if best.as_ref().is_none_or(|best| available < best.available) {
            best = Some(Having {
                value: value.clone(),
                requests,
                available,
            });
        }
    }
    best.unwrap_or(Having {
        value: value.clone(),
        requests: Vec::new(),
        available: 0,
    })
}

/// Returns the devices of a request that show a value to a constraint.
fn with(
    problem: &Problem<'_>,
    case: &Case,
    (request, id): (usize, usize),
    value: &AttributeValue,
) -> Bitmap {
    let sets = &problem.constraints[id].sets;
    let mut devices = Bitmap::new(problem.view.devices.len());
    for (plan, candidates) in case.left(problem, request) {
        let plan = &problem.plans[plan];
        for device in candidates.iter() {
            let values = shows(plan, id, device).map(|set| sets.values(set));
            let mut values = values.into_iter().flatten();
            if values.any(|number| sets.value(*number) == Some(value)) {
                devices.insert(device);
            }
        }
    }
    devices
}
