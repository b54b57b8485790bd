//! [`unit_groups`]: the units of a policy, as a constraint of a problem.

use std::sync::Arc;

use super::{Problem, Propagator, entry_id};
use crate::bitmap::Bitmap;
use crate::claims::{Needed, Unit};
use crate::constraint::{UnitCuts, UnitGroups};
use crate::error::{Code, Error};
use crate::store::NodeView;
use crate::topology::{
    AffinityScope, Crossing, Grouping, Groups, LARGEST_GROUPING, Machine, nested,
};

/// Returns the groups that devices are to be cut into.
pub(super) fn unit_groups(
    problem: &Problem<'_>,
    id: usize,
    unit: &Unit,
    machine: &Arc<Machine>,
) -> Result<Propagator, Error> {
    let mut devices = Bitmap::new(problem.view.devices.len());
    let (mut groups, mut counts, mut members) = (0, Vec::new(), Vec::new());
    for request in 0..problem.requests.len() {
        let mut plans = problem.plans_of(request).iter();
        let member = plans.find(|plan| plan.compared(id).is_some());
        let count = member.and_then(|plan| {
            let count = unit.count_of(plan.alternative.name.request())?;
            let Needed::Count(needed) = plan.alternative.needed else {
                return None;
            };
            groups = groups.max(needed.div_ceil(count));
            Some(count)
        });
        members.push(count.map(|_| counts.len()));
        counts.extend(count);
        for plan in problem.plans_of(request).iter().filter(|_| count.is_some()) {
            devices.unite(&plan.candidates);
        }
    }
    let apart = unit.apart_over;
    let own = unit.levels.first().filter(|_| unit.is_required);
    let domains = match own {
        Some(level) => {
            let apart = apart.map(AffinityScope::Domain);
            let levels: Vec<AffinityScope> = std::iter::once(*level).chain(apart).collect();
            nested(machine, &levels, &devices)
        }
        // Groups that are in no domain may be anywhere.
        None => Err(Crossing::Both),
    };
    let mut domains = match domains {
        Ok(domains) => domains.into_iter(),
        Err(crossing) => {
            let groups = Groups {
                machine: Arc::clone(machine),
                count: groups,
                sizes: counts,
                levels: own.copied().into_iter().collect(),
                is_required: unit.is_required,
                apart,
            };
            if groups.len() > LARGEST_GROUPING {
                return Err(unsupported(crossing, problem.view));
            }
            let cuts = UnitCuts::new(members, Grouping::new(groups));
            return Ok(Propagator::Cuts(Box::new(cuts)));
        }
    };
    let own = domains.next().unwrap_or_default();
    let apart = apart.zip(domains.next()).map(|(level, apart)| {
        let count = own.iter().flatten().max().map_or(0, |last| last + 1);
        let mut of_domain = vec![None; count];
        for (device, (domain, apart)) in own.iter().zip(apart).enumerate() {
            let slot = domain.and_then(|domain| of_domain.get_mut(domain));
            let is_known = !machine.domains().of(level, device).is_empty();
            if let Some(slot) = slot.filter(|_| is_known) {
                *slot = apart;
            }
        }
        of_domain
    });
    let units = UnitGroups::new(groups, (counts, members), own, apart);
    Ok(Propagator::Units(units))
}

/// Says why groups cannot be counted on a node.
pub(in crate::solver) fn unsupported(crossing: Crossing, view: &NodeView) -> Error {
    let id = |device: usize| entry_id(view, device);
    let what = match crossing {
        Crossing::Several { device, level } => format!(
            "where devices are in several domains of `{}`, such as `{}`",
            level.as_str(),
            id(device),
        ),
        Crossing::Chain {
            devices: [one, middle, other],
        } => format!(
            "where `{}` has links with `{}` and `{}`, which have none with each other",
            id(middle),
            id(one),
            id(other),
        ),
        Crossing::Apart {
            devices: [one, other],
            near,
            far,
        } => format!(
            "where devices have a `{}` and no `{}` in common, such as `{}` and `{}`",
            near.as_str(),
            far.as_str(),
            id(one),
            id(other),
        ),
        Crossing::Both => "where units are preferred and must be apart".to_owned(),
    };
    let message =
        format!("cutting more than {LARGEST_GROUPING} devices into units is not supported {what}");
    Error::new(Code::Unsupported, message).on_node()
}
