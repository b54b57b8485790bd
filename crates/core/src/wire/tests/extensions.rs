use super::*;
use crate::model::DeviceAttribute;

#[test]
fn each_kind_of_the_group_reads_as_it_is_written() {
    for (kind, spec) in [
        (
            "Topology",
            r#"{"vertices":[{"id":"a","kind":"gpu","pciBusID":"0000:01:00.0","moduleID":1}],"links":[{"a":"a","b":"b","type":"XGMI","count":2,"bandwidthGBps":12.5}],"allowedSets":[{"partition":0,"vertices":["a"],"moduleIDs":[1]}],"partitionTemplates":[{"name":"x","nodes":[9,9]}]}"#,
        ),
        (
            "AttributeOverlay",
            r#"{"selector":{"driver":"d","nodeSelector":{"nodeSelectorTerms":[]},"attributes":{"a":{"int":1}}},"rename":[{"from":"a","to":"b"}],"attributes":{"c":{"bool":true}}}"#,
        ),
        (
            "DeviceHealth",
            r#"{"device":{"driver":"d","pool":"p","device":"x"},"failures":[{"time":"t","reason":"r","weight":2}]}"#,
        ),
        (
            "DeviceHealth",
            r#"{"match":{"attribute":"a","value":"b"},"nodeName":"n"}"#,
        ),
        (
            "DeviceHold",
            r#"{"nodeName":"n","devices":[{"driver":"d","pool":"p","device":"x"}]}"#,
        ),
        (
            "DeviceHold",
            r#"{"nodeName":"n","count":2,"selector":{"driver":"d"},"disjointFrom":[{"pool":"p"}]}"#,
        ),
    ] {
        let json = format!(
            r#"{{"apiVersion":"dralloc.dev/v1alpha1","kind":"{kind}","metadata":{{"name":"x"}},"spec":{spec}}}"#
        );
        let decoded = one(&json);
        assert_eq!(decoded.warnings, []);
        assert_eq!(crate::wire::encode(&decoded.object).unwrap(), json);
        let list = format!(
            r#"{{"apiVersion":"dralloc.dev/v1alpha1","kind":"{kind}List","items":[{{"metadata":{{"name":"x"}},"spec":{spec}}}]}}"#
        );
        assert_eq!(one(&list).object, decoded.object);
    }
}

#[test]
fn rates_are_exact_or_refused() {
    let json = |rate: &str| {
        format!(
            r#"{{"apiVersion":"dralloc.dev/v1alpha1","kind":"Topology","spec":
            {{"links":[{{"a":"a","b":"b","type":"PCIe","bandwidthGBps":{rate}}}]}}}}"#
        )
    };
    let Object::Topology(topology) = one(&json("\"12.625\"")).object else {
        panic!()
    };
    let rate = topology.spec.links[0]
        .bandwidth
        .map(dralloc_topology::Rate::thousandths);
    assert_eq!(rate, Some(12_625));
    let (message, _) = fault(&json("0.0001"));
    assert_eq!(
        message,
        "spec.links[0].bandwidthGBps: expected 0 to 1000000 GB/s with at most three decimals, \
         found `0.0001`"
    );
}

#[test]
fn fields_of_the_group_are_known_or_warned_of() {
    let json = r#"{"apiVersion":"dralloc.dev/v1alpha1","kind":"AttributeOverlay","spec":
        {"selector":{"drivers":"d"},"attribute":{},"attributes":{"a":{"string":"x"}}}}"#;
    assert_eq!(
        warnings(json),
        [
            "spec.selector.drivers: unknown field `drivers` (did you mean `driver`)",
            "spec.attribute: unknown field `attribute` (did you mean `attributes`)",
        ]
    );
    let Object::AttributeOverlay(overlay) = one(json).object else {
        panic!()
    };
    let expected = DeviceAttribute::String("x".into());
    assert_eq!(overlay.spec.attributes.get("a"), Some(&expected));
}

#[test]
fn nothing_of_the_group_is_passed_over() {
    let kinds = "`Topology`, `AttributeOverlay`, `DeviceHealth`, `DeviceHold`";
    for (api_version, kind, message) in [
        (
            "dralloc.dev/v1alpha1",
            "PlacementPolicy",
            "`PlacementPolicy` is no object of its own, expected it in the configuration of a \
             claim or class"
                .to_owned(),
        ),
        (
            "dralloc.dev/v1alpha1",
            "Policy",
            format!("unknown kind `Policy`, expected one of {kinds}"),
        ),
        (
            "dralloc.dev/v1alpha1",
            "DeviceHoldsList",
            "unknown kind `DeviceHoldsList`, did you mean `DeviceHoldList`".to_owned(),
        ),
        (
            "dralloc.dev/v1",
            "Topology",
            "`Topology` of `dralloc.dev/v1` is not known, expected `dralloc.dev/v1alpha1`"
                .to_owned(),
        ),
        (
            "dralloc.dev",
            "DeviceHold",
            "`DeviceHold` of `dralloc.dev` is not known, expected `dralloc.dev/v1alpha1`"
                .to_owned(),
        ),
    ] {
        let json = format!(r#"{{"apiVersion":"{api_version}","kind":"{kind}"}}"#);
        assert_eq!(fault(&json), (message, "{\"apiV".to_owned()));
    }
}
