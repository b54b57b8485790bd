//! [`Names`]: proofs in the terms of the objects.

use super::case::Case;
use super::groups::Groups;
use super::split::Split;
use super::sum::{Counter, Sum, Weights};
use super::{Leaf, count};
use crate::bitmap::Bitmap;
use crate::model::{DeviceAttribute, DeviceId, Quantity, Str};
use crate::objective::{Requests, Scope};
use crate::proof::{CapacityWeight, ConstraintId, CounterWeight, GroupValue, RequestId, Step};
use crate::rules::AttributeValue;
use crate::solver::problem::{ALL_CLAIMS, Problem};
use crate::store::DeviceEntry;

/// Knows the names of what a problem has numbers for.
pub(super) struct Names {
    /// Devices by their full names.
    pub(super) order: Vec<usize>,
    ids: Vec<DeviceId>,
    requests: Vec<RequestId>,
    constraints: Vec<ConstraintId>,
}

impl Names {
    pub(super) fn new(problem: &Problem<'_>) -> Self {
        let ids: Vec<DeviceId> = problem.view.devices.iter().map(DeviceEntry::id).collect();
        let mut order: Vec<usize> = (0..ids.len()).collect();
        order.sort_by(|one, other| ids[*one].cmp(&ids[*other]));
        let mut requests: Vec<RequestId> = Vec::with_capacity(problem.requests.len());
        for request in 0..problem.requests.len() {
            // Every request has an alternative, or it could not be prepared.
            let plan = problem.plans_of(request).first();
            let (claim, name) = plan.map_or((0, ""), |plan| {
                (plan.claim, plan.alternative.name.request())
            });
            let id = RequestId::new(claim, name).after(requests.iter());
            requests.push(id);
        }
        let places = problem.constraint_places().into_iter();
        Self {
            requests,
            constraints: places
                .map(|(claim, constraint)| ConstraintId { claim, constraint })
                .collect(),
            order,
            ids,
        }
    }

    /// Returns the step for a sum.
    pub(super) fn leaf(
        &self,
        problem: &Problem<'_>,
        case: &Case,
        counters: &[Counter<'_>],
        leaf: Leaf,
    ) -> Step {
        match leaf {
            Leaf::Count(requests) => {
                let serving = count::serving(problem, case, &requests);
                Step::Count {
                    needed: count::needed(problem, case, &requests),
                    available: count::available(problem, case, &requests, &serving, &self.order),
                    devices: self.devices(&serving),
                    requests: self.requests(&requests),
                }
            }
            Leaf::Distinct(distinct) => Step::Distinct {
                constraint: self.constraints[distinct.constraint],
                requests: self.requests(&distinct.requests),
                values: values(problem, distinct.constraint, &distinct.values),
                needed: distinct.needed,
                available: distinct.available,
            },
            Leaf::Groups(groups) => self.groups(groups),
            Leaf::Counters(sum) | Leaf::Capacities(sum) => self.sum(problem, counters, sum),
            Leaf::Parts(requests, parts) => Step::Parts {
                requests: self.requests(&requests),
                parts: self.parts(&parts),
            },
            Leaf::Least(requests, parts) => Step::Least {
                requests: self.requests(&requests),
                parts: self.parts(&parts),
            },
            Leaf::Limit(claim, needed) => Step::Limit { claim, needed },
            Leaf::Placement(rule) => {
                let is_of_claim = problem.constraints[rule].claim != ALL_CLAIMS;
                Step::Placement {
                    constraint: is_of_claim.then(|| self.constraints[rule]),
                }
            }
        }
    }

    fn groups(&self, groups: Groups) -> Step {
        let constraints = groups.constraints.iter().map(|id| self.constraints[*id]);
        Step::Groups {
            constraints: constraints.collect(),
            available: groups.values.iter().map(|having| having.available).sum(),
            values: groups
                .values
                .into_iter()
                .map(|having| GroupValue {
                    value: attribute(&having.value),
                    requests: self.requests(&having.requests),
                    available: having.available,
                })
                .collect(),
        }
    }

    fn sum(&self, problem: &Problem<'_>, counters: &[Counter<'_>], sum: Sum) -> Step {
        let (needed, left) = (Quantity::from(sum.needed), Quantity::from(sum.left));
        let requests = self.requests(&sum.requests);
        match sum.weights {
            Weights::Counters(weights) => {
                let weight = |counter: usize| {
                    let one = counters.get(counter)?;
                    let pool = problem.view.pools.get(one.pool)?;
                    Some(CounterWeight {
                        driver: pool.driver.clone(),
                        pool: pool.name.clone(),
                        counter_set: one.set.into(),
                        counter: one.name.into(),
                        weight: 1,
                    })
                };
                Step::Counters {
                    requests,
                    counters: weights.iter().filter_map(weight).collect(),
                    needed,
                    left,
                }
            }
            Weights::Capacities(places) => {
                let weight = |(device, place): (usize, usize)| {
                    let mut names = problem.view.devices[device].device().capacity.keys();
                    Some(CapacityWeight {
                        device: self.ids[device].clone(),
                        capacity: names.nth(place)?.clone(),
                        weight: 1,
                    })
                };
                Step::Capacities {
                    requests,
                    capacities: places.into_iter().filter_map(weight).collect(),
                    needed,
                    left,
                }
            }
        }
    }

    /// Returns the step for a split.
    pub(super) fn split(&self, problem: &Problem<'_>, split: &Split) -> Step {
        match split {
            Split::Alternatives(request, plans) => {
                let name =
                    |plan: &usize| Str::from(problem.plans[*plan].alternative.name.to_string());
                Step::Alternatives {
                    request: self.requests[*request].clone(),
                    alternatives: plans.iter().map(name).collect(),
                }
            }
            Split::Values(constraint, numbers) => Step::Values {
                constraint: self.constraints[*constraint],
                values: values(problem, *constraint, numbers),
            },
            Split::Devices(plan, groups) => {
                let group = |group: &Vec<usize>| {
                    group
                        .iter()
                        .map(|device| self.ids[*device].clone())
                        .collect()
                };
                Step::Devices {
                    request: self.requests[problem.plans[*plan].request].clone(),
                    devices: groups.iter().map(group).collect(),
                }
            }
        }
    }

    /// Returns the requests that the terms of a scope count; nothing for all.
    pub(super) fn of_scope(&self, problem: &Problem<'_>, scope: &Scope) -> Option<Vec<RequestId>> {
        if matches!(scope.requests, Requests::All) {
            return None;
        }
        let counts = |request: usize| {
            let plan = problem.plans_of(request).first();
            plan.is_some_and(|plan| scope.requests.contains(plan.claim, plan.request_of_claim))
        };
        let all = self.requests.iter().enumerate();
        let counted = all.filter(|(request, _)| counts(*request));
        Some(counted.map(|(_, id)| id.clone()).collect())
    }

    fn parts(&self, parts: &[Vec<usize>]) -> Vec<Vec<DeviceId>> {
        let named = parts.iter().map(|part| {
            let mut one = Bitmap::new(self.ids.len());
            for device in part {
                one.insert(*device);
            }
            self.devices(&one)
        });
        let mut parts: Vec<Vec<DeviceId>> = named.collect();
        parts.sort();
        parts
    }

    fn requests(&self, requests: &[usize]) -> Vec<RequestId> {
        requests
            .iter()
            .map(|request| self.requests[*request].clone())
            .collect()
    }

    fn devices(&self, devices: &Bitmap) -> Vec<DeviceId> {
        let order = self
            .order
            .iter()
            .filter(|device| devices.contains(**device));
        order.map(|device| self.ids[*device].clone()).collect()
    }
}

/// Returns values of a constraint in the order of their numbers, which is put
/// right first.
fn values(problem: &Problem<'_>, constraint: usize, numbers: &[u32]) -> Vec<DeviceAttribute> {
    let sets = &problem.constraints[constraint].sets;
    let mut values: Vec<&AttributeValue> = numbers
        .iter()
        .filter_map(|number| sets.value(*number))
        .collect();
    values.sort();
    values.into_iter().map(attribute).collect()
}

fn attribute(value: &AttributeValue) -> DeviceAttribute {
    match value {
        AttributeValue::Int(value) => DeviceAttribute::Int(*value),
        AttributeValue::Bool(value) => DeviceAttribute::Bool(*value),
        AttributeValue::String(value) => DeviceAttribute::String(value.clone()),
        AttributeValue::Version(value) => DeviceAttribute::Version(value.clone()),
    }
}
