//! An allocator that counts, for each thread on its own.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, with counts of what the thread takes.
///
/// A program that measures declares it as its `#[global_allocator]`.
#[derive(Debug)]
pub struct Counter;

/// What some work took from the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Usage {
    /// How often memory was taken.
    pub allocations: usize,
    /// How much more than before was in use at the worst moment, in bytes.
    pub peak: usize,
}

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
    static TAKEN: Cell<usize> = const { Cell::new(0) };
    static IN_USE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn take(bytes: usize) {
    ALLOCATIONS.set(ALLOCATIONS.get() + 1);
    TAKEN.set(TAKEN.get().wrapping_add(bytes));
    IN_USE.set(IN_USE.get().saturating_add_unsigned(bytes));
    PEAK.set(PEAK.get().max(IN_USE.get()));
}

fn given_back(bytes: usize) {
    IN_USE.set(IN_USE.get().saturating_sub_unsigned(bytes));
}

// SAFETY: everything is handed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counter {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        take(layout.size());
        // SAFETY: the caller's promises are those that the system wants.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        given_back(layout.size());
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both blocks may exist for a moment.
        take(size);
        given_back(layout.size());
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Returns how much more the thread took than it gave back, in bytes.
pub fn in_use() -> isize {
    IN_USE.get()
}

/// Returns how often the thread took memory so far, and how many bytes in all,
/// whether it gave them back or not.
pub fn taken() -> (usize, usize) {
    (ALLOCATIONS.get(), TAKEN.get())
}

/// Runs something; returns its result and what it took.
pub fn measured<T>(work: impl FnOnce() -> T) -> (T, Usage) {
    let before = IN_USE.get();
    PEAK.set(before);
    let allocations = ALLOCATIONS.get();
    let result = work();
    let usage = Usage {
        allocations: ALLOCATIONS.get() - allocations,
        peak: PEAK.get().abs_diff(before),
    };
    (result, usage)
}
