//! Versions, and what is left over.

use std::ffi::c_char;

use crate::raw::live;

/// Number of the ABI. It changes when a program has to be compiled anew.
pub const DRALLOC_ABI_VERSION: u32 = 0;

/// Returns the number of the ABI of the library, to be compared with
/// `DRALLOC_ABI_VERSION` of the header.
#[unsafe(no_mangle)]
pub extern "C" fn dralloc_abi_version() -> u32 {
    DRALLOC_ABI_VERSION
}

/// Returns the version of the library, such as `0.1.0`; a zero follows.
#[unsafe(no_mangle)]
pub extern "C" fn dralloc_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Returns how many handles of the process were made and not freed yet: none when a
/// program has cleaned up.
#[unsafe(no_mangle)]
pub extern "C" fn dralloc_live_handles() -> u64 {
    live()
}
