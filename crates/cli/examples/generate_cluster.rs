//! Prints a cluster for measurements, the same at every call: nodes with GPUs,
//! and claims that wait for them.
//!
//! `cargo run --example generate_cluster -- NODES DEVICES CLAIMS > cluster.json`

use std::io::{self, BufWriter, Write};

const NODES: u32 = 1_000;
const DEVICES_PER_NODE: u32 = 8;
const CLAIMS: u32 = 2_000;

fn main() -> io::Result<()> {
    let mut numbers = std::env::args()
        .skip(1)
        .map(|text| text.parse().map_err(io::Error::other));
    let mut next = |default| numbers.next().unwrap_or(Ok(default));
    let (nodes, devices, claims) = (next(NODES)?, next(DEVICES_PER_NODE)?, next(CLAIMS)?);
    let mut output = BufWriter::new(io::stdout().lock());
    write_class(&mut output)?;
    for node in 0..nodes {
        write_node(&mut output, node, devices)?;
    }
    for claim in 0..claims {
        write_claim(&mut output, claim)?;
    }
    output.flush()
}

fn write_class(output: &mut impl Write) -> io::Result<()> {
    let expression = "device.driver == 'gpu.example.com'";
    writeln!(
        output,
        r#"{{"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{{"name":"gpu"}},"spec":{{"selectors":[{{"cel":{{"expression":"{expression}"}}}}]}}}}"#
    )
}

/// Every device has its own uuid, and half of the node's are on one root.
fn write_node(output: &mut impl Write, node: u32, devices: u32) -> io::Result<()> {
    let name = format!("node-{node:04}");
    writeln!(
        output,
        r#"{{"apiVersion":"v1","kind":"Node","metadata":{{"name":"{name}"}}}}"#
    )?;
    write!(
        output,
        r#"{{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{{"name":"{name}-gpu"}},"spec":{{"driver":"gpu.example.com","nodeName":"{name}","pool":{{"name":"{name}","generation":1,"resourceSliceCount":1}},"devices":["#
    )?;
    for device in 0..devices {
        let comma = if device == 0 { "" } else { "," };
        let root = 2 * device / devices;
        let memory = if node.is_multiple_of(2) {
            "80Gi"
        } else {
            "40Gi"
        };
        write!(
            output,
            r#"{comma}{{"name":"gpu-{device}","attributes":{{"uuid":{{"string":"GPU-{node:08x}-{device:04x}"}},"index":{{"int":{device}}},"resource.kubernetes.io/pcieRoot":{{"string":"pci{node:04}:{root}"}}}},"capacity":{{"memory":{{"value":"{memory}"}}}}}}"#
        )?;
    }
    writeln!(output, "]}}}}")
}

/// One, two or four GPUs; those for several want one root, and some much memory.
fn write_claim(output: &mut impl Write, claim: u32) -> io::Result<()> {
    let count = [1, 2, 1, 4][claim as usize % 4];
    let selectors = if claim.is_multiple_of(3) {
        let expression =
            "device.capacity['gpu.example.com'].memory.compareTo(quantity('80Gi')) >= 0";
        format!(r#","selectors":[{{"cel":{{"expression":"{expression}"}}}}]"#)
    } else {
        String::new()
    };
    let constraints = if count > 1 {
        r#","constraints":[{"matchAttribute":"resource.kubernetes.io/pcieRoot"}]"#
    } else {
        ""
    };
    writeln!(
        output,
        r#"{{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{{"namespace":"default","name":"claim-{claim:05}"}},"spec":{{"devices":{{"requests":[{{"name":"gpu","exactly":{{"deviceClassName":"gpu","allocationMode":"ExactCount","count":{count}{selectors}}}}}]{constraints}}}}}}}"#
    )
}
