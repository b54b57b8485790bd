//! A large cluster, as `kubectl get … -A -o json` prints it.

mod claims;
mod nodes;
mod slices;

use std::io::{self, Write};

use serde_json::ser::{PrettyFormatter, Serializer};
use serde_json::{Value, json};

/// So many devices a node publishes.
pub const DEVICES: usize = 8;

/// Of so many nodes one has a card that is divided.
const DIVIDED: usize = 250;

/// Says how large a cluster is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// How many nodes there are, each with eight devices.
    pub nodes: usize,
    /// How many claims there are; of five of them one is pending.
    pub claims: usize,
}

/// Writes a cluster as one list: classes, claims, nodes and slices.
///
/// Everything is there that an API server adds, `managedFields` too, and all is indented.
/// Pods are not written: claims name the pods that own and use them, and these are not there.
/// The same size makes the same bytes.
///
/// # Errors
///
/// Those of the writer.
pub fn write(size: Size, output: &mut dyn Write) -> io::Result<()> {
    let mut list = List {
        output,
        is_empty: true,
    };
    list.output
        .write_all(b"{\n    \"apiVersion\": \"v1\",\n    \"items\": [")?;
    for class in slices::classes() {
        list.push(&class)?;
    }
    let mut takings = claims::Takings::new(size.nodes);
    for number in 0..size.claims {
        list.push(&claims::claim(number, &mut takings))?;
    }
    for number in 0..size.nodes {
        list.push(&nodes::node(number))?;
    }
    for number in 0..size.nodes {
        for slice in slices::slices(number) {
            list.push(&slice)?;
        }
    }
    list.output.write_all(
        b"\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n        \"resourceVersion\": \"\"\n    }\n}\n",
    )
}

/// Writes items with the indentation that they have in a list.
struct List<'o> {
    output: &'o mut dyn Write,
    is_empty: bool,
}

impl List<'_> {
    fn push(&mut self, item: &Value) -> io::Result<()> {
        let mut text = Vec::new();
        let formatter = PrettyFormatter::with_indent(b"    ");
        serde::Serialize::serialize(item, &mut Serializer::with_formatter(&mut text, formatter))?;
        self.output
            .write_all(if self.is_empty { b"\n" } else { b",\n" })?;
        self.is_empty = false;
        for (place, line) in text.split(|byte| *byte == b'\n').enumerate() {
            if place > 0 {
                self.output.write_all(b"\n")?;
            }
            self.output.write_all(b"        ")?;
            self.output.write_all(line)?;
        }
        Ok(())
    }
}

fn node_name(number: usize) -> String {
    format!("gpu-{:04}", number + 1)
}

/// Returns whether the devices of a node are a card and its partitions.
fn is_divided(node: usize) -> bool {
    node % DIVIDED == DIVIDED - 1
}

/// Returns a uid, another for each kind and number.
fn uid(kind: u16, number: usize) -> String {
    let mixed = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    format!(
        "{:08x}-{kind:04x}-4{:03x}-a{:03x}-{number:012x}",
        mixed >> 32,
        mixed & 0xfff,
        mixed >> 12 & 0xfff
    )
}

/// Returns an entry of `managedFields`.
fn managed(manager: &str, operation: &str, subresource: &str, fields: &Value) -> Value {
    let mut entry = json!({
        "apiVersion": "v1", "fieldsType": "FieldsV1", "fieldsV1": fields, "manager": manager,
        "operation": operation, "time": "2026-05-04T09:58:12Z",
    });
    if !subresource.is_empty() {
        entry["subresource"] = subresource.into();
    }
    entry
}
