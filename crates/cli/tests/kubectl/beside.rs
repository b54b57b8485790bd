//! Files that are laid beside the cluster.

use insta::assert_snapshot;

use crate::Live;
use crate::common::root;

/// A claim, and a pod that uses it, without a namespace.
const WISH: &str = "testdata/operators/wish.yaml";

impl Live {
    /// Lays a text beside the cluster.
    fn beside(&self, command: &str, text: &str) -> String {
        let file = self.path("beside.yaml");
        std::fs::write(&file, text).unwrap();
        let run = self.run(&[command, "--live", "-f", file.to_str().unwrap()]);
        run.text()
    }
}

/// The answer is for the files: pods that wait in the cluster neither get something nor
/// make it a "no".
#[test]
fn what_is_asked_for_is_in_the_files() {
    let live = Live::new();
    let command = ["allocate", "--live", "-f", WISH];
    assert_snapshot!(live.run(&command).text(), @"
    NAMESPACE  POD   CLAIM  NODE      REQUEST  DEVICE
    team-a     wish  wish   worker-2  gpus     gpu.nvidia.com/worker-2/gpu-0
                                      gpus     gpu.nvidia.com/worker-2/gpu-1

    Allocated: 1 pod.
    stderr: note: 2 pods of the cluster wait beside the files: they are not placed
    exit code 0
    ");
    let satisfiable = live.run(&[&command[..], &["--satisfiable"]].concat());
    assert_snapshot!(satisfiable.text(), @"
    Satisfiable: pod team-a/wish on worker-1

    Satisfiable: 1 pod.
    stderr: note: 2 pods of the cluster wait beside the files: they are not placed
    exit code 0
    ");
    let yaml = live.run(&[&command[..], &["-o", "yaml"]].concat());
    assert!(!yaml.output.contains("name: small"), "{}", yaml.output);
    assert_eq!(yaml.code, 0);
}

/// The namespace has two pods that wait.
#[test]
fn a_pod_of_the_files_that_does_not_fit_is_a_no() {
    let large = std::fs::read_to_string(root().join(WISH)).unwrap();
    let large = large.replace("count: 2", "count: 3");
    assert_snapshot!(Live::new().beside("allocate", &large), @"
    Not allocated: pod team-a/wish
      worker-1: request `gpus` needs 3 devices, 1 of 2 is usable: 1 in use; no release would help
      worker-2: request `gpus` needs 3 devices, there are only 2; no release would help
      worker-3: cordoned

    Allocated: 0 of 1 pod.
    stderr: note: 2 pods of the cluster wait beside the files: they are not placed
    exit code 1
    ");
}

#[test]
fn a_pod_that_waits_for_what_is_in_the_files_is_asked_for() {
    let live = Live::new();
    let waits = |name: &str, source: &str| {
        format!(
            r#"{{"apiVersion": "v1", "kind": "Pod", "metadata": {{"name": "{name}",
                "namespace": "team-a", "uid": "uid-of-{name}"}}, "spec": {{"resourceClaims":
                [{{"name": "gpus", {source}}}]}}, "status": {{"phase": "Pending"}}}}"#
        )
    };
    let claim = waits("needs-claim", r#""resourceClaimName": "wish""#);
    let template = waits("needs-template", r#""resourceClaimTemplateName": "wish""#);
    let other = waits("other", r#""resourceClaimName": "missing""#);
    live.serve(
        "pods",
        &format!(
            r#"{{"apiVersion": "v1", "kind": "List", "items": [{claim}, {template}, {other}]}}"#
        ),
    );
    let spec = "{devices: {requests: [{name: gpus, exactly: {deviceClassName: gpu.nvidia.com}}]}}";
    let claim = format!(
        "apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: wish}}
spec: {spec}
"
    );
    assert_snapshot!(live.beside("allocate", &claim), @"
    NAMESPACE  POD          CLAIM  NODE      REQUEST  DEVICE
    team-a     needs-claim  wish   worker-1  gpus     gpu.nvidia.com/worker-1/gpu-1

    Allocated: 1 pod.
    stderr: note: 2 pods and 2 claims of the cluster wait beside the files: they are not placed
    exit code 0
    ");
    let template = format!(
        "apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {{name: wish}}
spec: {{spec: {spec}}}
"
    );
    assert_snapshot!(live.beside("allocate", &template), @"
    NAMESPACE  POD             CLAIM                      NODE      REQUEST  DEVICE
    team-a     needs-template  needs-template-gpus-kg58h  worker-1  gpus     gpu.nvidia.com/worker-1/gpu-1

    Allocated: 1 pod.
    stderr: note: 2 pods and 2 claims of the cluster wait beside the files: they are not placed
    exit code 0
    ");
}

/// Then they are of use to those who wait.
#[test]
fn files_without_pods_and_claims_ask_for_all_that_waits() {
    let node = "apiVersion: v1\nkind: Node\nmetadata: {name: worker-4}\n";
    assert_snapshot!(Live::new().beside("allocate", node), @"
    NAMESPACE  POD    CLAIM  NODE      REQUEST  DEVICE
    team-a     small  small  worker-1  gpu      gpu.nvidia.com/worker-1/gpu-1

    Not allocated: pod team-a/training
      worker-1, worker-2, worker-4: request `gpus` needs 2 devices, 0 to 1 of 0 to 2 are usable: 0 to 1 in use, 0 to 2 refused by a selector (on worker-1: if claim `team-a/inference` were released 2 could serve)
      worker-3: cordoned

    Allocated: 1 of 2 pods.
    exit code 1
    ");
}

#[test]
fn files_in_which_nothing_waits_are_told_apart_from_the_cluster() {
    let idle = "apiVersion: v1\nkind: Pod\nmetadata: {name: idle}\n";
    assert_snapshot!(Live::new().beside("allocate", idle), @"
    Nothing to allocate: no pod or claim of the files waits for devices.
    stderr: note: 2 pods of the cluster wait beside the files: they are not placed
    exit code 0
    ");
}

#[test]
fn explain_asks_about_the_files_too() {
    let run = Live::new().run(&["explain", "--live", "-f", WISH]);
    assert_snapshot!(run.text(), @"
    pod team-a/wish: fits
      It fits on 1 of 3 nodes: devices are not what keeps it waiting.
      It needs claim `wish`.
      It asks for 2 devices of class `gpu.nvidia.com` (request `gpus`).
      It would get on worker-2:
        - gpus  gpu.nvidia.com/worker-2/gpu-0
        - gpus  gpu.nvidia.com/worker-2/gpu-1

      Fits: 1 node
        - worker-2

      Not now: 1 node
        - worker-1: request `gpus` needs 2 devices, 1 of 2 is usable: 1 in use
          (if claim `team-a/inference` were released 2 could serve)

      Not asked: 1 node
        - worker-3: cordoned

    3 pods wait; 1 claim has devices.
    exit code 0
    ");
}

#[test]
fn files_without_the_cluster_have_no_devices() {
    assert_snapshot!(Live::new().run(&["allocate", "-f", WISH]).text(), @"
    Not allocated: pod team-a/wish
      claim `wish`: spec.devices.requests[0].exactly.deviceClassName: no DeviceClass `gpu.nvidia.com`, expected the name of one that exists

    Allocated: 0 of 1 pod.
    stderr: note: no node is given, and no slice names one: there is nowhere to allocate
    stderr: warning: no ResourceSlice is given: there are no devices; `kubectl get resourceslices -o yaml` prints those of a cluster
    stderr: warning: no DeviceClass is given: requests have nothing to refer to; `kubectl get deviceclasses -o yaml` prints those of a cluster
    exit code 1
    ");
}

#[test]
fn names_without_a_namespace_are_in_that_of_the_context() {
    let live = Live::new();
    let namespaces = |arguments: &[&str]| {
        let command = ["allocate", "--live", "-o", "yaml", "-f", WISH];
        let output = live.run(&[&command, arguments].concat()).output;
        let claim = output.split_once("  name: wish\n  namespace: ").unwrap().1;
        claim.lines().next().unwrap().to_owned()
    };
    assert_eq!(namespaces(&[]), "team-a");
    assert_eq!(namespaces(&["-n", "team-b"]), "team-b");
    assert_eq!(namespaces(&["--namespace=team-b"]), "team-b");
    // A kubeconfig without a context has none.
    std::fs::remove_file(live.path("namespace")).unwrap();
    assert_eq!(namespaces(&[]), "default");
}
