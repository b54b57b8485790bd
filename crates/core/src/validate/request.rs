//! Requests of claims, and their alternatives.

use std::cell::Cell;
use std::collections::BTreeSet;

use super::report::{Path, Report};
use super::selector;
use super::{limits, names, taint};
use crate::features::Features;
use crate::model::{
    CapacityRequirements, DeviceClaim, DeviceConstraint, DeviceDerivedAttribute, DeviceRequest,
    DeviceSelector, DeviceSubRequest, DeviceToleration, ExactDeviceRequest,
};

/// Checks the requests of a claim; `path` is that of the claim's devices.
pub(super) fn requests(
    report: &mut Report,
    path: &Path<'_>,
    claim: &DeviceClaim,
    features: Features,
) {
    let devices = path;
    let path = &path.field("requests");
    let requests = &claim.requests;
    if report.size(path, limits::REQUESTS, requests.len(), "requests") {
        let context = &Context {
            features,
            constrained: Constrained::by(&claim.constraints),
            derived_cost: Cell::new(0),
        };
        for (index, request) in requests.iter().enumerate() {
            one(report, &path.index(index), request, context);
        }
        report.unique(
            path,
            "request",
            requests.iter().map(|request| &*request.name),
        );
        let cost = context.derived_cost.get();
        selector::estimated_cost(report, devices, cost, " of all derived attributes");
    }
}

/// Is what all requests of a claim have in common.
struct Context<'a> {
    features: Features,
    constrained: Constrained<'a>,
    /// The estimated cost of all derived attributes so far.
    derived_cost: Cell<u64>,
}

/// Holds which attributes the constraints of a claim read, and of which
/// requests: `""` stands for all.
struct Constrained<'a>(BTreeSet<(&'a str, &'a str)>);

impl<'a> Constrained<'a> {
    fn by(constraints: &'a [DeviceConstraint]) -> Self {
        let mut read = BTreeSet::new();
        for constraint in constraints {
            let attributes = [&constraint.match_attribute, &constraint.distinct_attribute];
            for attribute in attributes.into_iter().flatten() {
                if constraint.requests.is_empty() {
                    read.insert(("", &**attribute));
                }
                read.extend(
                    constraint
                        .requests
                        .iter()
                        .map(|name| (&**name, &**attribute)),
                );
            }
        }
        Self(read)
    }

    fn reads(&self, request: &str, sub_request: Option<&str>, attribute: &str) -> bool {
        self.0.contains(&("", attribute))
            || self.0.contains(&(request, attribute))
            || sub_request.is_some_and(|sub_request| {
                self.0
                    .contains(&(&*format!("{request}/{sub_request}"), attribute))
            })
    }
}

fn one(report: &mut Report, path: &Path<'_>, request: &DeviceRequest, context: &Context<'_>) {
    report.check(&path.field("name"), names::dns_label(&request.name));
    let is_given = !request.first_available.is_empty();
    let is_list = is_given && context.features.prioritized_list;
    match &request.exactly {
        None if is_list => {}
        None if is_given => {
            report.disabled(&path.field("firstAvailable"), "DRAPrioritizedList");
        }
        None => report.required(path, "one of `exactly` and `firstAvailable`"),
        Some(exactly) => {
            if is_list {
                report.invalid(
                    path,
                    "expected one of `exactly` and `firstAvailable`, found both",
                );
            }
            let parts = &Parts::of_exactly(&request.name, exactly);
            parts.check(report, &path.field("exactly"), context);
        }
    }
    if is_list {
        alternatives(report, path, request, context);
    }
}

fn alternatives(
    report: &mut Report,
    path: &Path<'_>,
    request: &DeviceRequest,
    context: &Context<'_>,
) {
    let path = &path.field("firstAvailable");
    let items = &request.first_available;
    if report.size(path, limits::SUB_REQUESTS, items.len(), "alternatives") {
        for (index, item) in items.iter().enumerate() {
            let path = &path.index(index);
            report.check(&path.field("name"), names::dns_label(&item.name));
            Parts::of_sub_request(&request.name, item).check(report, path, context);
        }
        let names = items.iter().map(|item| &*item.name);
        report.unique(path, "alternative", names);
    }
}

/// Is what a request and an alternative have in common.
struct Parts<'a> {
    request: &'a str,
    sub_request: Option<&'a str>,
    device_class_name: &'a str,
    selectors: &'a [DeviceSelector],
    allocation_mode: &'a str,
    count: i64,
    tolerations: &'a [DeviceToleration],
    capacity: Option<&'a CapacityRequirements>,
    derived_attributes: &'a [DeviceDerivedAttribute],
}

impl<'a> Parts<'a> {
    fn of_exactly(request: &'a str, exactly: &'a ExactDeviceRequest) -> Self {
        Self {
            request,
            sub_request: None,
            device_class_name: &exactly.device_class_name,
            selectors: &exactly.selectors,
            allocation_mode: &exactly.allocation_mode,
            count: exactly.count,
            tolerations: &exactly.tolerations,
            capacity: exactly.capacity.as_ref(),
            derived_attributes: &exactly.derived_attributes,
        }
    }

    fn of_sub_request(request: &'a str, item: &'a DeviceSubRequest) -> Self {
        Self {
            request,
            sub_request: Some(&item.name),
            device_class_name: &item.device_class_name,
            selectors: &item.selectors,
            allocation_mode: &item.allocation_mode,
            count: item.count,
            tolerations: &item.tolerations,
            capacity: item.capacity.as_ref(),
            derived_attributes: &item.derived_attributes,
        }
    }

    fn check(&self, report: &mut Report, path: &Path<'_>, context: &Context<'_>) {
        let class = &path.field("deviceClassName");
        if self.device_class_name.is_empty() {
            report.required(class, "the name of a device class");
        } else {
            report.check(class, names::dns_subdomain(self.device_class_name));
        }
        selector::selectors(
            report,
            &path.field("selectors"),
            self.selectors,
            context.features,
        );
        self.mode_and_count(report, path);
        if context.features.device_taints {
            taint::tolerations(report, &path.field("tolerations"), self.tolerations);
        }
        if context.features.consumable_capacity {
            let path = &path.field("capacity.requests");
            for (name, amount) in self.capacity.iter().flat_map(|capacity| &capacity.requests) {
                if amount.sign() < 0 {
                    report.invalid(
                        &path.key(name),
                        format!("expected 0 or more, found `{amount}`"),
                    );
                }
            }
        }
        if context.features.derived_attributes {
            self.derived_attributes(report, &path.field("derivedAttributes"), context);
        }
    }

    fn mode_and_count(&self, report: &mut Report, path: &Path<'_>) {
        let count = self.count;
        match self.allocation_mode {
            "ExactCount" if count <= 0 => {
                report.invalid(
                    &path.field("count"),
                    format!("expected 1 or more, found {count}"),
                );
            }
            "All" if count != 0 => {
                let message = format!("expected no count for mode `All`, found {count}");
                report.invalid(&path.field("count"), message);
            }
            "ExactCount" | "All" => {}
            other => {
                report.unsupported(
                    &path.field("allocationMode"),
                    "`ExactCount` or `All`",
                    other,
                );
            }
        }
    }

    fn derived_attributes(&self, report: &mut Report, path: &Path<'_>, context: &Context<'_>) {
        let attributes = self.derived_attributes;
        let limit = limits::DERIVED_ATTRIBUTES;
        if !report.size(path, limit, attributes.len(), "derived attributes") {
            return;
        }
        for (index, attribute) in attributes.iter().enumerate() {
            let path = &path.index(index);
            let name = &path.field("name");
            if report.check(name, names::fully_qualified(&attribute.name))
                && !context
                    .constrained
                    .reads(self.request, self.sub_request, &attribute.name)
            {
                report.invalid(
                    name,
                    "expected a constraint on this request that reads the attribute",
                );
            }
            let path = &path.field("expression");
            let source = &attribute.expression;
            let options = &context
                .features
                .derived_attribute_options()
                .new_expression();
            let cost = selector::expression(report, path, source, options);
            let derived_cost = &context.derived_cost;
            derived_cost.set(derived_cost.get().saturating_add(cost));
        }
        report.unique(
            path,
            "attribute",
            attributes.iter().map(|attribute| &*attribute.name),
        );
    }
}
