//! [`dralloc_cancel`]: ends calls from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::dralloc_error;
use crate::raw::{Noun, Shared, call};
use crate::status::dralloc_status;

/// Ends the calls that are made with it, from any thread.
pub struct dralloc_cancel(());

impl Noun for dralloc_cancel {
    type Value = Arc<AtomicBool>;
    const TAG: u32 = 0xd7a1_0003;
    const NAME: &'static str = "cancel token";
}

impl Shared for dralloc_cancel {}

/// Makes a cancel token that is not set.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_cancel_new(
    cancel: *mut *mut dralloc_cancel,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        caller.out(cancel, "cancel")?.give(Arc::default());
        Ok(())
    })
}

/// Sets a cancel token: searches end soon, with the stop cause `cancelled`; with
/// `is_set` 0 it is as new again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_cancel_set(
    cancel: *const dralloc_cancel,
    is_set: u32,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        caller.shared(cancel)?.store(is_set != 0, Ordering::Relaxed);
        Ok(())
    })
}

/// Frees a cancel token; null is none. Options that were made with it keep it alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_cancel_free(cancel: *mut dralloc_cancel) -> dralloc_status {
    call!(std::ptr::null_mut(), |caller| {
        caller.take(cancel).map(drop)
    })
}
