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
    insta::assert_snapshot!(validate(&documents.join("---\n"), &[]), @r"
    <stdin>:23:66 (document 4): warning: ResourceClaim `default/training`: spec.devices.requests[0].exactly.deviceClassName: there is no DeviceClass `large-gpus` among the 2 given; did you mean `large-gpu`? [unknown-class]
    <stdin>:28:73 (document 5): warning: ResourceClaimTemplate `default/one-gpu`: spec.spec.devices.requests[0].exactly.deviceClassName: there is no DeviceClass `fpga` among the 2 given [unknown-class]
    <stdin>:33:54 (document 6): warning: Pod `default/a`: spec.resourceClaims[0].resourceClaimName: there is no ResourceClaim `trainings` in namespace `default`; did you mean `training`? [missing-claim]
    <stdin>:38:62 (document 7): fault: Pod `default/b`: spec.resourceClaims[0].resourceClaimTemplateName: expected a DNS name of lower-case letters, digits, `-` and `.`, found `one_gpu` [invalid]
    <stdin>:38:62 (document 7): warning: Pod `default/b`: spec.resourceClaims[0].resourceClaimTemplateName: there is no ResourceClaimTemplate `one_gpu` in namespace `default`; did you mean `one-gpu`? [missing-template]
    <stdin>:43:99 (document 8): warning: Pod `default/c`: spec.containers[0].resources.limits[deviceclass.resource.kubernetes.io/large-gpus]: there is no DeviceClass `large-gpus` among the 2 given; did you mean `large-gpu`? [unknown-class]
    <stdin>:48:76 (document 9): warning: Pod `default/d`: spec.containers[0].resources.limits[example.com/large-gpus]: no DeviceClass serves `example.com/large-gpus`; did you mean `example.com/large-gpu`? [unknown-extended-resource]
    1 fault, 6 warnings in 9 objects
    exit code 1
    ");
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
    insta::assert_snapshot!(check("example.com/gpus", "example.com/gpus"), @r"
    nothing found in 5 objects
    exit code 0
    ");
    insta::assert_snapshot!(check("example.com/fpga", "example.org/nic"), @r"
    <stdin>:23:70 (document 4): warning: Pod `default/a`: spec.containers[0].resources.limits[example.com/fpga]: no DeviceClass serves `example.com/fpga`, and no node has it (and 1 more Pod like it) [unknown-extended-resource]
    1 warning in 5 objects
    exit code 0
    ");
    // Without a node that lists anything it may be a device plugin's.
    let documents = [class("gpu"), SLICE.to_owned(), pods("example.com/fpga")];
    insta::assert_snapshot!(validate(&documents.join("---\n"), &[]), @r"
    nothing found in 4 objects
    exit code 0
    ");
}

#[test]
fn what_is_not_given_at_all_is_told_once() {
    let claims = [
        claim("ResourceClaim", "a", "gpu"),
        claim("ResourceClaim", "b", "nic"),
    ];
    insta::assert_snapshot!(validate(&claims.join("---\n"), &[]), @r"
    nothing found in 2 objects
    stderr: note: no DeviceClass and no ResourceSlice are given: whether devices match what is asked for is not looked at; `kubectl get deviceclasses,resourceslices -o yaml` prints what to give with `-f`, too
    exit code 0
    ");
    let documents = [SLICE.to_owned(), claims.join("---\n")];
    insta::assert_snapshot!(validate(&documents.join("---\n"), &[]), @r"
    nothing found in 3 objects
    stderr: note: no DeviceClass is given: whether devices match what is asked for is not looked at; `kubectl get deviceclasses -o yaml` prints what to give with `-f`, too
    exit code 0
    ");
    let pods = [
        pod("a", "{resourceClaims: [{name: x, resourceClaimName: a}]}"),
        pod(
            "b",
            "{resourceClaims: [{name: x, resourceClaimTemplateName: b}]}",
        ),
    ];
    insta::assert_snapshot!(validate(&pods.join("---\n"), &[]), @r"
    nothing found in 2 objects
    stderr: note: no ResourceClaim and no ResourceClaimTemplate are given: whether there is what pods name is not looked at; `kubectl get resourceclaims,resourceclaimtemplates -A -o yaml` prints what to give with `-f`, too
    exit code 0
    ");
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
