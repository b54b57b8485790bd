//! Topologies.

use std::collections::{BTreeMap, BTreeSet};

use super::metadata::{self, Reach};
use super::names;
use super::report::{Path, Quoted, Report};
use crate::error::{Code, Error};
use crate::model::{
    AllowedSet, AttributeMatch, DeviceId, PartitionTemplate, Quantity, Str, Topology, TopologyLink,
    TopologyVertex,
};

const VERTEX_KINDS: [&str; 9] = [
    "gpu",
    "nic",
    "pcieSwitch",
    "nvSwitch",
    "numaNode",
    "host",
    "nvLinkDomain",
    "block",
    "fabric",
];

const LINK_TYPES: [&str; 12] = [
    "NVLink",
    "NVSwitch",
    "NVSwitchTrunk",
    "NVLinkTray",
    "NVLinkCPU",
    "XGMI",
    "PCIe",
    "C2C",
    "Sys",
    "Host",
    "Tray",
    "NetTier",
];

/// Returns what is wrong with a topology, but for what only shows in its graph.
///
/// # Examples
///
/// ```
/// use dralloc::{model::Topology, validate};
///
/// let topology: Topology = serde_json::from_str(
///     r#"{"metadata": {"name": "pair"}, "spec": {
///         "vertices": [{"id": "gpu0", "kind": "gpu"}],
///         "links": [{"a": "gpu0", "b": "gpu1", "type": "NVLink"}]}}"#,
/// )?;
/// let errors = validate::topology(&topology);
/// assert_eq!(errors[0].to_string(), "spec.links[0].b: no vertex `gpu1`, expected the id of one");
/// # Ok::<(), serde_json::Error>(())
/// ```
pub fn topology(topology: &Topology) -> Vec<Error> {
    let mut report = Report::default();
    metadata::object(&mut report, &topology.metadata, Reach::Cluster);
    let (spec, path) = (&topology.spec, &Path::root("spec"));
    vertices(&mut report, &path.field("vertices"), &spec.vertices);
    let ids = spec.vertices.iter().map(|vertex| &*vertex.id).collect();
    let links = &path.field("links");
    for (index, item) in spec.links.iter().enumerate() {
        link(&mut report, &links.index(index), item, &ids);
    }
    let sets = &path.field("allowedSets");
    for (index, set) in spec.allowed_sets.iter().enumerate() {
        allowed_set(&mut report, &sets.index(index), set, &ids);
    }
    let templates = &path.field("partitionTemplates");
    for (index, template) in spec.partition_templates.iter().enumerate() {
        partition_template(&mut report, &templates.index(index), template);
    }
    let names = spec.partition_templates.iter();
    let names = names.map(|template| &*template.name);
    report.unique(templates, "template", names);
    report.into_errors()
}

fn vertices(report: &mut Report, path: &Path<'_>, vertices: &[TopologyVertex]) {
    let mut devices: BTreeMap<&str, &str> = BTreeMap::new();
    for (index, vertex) in vertices.iter().enumerate() {
        let path = &path.index(index);
        if vertex.id.is_empty() {
            report.required(&path.field("id"), "an id");
        }
        word(report, &path.field("kind"), &vertex.kind, &VERTEX_KINDS);
        rate(report, path, vertex.bandwidth_gbps.as_ref());
        if let Some(matches) = &vertex.matches {
            attribute_match(report, &path.field("match"), matches);
        }
        let Some(device) = &vertex.device else {
            continue;
        };
        let path = &path.field("device");
        if vertex.matches.is_some() {
            report.invalid(path, "expected either `device` or `match`, found both");
        }
        if DeviceId::parse(device).is_none() {
            let found = Quoted(device);
            report.invalid(path, format!("expected driver/pool/device, found {found}"));
        }
        if let Some(other) = devices.insert(device, &vertex.id) {
            let (device, other) = (Quoted(device), Quoted(other));
            let message = format!("{device} is vertex {other}, expected each device once");
            report.add(Code::Duplicate, path, message);
        }
    }
    report.unique(path, "vertex", vertices.iter().map(|vertex| &*vertex.id));
}

fn link(report: &mut Report, path: &Path<'_>, link: &TopologyLink, ids: &BTreeSet<&str>) {
    vertex(report, &path.field("a"), &link.a, ids);
    vertex(report, &path.field("b"), &link.b, ids);
    if link.a == link.b {
        let found = Quoted(&link.b);
        let message = format!("expected another vertex than {found} at the other end");
        report.invalid(&path.field("b"), message);
    }
    word(report, &path.field("type"), &link.link_type, &LINK_TYPES);
    for (field, number) in [
        ("count", link.count),
        ("generation", link.generation),
        ("tier", link.tier),
    ] {
        if let Some(number) = number.filter(|number| *number < 1) {
            let message = format!("expected 1 or more, found {number}");
            report.invalid(&path.field(field), message);
        }
    }
    rate(report, path, link.bandwidth_gbps.as_ref());
}

fn allowed_set(report: &mut Report, path: &Path<'_>, set: &AllowedSet, ids: &BTreeSet<&str>) {
    let path = &path.field("vertices");
    if set.vertices.is_empty() {
        report.required(path, "at least one vertex");
    }
    for (index, id) in set.vertices.iter().enumerate() {
        vertex(report, &path.index(index), id, ids);
    }
    report.unique(path, "vertex", set.vertices.iter().map(|id| &**id));
}

fn partition_template(report: &mut Report, path: &Path<'_>, template: &PartitionTemplate) {
    if template.name.is_empty() {
        report.required(&path.field("name"), "a name");
    }
    let path = &path.field("nodes");
    if template.nodes.is_empty() {
        report.required(path, "at least one part");
    }
    for (index, nodes) in template.nodes.iter().enumerate() {
        if *nodes < 1 {
            let message = format!("expected 1 or more, found {nodes}");
            report.invalid(&path.index(index), message);
        }
    }
}

/// Checks how a device is named by an attribute.
pub(super) fn attribute_match(report: &mut Report, path: &Path<'_>, matches: &AttributeMatch) {
    let attribute = names::fully_qualified(&matches.attribute);
    report.check(&path.field("attribute"), attribute);
    if matches.value.is_empty() {
        report.required(&path.field("value"), "a value");
    }
}

fn vertex(report: &mut Report, path: &Path<'_>, id: &Str, ids: &BTreeSet<&str>) {
    if !ids.contains(&**id) {
        let message = format!("no vertex {}, expected the id of one", Quoted(id));
        report.add(Code::NotFound, path, message);
    }
}

fn word(report: &mut Report, path: &Path<'_>, found: &str, known: &[&str]) {
    if !known.contains(&found) {
        let expected = format!("one of `{}`", known.join("`, `"));
        report.unsupported(path, &expected, found);
    }
}

fn rate(report: &mut Report, path: &Path<'_>, rate: Option<&Quantity>) {
    if let Some(rate) = rate.filter(|rate| rate.sign() < 0) {
        let message = format!("expected 0 or more, found {}", Quoted(&rate.to_string()));
        report.invalid(&path.field("bandwidthGBps"), message);
    }
}
