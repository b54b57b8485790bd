//! Reading a cluster from files.

use super::Cluster;
use crate::failure::Failure;
use crate::input::{self, Source};
use crate::style;

/// Most warnings of a kind that are printed.
const WARNINGS_MAX: usize = 20;

/// Reads all of what is given into a cluster; faults are told together.
pub(super) fn read(
    mut cluster: Cluster,
    sources: Vec<Source>,
    is_strict: bool,
) -> Result<Cluster, Failure> {
    let mut faults = Vec::new();
    let mut warnings = 0;
    let summary = input::read(sources, is_strict, &mut |item| {
        for (origin, warning) in &item.warnings {
            warnings += 1;
            if warnings <= WARNINGS_MAX {
                style::warn(&format!("{origin}: {warning}"));
            }
        }
        if let Err(fault) = cluster.add(item) {
            faults.push(fault);
        }
        Ok(())
    })?;
    if warnings > WARNINGS_MAX {
        style::warn(&format!("{} more of this kind", warnings - WARNINGS_MAX));
    }
    if !summary.ignored.is_empty() {
        let kinds = summary.ignored.iter().map(|((api_version, kind), count)| {
            format!("{count} of kind `{kind}` ({api_version})")
        });
        let kinds = kinds.collect::<Vec<_>>().join(", ");
        style::note(&format!(
            "objects that do not matter here are passed over: {kinds}"
        ));
    }
    if cluster.is_empty() && faults.is_empty() && summary.ignored.is_empty() {
        style::warn("the input holds no object");
    }
    if faults.is_empty() {
        Ok(cluster)
    } else {
        Err(Failure::Input(faults.join("\n")))
    }
}
