//! [`dralloc_placement`]: what a question to many nodes is answered with.

use dralloc::{Outcome, PlacedNode, Placement};

use crate::bytes::dralloc_bytes;
use crate::error::{Failure, dralloc_error};
use crate::outcome::{Answer, dralloc_outcome};
use crate::raw::{Noun, Shared, call};
use crate::status::dralloc_status;

/// Says on which nodes claims fit, and why not elsewhere. It never changes, so that any
/// number of threads may use it.
pub struct dralloc_placement(());

/// Is a node where claims fit.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct dralloc_placed_node {
    /// How good the alternatives are: for each request with a choice 8, less the place
    /// of the one that it gets; more is better.
    pub rank: u64,
    /// How many devices nobody would hold afterwards; less is better where the rank is
    /// the same.
    pub free: u64,
    /// Place of the node in the list that was asked.
    pub place: u64,
}

impl From<PlacedNode<'_>> for dralloc_placed_node {
    fn from(node: PlacedNode<'_>) -> Self {
        Self {
            rank: node.score().rank,
            free: node.score().free as u64,
            place: node.place() as u64,
        }
    }
}

impl Noun for dralloc_placement {
    type Value = Placement;
    const TAG: u32 = 0xd7a1_000d;
    const NAME: &'static str = "placement";
}

impl Shared for dralloc_placement {}

/// Returns how many nodes answered, on how many of them the claims fit, and the place
/// after the last one that was asked, where another call may begin; each may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_placement_counts(
    placement: *const dralloc_placement,
    asked: *mut usize,
    feasible: *mut usize,
    next: *mut usize,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let outs = [asked, feasible, next].map(|out| caller.wanted(out));
        let placement = caller.shared(placement)?;
        let counts = [placement.asked(), placement.feasible(), placement.next()];
        for (out, count) in outs.into_iter().zip(counts) {
            if let Some(out) = out {
                out.write(count);
            }
        }
        Ok(())
    })
}

/// Writes the nodes that were wanted, in order, as many as there is room for; `count`
/// gets how many there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_placement_nodes(
    placement: *const dralloc_placement,
    nodes: *mut dralloc_placed_node,
    capacity: usize,
    count: *mut usize,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let nodes = caller.array(nodes, capacity, "nodes")?;
        let count = caller.out(count, "count")?;
        let placed = caller.shared(placement)?.nodes();
        count.write(nodes.write(placed.iter().map(dralloc_placed_node::from)));
        Ok(())
    })
}

fn node(placement: &Placement, index: usize) -> Result<PlacedNode<'_>, Failure> {
    let nodes = placement.nodes();
    nodes.get(index).ok_or_else(|| {
        let message = format!("node {index} of {}, expected less", nodes.len());
        Failure::new(dralloc_status::OutOfRange, message)
    })
}

/// Returns the name of one of the nodes that were wanted; it lives as long as the
/// placement.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_placement_node_name(
    placement: *const dralloc_placement,
    index: usize,
    data: *mut *const u8,
    length: *mut usize,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out_text(data, length)?;
        out.write(node(caller.shared(placement)?, index)?.name());
        Ok(())
    })
}

/// Returns what the claims would get on one of the nodes that were wanted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_placement_outcome(
    placement: *const dralloc_placement,
    index: usize,
    outcome: *mut *mut dralloc_outcome,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(outcome, "outcome")?;
        let node = node(caller.shared(placement)?, index)?;
        let allocation = node.allocation();
        out.give(Answer::from(match node.gap() {
            None => Outcome::Optimal(allocation),
            Some(gap) => Outcome::Feasible { allocation, gap },
        }));
        Ok(())
    })
}

/// Writes a placement as JSON: `nodes` (`name`, `place`, `rank`, `free`, and under a
/// policy `objective` and `gap`), `asked`, `next`, `feasible`, `reasons` (`cause`,
/// `nodes`, `example`, `message`), `failed` (`node`, `error`) and `stopCause`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_placement_json(
    placement: *const dralloc_placement,
    json: *mut *mut dralloc_bytes,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(json, "json")?;
        out.give(dralloc_forms::placement(caller.shared(placement)?)?);
        Ok(())
    })
}

/// Frees a placement; null is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_placement_free(
    placement: *mut dralloc_placement,
) -> dralloc_status {
    call!(std::ptr::null_mut(), |caller| {
        caller.take(placement).map(drop)
    })
}
