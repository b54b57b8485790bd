//! [`dralloc_options`]: how questions are asked.

use std::sync::Arc;

use dralloc_forms::CallOptions;

use crate::cancel::dralloc_cancel;
use crate::error::dralloc_error;
use crate::raw::{Noun, Shared, call};
use crate::status::dralloc_status;

/// Says how questions are asked. It never changes, so that any number of threads may
/// use it.
pub struct dralloc_options(());

impl Noun for dralloc_options {
    type Value = CallOptions;
    const TAG: u32 = 0xd7a1_0004;
    const NAME: &'static str = "options";
}

impl Shared for dralloc_options {}

/// Makes options of JSON; no text is the defaults.
///
/// For all questions: `policy` (`kubernetes`, `pack`, `spread` or an array of terms; by
/// default what claims and classes carry counts), `carriedPolicies` (`used`,
/// `ignored`), `branches` and `timeoutNanoseconds` (a search ends after so many
/// devices that are tried, or so long after the beginning of its call; no limits by
/// default), `errors` (`abort`, `skip`: what a device does on which evaluation
/// fails), `now` (seconds since 1970, UTC), `releasing` (`taken`, `free`), `user`
/// (uid) and `amounts` (by name). For many nodes also `find` (`first`, `best`,
/// `all`, `count`), `best` (how many), `start`, `explain` and `nothingHeld`.
///
/// For a gang, which has neither `user` nor `amounts`: `labels` (the label that names the
/// domain of a node, by scope: `region`, `zone`, `core`, `block`, `rack`, `nvLinkDomain`;
/// well known ones come after it), `within` (the scope of which one domain must have all
/// members), `mostNodes` (how many `nodes` of one domain of a `scope`), `slices` (how many
/// members a node may have: `any`, `same`, `multipleOf`, `exactly`, `atLeast`,
/// `wholeNodes`) and `sliceSize` (1 by default).
///
/// `cancel` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_options_new(
    json: *const u8,
    json_length: usize,
    cancel: *const dralloc_cancel,
    options: *mut *mut dralloc_options,
    error: *mut *mut dralloc_error,
) -> dralloc_status {
    call!(error, |caller| {
        let out = caller.out(options, "options")?;
        let cancel = caller.optional(cancel)?;
        let json = caller.text(json, json_length, "json")?;
        let mut options = CallOptions::read(json)?;
        options.cancel = cancel.map(Arc::clone);
        out.give(options);
        Ok(())
    })
}

/// Frees options; null is none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dralloc_options_free(options: *mut dralloc_options) -> dralloc_status {
    call!(std::ptr::null_mut(), |caller| {
        caller.take(options).map(drop)
    })
}
