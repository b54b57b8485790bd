//! Answers that are written into memory of the caller.

use std::ptr;

use super::dralloc_transaction;
use super::question::{ask, write_devices};
use crate::claims::dralloc_claims;
use crate::error::dralloc_error;
use crate::options::dralloc_options;
use crate::outcome::{Answer, dralloc_device, dralloc_outcome, dralloc_outcome_kind};
use crate::raw::call;
use crate::status::dralloc_status;
use crate::workspace::dralloc_workspace;

/// Allocates like `dralloc_transaction_allocate`, and writes the answer into memory of
/// the caller, if there is room for it: the text that `dralloc_outcome_json` returns,
/// and the devices as `dralloc_transaction_allocate_devices` writes them.
///
/// `json` has room for `json_capacity` bytes, `devices` for `capacity` devices;
/// `json_length` and `count` get how many there are. Where both have room `outcome` gets
/// null, and there is no handle to be freed; else the outcome. `options` and
/// `workspace` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_allocate_into(
    transaction: *mut dralloc_transaction,
    node: *const u8,
    node_length: usize,
    claims: *const dralloc_claims,
    options: *const dralloc_options,
    workspace: *mut dralloc_workspace,
    kind: *mut dralloc_outcome_kind,
    json: *mut u8,
    json_capacity: usize,
    json_length: *mut usize,
    devices: *mut dralloc_device,
    capacity: usize,
    count: *mut usize,
    outcome: *mut *mut dralloc_outcome,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let kind = caller.out(kind, "kind")?;
        let json = caller.array(json, json_capacity, "json")?;
        let json_length = caller.out(json_length, "json_length")?;
        let devices = caller.array(devices, capacity, "devices")?;
        let count = caller.out(count, "count")?;
        let out = caller.out(outcome, "outcome")?;
        let node = caller.text(node, node_length, "node")?;
        let how = (options, workspace);
        let (outcome, length, number) = ask(
            caller,
            transaction,
            node,
            claims,
            how,
            |transaction, node, claims, options, room| {
                let outcome = transaction.allocate(node, claims, options, room)?;
                let length = json.copy(dralloc_forms::outcome(&outcome)?.as_bytes());
                let number = write_devices(&devices, transaction, &outcome);
                Ok((outcome, length, number))
            },
        )?;
        kind.write(dralloc_outcome_kind::of(&outcome));
        json_length.write(length);
        count.write(number);
        if json.has_room(length) && devices.has_room(number) {
            out.write(ptr::null_mut());
        } else {
            out.give(Answer::from(outcome));
        }
        Ok(())
    })
}
