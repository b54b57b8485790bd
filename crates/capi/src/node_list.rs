//! [`dralloc_node_list`]: nodes by place.

use dralloc::NodeList;

use crate::error::{Failure, dralloc_error};
use crate::raw::{Noun, Shared, call};
use crate::status::dralloc_status;

/// Lists nodes in an order of the caller's, found by name once: calls name a node by
/// its place. It stays right whatever nodes come and go, and never changes, so that
/// any number of threads may use it.
pub struct dralloc_node_list(());

impl Noun for dralloc_node_list {
    type Value = NodeList;
    const TAG: u32 = 0xd7a1_0007;
    const NAME: &'static str = "node list";
}

impl Shared for dralloc_node_list {}

/// Returns the name of the node at a place.
pub(crate) fn name(nodes: &NodeList, place: usize) -> Result<&str, Failure> {
    nodes.name(place).ok_or_else(|| {
        let message = format!("place {place} of {} nodes, expected less", nodes.len());
        Failure::new(dralloc_status::OutOfRange, message)
    })
}

/// Returns how many nodes there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_node_list_count(
    nodes: *const dralloc_node_list,
    count: *mut usize,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let count = caller.out(count, "count")?;
        count.write(caller.shared(nodes)?.len());
        Ok(())
    })
}

/// Returns the name of the node at a place; it lives as long as the list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_node_list_name(
    nodes: *const dralloc_node_list,
    place: usize,
    data: *mut *const u8,
    length: *mut usize,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out_text(data, length)?;
        out.write(name(caller.shared(nodes)?, place)?);
        Ok(())
    })
}

/// Frees a list of nodes; null is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_node_list_free(nodes: *mut dralloc_node_list) -> dralloc_status {
    call!(std::ptr::null_mut(), |caller| {
        caller.take(nodes).map(drop)
    })
}
