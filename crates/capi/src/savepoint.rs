//! [`dralloc_savepoint`]: a point of a transaction to go back to.

use dralloc_forms::recordable::Savepoint;

use crate::raw::{Noun, Shared, call};
use crate::status::dralloc_status;

/// Is a point of a transaction to go back to.
pub struct dralloc_savepoint(());

impl Noun for dralloc_savepoint {
    type Value = Savepoint;
    const TAG: u32 = 0xd7a1_0008;
    const NAME: &'static str = "savepoint";
}

impl Shared for dralloc_savepoint {}

/// Frees a savepoint; null is none. The transaction stays as it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_savepoint_free(
    savepoint: *mut dralloc_savepoint,
) -> dralloc_status {
    call!(std::ptr::null_mut(), |caller| {
        caller.take(savepoint).map(drop)
    })
}
