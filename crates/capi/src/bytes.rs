//! [`dralloc_bytes`]: text that was made for the caller.

use crate::error::dralloc_error;
use crate::raw::{Noun, Shared, call};
use crate::status::dralloc_status;

/// Holds text that a call has made, JSON in UTF-8.
pub struct dralloc_bytes(());

impl Noun for dralloc_bytes {
    type Value = String;
    const TAG: u32 = 0xd7a1_0002;
    const NAME: &'static str = "bytes";
}

impl Shared for dralloc_bytes {}

/// Returns where the bytes are; they live as long as the handle, and no zero follows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_bytes_data(
    bytes: *const dralloc_bytes,
    data: *mut *const u8,
    length: *mut usize,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out_text(data, length)?;
        out.write(caller.shared(bytes)?);
        Ok(())
    })
}

/// Frees bytes; null is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_bytes_free(bytes: *mut dralloc_bytes) -> dralloc_status {
    call!(std::ptr::null_mut(), |caller| {
        caller.take(bytes).map(drop)
    })
}
