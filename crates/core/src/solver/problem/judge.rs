//! [`Judge`]: what the rules say of one device for one alternative.

use super::plan::{Check, Plan};
use super::state::State;
use crate::claims::Alternative;
use crate::error::{Code, Error};
use crate::features::Features;
use crate::model::Quantity;
use crate::rules::{self, NodeSelection};
use crate::state::{Draft, HeldDevice};
use crate::store::{DeviceEntry, NodeView};

/// Asks the rules in the order of the reference search.
pub(in crate::solver) struct Judge<'a> {
    pub(in crate::solver) features: &'a Features,
    pub(in crate::solver) view: &'a NodeView,
}

/// Is what can be said of a device before anything else is known.
pub(in crate::solver) enum Verdict {
    No(Check),
    Fails(Check, Error),
    /// With what is taken of its capacities, if that had to be computed.
    Yes(Option<Vec<Quantity>>),
}

impl Judge<'_> {
    /// A device that was shared and no longer is stays in use while a share is held,
    /// and any device while something is held of what is physically the same.
    pub(in crate::solver) fn is_held(&self, device: usize, admin: bool, held: &Draft) -> bool {
        let own = held.device(self.view.devices[device].key);
        let is_held = |own: &HeldDevice| own.is_whole() || !self.view.shareable.contains(device);
        let mut twins = self.view.twins.of(device);
        !admin && (own.is_some_and(is_held) || twins.any(|twin| held.device(twin.key).is_some()))
    }

    /// Asks what depends on the request and the device alone, in order.
    pub(in crate::solver) fn qualify(
        &self,
        device: usize,
        alternative: &Alternative,
        selector_error: Option<(usize, Error)>,
    ) -> Verdict {
        match self.admit(device, alternative, selector_error) {
            Some(refusal) => refusal,
            None => self.takes(device, alternative),
        }
    }

    /// Asks what [`Judge::qualify`] asks, but for capacities; returns what is against it.
    pub(in crate::solver) fn admit(
        &self,
        device: usize,
        alternative: &Alternative,
        selector_error: Option<(usize, Error)>,
    ) -> Option<Verdict> {
        let entry = &self.view.devices[device];
        let model = entry.device();
        if rules::lacks_binding_conditions(model, self.features) {
            return Some(Verdict::No(Check::BindingConditions));
        }
        let fails = |check, error: Error| fails(entry, check, &error);
        if let Some((selector, error)) = selector_error {
            // Those of the class come first.
            let class = &alternative.class;
            let of_class = class.spec.selectors.len();
            let path = match selector.checked_sub(of_class) {
                Some(own) => format!("selectors[{own}]"),
                None => format!("class[{}].spec.selectors[{selector}]", class.metadata.name),
            };
            return Some(fails(Check::Selector, error.under(&path)));
        }
        if entry.stored.slice.spec.per_device_node_selection == Some(true) {
            match NodeSelection::of_device(model).on_node(&self.view.node) {
                Ok(true) => {}
                Ok(false) => return Some(Verdict::No(Check::Node)),
                Err(error) => return Some(fails(Check::Node, error)),
            }
        }
        None
    }

    /// Returns what an alternative takes of the capacities of a device that
    /// qualifies otherwise: the same of all devices with the same capacities.
    pub(in crate::solver) fn takes(&self, device: usize, alternative: &Alternative) -> Verdict {
        let features = self.features;
        let entry = &self.view.devices[device];
        let model = entry.device();
        if !features.consumable_capacity {
            return Verdict::Yes(None);
        }
        let fractional = features.fractional_capacity_range;
        match rules::amounts(model, alternative.capacity.as_ref(), fractional) {
            Err(error) => fails(entry, Check::Capacity, &error),
            Ok(None) => Verdict::No(Check::Capacity),
            Ok(Some(amounts)) => {
                let fits = amounts
                    .iter()
                    .zip(model.capacity.values())
                    .all(|(amount, capacity)| {
                        let policy = capacity.request_policy.as_deref();
                        rules::allowed(amount, policy, fractional) && *amount <= capacity.value
                    });
                if fits {
                    Verdict::Yes(Some(amounts))
                } else {
                    Verdict::No(Check::Capacity)
                }
            }
        }
    }

    /// Returns what refuses a device whatever else is picked, after it qualified.
    pub(in crate::solver) fn refuse(
        &self,
        device: usize,
        plan: &Plan<'_>,
        state: &State,
        held: &Draft,
    ) -> Option<Check> {
        let alternative = plan.alternative;
        if self.is_held(device, alternative.admin_access, held) {
            return Some(Check::InUse);
        }
        let admin = alternative.admin_access;
        if !admin
            && plan.all.is_none()
            && let Some(amounts) = plan.amounts.get(&device)
            && !state.capacity.has_room(device, amounts)
        {
            return Some(Check::Capacity);
        }
        if self.lacks_node_operations(device) {
            return Some(Check::NodeOperations);
        }
        if self.is_unwanted_partition(device) {
            return Some(Check::Partition);
        }
        let paid = state.counters.is_paid(device);
        if !paid && !state.groups.admits(device) {
            return Some(Check::CompatibilityGroups);
        }
        if !admin && state.counters.excludes(device) {
            return Some(Check::Counters);
        }
        if self.is_tainted(device, alternative) {
            return Some(Check::Taint);
        }
        None
    }

    /// Returns whether something refuses a device whatever is held, after it qualified.
    pub(in crate::solver) fn refuses_always(
        &self,
        device: usize,
        alternative: &Alternative,
    ) -> bool {
        self.lacks_node_operations(device)
            || self.is_unwanted_partition(device)
            || self.is_tainted(device, alternative)
    }

    fn lacks_node_operations(&self, device: usize) -> bool {
        let spec = &self.view.devices[device].stored.slice.spec;
        rules::lacks_node_operations(spec, &self.view.node, self.features)
    }

    fn is_unwanted_partition(&self, device: usize) -> bool {
        rules::lacks_counters(self.view.devices[device].device(), self.features)
    }

    fn is_tainted(&self, device: usize, alternative: &Alternative) -> bool {
        self.view.tainted.contains(device)
            && rules::blocking_taint(self.view.taints(device), &alternative.tolerations).is_some()
    }
}

fn fails(entry: &DeviceEntry, check: Check, error: &Error) -> Verdict {
    // A selector that does not compile is no fault of the device.
    let message = if error.code() == Code::CelCompile {
        error.message().to_owned()
    } else {
        format!("device `{}`: {}", entry.id(), error.message())
    };
    Verdict::Fails(check, Error::new(error.code(), message).at(error.path()))
}
