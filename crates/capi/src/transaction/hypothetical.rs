//! Nodes that are not there, and amounts of nodes.

use super::dralloc_transaction;
use crate::bytes::dralloc_bytes;
use crate::error::dralloc_error;
use crate::raw::call;
use crate::status::dralloc_status;

/// Adds a node that is like another, with devices of its own, nothing of it held.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_add_node(
    transaction: *mut dralloc_transaction,
    name: *const u8,
    name_length: usize,
    like: *const u8,
    like_length: usize,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let name = caller.text(name, name_length, "name")?;
        let like = caller.text(like, like_length, "like")?;
        let mut begun = caller.exclusive(transaction)?;
        begun.get()?.add_node(name, like)?;
        Ok(())
    })
}

/// Takes a node away.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_remove_node(
    transaction: *mut dralloc_transaction,
    name: *const u8,
    name_length: usize,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let name = caller.text(name, name_length, "name")?;
        let mut begun = caller.exclusive(transaction)?;
        begun.get()?.remove_node(name)?;
        Ok(())
    })
}

/// Makes an owner, such as a pod by its uid, use exactly these amounts of a node (JSON
/// by name, such as `{"cpu": "500m"}`), whether there is enough or not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_take_amounts(
    transaction: *mut dralloc_transaction,
    node: *const u8,
    node_length: usize,
    owner: *const u8,
    owner_length: usize,
    amounts: *const u8,
    amounts_length: usize,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let node = caller.text(node, node_length, "node")?;
        let owner = caller.text(owner, owner_length, "owner")?;
        let amounts = caller.text(amounts, amounts_length, "amounts")?;
        let mut begun = caller.exclusive(transaction)?;
        let amounts = dralloc_forms::amounts(amounts)?;
        begun.get()?.take_amounts(node, owner, &amounts)?;
        Ok(())
    })
}

/// Gives back what an owner uses of the amounts of a node; `is_released` (may be null)
/// gets whether it used any, 1 or 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_release_amounts(
    transaction: *mut dralloc_transaction,
    owner: *const u8,
    owner_length: usize,
    is_released: *mut u32,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.wanted(is_released);
        let owner = caller.text(owner, owner_length, "owner")?;
        let mut begun = caller.exclusive(transaction)?;
        let released = begun.get()?.release_amounts(owner);
        if let Some(out) = out {
            out.write(u32::from(released));
        }
        Ok(())
    })
}

/// Returns what is used of the amounts of a node, as JSON by name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_amounts_in_use(
    transaction: *mut dralloc_transaction,
    node: *const u8,
    node_length: usize,
    amounts: *mut *mut dralloc_bytes,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(amounts, "amounts")?;
        let node = caller.text(node, node_length, "node")?;
        let mut begun = caller.exclusive(transaction)?;
        out.give(dralloc_forms::text(
            &begun.get()?.get().amounts_in_use(node),
        )?);
        Ok(())
    })
}
