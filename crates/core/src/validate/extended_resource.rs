//! The extended resources that pods ask for.

use super::report::{Fault, Path, Report};
use crate::error::Error;
use crate::model::{Container, Pod, Quantity};
use crate::rules::{is_served_by_class, units_of};

/// Returns what the API server would refuse about the extended resources of a pod.
///
/// That is part of what [`pod`](super::pod()) returns.
///
/// # Examples
///
/// ```
/// use dralloc::{model::Pod, validate};
///
/// let pod: Pod = serde_json::from_str(
///     r#"{"metadata": {"name": "half"}, "spec": {"containers": [
///         {"name": "main", "resources": {"limits": {"example.com/gpu": "500m"}}}]}}"#)?;
/// let errors = validate::extended_resources(&pod);
/// assert_eq!(errors[0].path(), "spec.containers[0].resources.limits[example.com/gpu]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn extended_resources(pod: &Pod) -> Vec<Error> {
    let mut report = Report::default();
    check(&mut report, pod);
    report.into_errors()
}

pub(super) fn check(report: &mut Report, pod: &Pod) {
    let path = &Path::root("spec");
    let lists = [
        ("initContainers", &pod.spec.init_containers),
        ("containers", &pod.spec.containers),
    ];
    for (name, list) in lists {
        let path = &path.field(name);
        for (index, one) in list.iter().enumerate() {
            let path = &path.index(index);
            container(report, &path.field("resources"), one);
        }
    }
}

fn container(report: &mut Report, path: &Path<'_>, container: &Container) {
    let resources = &container.resources;
    for (field, amounts) in [
        ("limits", &resources.limits),
        ("requests", &resources.requests),
    ] {
        let path = &path.field(field);
        for (name, quantity) in amounts {
            if is_served_by_class(name) {
                let units = units_of(quantity);
                report.check(&path.key(name), units.map(drop).map_err(Fault::invalid));
            }
        }
    }
    let path = &path.field("requests");
    for (name, quantity) in &resources.requests {
        if is_served_by_class(name) {
            let limit = resources.limits.get(name);
            report.check(&path.key(name), as_limited(quantity, limit));
        }
    }
}

/// Extended resources cannot be overcommitted: a request must equal its limit.
fn as_limited(quantity: &Quantity, limit: Option<&Quantity>) -> Result<(), Fault> {
    match limit {
        Some(limit) if limit == quantity => Ok(()),
        Some(limit) => Err(Fault::invalid(format!(
            "expected the limit, `{limit}`, found `{quantity}`"
        ))),
        None => Err(Fault::invalid(format!(
            "expected `{quantity}` in `limits`, too, found none"
        ))),
    }
}
