//! Stacks for what recurses.
//!
//! Hosts call with as little as 512 KiB of stack.

/// Stack for the parser and everything else that walks trees of full depth.
#[cfg(not(debug_assertions))]
const DEEP: usize = 16 << 20;
#[cfg(debug_assertions)]
const DEEP: usize = 64 << 20;

/// Runs something that recurses as deeply as expressions can nest.
pub(crate) fn grown<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(DEEP, DEEP, work)
}
