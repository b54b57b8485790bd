//! Metadata of objects.

use super::report::{Path, Report};
use super::{limits, names};
use crate::model::{Map, ObjectMeta, OwnerReference, Str};

/// Says whether objects of a kind live in namespaces.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    Namespace,
    Cluster,
}

/// Checks the metadata of an object.
pub(super) fn object(report: &mut Report, metadata: &ObjectMeta, reach: Reach) {
    let path = &Path::root("metadata");
    name(report, path, metadata);
    if let Some(namespace) = metadata
        .namespace
        .as_deref()
        .filter(|name| !name.is_empty())
    {
        let path = &path.field("namespace");
        match reach {
            Reach::Namespace => {
                report.check(path, names::dns_label(namespace));
            }
            Reach::Cluster => report.invalid(path, "expected no namespace on this kind of object"),
        }
    }
    if let Some(generation) = metadata.generation.filter(|generation| *generation < 0) {
        report.invalid(
            &path.field("generation"),
            format!("expected 0 or more, found {generation}"),
        );
    }
    labels(report, path, &metadata.labels);
    annotations(report, path, &metadata.annotations);
    owners(
        report,
        &path.field("ownerReferences"),
        &metadata.owner_references,
    );
    let path = &path.field("finalizers");
    for (index, finalizer) in metadata.finalizers.iter().enumerate() {
        report.check(&path.index(index), names::finalizer(finalizer));
    }
}

/// Checks the metadata that a template has for its claims: labels and annotations.
pub(super) fn template(report: &mut Report, path: &Path<'_>, metadata: &ObjectMeta) {
    let others = ObjectMeta {
        labels: metadata.labels.clone(),
        annotations: metadata.annotations.clone(),
        ..ObjectMeta::default()
    };
    if *metadata != others {
        report.invalid(
            path,
            "expected only `labels` and `annotations` in the metadata for claims",
        );
    }
    labels(report, path, &metadata.labels);
    annotations(report, path, &metadata.annotations);
}

fn name(report: &mut Report, path: &Path<'_>, metadata: &ObjectMeta) {
    let prefix = metadata.generate_name.as_deref().unwrap_or_default();
    if !metadata.name.is_empty() {
        report.check(&path.field("name"), names::dns_subdomain(&metadata.name));
    } else if prefix.is_empty() {
        report.required(&path.field("name"), "a name or a prefix in `generateName`");
    } else {
        // The API server puts five characters behind the prefix.
        report.check(
            &path.field("generateName"),
            names::dns_subdomain(&format!("{prefix}00000")),
        );
    }
}

fn labels(report: &mut Report, path: &Path<'_>, labels: &Map<Str, Str>) {
    let path = &path.field("labels");
    for (key, value) in labels {
        report.check(path, names::label_key(key));
        report.check(&path.key(key), names::label_value(value));
    }
}

fn annotations(report: &mut Report, path: &Path<'_>, annotations: &Map<Str, Str>) {
    let path = &path.field("annotations");
    for key in annotations.keys() {
        report.check(path, names::label_key(&key.to_ascii_lowercase()));
    }
    let bytes = annotations
        .iter()
        .map(|(key, value)| key.len() + value.len())
        .sum();
    report.size(
        path,
        limits::ANNOTATIONS_BYTES,
        bytes,
        "bytes in all annotations",
    );
}

fn owners(report: &mut Report, path: &Path<'_>, owners: &[OwnerReference]) {
    for (index, owner) in owners.iter().enumerate() {
        let path = &path.index(index);
        let fields = [
            ("apiVersion", &owner.api_version, "an API version"),
            ("kind", &owner.kind, "a kind"),
            ("name", &owner.name, "a name"),
            ("uid", &owner.uid, "a uid"),
        ];
        for (field, value, what) in fields {
            if value.is_empty() {
                report.required(&path.field(field), what);
            }
        }
        if !owner.api_version.is_empty() {
            report.check(
                &path.field("apiVersion"),
                names::api_version(&owner.api_version),
            );
        }
    }
    let controllers = owners
        .iter()
        .filter(|owner| owner.controller == Some(true))
        .count();
    if controllers > 1 {
        report.invalid(
            path,
            format!("expected at most one controller, found {controllers}"),
        );
    }
}
