//! Gangs: the pods of a group over several nodes.

use super::dralloc_transaction;
use super::question::{DEFAULTS, Room};
use crate::bytes::dralloc_bytes;
use crate::claims::dralloc_claims;
use crate::error::dralloc_error;
use crate::node_list::dralloc_node_list;
use crate::options::dralloc_options;
use crate::raw::call;
use crate::status::dralloc_status;
use crate::workspace::dralloc_workspace;

/// Allocates the claims of all members of a gang (the pods of a group) over several
/// nodes, or of none; what they get is held by the transaction. The answer is JSON:
/// `outcome` (`placed`, `infeasible`, `unknown`); with an answer `nodes` (`name`, and
/// `members`: of each its place as `member`, `results`, and under a policy `objective`
/// and `warnings`), `levels` (`scope`, `domains`, `smallest`), `smallest` and `proved`;
/// without one `shortage` (`members`, `most`, `scope`, `domain`, `limit`, `reasons`,
/// `message`) or `stopCause`.
///
/// `members` are the claims that each member alone uses, all of one template. Members
/// are as near to each other as they can be, by labels of the nodes. `nodes` may be null
/// for all by name, `options` and `workspace` as for `dralloc_transaction_allocate`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_gang(
    transaction: *mut dralloc_transaction,
    members: *const *const dralloc_claims,
    member_count: usize,
    nodes: *const dralloc_node_list,
    options: *const dralloc_options,
    workspace: *mut dralloc_workspace,
    gang: *mut *mut dralloc_bytes,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(gang, "gang")?;
        let members = caller.all(members, member_count, "members")?;
        let nodes = caller.optional(nodes)?;
        let options = caller.optional(options)?.unwrap_or(&DEFAULTS);
        let mut begun = caller.exclusive(transaction)?;
        let mut room = Room::of(caller, workspace)?;
        let (until, labels) = (options.until(), options.gang.labels());
        let options = options.gang(until.as_ref(), &labels)?;
        let options = nodes.map_or(options, |nodes| options.node_list(nodes));
        let outcome = begun.get()?.gang(&members, &options, room.get())?;
        out.give(dralloc_forms::gang(&outcome)?);
        Ok(())
    })
}
