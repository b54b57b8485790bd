use super::*;
use crate::model::{DeviceClass, DeviceTaintRule, Pod};
use crate::wire::{encode, encode_list};

const OBJECTS: [&str; 7] = [
    r#"{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{"name":"s"},"spec":{"driver":"d","pool":{"name":"p","generation":1,"resourceSliceCount":1},"nodeName":"","devices":[{"name":"a","attributes":{"a":{"int":1},"b":{"bool":false},"c":{"string":"x"},"d":{"version":"1.0.0"},"e":{"ints":[1,2]},"f":{"bools":[true]},"g":{"strings":[]},"h":{"versions":["1.0.0"]}},"capacity":{"m":{"value":"80Gi","requestPolicy":{"default":"1","validRange":{"min":"1","max":"2","step":"1"}}}},"bindingConditions":[]}]}}"#,
    r#"{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"c"},"spec":{"selectors":[{"cel":{"expression":"true"}}],"config":[{"opaque":{"driver":"d","parameters":{"b": 1.0, "a":2}}}]}}"#,
    r#"{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"c","namespace":"n","uid":"u"},"spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"c","allocationMode":"ExactCount","count":2}}],"constraints":[{"matchAttribute":"a/b"}]}},"status":{"allocation":{"devices":{"results":[{"request":"r","driver":"d","pool":"p","device":"a","shareID":"x","consumedCapacity":{"m":"1Gi"}}]}},"reservedFor":[{"resource":"pods","name":"p","uid":"u"}],"devices":[{"driver":"d","data":{"x":1.50}}]}}"#,
    r#"{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaimTemplate","metadata":{"name":"t"},"spec":{"metadata":{"labels":{"a":"b"}},"spec":{"devices":{"requests":[{"name":"r","firstAvailable":[{"name":"s","deviceClassName":"c"}]}]}}}}"#,
    r#"{"apiVersion":"resource.k8s.io/v1","kind":"DeviceTaintRule","metadata":{"name":"r"},"spec":{"deviceSelector":{"driver":"d"},"taint":{"key":"k","effect":"NoSchedule"}}}"#,
    r#"{"apiVersion":"v1","kind":"Node","metadata":{"name":"n","labels":{"a":"b"}},"spec":{"unschedulable":true},"status":{"allocatable":{"cpu":"3920m","memory":"62Gi","pods":"110"},"declaredFeatures":["F"]}}"#,
    r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"spec":{"resourceClaims":[{"name":"x","resourceClaimName":"c"}],"containers":[{"name":"c","resources":{"limits":{"example.com/gpu":"1"}}}]},"status":{"phase":"Running"}}"#,
];

#[test]
fn every_kind_comes_back_as_it_was_written() {
    for json in OBJECTS {
        let decoded = one(json);
        assert_eq!(decoded.warnings, []);
        assert_eq!(encode(&decoded.object).unwrap(), json);
    }
}

#[test]
fn lists_hold_objects_of_any_kind() {
    let objects = OBJECTS.map(|json| one(json).object);
    let list = encode_list(&objects).unwrap();
    let expected = format!(
        r#"{{"apiVersion":"v1","kind":"List","items":[{}]}}"#,
        OBJECTS.join(",")
    );
    assert_eq!(list, expected);
    let mut again = Vec::new();
    let result = Decoder::new().decode(&list, &mut |decoded| {
        again.push(decoded.object);
        Ok(())
    });
    result.unwrap();
    assert_eq!(again, objects);
}

#[test]
fn single_kinds_have_their_own_types() {
    assert_eq!(
        encode(&DeviceClass::default()).unwrap(),
        r#"{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{},"spec":{}}"#,
    );
    assert!(
        encode(&DeviceTaintRule::default())
            .unwrap()
            .contains(r#""kind":"DeviceTaintRule""#)
    );
    assert!(
        encode(&Pod::default())
            .unwrap()
            .starts_with(r#"{"apiVersion":"v1","kind":"Pod""#)
    );
    let ignored = Object::Ignored {
        api_version: "v1".into(),
        kind: "ConfigMap".into(),
    };
    assert_eq!(
        encode(&ignored).unwrap(),
        r#"{"apiVersion":"v1","kind":"ConfigMap"}"#
    );
}
