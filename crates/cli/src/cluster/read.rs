//! Reading a cluster from files.

use std::collections::BTreeMap;

use dralloc::wire::{Object, Warning};

use super::kind::{Kind, is_namespaced};
use super::{Cluster, Conflict, ObjectName};
use crate::failure::Failure;
use crate::input::{self, InputError, Origin, Source};
use crate::style;

/// Most warnings of a kind that are printed.
const WARNINGS_MAX: usize = 20;

/// Is all that reading says.
#[derive(Debug)]
pub(crate) struct Gathered {
    pub(crate) cluster: Cluster,
    /// What was passed over in objects.
    pub(crate) warnings: Vec<Passed>,
    /// Objects that cannot be told apart, or have no name.
    pub(crate) conflicts: Vec<Conflict>,
    /// How many objects were passed over, by `apiVersion` and `kind`.
    pub(crate) ignored: BTreeMap<(String, String), usize>,
    /// What cannot be read.
    pub(crate) error: Option<InputError>,
}

/// Is what was passed over in an object.
#[derive(Debug)]
pub(crate) struct Passed {
    pub(crate) origin: Origin,
    pub(crate) kind: &'static str,
    pub(crate) name: ObjectName,
    pub(crate) warning: Warning,
}

/// Reads all of what is given into a cluster, up to so many faults.
pub(super) fn gather(
    mut cluster: Cluster,
    sources: Vec<Source>,
    is_strict: bool,
    most_faults: usize,
) -> Gathered {
    let mut warnings = Vec::new();
    let mut conflicts = Vec::new();
    let read = input::read(sources, is_strict, most_faults, &mut |mut item| {
        let passed = std::mem::take(&mut item.warnings);
        if let (false, Some((kind, name))) = (passed.is_empty(), head(&item.object, &cluster)) {
            warnings.extend(passed.into_iter().map(|(origin, warning)| Passed {
                origin,
                kind,
                name: name.clone(),
                warning,
            }));
        }
        conflicts.extend(cluster.add(item).err());
        Ok(())
    });
    let (ignored, error) = match read {
        Ok(summary) => (summary.ignored, None),
        Err(mut error) => {
            error.rename(|object| {
                if is_namespaced(object.kind) && object.name.namespace.is_empty() {
                    object.name.namespace = cluster.namespace();
                }
            });
            for fault in error.faults() {
                let Some(object) = &fault.object else {
                    continue;
                };
                let passed = fault.warnings.iter().cloned();
                warnings.extend(passed.map(|(origin, warning)| Passed {
                    origin,
                    kind: object.kind,
                    name: object.name.clone(),
                    warning,
                }));
            }
            (BTreeMap::new(), Some(error))
        }
    };
    Gathered {
        cluster,
        warnings,
        conflicts,
        ignored,
        error,
    }
}

/// Reads all of what is given into a cluster; faults are told together.
pub(super) fn read(
    cluster: Cluster,
    sources: Vec<Source>,
    is_strict: bool,
) -> Result<Cluster, Failure> {
    let gathered = gather(cluster, sources, is_strict, input::FEW_FAULTS);
    for Passed {
        origin, warning, ..
    } in gathered.warnings.iter().take(WARNINGS_MAX)
    {
        style::warn(&format!("{origin}: {warning}"));
    }
    let more = gathered.warnings.len().saturating_sub(WARNINGS_MAX);
    if more > 0 {
        style::warn(&format!("{more} more of this kind"));
    }
    if let Some(error) = gathered.error {
        return Err(error.into());
    }
    if let Some(note) = passed_over(&gathered.ignored) {
        style::note(&note);
    }
    let (cluster, conflicts) = (gathered.cluster, gathered.conflicts);
    if cluster.is_empty() && conflicts.is_empty() && gathered.ignored.is_empty() {
        style::warn(NO_OBJECT);
    }
    if conflicts.is_empty() {
        return Ok(cluster);
    }
    let lines = conflicts.iter().map(ToString::to_string);
    Err(Failure::Input(lines.collect::<Vec<_>>().join("\n")))
}

/// Said of input that holds nothing.
pub(crate) const NO_OBJECT: &str = "the input holds no object";

/// Says which objects were passed over, if any were.
pub(crate) fn passed_over(ignored: &BTreeMap<(String, String), usize>) -> Option<String> {
    let kinds = ignored
        .iter()
        .map(|((api_version, kind), count)| format!("{count} of kind `{kind}` ({api_version})"));
    let kinds = kinds.collect::<Vec<_>>().join(", ");
    let note = || format!("objects that do not matter here are passed over: {kinds}");
    (!kinds.is_empty()).then(note)
}

/// Returns kind and name of an object that is of some use.
fn head(object: &Object, cluster: &Cluster) -> Option<(&'static str, ObjectName)> {
    fn of<T: Kind>(object: &T, cluster: &Cluster) -> (&'static str, ObjectName) {
        let mut name = ObjectName::of(object.metadata());
        if T::IS_NAMESPACED && name.namespace.is_empty() {
            name.namespace = cluster.namespace();
        }
        (T::KIND, name)
    }
    Some(match object {
        Object::ResourceSlice(object) => of(object, cluster),
        Object::DeviceClass(object) => of(object, cluster),
        Object::ResourceClaim(object) => of(object, cluster),
        Object::ResourceClaimTemplate(object) => of(object, cluster),
        Object::DeviceTaintRule(object) => of(object, cluster),
        Object::Topology(object) => of(object, cluster),
        Object::AttributeOverlay(object) => of(object, cluster),
        Object::DeviceHealth(object) => of(object, cluster),
        Object::DeviceHold(object) => of(object, cluster),
        Object::Node(object) => of(object, cluster),
        Object::Pod(object) => of(&**object, cluster),
        Object::Ignored { .. } => return None,
    })
}
