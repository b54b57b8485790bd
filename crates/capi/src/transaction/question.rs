//! Questions about claims.

use dralloc::{AllocateOptions, Error, Outcome, PlaceOptions, Placement, Workspace};
use dralloc_forms::CallOptions;
use dralloc_forms::recordable::{Claims, Transaction};

use super::dralloc_transaction;
use crate::bytes::dralloc_bytes;
use crate::claims::dralloc_claims;
use crate::error::{Failure, dralloc_error};
use crate::node_list::{dralloc_node_list, name};
use crate::options::dralloc_options;
use crate::outcome::{Answer, dralloc_device, dralloc_outcome, dralloc_outcome_kind};
use crate::placement::dralloc_placement;
use crate::raw::{Array, Caller, Held, call};
use crate::status::dralloc_status;
use crate::workspace::dralloc_workspace;

/// Is the workspace of a call: the caller's, or none that outlives it.
pub(super) enum Room<'a> {
    Kept(Held<'a, dralloc_workspace>),
    New(Box<Workspace>),
}

impl<'a> Room<'a> {
    pub(super) fn of(
        caller: &'a Caller,
        workspace: *mut dralloc_workspace,
    ) -> Result<Self, Failure> {
        Ok(if workspace.is_null() {
            Self::New(Box::default())
        } else {
            Self::Kept(caller.exclusive(workspace)?)
        })
    }

    pub(super) fn get(&mut self) -> &mut Workspace {
        match self {
            Self::Kept(held) => held,
            Self::New(workspace) => workspace,
        }
    }
}

/// Options that were not given.
pub(super) static DEFAULTS: CallOptions = CallOptions::DEFAULT;

/// Asks a transaction something about claims on a node.
pub(super) fn ask<T>(
    caller: &Caller,
    transaction: *mut dralloc_transaction,
    node: &str,
    claims: *const dralloc_claims,
    (options, workspace): (*const dralloc_options, *mut dralloc_workspace),
    ask: impl FnOnce(
        &mut Transaction,
        &str,
        &Claims,
        &AllocateOptions<'_>,
        &mut Workspace,
    ) -> Result<T, Error>,
) -> Result<T, Failure> {
    let claims = caller.shared(claims)?;
    let options = caller.optional(options)?.unwrap_or(&DEFAULTS);
    let mut begun = caller.exclusive(transaction)?;
    let mut room = Room::of(caller, workspace)?;
    let until = options.until();
    let options = options.allocate(until.as_ref());
    Ok(ask(begun.get()?, node, claims, &options, room.get())?)
}

/// Asks a transaction something about claims on many nodes.
fn ask_nodes(
    caller: &Caller,
    transaction: *mut dralloc_transaction,
    claims: *const dralloc_claims,
    nodes: *const dralloc_node_list,
    (options, workspace): (*const dralloc_options, *mut dralloc_workspace),
    ask: impl FnOnce(
        &mut Transaction,
        &Claims,
        &PlaceOptions<'_>,
        &mut Workspace,
    ) -> Result<Placement, Error>,
) -> Result<Placement, Failure> {
    let claims = caller.shared(claims)?;
    let nodes = caller.optional(nodes)?;
    let options = caller.optional(options)?.unwrap_or(&DEFAULTS);
    let mut begun = caller.exclusive(transaction)?;
    let mut room = Room::of(caller, workspace)?;
    let until = options.until();
    let options = options.place(until.as_ref());
    let options = nodes.map_or(options, |nodes| options.node_list(nodes));
    Ok(ask(begun.get()?, claims, &options, room.get())?)
}

/// Writes the devices of an outcome as far as there is room; returns how many there are.
pub(super) fn write_devices(
    devices: &Array<'_, dralloc_device>,
    transaction: &Transaction,
    outcome: &Outcome,
) -> usize {
    outcome.allocation().map_or(0, |allocation| {
        let numbered = transaction.get().snapshot().numbered_devices(allocation);
        devices.write(numbered.map(dralloc_device::from))
    })
}

/// Allocates claims together on a node; what they get is held by the transaction.
///
/// `options` may be null for the defaults, `workspace` for one that is forgotten
/// after the call. That the claims do not fit is an outcome, with the status
/// `DRALLOC_STATUS_OK`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_allocate(
    transaction: *mut dralloc_transaction,
    node: *const u8,
    node_length: usize,
    claims: *const dralloc_claims,
    options: *const dralloc_options,
    workspace: *mut dralloc_workspace,
    outcome: *mut *mut dralloc_outcome,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(outcome, "outcome")?;
        let node = caller.text(node, node_length, "node")?;
        let how = (options, workspace);
        let outcome = ask(
            caller,
            transaction,
            node,
            claims,
            how,
            Transaction::allocate,
        )?;
        out.give(Answer::from(outcome));
        Ok(())
    })
}

/// Allocates like `dralloc_transaction_allocate`, and writes numbers: the node by its
/// place in a list, devices by their numbers.
///
/// `devices` has room for `capacity` devices; `count` gets how many there are, and
/// is written also with `DRALLOC_STATUS_TOO_SMALL`, where nothing is held. There are
/// none unless `kind` is optimal or feasible. `options` and `workspace` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_allocate_devices(
    transaction: *mut dralloc_transaction,
    nodes: *const dralloc_node_list,
    node: usize,
    claims: *const dralloc_claims,
    options: *const dralloc_options,
    workspace: *mut dralloc_workspace,
    kind: *mut dralloc_outcome_kind,
    devices: *mut dralloc_device,
    capacity: usize,
    count: *mut usize,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let kind = caller.out(kind, "kind")?;
        let devices = caller.array(devices, capacity, "devices")?;
        let count = caller.out(count, "count")?;
        let node = name(caller.shared(nodes)?, node)?;
        let (found, number) = ask(
            caller,
            transaction,
            node,
            claims,
            (options, workspace),
            |transaction, node, claims, options, room| {
                let before = transaction.savepoint();
                let outcome = transaction.allocate(node, claims, options, room)?;
                let number = write_devices(&devices, transaction, &outcome);
                if !devices.has_room(number) {
                    transaction.rollback(&before)?;
                }
                Ok((dralloc_outcome_kind::of(&outcome), number))
            },
        )?;
        count.write(number);
        if !devices.has_room(number) {
            let message = format!("{number} devices, expected room for them");
            return Err(Failure::new(dralloc_status::TooSmall, message));
        }
        kind.write(found);
        Ok(())
    })
}

/// Answers whether claims would fit on a node if nothing were held.
///
/// `options` and `workspace` may be null. Nothing is held.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_satisfiable(
    transaction: *mut dralloc_transaction,
    node: *const u8,
    node_length: usize,
    claims: *const dralloc_claims,
    options: *const dralloc_options,
    workspace: *mut dralloc_workspace,
    outcome: *mut *mut dralloc_outcome,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(outcome, "outcome")?;
        let node = caller.text(node, node_length, "node")?;
        let how = (options, workspace);
        let outcome = ask(
            caller,
            transaction,
            node,
            claims,
            how,
            Transaction::satisfiable,
        )?;
        out.give(Answer::from(outcome));
        Ok(())
    })
}

/// Asks many nodes about claims that are to be allocated together on one.
///
/// `nodes` may be null for all by name, `options` and `workspace` as for
/// `dralloc_transaction_allocate`. Nothing is held.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_place(
    transaction: *mut dralloc_transaction,
    claims: *const dralloc_claims,
    nodes: *const dralloc_node_list,
    options: *const dralloc_options,
    workspace: *mut dralloc_workspace,
    placement: *mut *mut dralloc_placement,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(placement, "placement")?;
        let how = (options, workspace);
        out.give(ask_nodes(
            caller,
            transaction,
            claims,
            nodes,
            how,
            Transaction::place,
        )?);
        Ok(())
    })
}

/// Asks like `dralloc_transaction_place`, and allocates on the first node that is
/// returned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_place_and_allocate(
    transaction: *mut dralloc_transaction,
    claims: *const dralloc_claims,
    nodes: *const dralloc_node_list,
    options: *const dralloc_options,
    workspace: *mut dralloc_workspace,
    placement: *mut *mut dralloc_placement,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(placement, "placement")?;
        let how = (options, workspace);
        out.give(ask_nodes(
            caller,
            transaction,
            claims,
            nodes,
            how,
            Transaction::place_and_allocate,
        )?);
        Ok(())
    })
}

/// Says why claims do not fit on a node, as JSON: what becomes of each device
/// (`requests`), what conflicts (`conflict`, `arithmetic`) and whether waiting helps
/// (`class`).
///
/// `options` and `workspace` may be null. Nothing is held.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_explain(
    transaction: *mut dralloc_transaction,
    node: *const u8,
    node_length: usize,
    claims: *const dralloc_claims,
    options: *const dralloc_options,
    workspace: *mut dralloc_workspace,
    explanation: *mut *mut dralloc_bytes,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(explanation, "explanation")?;
        let node = caller.text(node, node_length, "node")?;
        let how = (options, workspace);
        let explanation = ask(
            caller,
            transaction,
            node,
            claims,
            how,
            |it, node, claims, options, room| it.get().explain(node, claims.get(), options, room),
        )?;
        out.give(dralloc_forms::text(&explanation)?);
        Ok(())
    })
}

/// Returns the best of the answers that are not as good as the best, as JSON:
/// `runnerUp` (`found`, `nothing`, `unknown`), and of what was found the answer with
/// `term`, `best` and `value`.
///
/// `options` and `workspace` may be null. Nothing is held.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_runner_up(
    transaction: *mut dralloc_transaction,
    node: *const u8,
    node_length: usize,
    claims: *const dralloc_claims,
    options: *const dralloc_options,
    workspace: *mut dralloc_workspace,
    runner_up: *mut *mut dralloc_bytes,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(runner_up, "runner_up")?;
        let node = caller.text(node, node_length, "node")?;
        let how = (options, workspace);
        let runner_up = ask(
            caller,
            transaction,
            node,
            claims,
            how,
            |it, node, claims, options, room| it.get().runner_up(node, claims.get(), options, room),
        )?;
        out.give(dralloc_forms::runner_up(&runner_up)?);
        Ok(())
    })
}
