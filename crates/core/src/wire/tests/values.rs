use super::*;
use crate::model::{DeviceAttribute, Quantity};

#[test]
fn null_is_absent_everywhere() {
    let zero = device(&device_text(
        "v1",
        r#"{"capacity":{"a":null,"b":{},"c":{"value":null}}}"#,
    ));
    assert!(
        zero.capacity
            .values()
            .all(|capacity| capacity.value == Quantity::default())
    );
    let null = device(&device_text(
        "v1",
        r#"{"name":null,"attributes":null,"capacity":null,"nodeName":null,"nodeSelector":null,
            "allNodes":null,"taints":null,"bindingConditions":null,"consumesCounters":null,
            "nodeAllocatableResources":null}"#,
    ));
    assert_eq!(null, Device::default());
    let null = slice(&slice_text(
        "v1",
        r#"{"driver":null,"pool":null,"devices":[null]}"#,
    ));
    assert_eq!(null.spec.devices, [Device::default()]);
    let null = claim(&request_text(
        "v1",
        r#"{"exactly":{"count":null,"adminAccess":null}}"#,
    ));
    let exactly = null.spec.devices.requests[0].exactly.clone().unwrap();
    assert_eq!((exactly.count, exactly.admin_access), (0, None));
    let null = r#"{"apiVersion":"v1","kind":"Node","metadata":{"creationTimestamp":null,"labels":{"a":null}},"spec":null}"#;
    let Object::Node(node) = one(null).object else {
        panic!()
    };
    assert_eq!(
        node.metadata.labels.get("a").map(|value| &**value),
        Some("")
    );
}

#[test]
fn an_empty_list_of_binding_conditions_is_kept_apart_from_none() {
    assert_eq!(device(&device_text("v1", "{}")).binding_conditions, None);
    let empty = device(&device_text("v1", r#"{"bindingConditions":[]}"#));
    assert_eq!(empty.binding_conditions, Some(Vec::new()));
}

#[test]
fn quantities_keep_their_text_and_compare_by_value() {
    let json = device_text(
        "v1",
        r#"{"capacity":{
            "a":{"value":"80Gi"},"b":{"value":85899345920},"c":{"value":1.50},"d":{"value":1e3},
            "e":{"value":"1500m"},"f":{"value":12345678901234567890123},"g":{"value":0.10000000000000000001}}}"#,
    );
    let device = device(&json);
    let value = |name: &str| device.capacity.get(name).unwrap().value.clone();
    let texts = ["a", "b", "c", "d", "e", "f", "g"].map(|name| value(name).to_string());
    assert_eq!(
        texts,
        [
            "80Gi",
            "85899345920",
            "1.50",
            "1e3",
            "1500m",
            "12345678901234567890123",
            "0.10000000000000000001"
        ],
    );
    assert_eq!(value("a"), value("b"));
    assert_eq!(value("c"), value("e"));
    assert_eq!(value("d"), Quantity::from_units(1000));
}

#[test]
fn whole_numbers_are_read_exactly() {
    for (text, count) in [
        ("2", 2),
        ("-0", 0),
        ("2.0", 2),
        ("2e3", 2000),
        ("0.25E+2", 25),
        ("9223372036854775807", i64::MAX),
        ("-9223372036854775808", i64::MIN),
    ] {
        let claim = claim(&request_text(
            "v1",
            &format!(r#"{{"exactly":{{"count":{text}}}}}"#),
        ));
        let exactly = claim.spec.devices.requests[0].exactly.as_ref().unwrap();
        assert_eq!(exactly.count, count, "{text}");
    }
    for text in [
        "9223372036854775808",
        "1.5",
        "1e-1",
        "1e19",
        "1e999999999999",
    ] {
        let json = request_text("v1", &format!(r#"{{"exactly":{{"count":{text}}}}}"#));
        let message = format!(
            "spec.devices.requests[0].exactly.count: expected a whole number of at most 64 bits, found `{text}`"
        );
        assert_eq!(fault(&json).0, message);
    }
}

#[test]
fn opaque_parameters_keep_their_bytes() {
    let parameters =
        r#"{ "b":1.10, "a" : 12345678901234567890123,"é":"\u00e9\ud83d\ude00\/", "b":[1E5 , -0] }"#;
    let api = "resource.k8s.io/v1";
    for json in [
        format!(
            r#"{{"apiVersion":"{api}","kind":"ResourceClaim","spec":{{"devices":{{"config":[{{"opaque":{{"driver":"d","parameters":{parameters}}}}}]}}}}}}"#
        ),
        format!(
            r#"{{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaim","spec":{{"devices":{{"config":[{{"opaque":{{"parameters":  {parameters}  }}}}]}}}}}}"#
        ),
    ] {
        let claim = claim(&json);
        let opaque = claim.spec.devices.config[0].opaque.as_ref().unwrap();
        assert_eq!(opaque.parameters.as_ref().unwrap().as_str(), parameters);
        assert!(crate::wire::encode(&claim).unwrap().contains(parameters));
    }
}

#[test]
fn unknown_members_of_unions_are_detected() {
    let json = device_text(
        "v1",
        r#"{"attributes":{"a":{"int":1},"b":{"duration":"1s"},"c":{"int":1,"string":"x"},"d":{},"e":null}}"#,
    );
    let device = device(&json);
    let known: Vec<bool> = device
        .attributes
        .values()
        .map(|value| *value != DeviceAttribute::Unknown)
        .collect();
    assert_eq!(known, [true, false, false, false, false]);
    assert_eq!(
        warnings(&json),
        ["spec.devices[0].attributes.b.duration: unknown field `duration`"],
    );
    let json = request_text("v1", r#"{"atLeast":{},"name":"a"}"#);
    assert_eq!(
        warnings(&json),
        ["spec.devices.requests[0].atLeast: unknown field `atLeast`"]
    );
    let request = &claim(&json).spec.devices.requests[0];
    assert!(request.exactly.is_none() && request.first_available.is_empty());
    let json = request_text(
        "v1",
        r#"{"exactly":{"selectors":[{"jq":{}}],"allocationMode":"Some"}}"#,
    );
    let exactly = claim(&json)
        .spec
        .devices
        .requests
        .remove(0)
        .exactly
        .unwrap();
    assert_eq!(
        (
            exactly.selectors[0].cel.is_none(),
            &*exactly.allocation_mode
        ),
        (true, "Some")
    );
}

#[test]
fn equal_text_is_shared() {
    let json = format!(
        "{}{}",
        device_text("v1", r#"{"name":"a","attributes":{"m":{"string":"H100"}}}"#),
        device_text(
            "v1beta2",
            r#"{"name":"a","attributes":{"m":{"string":"H100"}}}"#
        ),
    );
    let mut devices = Vec::new();
    let result = Decoder::new().decode(&json, &mut |decoded| {
        let Object::ResourceSlice(slice) = decoded.object else {
            panic!()
        };
        devices.extend(slice.spec.devices);
        Ok(())
    });
    result.unwrap();
    let text = |device: &Device| match device.attributes.at(0) {
        Some((key, DeviceAttribute::String(value))) => {
            [device.name.as_ptr(), key.as_ptr(), value.as_ptr()]
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(text(&devices[0]), text(&devices[1]));
}
