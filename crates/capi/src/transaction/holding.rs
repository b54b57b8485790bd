//! What claims hold, and who uses it.

use dralloc::model::ResourceClaim;
use dralloc::wire::Decoder;

use super::dralloc_transaction;
use crate::error::{Failure, dralloc_error};
use crate::raw::{Caller, call};
use crate::status::dralloc_status;

fn claim(caller: &Caller, json: *const u8, length: usize) -> Result<ResourceClaim, Failure> {
    let json = caller.text(json, length, "claim")?;
    Ok(dralloc_forms::claim(&mut Decoder::new(), json)?)
}

/// Holds exactly what an allocation says (JSON as in `status.allocation`) for a claim.
///
/// Whether others hold the same is not asked: it repeats what was decided elsewhere.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_hold(
    transaction: *mut dralloc_transaction,
    claim_json: *const u8,
    claim_length: usize,
    allocation: *const u8,
    allocation_length: usize,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let allocation = caller.text(allocation, allocation_length, "allocation")?;
        let claim = claim(caller, claim_json, claim_length)?;
        let mut begun = caller.exclusive(transaction)?;
        let allocation = dralloc_forms::allocation(allocation)?;
        begun.get()?.hold(&claim, &allocation);
        Ok(())
    })
}

/// Gives back what a claim holds, whoever uses it; `is_released` (may be null) gets
/// whether it held anything, 1 or 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_release(
    transaction: *mut dralloc_transaction,
    claim_json: *const u8,
    claim_length: usize,
    is_released: *mut u32,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.wanted(is_released);
        let claim = claim(caller, claim_json, claim_length)?;
        let mut begun = caller.exclusive(transaction)?;
        let released = begun.get()?.release(&claim);
        if let Some(out) = out {
            out.write(u32::from(released));
        }
        Ok(())
    })
}

/// Reserves a claim for one more user, by uid; `is_new` (may be null) gets whether that
/// is new, 1 or 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_reserve(
    transaction: *mut dralloc_transaction,
    claim_json: *const u8,
    claim_length: usize,
    user: *const u8,
    user_length: usize,
    is_new: *mut u32,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.wanted(is_new);
        let user = caller.text(user, user_length, "user")?;
        let claim = claim(caller, claim_json, claim_length)?;
        let mut begun = caller.exclusive(transaction)?;
        let new = begun.get()?.reserve(&claim, user)?;
        if let Some(out) = out {
            out.write(u32::from(new));
        }
        Ok(())
    })
}

/// Ends the use of a claim by a user; with the last one the claim gives back what it
/// holds, and `is_released` (may be null) gets 1, else 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_unreserve(
    transaction: *mut dralloc_transaction,
    claim_json: *const u8,
    claim_length: usize,
    user: *const u8,
    user_length: usize,
    is_released: *mut u32,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.wanted(is_released);
        let user = caller.text(user, user_length, "user")?;
        let claim = claim(caller, claim_json, claim_length)?;
        let mut begun = caller.exclusive(transaction)?;
        let released = begun.get()?.unreserve(&claim, user);
        if let Some(out) = out {
            out.write(u32::from(released));
        }
        Ok(())
    })
}

/// Marks what a claim holds as on its way out (`is_releasing` 1), or takes that back
/// (0); `is_held` (may be null) gets whether it holds anything, 1 or 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_transaction_mark_releasing(
    transaction: *mut dralloc_transaction,
    claim_json: *const u8,
    claim_length: usize,
    is_releasing: u32,
    is_held: *mut u32,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.wanted(is_held);
        let claim = claim(caller, claim_json, claim_length)?;
        let mut begun = caller.exclusive(transaction)?;
        let held = begun.get()?.mark_releasing(&claim, is_releasing != 0);
        if let Some(out) = out {
            out.write(u32::from(held));
        }
        Ok(())
    })
}
