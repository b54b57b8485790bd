//! Names of what is not there, what may be meant, and what is not given at all.

use crate::validate;

/// A class, which serves a resource.
fn class(name: &str) -> String {
    format!(
        "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {{name: {name}}}\n\
         spec: {{extendedResourceName: example.com/{name}}}\n"
    )
}

fn claim(kind: &str, name: &str, class: &str) -> String {
    let spec =
        format!("{{devices: {{requests: [{{name: a, exactly: {{deviceClassName: {class}}}}}]}}}}");
    let spec = match kind {
        "ResourceClaim" => spec,
        _ => format!("{{spec: {spec}}}"),
    };
    format!(
        "apiVersion: resource.k8s.io/v1\nkind: {kind}\nmetadata: {{name: {name}}}\nspec: {spec}\n"
    )
}

fn pod(name: &str, spec: &str) -> String {
    format!("apiVersion: v1\nkind: Pod\nmetadata: {{name: {name}}}\nspec: {spec}\n")
}

fn node(resource: &str) -> String {
    format!(
        "apiVersion: v1\nkind: Node\nmetadata: {{name: worker-1}}\n\
         status: {{allocatable: {{{resource}: 8}}}}\n"
    )
}

const SLICE: &str = "apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: gpu.example.com
  nodeName: worker-1
  pool: {name: worker-1, generation: 1, resourceSliceCount: 1}
  devices: [{name: gpu-0}]
";

#[test]
fn a_misspelt_name_is_answered_with_the_one_that_may_be_meant() {
    let by_class = "deviceclass.resource.kubernetes.io/large-gpus";
    let documents = [
        class("small-gpu"),
        class("large-gpu"),
        SLICE.to_owned(),
        claim("ResourceClaim", "training", "large-gpus"),
        claim("ResourceClaimTemplate", "one-gpu", "fpga"),
        pod(
            "a",
            "{resourceClaims: [{name: x, resourceClaimName: trainings}]}",
        ),
        pod(
            "b",
            "{resourceClaims: [{name: x, resourceClaimTemplateName: one_gpu}]}",
        ),
        pod(
            "c",
            &format!("{{containers: [{{name: m, resources: {{limits: {{{by_class}: 1}}}}}}]}}"),
        ),
        pod(
            "d",
            "{containers: [{name: m, resources: {limits: {example.com/large-gpus: 1}}}]}",
        ),
    ];
    insta::assert_snapshot!(validate(&documents.join("---\n"), &[]), @"");
}

#[test]
fn a_resource_that_nodes_list_is_served_by_them() {
    let pods = |resource: &str| {
        let spec =
            format!("{{containers: [{{name: m, resources: {{limits: {{{resource}: 1}}}}}}]}}");
        [pod("a", &spec), pod("b", &spec)].join("---\n")
    };
    let check = |resource: &str, listed: &str| {
        let documents = [class("gpu"), SLICE.to_owned(), node(listed), pods(resource)];
        validate(&documents.join("---\n"), &[])
    };
    insta::assert_snapshot!(check("example.com/gpus", "example.com/gpus"), @"");
    insta::assert_snapshot!(check("example.com/fpga", "example.org/nic"), @"");
    // Without a node that lists anything it may be a device plugin's.
    let documents = [class("gpu"), SLICE.to_owned(), pods("example.com/fpga")];
    insta::assert_snapshot!(validate(&documents.join("---\n"), &[]), @"");
}

#[test]
fn what_is_not_given_at_all_is_told_once() {
    let claims = [
        claim("ResourceClaim", "a", "gpu"),
        claim("ResourceClaim", "b", "nic"),
    ];
    insta::assert_snapshot!(validate(&claims.join("---\n"), &[]), @"");
    let documents = [SLICE.to_owned(), claims.join("---\n")];
    insta::assert_snapshot!(validate(&documents.join("---\n"), &[]), @"");
    let pods = [
        pod("a", "{resourceClaims: [{name: x, resourceClaimName: a}]}"),
        pod(
            "b",
            "{resourceClaims: [{name: x, resourceClaimTemplateName: b}]}",
        ),
    ];
    insta::assert_snapshot!(validate(&pods.join("---\n"), &[]), @"");
}

#[test]
fn a_request_whose_name_is_misspelt_elsewhere_is_not_unmentioned() {
    let claim = |requests: &str| {
        format!(
            "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{name: a}}\n\
             spec:\n  devices:\n    requests:\n\
             \x20   - {{name: gpu, exactly: {{deviceClassName: small-gpu, count: 2}}}}\n\
             \x20   - {{name: nic, exactly: {{deviceClassName: small-gpu}}}}\n\
             \x20   constraints: [{{requests: [{requests}], matchAttribute: a.example.com/b}}]\n"
        )
    };
    let check = |requests: &str| {
        let documents = [class("small-gpu"), claim(requests)];
        validate(&documents.join("---\n"), &["-o", "json"])
    };
    assert!(!check("gpus").contains("request-unmentioned"));
    assert!(!check("gpu/large").contains("request-unmentioned"));
    assert!(check("gpu").contains("request-unmentioned"));
}
