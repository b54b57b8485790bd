//! Changes to what there is, so that an answer is not right any more.

use dralloc::ViolationCode as Code;
use dralloc::model::{
    AllocationResult, CelDeviceSelector, Device, DeviceConstraint, DeviceId,
    DeviceRequestAllocationResult, DeviceSelector, DeviceTaint, ExactDeviceRequest, Map, Quantity,
    ResourceSlice,
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
    let mut changes = Changes {
        case,
        list: Vec::new(),
    };
    for (claim, result) in results.iter().enumerate() {
        for given in &result.devices.results {
            changes.device(given);
            if given.admin_access != Some(true) {
                changes.held(given);
            }
        }
        if let Some(first) = result.devices.results.first() {
            changes.pool(first);
            changes.claim(claim);
        }
    }
    changes.list
}

struct Changes<'a> {
    case: &'a Case,
    list: Vec<Change>,
}

impl Changes<'_> {
    fn add(&mut self, kind: &'static str, expected: Code, change: impl FnOnce(&mut Case)) {
        let mut case = self.case.clone();
        change(&mut case);
        self.list.push(Change {
            kind,
            case,
            expected,
        });
    }

    fn device(&mut self, given: &DeviceRequestAllocationResult) {
        let mut tolerations = given.tolerations.iter();
        if !self.case.features.device_taints || tolerations.any(|one| one.key.is_empty()) {
            return;
        }
        self.add("device tainted", Code::Taint, |case| {
            each(case, given, |device| {
                device.taints.push(DeviceTaint {
                    key: "no-such-key".into(),
                    effect: "NoExecute".into(),
                    ..DeviceTaint::default()
                });
            });
        });
    }

    /// Lets others have what a device was given for.
    fn held(&mut self, given: &DeviceRequestAllocationResult) {
        let id = id(given);
        self.add("device held", Code::InUse, |case| {
            case.allocated.devices.push(id.clone());
        });
        let mut consumed = given.consumed_capacity.iter().flat_map(Map::iter);
        if let Some((name, _)) = consumed.find(|(_, amount)| amount.sign() > 0) {
            self.add("capacity taken", Code::CapacityExceeded, |case| {
                let mut all = None;
                each(case, given, |device| {
                    all = device
                        .capacity
                        .get(name)
                        .map(|capacity| capacity.value.clone());
                });
                case.allocated.consumed_capacity.push(ConsumedCapacity {
                    device: id,
                    capacity: [(name.clone(), all.unwrap())].into_iter().collect(),
                });
            });
        }
        if !uses_counters(self.case, given) {
            return;
        }
        self.add("counters taken", Code::CountersExceeded, |case| {
            let slices = case.resource_slices.iter_mut();
            for slice in slices.filter(|slice| is_of_pool(slice, given)) {
                for set in &mut slice.spec.shared_counters {
                    let counters = set.counters.values_mut();
                    counters.for_each(|one| one.value = Quantity::from_units(-1));
                }
            }
        });
        if self.case.features.compatibility_groups {
            let code = Code::CompatibilityGroups;
            self.add("groups apart", code, |case| set_apart(case, given));
        }
    }

    fn pool(&mut self, given: &DeviceRequestAllocationResult) {
        self.add("slice missing", Code::Pool, |case| {
            let slices = case.resource_slices.iter_mut();
            for slice in slices.filter(|slice| is_of_pool(slice, given)) {
                slice.spec.pool.resource_slice_count += 1;
            }
        });
        self.add("class gone", Code::ClassNotFound, |case| {
            case.device_classes.clear();
        });
    }

    fn claim(&mut self, claim: usize) {
        let name = || Some("no-such-domain/no-such-attribute".into());
        let mut add = |kind, code, constraint| {
            self.add(kind, code, |case| {
                case.claims[claim].spec.devices.constraints.push(constraint);
            });
        };
        add(
            "constraint that nothing matches",
            Code::MatchAttribute,
            DeviceConstraint {
                match_attribute: name(),
                ..DeviceConstraint::default()
            },
        );
        add(
            "constraint that nothing tells apart",
            Code::DistinctAttribute,
            DeviceConstraint {
                distinct_attribute: name(),
                ..DeviceConstraint::default()
            },
        );
        let requests = &self.case.claims[claim].spec.devices.requests;
        for (place, request) in requests.iter().enumerate() {
            let Some(exactly) = &request.exactly else {
                continue;
            };
            if *exactly.allocation_mode != *"ExactCount" {
                continue;
            }
            let request = |case: &mut Case, change: &dyn Fn(&mut ExactDeviceRequest)| {
                let requests = &mut case.claims[claim].spec.devices.requests;
                change(requests[place].exactly.as_mut().unwrap());
            };
            self.add("one more asked for", Code::DeviceCount, |case| {
                request(case, &|exactly| exactly.count += 1);
            });
            if exactly.count > 0 {
                self.add("selector that nothing matches", Code::Selector, |case| {
                    request(case, &|exactly| {
                        let cel = Some(CelDeviceSelector {
                            expression: "false".into(),
                        });
                        exactly.selectors.push(DeviceSelector { cel });
                    });
                });
            }
        }
    }
}

fn id(given: &DeviceRequestAllocationResult) -> DeviceId {
    DeviceId::new(
        given.driver.clone(),
        given.pool.clone(),
        given.device.clone(),
    )
}

fn is_of_pool(slice: &ResourceSlice, given: &DeviceRequestAllocationResult) -> bool {
    slice.spec.driver == given.driver && slice.spec.pool.name == given.pool
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
            devices
                .filter(|device| device.name == given.device)
                .for_each(&mut change);
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
        || allocated
            .shared_device_ids
            .iter()
            .any(|share| same(&share.device))
        || allocated
            .consumed_capacity
            .iter()
            .any(|consumed| same(&consumed.device));
    let mut devices = case
        .resource_slices
        .iter()
        .filter(|slice| slice.spec.driver == given.driver && slice.spec.pool.name == given.pool)
        .flat_map(|slice| &slice.spec.devices);
    !is_held
        && devices.any(|device| {
            device.name == given.device
                && device
                    .consumes_counters
                    .iter()
                    .any(|taken| !taken.counters.is_empty())
        })
}

/// Holds another device that uses the same counter set, in a group of its own.
fn set_apart(case: &mut Case, given: &DeviceRequestAllocationResult) {
    let mut other = None;
    each(case, given, |device| {
        device.consumes_counters.iter_mut().for_each(|taken| {
            taken.compatibility_groups = vec!["this".into()];
        });
        let mut copy = Device {
            name: "another".into(),
            ..Device::default()
        };
        copy.consumes_counters.clone_from(&device.consumes_counters);
        for taken in &mut copy.consumes_counters {
            taken.compatibility_groups = vec!["that".into()];
            taken
                .counters
                .values_mut()
                .for_each(|one| one.value = Quantity::from_units(0));
        }
        other = Some(copy);
    });
    let Some(other) = other else { return };
    let id = DeviceId::new(given.driver.clone(), given.pool.clone(), other.name.clone());
    for slice in &mut case.resource_slices {
        let is_home = slice
            .spec
            .devices
            .iter()
            .any(|device| device.name == given.device);
        if slice.spec.driver == given.driver && slice.spec.pool.name == given.pool && is_home {
            slice.spec.devices.push(other.clone());
        }
    }
    case.allocated.devices.push(id);
}
