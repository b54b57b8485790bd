//! [`Slot`]: what a handle points to.

use std::cell::UnsafeCell;
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};

use super::shelf;
use crate::error::Failure;
use crate::status::dralloc_status as Status;

/// Is a sort of handles: an opaque type of the header.
pub(crate) trait Noun {
    /// What a handle of the sort stands for.
    type Value: Send + 'static;
    /// Tells the sort from others; never 0.
    const TAG: u32;
    /// The name of the sort in messages.
    const NAME: &'static str;
}

/// Is a sort whose handles one thread may use at a time.
pub(crate) trait Exclusive: Noun {}

/// Is a sort whose handles any number of threads may use.
pub(crate) trait Shared: Noun<Value: Sync> {}

/// The tag of a slot that no handle uses.
const NOBODY: u32 = 0;

/// States of a slot that one thread uses at a time.
const IDLE: u32 = 0;
const BUSY: u32 = 1;
const POISONED: u32 = 2;

/// Holds the value of a handle, and says of which sort it is.
///
/// It has a cache line for itself: those of different threads would slow each other
/// down otherwise.
///
/// INVARIANT: while the tag is that of a sort, the value points to a box of the
/// value of that sort, which nobody else owns.
#[derive(Debug)]
#[repr(align(64))]
pub(super) struct Slot {
    tag: AtomicU32,
    state: AtomicU32,
    value: UnsafeCell<*mut ()>,
}

// SAFETY: the value is written before the tag is set and after it is taken away,
// by the one thread that does that; what it points to may go to other threads.
unsafe impl Sync for Slot {}
// SAFETY: as above; values of all sorts are `Send`.
unsafe impl Send for Slot {}

impl Slot {
    /// Returns a slot with a value.
    pub(super) fn of<N: Noun>(value: N::Value) -> &'static Self {
        let slot = Self::unused();
        let value = Box::into_raw(Box::new(value)).cast::<()>();
        // SAFETY: nobody else uses a slot without a tag that was taken from the list.
        unsafe { *slot.value.get() = value };
        // The state is idle since the slot was made or freed. It is not set here: one who
        // still has the handle that was freed may be about to see that, with the lock.
        slot.tag.store(N::TAG, Ordering::Release);
        slot
    }

    fn unused() -> &'static Self {
        shelf::take().unwrap_or_else(|| {
            Box::leak(Box::new(Self {
                tag: AtomicU32::new(NOBODY),
                state: AtomicU32::new(IDLE),
                value: UnsafeCell::new(ptr::null_mut()),
            }))
        })
    }

    fn check<N: Noun>(&self) -> Result<(), Failure> {
        match self.tag.load(Ordering::Acquire) {
            tag if tag == N::TAG => Ok(()),
            NOBODY => {
                let message = format!("the {} was freed, expected one that was not", N::NAME);
                Err(Failure::new(Status::WrongHandle, message))
            }
            _ => {
                let message = format!("the handle is of another sort, expected a {}", N::NAME);
                Err(Failure::new(Status::WrongHandle, message))
            }
        }
    }

    /// Returns the value, for any number of threads.
    pub(super) fn shared<N: Shared>(&self) -> Result<&N::Value, Failure> {
        self.check::<N>()?;
        // SAFETY: the tag says that there is a value; it changes with the tag only.
        let value = unsafe { *self.value.get() };
        // SAFETY: by the invariant it is a box of that type, which is not changed
        // while it is shared; the caller does not free it while it is used.
        Ok(unsafe { &*value.cast::<N::Value>() })
    }

    /// Returns the value for this thread alone, until [`Slot::unlock`].
    pub(super) fn lock<N: Exclusive>(&self) -> Result<*mut N::Value, Failure> {
        self.check::<N>()?;
        let (now, then) = (Ordering::Acquire, Ordering::Relaxed);
        match self.state.compare_exchange(IDLE, BUSY, now, then) {
            Ok(_) => {}
            Err(POISONED) => {
                let message = format!("a call panicked, the {} can only be freed", N::NAME);
                return Err(Failure::new(Status::Poisoned, message));
            }
            Err(_) => return Err(busy::<N>()),
        }
        // It may have been freed, and used again, since the first look.
        if let Err(failure) = self.check::<N>() {
            self.unlock(false);
            return Err(failure);
        }
        // SAFETY: the tag says that there is a value, and nobody else has the lock.
        Ok(unsafe { *self.value.get() }.cast())
    }

    /// Lets others use the value, or nobody any more.
    pub(super) fn unlock(&self, is_poisoned: bool) {
        let state = if is_poisoned { POISONED } else { IDLE };
        self.state.store(state, Ordering::Release);
    }

    /// Takes the value out, and the slot out of use.
    pub(super) fn take<N: Noun>(&'static self) -> Result<N::Value, Failure> {
        self.check::<N>()?;
        let (now, then) = (Ordering::Acquire, Ordering::Relaxed);
        let state = self.state.load(Ordering::Relaxed);
        let is_locked =
            state == BUSY || self.state.compare_exchange(state, BUSY, now, then).is_err();
        if is_locked {
            return Err(busy::<N>());
        }
        // Of two that free it one finds the tag.
        let own = self
            .tag
            .compare_exchange(N::TAG, NOBODY, Ordering::AcqRel, then);
        if own.is_err() {
            self.unlock(state == POISONED);
            return Err(self.check::<N>().err().unwrap_or_else(busy::<N>));
        }
        // SAFETY: the tag was that of the sort, and this thread took it away.
        let value = unsafe { *self.value.get() };
        // SAFETY: by the invariant it is a box of that type, which is owned here.
        let value = *unsafe { Box::from_raw(value.cast::<N::Value>()) };
        self.unlock(false);
        shelf::put(self);
        Ok(value)
    }
}

fn busy<N: Noun>() -> Failure {
    let message = format!("another call uses the {}, expected one at a time", N::NAME);
    Failure::new(Status::Busy, message)
}
