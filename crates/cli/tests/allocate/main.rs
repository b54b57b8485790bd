//! `dralloc allocate`, through the real binary.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../common/mod.rs"]
mod common;
mod documents;
mod extended;
mod input;
mod many;
#[cfg(unix)]
mod on_terminal;
mod order;
mod pods;
mod policies;
mod reasons;
mod sharing;
mod templates;
mod topologies;

use common::dralloc_with;

/// Two nodes with two devices each, of which one is large.
const CLUSTER: &str = r"
apiVersion: v1
kind: Node
metadata: {name: node-1, labels: {zone: a}}
---
apiVersion: v1
kind: Node
metadata: {name: node-2, labels: {zone: b}}
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: gpu}
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: slice-1}
spec:
  driver: gpu.example.com
  nodeName: node-1
  pool: {name: node-1, generation: 1, resourceSliceCount: 1}
  devices: [{name: gpu-0}, {name: gpu-1, attributes: {large: {bool: true}}}]
---
apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: slice-2}
spec:
  driver: gpu.example.com
  nodeName: node-2
  pool: {name: node-2, generation: 1, resourceSliceCount: 1}
  devices: [{name: gpu-0}, {name: gpu-1, attributes: {large: {bool: true}}}]
---
";

/// A claim for some devices.
fn claim(name: &str, count: u32) -> String {
    format!(
        r"
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {{name: {name}}}
spec:
  devices:
    requests:
    - name: gpu
      exactly: {{deviceClassName: gpu, count: {count}}}
---
"
    )
}

/// A template of claims for some devices.
fn template(name: &str, count: u32) -> String {
    format!(
        r"
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {{name: {name}}}
spec:
  metadata: {{labels: {{made-by: {name}}}}}
  spec:
    devices:
      requests:
      - name: gpu
        exactly: {{deviceClassName: gpu, count: {count}}}
---
"
    )
}

/// A pod with lines of its metadata, spec and status.
fn pod(name: &str, metadata: &str, spec: &str, status: &str) -> String {
    format!(
        r"
apiVersion: v1
kind: Pod
metadata: {{name: {name}, uid: uid-of-{name}, {metadata}}}
spec: {{{spec}}}
status: {{{status}}}
---
"
    )
}

const USES_CLAIM: &str = "resourceClaims: [{name: gpu, resourceClaimName: shared}]";
const USES_TEMPLATE: &str = "resourceClaims: [{name: gpu, resourceClaimTemplateName: single}]";

/// Allocates what is on standard input; returns all that is printed.
fn allocate(input: &str, arguments: &[&str]) -> String {
    dralloc_with(&[&["allocate", "-f", "-"], arguments].concat(), input).text()
}
