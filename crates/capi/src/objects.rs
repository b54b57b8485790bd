//! Objects that a user wrote by hand: checks and defaults, without an engine.

use crate::bytes::dralloc_bytes;
use crate::error::dralloc_error;
use crate::raw::call;
use crate::status::dralloc_status;

/// Checks objects as an API server does; `json` is as for `dralloc_engine_apply`,
/// `features` as for `dralloc_engine_new`.
///
/// Returns what is wrong, as a JSON array of `code`, `message`, `path` and `scope`; it
/// is empty if nothing is. Fields that are not known are among them. What comes from an
/// API server needs none of this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_objects_validate(
    json: *const u8,
    json_length: usize,
    features: *const u8,
    features_length: usize,
    errors: *mut *mut dralloc_bytes,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(errors, "errors")?;
        let json = caller.text(json, json_length, "json")?;
        let features = caller.text(features, features_length, "features")?;
        let features = dralloc_forms::features(features)?;
        out.give(dralloc_forms::validate(json, &features)?);
        Ok(())
    })
}

/// Fills in what an API server fills in, such as `count` 1; `json` is as for
/// `dralloc_engine_apply`. Returns the objects as one list.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_objects_default(
    json: *const u8,
    json_length: usize,
    list: *mut *mut dralloc_bytes,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(list, "list")?;
        let json = caller.text(json, json_length, "json")?;
        out.give(dralloc_forms::defaulted(json)?);
        Ok(())
    })
}
