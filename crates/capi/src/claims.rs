//! [`dralloc_claims`]: claims ready for questions.

use dralloc_forms::recordable::Claims;

use crate::error::dralloc_error;
use crate::raw::{Noun, Shared, call};
use crate::status::dralloc_status;

/// Holds claims that are compiled, to be asked about on any node and as often as
/// wanted. It never changes, so that any number of threads may use it.
pub struct dralloc_claims(());

impl Noun for dralloc_claims {
    type Value = Claims;
    const TAG: u32 = 0xd7a1_0006;
    const NAME: &'static str = "claims";
}

impl Shared for dralloc_claims {}

/// Returns how many claims there are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_claims_count(
    claims: *const dralloc_claims,
    count: *mut usize,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let count = caller.out(count, "count")?;
        count.write(caller.shared(claims)?.get().len());
        Ok(())
    })
}

/// Frees claims; null is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_claims_free(claims: *mut dralloc_claims) -> dralloc_status {
    call!(std::ptr::null_mut(), |caller| {
        caller.take(claims).map(drop)
    })
}
