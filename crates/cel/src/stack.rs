//! Stacks for what recurses.
//!
//! Hosts call with as little as 512 KiB of stack.

/// Stack for the parser and everything else that walks trees of full depth.
#[cfg(not(debug_assertions))]
const DEEP: usize = 16 << 20;
#[cfg(debug_assertions)]
const DEEP: usize = 64 << 20;

/// Deepest tree that is walked on the caller's own stack. Growing a stack takes
/// longer than compiling a selector.
pub(crate) const SHALLOW: usize = 24;

/// Runs something that recurses on trees of this depth.
pub(crate) fn for_depth<T>(depth: usize, work: impl FnOnce() -> T) -> T {
    if depth <= SHALLOW {
        work()
    } else {
        grown(work)
    }
}

/// Runs something that recurses as deeply as expressions can nest.
pub(crate) fn grown<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(DEEP, DEEP, work)
}
