//! What the plugin reads, and how it asks for it.

use insta::assert_snapshot;

use crate::Live;

#[test]
fn the_cluster_is_read_where_no_file_is_given() {
    let (run, calls) = Live::new().calls(&["allocate"]);
    assert_snapshot!(run.text(), @"
    NAMESPACE  POD    CLAIM  NODE      REQUEST  DEVICE
    team-a     small  small  worker-1  gpu      gpu.nvidia.com/worker-1/gpu-1

    Not allocated: pod team-a/training
      worker-1: request `gpus` needs 2 devices, 1 of 2 is usable: 1 in use (if claim `team-a/inference` were released 2 could serve)
      worker-2: request `gpus` needs 2 devices, both are refused by a selector; no release would help
      worker-3: cordoned

    Allocated: 1 of 2 pods.
    exit code 1
    ");
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
            "kubectl version -o json",
        ]
    );
}

#[test]
fn objects_of_the_cluster_are_validated() {
    let live = Live::new();
    live.serve(
        "devicetaintrules",
        r#"{"apiVersion": "v1", "kind": "List", "items": [{
            "apiVersion": "resource.k8s.io/v1beta2", "kind": "DeviceTaintRule",
            "metadata": {"name": "maintenance"},
            "spec": {"deviceSelector": {"pool": "worker-9"},
                     "taint": {"key": "example.com/maintenance", "effect": "NoSchedule"}}
        }]}"#,
    );
    let (run, calls) = live.calls(&["validate"]);
    assert_snapshot!(run.text(), @r"
    kubectl get devicetaintrules:4:40: warning: DeviceTaintRule `maintenance`: spec.deviceSelector: selects none of 6 published devices [taint-rule-without-device]
    1 warning in 13 objects
    exit code 0
    ");
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
            "kubectl version -o json",
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
    assert_eq!(calls.len(), 8);
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

#[test]
fn taint_rules_count_where_they_are_served() {
    let live = Live::new();
    live.serve(
        "devicetaintrules",
        r#"{"apiVersion": "v1", "kind": "List", "items": [{
            "apiVersion": "resource.k8s.io/v1", "kind": "DeviceTaintRule",
            "metadata": {"name": "broken", "uid": "r"},
            "spec": {"deviceSelector": {"pool": "worker-1"},
                     "taint": {"key": "example.com/broken", "effect": "NoSchedule"}}}]}"#,
    );
    let run = live.run(&["allocate"]);
    assert_snapshot!(run.text(), @"
    NAMESPACE  POD    CLAIM  NODE      REQUEST  DEVICE
    team-a     small  small  worker-2  gpu      gpu.nvidia.com/worker-2/gpu-0

    Not allocated: pod team-a/training
      worker-1: request `gpus` needs 2 devices, neither is usable: 1 in use, 1 tainted; no release would help
      worker-2: request `gpus` needs 2 devices, both are refused by a selector; no release would help
      worker-3: cordoned

    Allocated: 1 of 2 pods.
    exit code 1
    ");
}

#[test]
fn all_commands_about_clusters_read_it() {
    let live = Live::new();
    let run = live.run(&["dump"]);
    assert_eq!((run.code, &*run.errors), (0, ""));
    assert!(run.output.contains("worker-3"), "{}", run.output);
    let inventory = live.run(&["inventory", "--by", "product"]);
    assert_snapshot!(inventory.text(), @"
    6 devices in 3 pools on 3 nodes

    PRODUCT                NODES  DEVICES  FREE  HELD  USED
    NVIDIA A100-SXM4-40GB      1        2     2     0    0%
    NVIDIA H100 80GB HBM3      2        4     3     1   25%
    total                      3        6     5     1   16%
    exit code 0
    ");
    // The context is in the namespace of the claim.
    let explained = live.run(&["explain", "--claim", "training"]);
    assert_snapshot!(explained.text(), @"
    pod team-a/training: not now
      It fits on no node now, but on 1 of 3 nodes once others give devices back.
      It needs claim `training`.
      It asks for 2 devices of class `gpu.nvidia.com` where
      `device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('80Gi')) >= 0`
      (request `gpus`).

      Not now: 1 node
        - worker-1: request `gpus` needs 2 devices, 1 of 2 is usable: 1 in use
          (if claim `team-a/inference` were released 2 could serve)

      Never: 1 node
        - worker-2: request `gpus` needs 2 devices, both are refused by a selector

      Not asked: 1 node
        - worker-3: cordoned

      Each of these would make it fit, and was tried:
        - release claim `team-a/inference` (on worker-1)
        - ask for 1 device instead of 2 in request `gpus` (on worker-1)
        - drop selector 0 of request `gpus`:
          `device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('80Gi')) >=
          0` (on worker-2)
        - uncordon worker-3 (on worker-3)

    2 pods wait; 1 claim has devices.
    exit code 1
    ");
    assert_eq!(
        live.run(&["explain", "--claim", "team-a/training"]),
        explained
    );
    assert_eq!(
        live.run(&["explain", "--claim", "training", "-n", "team-b"])
            .code,
        2
    );
}
