//! On which nodes what was allocated can be used.

use super::node_selection::{check_selector, selector_matches};
use super::resource_slice::declares_node_operations;
use crate::error::Error;
use crate::model::{AllocationResult, Node};

/// Checks that it can be said of any node.
///
/// # Errors
///
/// [`Code::NodeSelector`](crate::Code::NodeSelector) if the selector is malformed.
pub(crate) fn check_reach(allocation: &AllocationResult) -> Result<(), Error> {
    let selector = allocation.node_selector.as_ref();
    selector
        .map_or(Ok(()), check_selector)
        .map_err(|error| error.under("nodeSelector"))
}

/// Returns whether what was allocated can be used on a node; the allocation was
/// checked by [`check_reach`].
pub(crate) fn reaches(allocation: &AllocationResult, node: &Node) -> bool {
    let selector = allocation.node_selector.as_ref();
    let mut results = allocation.devices.results.iter();
    selector.is_none_or(|selector| selector_matches(selector, node))
        && (declares_node_operations(node)
            || results.all(|result| result.skip_node_operations.is_empty()))
}
