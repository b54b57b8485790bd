//! What is wrong with allowed sets and templates.

use std::collections::BTreeSet;

use super::{Ids, MAX_PARTITIONS, limit, positive, quoted, vertex};
use crate::document::{AllowedSet, PartitionTemplate, Vertex, VertexKind};
use crate::error::{Code, Error};

pub(super) fn allowed_sets(
    sets: &[AllowedSet],
    vertices: &[Vertex],
    ids: &Ids<'_>,
) -> Result<(), Error> {
    limit("spec.allowedSets", sets.len(), MAX_PARTITIONS)?;
    for (index, set) in sets.iter().enumerate() {
        let path = format!("spec.allowedSets[{index}].vertices");
        if set.vertices.is_empty() {
            return Err(Error::new(
                Code::Invalid,
                path,
                "expected at least one vertex, found none",
            ));
        }
        let mut seen = BTreeSet::new();
        for (member, id) in set.vertices.iter().enumerate() {
            let at = || format!("{path}[{member}]");
            let place = vertex(ids, at, id)?;
            if vertices.get(place).map(|vertex| vertex.kind) != Some(VertexKind::Gpu) {
                let message = format!("vertex {} is no `gpu`, expected one", quoted(id));
                return Err(Error::new(Code::Invalid, at(), message));
            }
            if !seen.insert(place) {
                let message = format!("vertex {} is there twice, expected once", quoted(id));
                return Err(Error::new(Code::Duplicate, at(), message));
            }
        }
    }
    Ok(())
}

pub(super) fn templates(templates: &[PartitionTemplate]) -> Result<(), Error> {
    limit("spec.partitionTemplates", templates.len(), MAX_PARTITIONS)?;
    let mut names = BTreeSet::new();
    for (index, template) in templates.iter().enumerate() {
        let at = |field: &str| format!("spec.partitionTemplates[{index}].{field}");
        if template.name.is_empty() {
            return Err(Error::new(
                Code::Invalid,
                at("name"),
                "expected a name, found none",
            ));
        }
        if !names.insert(&template.name) {
            let message = format!(
                "template {} is there twice, expected once",
                quoted(&template.name)
            );
            return Err(Error::new(Code::Duplicate, at("name"), message));
        }
        if template.nodes.is_empty() {
            return Err(Error::new(
                Code::Invalid,
                at("nodes"),
                "expected at least one part, found none",
            ));
        }
        for (part, nodes) in template.nodes.iter().enumerate() {
            positive(
                || format!("spec.partitionTemplates[{index}].nodes[{part}]"),
                Some(*nodes),
            )?;
        }
    }
    Ok(())
}
