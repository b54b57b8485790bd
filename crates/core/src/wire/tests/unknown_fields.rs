use super::*;
use crate::Code;

#[test]
fn an_unknown_field_is_a_warning_with_its_path() {
    let json = slice_text(
        "v1",
        r#"{"driver":"d","devices":[{"name":"a"},{"names":"b"}],"xyz":{"q":[1]}}"#,
    );
    let decoded = one(&json);
    let places: Vec<_> = decoded
        .warnings
        .iter()
        .map(|warning| &json[warning.offset..][..5])
        .collect();
    assert_eq!(places, ["\"name", "\"xyz\""]);
    assert_eq!(
        warnings(&json),
        [
            "spec.devices[1].names: unknown field `names` (did you mean `name`)",
            "spec.xyz: unknown field `xyz`",
        ],
    );
    assert_eq!(slice(&json).spec.devices.len(), 2);
}

#[test]
fn forms_of_other_versions_are_named() {
    let old = "this is the form of v1beta1";
    let new = "this is the form of v1beta2 and v1, in v1beta1";
    let cases = [
        (
            device_text("v1", r#"{"basic":{"attributes":{"a":{"int":1}}}}"#),
            format!("spec.devices[0].basic: unknown field `basic` ({old}, in v1 its fields stand in the device)"),
        ),
        (
            device_text("v1beta2", r#"{"basic":{}}"#),
            format!("spec.devices[0].basic: unknown field `basic` ({old}, in v1beta2 its fields stand in the device)"),
        ),
        (
            device_text("v1beta1", r#"{"attributes":{}}"#),
            format!("spec.devices[0].attributes: unknown field `attributes` ({new} it stands under `basic`)"),
        ),
        (
            request_text("v1", r#"{"deviceClassName":"gpu"}"#),
            format!("spec.devices.requests[0].deviceClassName: unknown field `deviceClassName` ({old}, in v1 it stands under `exactly`)"),
        ),
        (
            request_text("v1beta2", r#"{"count":2}"#),
            format!("spec.devices.requests[0].count: unknown field `count` ({old}, in v1beta2 it stands under `exactly`)"),
        ),
        (
            request_text("v1beta1", r#"{"exactly":{"count":2}}"#),
            format!("spec.devices.requests[0].exactly: unknown field `exactly` ({new} its fields stand in the request)"),
        ),
        (
            device_text("v1", r#"{"capacity":{"example.com/memory":"80Gi"}}"#),
            "spec.devices[0].capacity[example.com/memory]: bare quantity `80Gi`, expected an object with `value` \
             (this is the form of v1alpha3, write `value: 80Gi`)"
                .to_owned(),
        ),
        (
            r#"{"apiVersion":"resource.k8s.io/v1","kind":"DeviceTaintRule","spec":{"deviceSelector":{"selectors":[]}}}"#.to_owned(),
            "spec.deviceSelector.selectors: unknown field `selectors` \
             (Kubernetes 1.35 dropped it, the rule holds without it)"
                .to_owned(),
        ),
        (
            request_text("v1", r#"{"exactly":{"AllocationMode":"All"}}"#),
            "spec.devices.requests[0].exactly.AllocationMode: unknown field `AllocationMode` \
             (did you mean `allocationMode`)"
                .to_owned(),
        ),
    ];
    for (json, warning) in cases {
        assert_eq!(warnings(&json), [warning]);
    }
}

#[test]
fn a_bare_quantity_is_read_as_the_value() {
    let json = device_text("v1", r#"{"capacity":{"a":"80Gi","b":1.50}}"#);
    let device = device(&json);
    let texts: Vec<_> = device
        .capacity
        .values()
        .map(|capacity| capacity.value.to_string())
        .collect();
    assert_eq!(texts, ["80Gi", "1.50"]);
}

#[test]
fn fields_that_are_known_but_not_read_do_not_warn() {
    let json = r#"{"apiVersion":"resource.k8s.io/v1","kind":"DeviceTaintRule",
        "metadata":{"managedFields":[{"x":1}],"selfLink":"/x"},"spec":{},"status":{"conditions":[]}}"#;
    assert_eq!(warnings(json), [""; 0]);
    let json =
        r#"{"apiVersion":"v1","kind":"Pod","metadata":{"x":1},"spec":{"volumes":[],"typo":1}}"#;
    assert_eq!(warnings(json), [""; 0]);
    let json = r#"{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"kind":1}}"#;
    assert_eq!(warnings(json), ["metadata.kind: unknown field `kind`"]);
}

#[test]
fn strictness_makes_errors_of_warnings() {
    let json = format!(
        r#"{{"apiVersion":"v1","kind":"List","items":[{},{}]}}"#,
        device_text("v1", r#"{"basic":{},"capacity":{"m":"1"}}"#),
        device_text("v1", r#"{"name":"a"}"#),
    );
    let mut paths = Vec::new();
    let mut codes = Vec::new();
    let result = Decoder::new()
        .strict(true)
        .decode_each(&json, &mut |result| {
            match result {
                Ok(decoded) => paths.push(decoded.path),
                Err(fault) => codes.push((fault.error.code(), fault.error.path().to_owned())),
            }
            Ok(())
        });
    result.unwrap();
    assert_eq!(paths, ["items[1]"]);
    let at = |path: &str| (Code::UnknownField, path.to_owned());
    assert_eq!(
        codes,
        [
            at("items[0].spec.devices[0].basic"),
            at("items[0].spec.devices[0].capacity.m")
        ],
    );
}
