//! Topologies.

use super::metadata::{self, Reach};
use super::names;
use super::report::{Path, Report};
use crate::error::Error;
use crate::model::{AttributeMatch, Topology};

/// Returns what is wrong with a topology; of its graph, the first fault.
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
    let vertices = &Path::root("spec.vertices");
    for (index, vertex) in topology.spec.vertices.iter().enumerate() {
        if let Some(matches) = &vertex.matches {
            let path = &vertices.index(index);
            let attribute = names::fully_qualified(&matches.attribute);
            report.check(&path.field("match.attribute"), attribute);
        }
    }
    let mut errors = report.into_errors();
    errors.extend(
        dralloc_topology::Topology::of(&topology.spec)
            .err()
            .map(Error::from),
    );
    errors
}

/// Checks how a device is named by an attribute.
pub(super) fn attribute_match(report: &mut Report, path: &Path<'_>, matches: &AttributeMatch) {
    let attribute = names::fully_qualified(&matches.attribute);
    report.check(&path.field("attribute"), attribute);
    if matches.value.is_empty() {
        report.required(&path.field("value"), "a value");
    }
}
