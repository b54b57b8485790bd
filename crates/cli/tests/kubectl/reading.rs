//! What the plugin reads, and how it asks for it.

use insta::assert_snapshot;

use crate::Live;

#[test]
fn the_cluster_is_read_where_no_file_is_given() {
    let (run, calls) = Live::new().calls(&["allocate"]);
    assert_snapshot!(run.text(), @"");
    assert_eq!(
        calls,
        [
            "kubectl get resourceslices -A -o json",
            "kubectl config view --minify -o jsonpath={..namespace}",
            "kubectl get deviceclasses -A -o json",
            "kubectl get devicetaintrules -A -o json",
            "kubectl get nodes -A -o json",
            "kubectl get pods -A -o json",
            "kubectl get resourceclaims -A -o json",
            "kubectl get resourceclaimtemplates -A -o json",
        ]
    );
}

#[test]
fn options_are_passed_on() {
    let options = [
        "dump",
        "--context=staging",
        "--kubeconfig",
        "my config",
        "--cluster=c",
        "--user=u",
        "--request-timeout=5s",
        "--server=https://example.com",
        "--as=a",
        "--as-group=g",
        "--as-group=h",
        "--as-uid=1",
        "--certificate-authority=ca",
        "--tls-server-name=t",
        "--cache-dir=d",
        "-n",
        "team-b",
    ];
    let (run, calls) = Live::new().calls(&options);
    assert_eq!((run.code, &*run.errors), (0, ""));
    let passed = "--context=staging --kubeconfig=my config --cluster=c --user=u \
                  --request-timeout=5s --server=https://example.com --as=a --as-group=g \
                  --as-group=h --as-uid=1 --certificate-authority=ca --tls-server-name=t \
                  --cache-dir=d";
    assert_eq!(
        calls[0],
        format!("kubectl get resourceslices -A -o json {passed}")
    );
    // The namespace is told: nobody has to ask for it.
    assert_eq!(calls.len(), 7);
    assert!(calls.iter().all(|call| call.ends_with(passed)), "{calls:?}");
}

#[test]
fn files_take_the_place_of_the_cluster() {
    let (run, calls) = Live::new().calls(&["allocate", "-f", "examples/mig-mix.yaml"]);
    assert_eq!((run.code, &*run.errors), (0, ""));
    assert_eq!(
        calls,
        ["kubectl config view --minify -o jsonpath={..namespace}"]
    );
}

/// A claim, and a pod that uses it, without a namespace.
const WISH: &str = "testdata/operators/wish.yaml";

#[test]
fn files_can_be_laid_beside_the_cluster() {
    let live = Live::new();
    assert_snapshot!(live.run(&["allocate", "--live", "-f", WISH]).text(), @"");
    // Where the file is all that there is there are no devices.
    assert_snapshot!(live.run(&["allocate", "-f", WISH]).text(), @"");
}

#[test]
fn names_without_a_namespace_are_in_that_of_the_context() {
    let live = Live::new();
    let namespaces = |arguments: &[&str]| {
        let command = ["allocate", "--live", "-o", "yaml", "-f", WISH];
        let output = live.run(&[&command, arguments].concat()).output;
        let claims = output.split("name: wish\n").skip(1);
        let namespace = claims.map(|claim| {
            let line = claim.lines().find(|line| line.contains("namespace:"));
            line.unwrap().trim().to_owned()
        });
        namespace.collect::<Vec<_>>()
    };
    assert_eq!(namespaces(&[]), ["namespace: team-a"]);
    assert_eq!(namespaces(&["-n", "team-b"]), ["namespace: team-b"]);
    assert_eq!(namespaces(&["--namespace=team-b"]), ["namespace: team-b"]);
    // A kubeconfig without a context has none.
    std::fs::remove_file(live.path("namespace")).unwrap();
    assert_eq!(namespaces(&[]), ["namespace: default"]);
}

#[test]
fn taint_rules_count_where_they_are_served() {
    let live = Live::new();
    live.serve(
        "devicetaintrules",
        r#"{"apiVersion": "v1", "kind": "List", "items": [{
            "apiVersion": "resource.k8s.io/v1", "kind": "DeviceTaintRule",
            "metadata": {"name": "broken", "uid": "r"},
            "spec": {"deviceSelector": {"pool": "worker-2"},
                     "taint": {"key": "example.com/broken", "effect": "NoSchedule"}}}]}"#,
    );
    let run = live.run(&["allocate"]);
    assert_snapshot!(run.text(), @"");
}

#[test]
fn all_commands_about_clusters_read_it() {
    let live = Live::new();
    let run = live.run(&["dump"]);
    assert_eq!((run.code, &*run.errors), (0, ""));
    assert!(run.output.contains("worker-3"), "{}", run.output);
}
