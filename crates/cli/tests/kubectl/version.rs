//! The version of the server says which features are on.

use crate::Live;

/// Returns what is said of the pods where the server has a version, or tells none.
fn allocate(live: &Live, minor: Option<&str>, arguments: &[&str]) -> (String, String) {
    match minor {
        Some(minor) => live.serve(
            "version",
            &format!(r#"{{"serverVersion": {{"major": "1", "minor": "{minor}"}}}}"#),
        ),
        // A server that is not asked like that prints something else.
        None => live.serve("version", ""),
    }
    let run = live.run(&[&["allocate"], arguments].concat());
    (run.output, run.errors)
}

/// A pod that asks for an extended resource, for which a class stands.
fn live() -> Live {
    let live = Live::new();
    live.serve(
        "deviceclasses",
        r#"{"apiVersion": "v1", "kind": "List", "items": [{
            "apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass",
            "metadata": {"name": "gpu.nvidia.com"},
            "spec": {"extendedResourceName": "nvidia.com/gpu"}}]}"#,
    );
    live.serve(
        "pods",
        r#"{"apiVersion": "v1", "kind": "List", "items": [{
            "apiVersion": "v1", "kind": "Pod",
            "metadata": {"name": "classic", "namespace": "team-a", "uid": "c"},
            "spec": {"containers": [{"name": "c", "resources": {
                "requests": {"nvidia.com/gpu": "1"}, "limits": {"nvidia.com/gpu": "1"}}}]},
            "status": {"phase": "Pending"}}]}"#,
    );
    live
}

#[test]
fn gates_are_those_of_the_server() {
    let live = live();
    let off = "the feature `DRAExtendedResource` is off";
    let placed = "nvidia.com/gpu for c";
    for (minor, arguments, expected) in [
        (Some("36"), &[][..], placed),
        (Some("35+"), &[], off),
        // What is named counts.
        (Some("35"), &["--kubernetes-version", "1.36"], placed),
        (Some("36"), &["--kubernetes-version", "1.35"], off),
        (
            Some("35"),
            &["--feature-gates", "DRAExtendedResource=true"],
            placed,
        ),
        // Nothing is off that nobody says is off.
        (None, &[], placed),
    ] {
        let (output, errors) = allocate(&live, minor, arguments);
        assert!(
            output.contains(expected),
            "{minor:?} {arguments:?}: {output}{errors}"
        );
    }
}

#[test]
fn a_version_that_is_not_known_is_taken_for_the_nearest() {
    let live = live();
    let note = |minor: &str, known: &str| {
        format!("note: 1.{minor} is not known here, its gates are taken from 1.{known}\n")
    };
    let (output, errors) = allocate(&live, Some("99"), &[]);
    assert!(output.contains("nvidia.com/gpu for c"), "{output}");
    assert_eq!(errors, note("99", "37"));
    let (output, errors) = allocate(&live, Some("33"), &[]);
    assert!(output.contains("`DRAExtendedResource` is off"), "{output}");
    assert_eq!(errors, note("33", "34"));
}

#[test]
fn a_named_version_is_not_asked_for() {
    let asks = |arguments: &[&str]| {
        let (_, calls) = Live::new().calls(&[&["inventory"], arguments].concat());
        calls.iter().any(|call| call.contains(" version "))
    };
    assert!(asks(&[]));
    assert!(!asks(&["--kubernetes-version", "1.36"]));
    assert!(!asks(&["-f", "examples/mig-mix.yaml"]));
}
