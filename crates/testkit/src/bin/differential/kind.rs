//! [`Kind`]: the known faults of Kubernetes' allocator, and how to tell that one
//! may be at work.

use std::collections::{BTreeMap, BTreeSet};

use dralloc::model::{
    Device, DeviceAttribute, DeviceId, DeviceRequest, Map, QualifiedName, Quantity, ResourceSlice,
};
use dralloc_quantity::Amount;
use dralloc_testkit::case::{Case, Observed, OutcomeKind};

/// Why Kubernetes' allocator gives another answer than dralloc.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// It crashes.
    Panic,
    /// A conflict while an `All` request is placed ends the search.
    AllConflictAborts,
    /// A device with shares that is no longer shared counts as free.
    SharedThenDedicatedFree,
    /// A pick with administrative access blocks, consumes counters or needs
    /// capacity.
    Admin,
    /// One over-committed counter blocks devices that do not use it.
    NegativeCounterBlocksOthers,
    /// A request equal to the policy's default, written in another way, is
    /// refused.
    QuantityEquality,
    /// Held devices with and without groups in one counter set.
    GroupsBaseline,
    /// A held device has left its pool and may still draw on its counters.
    HeldDeviceLeftPool,
    /// A held amount is negative, or what a device takes of a counter.
    NegativeConsumption,
    /// The answer depends on the order of slices that disagree about their
    /// number.
    OrderDependent,
    /// A device that is held or picked is given again under another name.
    SameDeviceTwice,
    /// A class with a selector of an unknown kind fails only when a device is
    /// looked at, and then by crashing.
    ClassSelectorWithoutCel,
    /// A negative count is nothing to do where other counts make up for it.
    NegativeCount,
    /// It did not end in time.
    Timeout,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Panic => "panic",
            Self::AllConflictAborts => "all-conflict-aborts",
            Self::SharedThenDedicatedFree => "shared-then-dedicated-free",
            Self::Admin => "admin",
            Self::NegativeCounterBlocksOthers => "negative-counter-blocks-others",
            Self::QuantityEquality => "quantity-equality",
            Self::GroupsBaseline => "groups-baseline",
            Self::HeldDeviceLeftPool => "held-device-left-pool",
            Self::NegativeConsumption => "negative-consumption",
            Self::OrderDependent => "order-dependent",
            Self::SameDeviceTwice => "same-device-twice",
            Self::ClassSelectorWithoutCel => "class-selector-without-cel",
            Self::NegativeCount => "negative-count",
            Self::Timeout => "upstream-timeout",
        }
    }

    /// Returns the first fault that can be at work in a case.
    ///
    /// Each test is a necessary condition: whether the fault is at work is what
    /// brute force says.
    pub(crate) fn of(case: &Case, observed: &Observed) -> Option<Self> {
        let error = observed.error.as_deref().unwrap_or_default();
        let facts = Facts::new(case);
        let candidates = [
            (observed.outcome == OutcomeKind::Panic, Self::Panic),
            (
                error.contains("because a claim constraint would not be satisfied"),
                Self::AllConflictAborts,
            ),
            (facts.shared_then_dedicated(), Self::SharedThenDedicatedFree),
            (facts.admin(), Self::Admin),
            (facts.negative_consumption(), Self::NegativeConsumption),
            (facts.negative_counter(), Self::NegativeCounterBlocksOthers),
            (facts.mixed_groups(), Self::GroupsBaseline),
            (facts.left_pool(), Self::HeldDeviceLeftPool),
            (facts.equal_default(), Self::QuantityEquality),
            (facts.negative_count(), Self::NegativeCount),
            (facts.has_twins(), Self::SameDeviceTwice),
            (
                facts.class_selector_without_cel(),
                Self::ClassSelectorWithoutCel,
            ),
        ];
        candidates
            .into_iter()
            .find_map(|(possible, kind)| possible.then_some(kind))
    }
}

/// Returns whether slices of one pool disagree about their number.
pub(crate) fn order_dependent(case: &Case) -> bool {
    let mut counts = BTreeMap::new();
    case.resource_slices.iter().any(|slice| {
        let pool = &slice.spec.pool;
        let key = (&slice.spec.driver, &pool.name, pool.generation);
        *counts.entry(key).or_insert(pool.resource_slice_count) != pool.resource_slice_count
    })
}

/// What a case says of its devices.
struct Facts<'a> {
    case: &'a Case,
    devices: Vec<(DeviceId, &'a ResourceSlice, &'a Device)>,
    held: BTreeSet<DeviceId>,
    shared: BTreeSet<DeviceId>,
}

impl<'a> Facts<'a> {
    fn new(case: &'a Case) -> Self {
        let devices = case
            .resource_slices
            .iter()
            .flat_map(|slice| slice.spec.devices.iter().map(move |device| (slice, device)))
            .map(|(slice, device)| {
                let id = DeviceId {
                    driver: slice.spec.driver.clone(),
                    pool: slice.spec.pool.name.clone(),
                    device: device.name.clone(),
                };
                (id, slice, device)
            })
            .collect();
        let allocated = &case.allocated;
        let records = allocated
            .consumed_capacity
            .iter()
            .map(|record| &record.device);
        let shared: BTreeSet<DeviceId> = allocated
            .shared_device_ids
            .iter()
            .map(|share| &share.device)
            .chain(records)
            .cloned()
            .collect();
        let held = shared.iter().chain(&allocated.devices).cloned().collect();
        Self {
            case,
            devices,
            held,
            shared,
        }
    }

    fn held_devices(&self) -> impl Iterator<Item = (&'a ResourceSlice, &'a Device)> {
        self.devices
            .iter()
            .filter(|(id, ..)| self.held.contains(id))
            .map(|(_, slice, device)| (*slice, *device))
    }

    fn shared_then_dedicated(&self) -> bool {
        let gate = self.case.features.consumable_capacity;
        self.devices.iter().any(|(id, _, device)| {
            let dedicated = !gate || device.allow_multiple_allocations != Some(true);
            dedicated && self.shared.contains(id)
        })
    }

    fn requests(&self) -> impl Iterator<Item = &'a DeviceRequest> {
        self.case
            .claims
            .iter()
            .flat_map(|claim| &claim.spec.devices.requests)
    }

    fn class_selector_without_cel(&self) -> bool {
        let classes = self.case.device_classes.iter();
        let mut selectors = classes.flat_map(|class| &class.spec.selectors);
        selectors.any(|selector| selector.cel.is_none())
    }

    fn negative_count(&self) -> bool {
        self.requests().any(|request| {
            let exactly = request.exactly.iter().map(|exactly| exactly.count);
            let alternatives = request.first_available.iter().map(|one| one.count);
            exactly.chain(alternatives).any(|count| count < 0)
        })
    }

    fn admin(&self) -> bool {
        self.requests()
            .filter_map(|request| request.exactly.as_ref())
            .any(|exactly| exactly.admin_access == Some(true))
    }

    fn negative_consumption(&self) -> bool {
        let held = self.case.allocated.consumed_capacity.iter();
        let mut held = held.flat_map(|record| record.capacity.values());
        let slices = self.case.resource_slices.iter();
        let devices = slices.flat_map(|slice| &slice.spec.devices);
        let taken = devices.flat_map(|device| &device.consumes_counters);
        let mut taken = taken.flat_map(|taken| taken.counters.values());
        held.any(|amount| amount.sign() < 0) || taken.any(|counter| counter.value.sign() < 0)
    }

    /// Returns whether held devices take more of a counter than there is.
    fn negative_counter(&self) -> bool {
        let mut taken = BTreeMap::new();
        for (slice, device) in self.held_devices() {
            for consumption in &device.consumes_counters {
                for (counter, amount) in &consumption.counters {
                    let key = (
                        &slice.spec.driver,
                        &slice.spec.pool.name,
                        &consumption.counter_set,
                        counter,
                    );
                    let sum: &mut Amount = taken.entry(key).or_default();
                    *sum += amount.value.amount();
                }
            }
        }
        let zero = Amount::default();
        self.case.resource_slices.iter().any(|slice| {
            slice.spec.shared_counters.iter().any(|set| {
                set.counters.iter().any(|(counter, value)| {
                    let key = (
                        &slice.spec.driver,
                        &slice.spec.pool.name,
                        &set.name,
                        counter,
                    );
                    let taken = taken.get(&key).unwrap_or(&zero);
                    value.value.amount() < taken
                })
            })
        })
    }

    /// Returns whether a text that names a physical device is in two pools.
    fn has_twins(&self) -> bool {
        let mut pools = BTreeMap::new();
        self.devices.iter().any(|(id, _, device)| {
            let names = ["resource.kubernetes.io/pciBusID", "uuid"];
            let full = format!("{}/uuid", id.driver);
            let mut names = names.into_iter().chain([full.as_str()]);
            names.any(|name| {
                let Some(DeviceAttribute::String(text)) = device.attributes.get(name) else {
                    return false;
                };
                let pool = (&id.driver, &id.pool);
                *pools.entry(text).or_insert(pool) != pool
            })
        })
    }

    fn mixed_groups(&self) -> bool {
        let mut with = BTreeSet::new();
        let mut without = BTreeSet::new();
        for (slice, device) in self.held_devices() {
            for consumption in &device.consumes_counters {
                let list = if consumption.compatibility_groups.is_empty() {
                    &mut without
                } else {
                    &mut with
                };
                let pool = &slice.spec.pool.name;
                list.insert((&slice.spec.driver, pool, &consumption.counter_set));
            }
        }
        with.intersection(&without).next().is_some()
    }

    fn left_pool(&self) -> bool {
        let pool_of =
            |slice: &ResourceSlice| (slice.spec.driver.clone(), slice.spec.pool.name.clone());
        let mut newest = BTreeMap::new();
        for slice in &self.case.resource_slices {
            let generation = newest.entry(pool_of(slice)).or_insert(i64::MIN);
            *generation = slice.spec.pool.generation.max(*generation);
        }
        let current = self.devices.iter().filter(|(_, slice, _)| {
            newest.get(&pool_of(slice)) == Some(&slice.spec.pool.generation)
        });
        let published: BTreeSet<&DeviceId> = current.map(|(id, ..)| id).collect();
        self.held.iter().any(|id| !published.contains(id))
    }

    /// Returns whether a policy's default is asked for in other words, or is
    /// written so that Kubernetes keeps it behind a pointer and compares that.
    fn equal_default(&self) -> bool {
        let exact = self
            .requests()
            .filter_map(|request| request.exactly.as_ref());
        let exact = exact.filter_map(|exactly| exactly.capacity.as_ref());
        let alternatives = self.requests().flat_map(|request| &request.first_available);
        let alternatives = alternatives.filter_map(|request| request.capacity.as_ref());
        let asked: Vec<&Map<QualifiedName, Quantity>> = exact
            .chain(alternatives)
            .map(|asked| &asked.requests)
            .collect();
        self.devices.iter().any(|(_, _, device)| {
            device.capacity.iter().any(|(name, capacity)| {
                let policy = capacity.request_policy.as_ref();
                let default = policy.and_then(|policy| policy.default.as_ref());
                default.is_some_and(|default| {
                    behind_a_pointer(default)
                        || asked.iter().any(|asked| asked.get(name) == Some(default))
                })
            })
        })
    }
}

/// Returns whether Kubernetes keeps a quantity as a big decimal: a binary suffix
/// after a fraction, a fraction below nano, or more digits than 63 bits hold.
fn behind_a_pointer(quantity: &Quantity) -> bool {
    let text = quantity.text().unwrap_or_default();
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let fraction = text.split_once('.').map_or("", |(_, fraction)| fraction);
    let places = fraction.bytes().take_while(u8::is_ascii_digit).count();
    digits > 17 || places > 9 || (text.contains('.') && text.ends_with('i'))
}
