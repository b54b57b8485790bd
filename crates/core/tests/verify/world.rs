//! Changes to what there is, so that an answer is not right any more.

use dralloc::ViolationCode as Code;
use dralloc::model::{
    AllocationResult, CelDeviceSelector, Device, DeviceConstraint, DeviceId,
    DeviceRequestAllocationResult, DeviceSelector, DeviceTaint, Quantity,
};
use dralloc_testkit::case::{Case, ConsumedCapacity};

/// Is a case that was changed in one place, and what is wrong with the answer then.
pub(crate) struct Change {
    pub(crate) kind: &'static str,
    pub(crate) case: Case,
    pub(crate) expected: Code,
}

/// Returns a case with every kind of change.
pub(crate) fn all(case: &Case, results: &[AllocationResult]) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut add = |kind, expected, change: &dyn Fn(&mut Case)| {
        let mut case = case.clone();
        change(&mut case);
        changes.push(Change { kind, case, expected });
    };
    for (index, result) in results.iter().enumerate() {
        for given in &result.devices.results {
            let id = || {
                DeviceId::new(given.driver.clone(), given.pool.clone(), given.device.clone())
            };
            let is_admin = given.admin_access == Some(true);
            if !is_admin {
                add("device held", Code::InUse, &|case| case.allocated.devices.push(id()));
            }
            if case.features.device_taints
                && given.tolerations.iter().all(|toleration| !toleration.key.is_empty())
            {
                add("device tainted", Code::Taint, &|case| {
                    each(case, given, |device| {
                        device.taints.push(DeviceTaint {
                            key: "no-such-key".into(),
                            effect: "NoExecute".into(),
                            ..DeviceTaint::default()
                        });
                    });
                });
            }
            let consumed = given.consumed_capacity.as_ref();
            if let Some((name, amount)) =
                consumed.and_then(|all| all.iter().find(|(_, amount)| amount.sign() > 0))
                && !is_admin
            {
                let _ = amount;
                add("capacity taken", Code::CapacityExceeded, &|case| {
                    let mut all = None;
                    each(case, given, |device| {
                        all = device.capacity.get(name).map(|capacity| capacity.value.clone());
                    });
                    case.allocated.consumed_capacity.push(ConsumedCapacity {
                        device: id(),
                        capacity: [(name.clone(), all.unwrap())].into_iter().collect(),
                    });
                });
            }
            if !is_admin && uses_counters(case, given) {
                add("counters taken", Code::CountersExceeded, &|case| {
                    for slice in &mut case.resource_slices {
                        if slice.spec.driver == given.driver && slice.spec.pool.name == given.pool {
                            for set in &mut slice.spec.shared_counters {
                                set.counters
                                    .values_mut()
                                    .for_each(|one| one.value = Quantity::from_units(-1));
                            }
                        }
                    }
                });
                if case.features.compatibility_groups {
                    add("groups apart", Code::CompatibilityGroups, &|case| {
                        set_apart(case, given);
                    });
                }
            }
        }
        let Some(first) = result.devices.results.first() else { continue };
        add("slice missing", Code::Pool, &|case| {
            let of_pool = |slice: &dralloc::model::ResourceSlice| {
                slice.spec.driver == first.driver && slice.spec.pool.name == first.pool
            };
            for slice in case.resource_slices.iter_mut().filter(|slice| of_pool(slice)) {
                slice.spec.pool.resource_slice_count += 1;
            }
        });
        add("class gone", Code::ClassNotFound, &|case| case.device_classes.clear());
        for (kind, code, is_match) in [
            ("constraint that nothing matches", Code::MatchAttribute, true),
            ("constraint that nothing tells apart", Code::DistinctAttribute, false),
        ] {
            add(kind, code, &|case| {
                let name = Some("no-such-domain/no-such-attribute".into());
                let mut constraint = DeviceConstraint::default();
                if is_match {
                    constraint.match_attribute = name;
                } else {
                    constraint.distinct_attribute = name;
                }
                case.claims[index].spec.devices.constraints.push(constraint);
            });
        }
        let requests = &case.claims[index].spec.devices.requests;
        for place in 0..requests.len() {
            let Some(exactly) = &requests[place].exactly else { continue };
            if exactly.allocation_mode == "ExactCount".into() {
                add("one more asked for", Code::DeviceCount, &|case| {
                    let request = &mut case.claims[index].spec.devices.requests[place];
                    request.exactly.as_mut().unwrap().count += 1;
                });
                if exactly.count > 0 {
                    add("selector that nothing matches", Code::Selector, &|case| {
                        let request = &mut case.claims[index].spec.devices.requests[place];
                        let cel = Some(CelDeviceSelector { expression: "false".into() });
                        let selectors = &mut request.exactly.as_mut().unwrap().selectors;
                        selectors.push(DeviceSelector { cel });
                    });
                }
            }
        }
    }
    changes
}

/// Changes a device wherever it is published.
fn each(
    case: &mut Case,
    given: &DeviceRequestAllocationResult,
    mut change: impl FnMut(&mut Device),
) {
    for slice in &mut case.resource_slices {
        if slice.spec.driver == given.driver && slice.spec.pool.name == given.pool {
            let devices = slice.spec.devices.iter_mut();
            devices.filter(|device| device.name == given.device).for_each(&mut change);
        }
    }
}

/// Returns whether a device pays for counters: a held one has paid already.
fn uses_counters(case: &Case, given: &DeviceRequestAllocationResult) -> bool {
    let same = |id: &DeviceId| {
        id.driver == given.driver && id.pool == given.pool && id.device == given.device
    };
    let allocated = &case.allocated;
    let is_held = allocated.devices.iter().any(same)
        || allocated.shared_device_ids.iter().any(|share| same(&share.device))
        || allocated.consumed_capacity.iter().any(|consumed| same(&consumed.device));
    let mut devices = case
        .resource_slices
        .iter()
        .filter(|slice| slice.spec.driver == given.driver && slice.spec.pool.name == given.pool)
        .flat_map(|slice| &slice.spec.devices);
    !is_held
        && devices.any(|device| {
            device.name == given.device
                && device.consumes_counters.iter().any(|taken| !taken.counters.is_empty())
        })
}

/// Holds another device that uses the same counter set, in a group of its own.
fn set_apart(case: &mut Case, given: &DeviceRequestAllocationResult) {
    let mut other = None;
    each(case, given, |device| {
        device.consumes_counters.iter_mut().for_each(|taken| {
            taken.compatibility_groups = vec!["this".into()];
        });
        let mut copy = Device { name: "another".into(), ..Device::default() };
        copy.consumes_counters = device.consumes_counters.clone();
        for taken in &mut copy.consumes_counters {
            taken.compatibility_groups = vec!["that".into()];
            taken.counters.values_mut().for_each(|one| one.value = Quantity::from_units(0));
        }
        other = Some(copy);
    });
    let Some(other) = other else { return };
    let id = DeviceId::new(given.driver.clone(), given.pool.clone(), other.name.clone());
    for slice in &mut case.resource_slices {
        let is_home = slice.spec.devices.iter().any(|device| device.name == given.device);
        if slice.spec.driver == given.driver && slice.spec.pool.name == given.pool && is_home {
            slice.spec.devices.push(other.clone());
        }
    }
    case.allocated.devices.push(id);
}
