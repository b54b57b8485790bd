//! Where slots rest that no handle uses.
//!
//! There are several shelves, so that threads that make and free handles all the
//! time do not wait for each other. Which one a thread uses is told by where its
//! stack is; slots may be taken from one and put on another.

use std::collections::VecDeque;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::slot::Slot;

const SHELVES: usize = 32;

/// So many slots rest on a shelf before one is used again, for a while in which a
/// handle that was freed is known as such.
const RESTING: usize = 256;

/// Keeps slots that were freed, the latest last.
#[repr(align(128))]
struct Shelf {
    rested: Mutex<VecDeque<&'static Slot>>,
    /// Handles that were made here, less those that were freed here.
    live: AtomicU64,
}

static ALL: [Shelf; SHELVES] = [const {
    Shelf {
        rested: Mutex::new(VecDeque::new()),
        live: AtomicU64::new(0),
    }
}; SHELVES];

/// Returns the shelf of the thread.
fn own() -> &'static Shelf {
    let here = 0_u8;
    // Stacks are larger than 64 KiB; the upper bits of the product depend on all of
    // the number.
    let stack = (ptr::from_ref(&here).addr() >> 16) as u64;
    let mixed = stack.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    &ALL[mixed as usize % SHELVES]
}

/// Takes a slot that has rested, for a new handle; none if a new slot is to be made.
pub(super) fn take() -> Option<&'static Slot> {
    let shelf = own();
    shelf.live.fetch_add(1, Ordering::Relaxed);
    let mut rested = shelf.rested.lock().unwrap_or_else(PoisonError::into_inner);
    (rested.len() > RESTING)
        .then(|| rested.pop_front())
        .flatten()
}

/// Puts a slot to rest.
pub(super) fn put(slot: &'static Slot) {
    let shelf = own();
    shelf.live.fetch_sub(1, Ordering::Relaxed);
    let mut rested = shelf.rested.lock().unwrap_or_else(PoisonError::into_inner);
    rested.push_back(slot);
}

/// Returns how many handles there are.
pub(crate) fn live() -> u64 {
    let counts = ALL.iter().map(|shelf| shelf.live.load(Ordering::Relaxed));
    counts.fold(0, u64::wrapping_add)
}
