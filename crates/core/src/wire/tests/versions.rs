use super::*;
use crate::Code;
use crate::model::{Map, ResourceClaimTemplate};

#[test]
fn v1beta1_keeps_the_body_of_a_device_under_basic() {
    let body = r#""attributes":{"a":{"int":1}},"capacity":{"m":{"value":"80Gi"}},"nodeName":"n",
        "consumesCounters":[{"counterSet":"s","counters":{"c":{"value":"1"}}}],"allNodes":true,
        "taints":[{"key":"k","effect":"NoSchedule"}],"bindsToNode":true,"bindingConditions":["b"],
        "bindingFailureConditions":["f"],"allowMultipleAllocations":true,
        "nodeSelector":{"nodeSelectorTerms":[]},"nodeAllocatableResources":{"cpu":{}},
        "nodeAllocatableResourceMappings":{"cpu":{}}"#;
    let old = device(&device_text(
        "v1beta1",
        &format!(r#"{{"name":"a","basic":{{{body}}}}}"#),
    ));
    let new = device(&device_text("v1", &format!(r#"{{"name":"a",{body}}}"#)));
    assert_eq!(old, new);
    assert_eq!(old.attributes.len(), 1);
    let bare = device(&device_text("v1beta1", r#"{"name":"a"}"#));
    assert_eq!(
        bare,
        Device {
            name: "a".into(),
            ..Device::default()
        }
    );
}

#[test]
fn v1beta1_says_no_node_with_an_empty_name() {
    let old = slice(&slice_text(
        "v1beta1",
        r#"{"nodeName":"","allNodes":false}"#,
    ))
    .spec;
    assert_eq!((old.node_name, old.all_nodes), (None, None));
    let old = slice(&slice_text(
        "v1beta1",
        r#"{"nodeName":"n","allNodes":true}"#,
    ))
    .spec;
    assert_eq!(
        (old.node_name.as_deref(), old.all_nodes),
        (Some("n"), Some(true))
    );
    let new = slice(&slice_text("v1", r#"{"nodeName":"","allNodes":false}"#)).spec;
    assert_eq!(
        (new.node_name.as_deref(), new.all_nodes),
        (Some(""), Some(false))
    );
}

#[test]
fn v1beta1_makes_exactly_of_any_flat_field() {
    let fields = [
        r#""deviceClassName":"gpu""#,
        r#""selectors":[]"#,
        r#""allocationMode":"All""#,
        r#""count":2"#,
        r#""adminAccess":false"#,
        r#""tolerations":[]"#,
        r#""capacity":{}"#,
        r#""derivedAttributes":[]"#,
    ];
    for field in fields {
        let old = claim(&request_text(
            "v1beta1",
            &format!(r#"{{"name":"r",{field}}}"#),
        ));
        let new = claim(&request_text(
            "v1",
            &format!(r#"{{"name":"r","exactly":{{{field}}}}}"#),
        ));
        assert_eq!(old, new, "{field}");
    }
    let all = fields.join(",");
    let old = format!(r#"{{"name":"r",{all},"firstAvailable":[{{"name":"s","count":1}}]}}"#);
    let new = format!(
        r#"{{"name":"r","exactly":{{{all}}},"firstAvailable":[{{"name":"s","count":1}}]}}"#
    );
    assert_eq!(
        claim(&request_text("v1beta1", &old)),
        claim(&request_text("v1", &new))
    );
    let none = r#"{"name":"r","deviceClassName":"","count":0,"selectors":null}"#;
    assert_eq!(
        claim(&request_text("v1beta1", none)),
        claim(&request_text("v1", r#"{"name":"r"}"#)),
    );
}

#[test]
fn v1beta1_templates_hold_flat_requests_too() {
    let json = r#"{"apiVersion":"resource.k8s.io/v1beta1","kind":"ResourceClaimTemplate",
        "metadata":{"name":"t"},"spec":{"metadata":{"labels":{"a":"b"}},
        "spec":{"devices":{"requests":[{"name":"r","deviceClassName":"gpu"}]}}}}"#;
    let Object::ResourceClaimTemplate(ResourceClaimTemplate { metadata, spec }) = one(json).object
    else {
        panic!()
    };
    let labels: Map<_, _> = [("a".into(), "b".into())].into_iter().collect();
    assert_eq!((&*metadata.name, spec.metadata.labels), ("t", labels));
    let exactly = spec.spec.devices.requests[0].exactly.as_ref().unwrap();
    assert_eq!(&*exactly.device_class_name, "gpu");
}

#[test]
fn every_served_version_of_a_kind_is_read() {
    for (kind, versions) in [
        ("ResourceSlice", &["v1", "v1beta2", "v1beta1"][..]),
        ("DeviceClass", &["v1", "v1beta2", "v1beta1"]),
        ("ResourceClaim", &["v1", "v1beta2", "v1beta1"]),
        ("ResourceClaimTemplate", &["v1", "v1beta2", "v1beta1"]),
        ("DeviceTaintRule", &["v1", "v1beta2", "v1alpha3"]),
    ] {
        for version in ["v1", "v1beta2", "v1beta1", "v1alpha3", "v2", ""] {
            let json = format!(
                r#"{{"apiVersion":"resource.k8s.io/{version}","kind":"{kind}","metadata":{{"name":"x"}}}}"#
            );
            if versions.contains(&version) {
                let Decoded {
                    object, warnings, ..
                } = one(&json);
                assert!(warnings.is_empty());
                let current = json.replace(&format!("io/{version}"), "io/v1");
                assert_eq!(object, one(&current).object);
            } else {
                let expected = match versions {
                    [a, b, c] => format!("{a}, {b} or {c}"),
                    _ => panic!(),
                };
                let message = format!(
                    "`{kind}` of `resource.k8s.io/{version}` is not known, expected version {expected}"
                );
                assert_eq!(fault(&json), (message, "{\"apiV".to_owned()));
            }
        }
    }
}

#[test]
fn what_was_probably_meant_to_be_read_is_refused() {
    let cases = [
        (
            "v1",
            "ResourceSlice",
            "`ResourceSlice` of `v1` is not known, expected a version such as `resource.k8s.io/v1`",
        ),
        (
            "resource.k8s.io",
            "DeviceClass",
            "`DeviceClass` of `resource.k8s.io` is not known, expected a version such as `resource.k8s.io/v1`",
        ),
        (
            "Resource.k8s.io/v1",
            "DeviceClass",
            "`DeviceClass` of `Resource.k8s.io/v1` is not known, expected a version such as `resource.k8s.io/v1`",
        ),
        (
            "resource.k8s.io/v1",
            "resourceslice",
            "unknown kind `resourceslice`, did you mean `ResourceSlice`",
        ),
        (
            "resource.k8s.io/v1",
            "ResourceClaimsList",
            "unknown kind `ResourceClaimsList`, did you mean `ResourceClaimList`",
        ),
    ];
    for (api_version, kind, message) in cases {
        let json = format!(r#"{{"apiVersion":"{api_version}","kind":"{kind}"}}"#);
        let mut found = Vec::new();
        let result = Decoder::new().decode_each(&json, &mut |result| {
            let error = result.unwrap_err().error;
            found.push((error.code(), error.message().to_owned()));
            Ok(())
        });
        result.unwrap();
        assert_eq!(found, [(Code::Unsupported, message.to_owned())]);
    }
}

#[test]
fn other_kinds_are_ignored_by_name() {
    for (api_version, kind) in [
        ("v1", "ConfigMap"),
        ("apps/v1", "Deployment"),
        ("example.com/v1", "DeviceClass"),
        ("resource.k8s.io/v1alpha3", "ResourcePoolStatusRequest"),
        ("apps/v1", "DeploymentList"),
    ] {
        let json = format!(r#"{{"apiVersion":"{api_version}","kind":"{kind}","items":[1]}}"#);
        let ignored = Object::Ignored {
            api_version: api_version.into(),
            kind: kind.into(),
        };
        assert_eq!(one(&json).object, ignored);
    }
}
