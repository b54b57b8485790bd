//! Operations that the kubelet is to skip.

use super::report::{Path, Report};
use crate::model::Str;

const PREPARE: &str = "NodePrepareResources";
const UNPREPARE: &str = "NodeUnprepareResources";
const ALL: &str = "*";

/// Checks a list of operations: known, unique, and no preparation is skipped
/// that would be undone.
pub(super) fn skip_node_operations(report: &mut Report, path: &Path<'_>, operations: &[Str]) {
    for (index, operation) in operations.iter().enumerate() {
        if !matches!(&**operation, PREPARE | UNPREPARE | ALL) {
            let expected = "`NodePrepareResources`, `NodeUnprepareResources` or `*`";
            report.unsupported(&path.index(index), expected, operation);
        }
    }
    report.unique(
        path,
        "operation",
        operations.iter().map(|operation| &**operation),
    );
    let skips = |name: &str| operations.iter().any(|operation| &**operation == name);
    if skips(PREPARE) && !skips(UNPREPARE) && !skips(ALL) {
        report.invalid(
            path,
            "expected `NodeUnprepareResources` beside `NodePrepareResources`",
        );
    }
}
