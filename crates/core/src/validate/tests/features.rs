//! Fields behind features that are off.

use serde_json::{Value, json};

use super::{object, report, resource_claim, resource_slice};
use crate::Features;
use crate::model::{DeviceClass, ResourceClaim, ResourceSlice};
use crate::validate::{self, dropped};

fn claim(off: fn(&mut Features), changes: &Value) -> Vec<String> {
    let mut features = Features::all();
    off(&mut features);
    let claim: ResourceClaim = object(&resource_claim::base(), changes);
    report(&validate::resource_claim(&claim, &features))
}

fn slice(off: fn(&mut Features), changes: &Value) -> Vec<String> {
    let mut features = Features::all();
    off(&mut features);
    let resource_slice: ResourceSlice = object(&resource_slice::base(), changes);
    report(&validate::resource_slice(&resource_slice, &features))
}

const NOTHING: [&str; 0] = [];

#[test]
fn what_is_dropped_is_not_checked() {
    let exactly = "/spec/devices/requests/0/exactly";
    let tolerations = json!({ format!("{exactly}/tolerations"): [{"operator": "?"}] });
    assert_eq!(
        claim(|features| features.device_taints = false, &tolerations),
        NOTHING
    );
    let capacity = json!({ format!("{exactly}/capacity"): {"requests": {"a": "-1"}} });
    assert_eq!(
        claim(|features| features.consumable_capacity = false, &capacity),
        NOTHING
    );
    let derived = json!({ format!("{exactly}/derivedAttributes"): [{}] });
    assert_eq!(
        claim(|features| features.derived_attributes = false, &derived),
        NOTHING
    );
    let taints = json!({"/spec/devices/0/taints": [{}]});
    assert_eq!(
        slice(|features| features.device_taints = false, &taints),
        NOTHING
    );
    let counters = json!({"/spec/devices/0/consumesCounters": [{}], "/spec/sharedCounters": [{}],
        "/spec/devices/0/allNodes": true, "/spec/perDeviceNodeSelection": true});
    assert_eq!(
        slice(|features| features.partitionable_devices = false, &counters),
        NOTHING
    );
    let conditions = json!({"/spec/devices/0/bindingConditions": ["/"]});
    assert_eq!(
        slice(
            |features| features.device_binding_and_status = false,
            &conditions
        ),
        NOTHING
    );
    let policy = json!({"/spec/devices/0/capacity": {"a": {"value": "1", "requestPolicy": {}}}});
    assert_eq!(
        slice(|features| features.consumable_capacity = false, &policy),
        NOTHING
    );
    let operations = json!({"/spec/skipNodeOperations": ["?"]});
    assert_eq!(
        slice(
            |features| features.optional_node_operations = false,
            &operations
        ),
        NOTHING
    );
    let groups = json!({"/spec/devices/0/consumesCounters":
        [{"counterSet": "s", "counters": {"c": {"value": "1"}}, "compatibilityGroups": ["?"]}]});
    assert_eq!(
        slice(|features| features.compatibility_groups = false, &groups),
        NOTHING
    );
}

#[test]
fn what_is_needed_is_an_error() {
    assert_eq!(
        claim(|features| features.prioritized_list = false, &json!({})),
        [
            "spec.devices.requests[1].firstAvailable: feature-disabled: \
            expected feature `DRAPrioritizedList` to be on",
        ]
    );
    let distinct = json!({"/spec/devices/constraints/0": {"distinctAttribute": "a/b"}});
    assert_eq!(
        claim(|features| features.consumable_capacity = false, &distinct),
        [
            "spec.devices.constraints[0].distinctAttribute: feature-disabled: \
            expected feature `DRAConsumableCapacity` to be on",
        ]
    );
    let both = json!({"/spec/devices/constraints/0/distinctAttribute": "?"});
    assert_eq!(
        claim(|features| features.consumable_capacity = false, &both),
        NOTHING
    );
    let per_device = json!({"/spec/nodeName": null, "/spec/perDeviceNodeSelection": true});
    assert_eq!(
        slice(
            |features| features.partitionable_devices = false,
            &per_device
        ),
        ["spec.perDeviceNodeSelection: feature-disabled: \
            expected feature `DRAPartitionableDevices` to be on",]
    );
    let attributes = json!({"/spec/devices/0/attributes": {"a": {"ints": [1]}}});
    assert_eq!(
        slice(
            |features| features.list_type_attributes = false,
            &attributes
        ),
        ["spec.devices[0].attributes[a]: feature-disabled: \
            expected feature `DRAListTypeAttributes` to be on",]
    );
}

#[test]
fn without_fractions_amounts_are_rounded_up() {
    let policy = |policy: Value| {
        json!({"/spec/devices/0": {"name": "gpu-0", "allowMultipleAllocations": true,
            "capacity": {"a": {"value": "10", "requestPolicy": policy}}}})
    };
    let values = policy(json!({"default": "1", "validValues": ["500m", "1"]}));
    let place = "spec.devices[0].capacity[a].requestPolicy";
    assert_eq!(slice(|_| {}, &values), NOTHING);
    assert_eq!(
        slice(
            |features| features.fractional_capacity_range = false,
            &values
        ),
        [format!(
            "{place}.validValues[1]: duplicate: duplicate `1`, expected each value once"
        )]
    );
    let range = policy(json!({"default": "2500m", "validRange": {"min": "1", "step": "2"}}));
    assert_eq!(
        slice(
            |features| features.fractional_capacity_range = false,
            &range
        ),
        NOTHING
    );
    assert_eq!(
        slice(|_| {}, &range),
        [format!(
            "{place}.default: invalid: expected whole steps of `2` from `min`, found `2500m`"
        )]
    );
}

#[test]
fn selectors_are_checked_in_the_language_that_was_chosen() {
    let selector = |expression: &str| json!({"/spec/devices/requests/0/exactly/selectors": [{"cel": {"expression": expression}}]});
    let path = "spec.devices.requests[0].exactly.selectors[0].cel.expression";
    let includes = selector("device.attributes['a.b'].c.includes(1)");
    assert_eq!(claim(|_| {}, &includes), NOTHING);
    let found = claim(|features| features.kubernetes_minor = 35, &includes);
    let message = "cel-compile: undeclared reference to `includes` at line 1, column 1; \
                   Kubernetes knows it since 1.36";
    assert_eq!(found, [format!("{path}: {message}")]);

    let order = selector("device.capacity['a.b'].c >= quantity('1')");
    assert_eq!(
        claim(|features| features.relaxed_selectors = true, &order),
        NOTHING
    );
    let found = claim(|_| {}, &order);
    assert!(found[0].starts_with(&format!("{path}: cel-compile: no matching overload")));
}

/// What is wrong with a selector in a claim that is created.
fn selector(features: &Features, expression: &str) -> Vec<String> {
    let changes = json!({"/spec/devices/requests/0/exactly/selectors":
        [{"cel": {"expression": expression}}]});
    let claim: ResourceClaim = object(&resource_claim::base(), &changes);
    let mut problems = report(&validate::resource_claim(&claim, features));
    problems.retain(|problem| problem.contains(".cel.expression"));
    problems
}

#[test]
fn new_selectors_are_kept_to_the_features_that_are_on() {
    let place = "spec.devices.requests[0].exactly.selectors[0].cel.expression: cel-compile";
    let shared = "device.allowMultipleAllocations";
    let off = format!(
        "{place}: undefined field `allowMultipleAllocations` at line 1, column 8; \
        new expressions may use it where `DRAConsumableCapacity` is on"
    );
    for (minor, expected) in [
        (34, vec![&off]),
        (35, vec![&off]),
        (36, vec![]),
        (37, vec![]),
    ] {
        let features = Features::of_kubernetes(minor);
        assert_eq!(
            selector(&features, shared).iter().collect::<Vec<_>>(),
            expected
        );
    }
    let on = Features {
        consumable_capacity: true,
        ..Features::of_kubernetes(34)
    };
    assert_eq!(selector(&on, shared), NOTHING);

    let attribute = "device.attributes['a.example.com'].a";
    for minor in [36, 37] {
        let off = Features::of_kubernetes(minor);
        let on = Features {
            list_type_attributes: true,
            ..off
        };
        let loops = format!("{attribute}.exists(x, x == 1)");
        assert_eq!(
            selector(&off, &loops),
            [format!(
                "{place}: expected a list or a map to loop over, not `any` at line 1, column 1"
            )]
        );
        assert_eq!(selector(&on, &loops), NOTHING);
        let includes = format!("{attribute}.includes(1)");
        assert_eq!(
            selector(&off, &includes),
            [format!(
                "{place}: undeclared reference to `includes` at line 1, column 1; \
                new expressions may use it where `DRAListTypeAttributes` is on"
            )]
        );
        assert_eq!(selector(&on, &includes), NOTHING);
    }
    assert_eq!(
        selector(&Features::of_kubernetes(34), "[1, 1].distinct() == [1]"),
        [format!(
            "{place}: undeclared reference to `distinct` at line 1, column 1; \
            new expressions may use it since Kubernetes 1.35"
        )]
    );
    assert_eq!(
        selector(&Features::of_kubernetes(35), "[1, 1].distinct() == [1]"),
        NOTHING
    );
}

/// Lists what is dropped of a claim while a feature is off, and checks that nothing is while
/// all are on.
fn dropped_of_claim(off: fn(&mut Features), changes: &Value) -> Vec<String> {
    let claim: ResourceClaim = object(&resource_claim::base(), changes);
    let mut features = Features::all();
    assert_eq!(dropped::resource_claim_spec(&claim.spec, &features), []);
    off(&mut features);
    report(&dropped::resource_claim_spec(&claim.spec, &features))
}

/// Does the same for a slice.
fn dropped_of_slice(off: fn(&mut Features), changes: &Value) -> Vec<String> {
    let slice: ResourceSlice = object(&resource_slice::base(), changes);
    let mut features = Features::all();
    assert_eq!(dropped::resource_slice(&slice, &features), []);
    off(&mut features);
    report(&dropped::resource_slice(&slice, &features))
}

/// Returns what is told of a field.
fn line(path: &str, gate: &str) -> String {
    format!(
        "{path}: feature-disabled: the API server drops it while the feature gate `{gate}` is off"
    )
}

#[test]
fn what_is_dropped_is_listed() {
    let exactly = "/spec/devices/requests/0/exactly";
    let first = "/spec/devices/requests/1/firstAvailable/0";
    let fields = json!({
        format!("{exactly}/tolerations"): [{"operator": "Exists"}],
        format!("{exactly}/capacity"): {},
        format!("{exactly}/derivedAttributes"): [{}],
        format!("{exactly}/adminAccess"): false,
        format!("{first}/capacity"): {},
        "/spec/devices/requests/0/firstAvailable": [{"name": "a"}],
        "/spec/devices/constraints/0/distinctAttribute": "a/b",
    });
    let of_exactly =
        |field: &str, gate| line(&format!("devices.requests[0].exactly.{field}"), gate);
    assert_eq!(
        dropped_of_claim(|features| features.device_taints = false, &fields),
        [of_exactly("tolerations", "DRADeviceTaints")]
    );
    assert_eq!(
        dropped_of_claim(|features| features.consumable_capacity = false, &fields),
        [
            of_exactly("capacity", "DRAConsumableCapacity"),
            line(
                "devices.requests[1].firstAvailable[0].capacity",
                "DRAConsumableCapacity"
            ),
            line(
                "devices.constraints[0].distinctAttribute",
                "DRAConsumableCapacity"
            ),
        ]
    );
    assert_eq!(
        dropped_of_claim(|features| features.derived_attributes = false, &fields),
        [of_exactly("derivedAttributes", "DRADerivedAttributes")]
    );
    assert_eq!(
        dropped_of_claim(|features| features.admin_access = false, &fields),
        [of_exactly("adminAccess", "DRAAdminAccess")]
    );
    // What stands alone is missed: that is an error, and not told twice.
    assert_eq!(
        dropped_of_claim(|features| features.prioritized_list = false, &fields),
        [line(
            "devices.requests[0].firstAvailable",
            "DRAPrioritizedList"
        )]
    );
    let class: DeviceClass =
        serde_json::from_value(json!({"spec": {"extendedResourceName": "example.com/gpu"}}))
            .unwrap();
    let mut features = Features::all();
    assert_eq!(dropped::device_class(&class, &features), []);
    features.extended_resources = false;
    assert_eq!(
        report(&dropped::device_class(&class, &features)),
        [line("spec.extendedResourceName", "DRAExtendedResource")]
    );
}

#[test]
fn of_devices_the_first_is_named_of_which_something_is_dropped() {
    let device = json!({"name": "b",
        "taints": [{"key": "a", "effect": "NoSchedule"}],
        "consumesCounters": [
            {"counterSet": "s", "counters": {"c": {"value": "1"}}},
            {"counterSet": "t", "counters": {"c": {"value": "1"}}, "compatibilityGroups": ["g"]},
        ],
        "nodeName": "n", "allNodes": true, "nodeSelector": {},
        "allowMultipleAllocations": true,
        "capacity": {"a": {"value": "1"}, "b": {"value": "1", "requestPolicy": {}}},
        "bindsToNode": true, "bindingConditions": ["a"], "bindingFailureConditions": ["b"]});
    let fields = json!({
        "/spec/devices": [{"name": "a"}, device, device],
        "/spec/sharedCounters": [{}],
        "/spec/perDeviceNodeSelection": true,
        "/spec/partitionTypeAttribute": "a/b",
        "/spec/skipNodeOperations": ["a"],
    });
    let of_device = |field: &str, gate| line(&format!("spec.devices[1].{field}"), gate);
    assert_eq!(
        dropped_of_slice(|features| features.device_taints = false, &fields),
        [of_device("taints", "DRADeviceTaints")]
    );
    let gate = "DRAPartitionableDevices";
    assert_eq!(
        dropped_of_slice(|features| features.partitionable_devices = false, &fields),
        [
            line("spec.sharedCounters", gate),
            line("spec.perDeviceNodeSelection", gate),
            line("spec.partitionTypeAttribute", gate),
            of_device("consumesCounters", gate),
            of_device("nodeName", gate),
            of_device("nodeSelector", gate),
            of_device("allNodes", gate),
        ]
    );
    let gate = "DRAConsumableCapacity";
    assert_eq!(
        dropped_of_slice(|features| features.consumable_capacity = false, &fields),
        [
            of_device("allowMultipleAllocations", gate),
            of_device("capacity[b].requestPolicy", gate),
        ]
    );
    let gate = "DRADeviceBindingConditions";
    assert_eq!(
        dropped_of_slice(
            |features| features.device_binding_and_status = false,
            &fields
        ),
        [
            "bindsToNode",
            "bindingConditions",
            "bindingFailureConditions"
        ]
        .map(|field| of_device(field, gate))
    );
    assert_eq!(
        dropped_of_slice(
            |features| features.optional_node_operations = false,
            &fields
        ),
        [line("spec.skipNodeOperations", "DRAOptionalNodeOperations")]
    );
    assert_eq!(
        dropped_of_slice(|features| features.compatibility_groups = false, &fields),
        [of_device(
            "consumesCounters[1].compatibilityGroups",
            "DRADeviceCompatibilityGroups"
        )]
    );
}
