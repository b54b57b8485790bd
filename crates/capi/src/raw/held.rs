//! [`Held`]: a value that one call has for itself.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::thread;

use super::slot::{Exclusive, Slot};
use crate::error::Failure;

/// Holds the value of a handle for one call, and poisons it if the call panics.
pub(crate) struct Held<'a, N: Exclusive> {
    slot: &'a Slot,
    value: *mut N::Value,
    /// A panic of the host that was under way before is not one of the call.
    was_panicking: bool,
    caller: PhantomData<&'a mut N::Value>,
}

impl<'a, N: Exclusive> Held<'a, N> {
    pub(super) fn new(slot: &'a Slot) -> Result<Self, Failure> {
        Ok(Self {
            value: slot.lock::<N>()?,
            was_panicking: thread::panicking(),
            slot,
            caller: PhantomData,
        })
    }
}

impl<N: Exclusive> Deref for Held<'_, N> {
    type Target = N::Value;

    fn deref(&self) -> &N::Value {
        // SAFETY: the lock of the slot is held, so that nobody else has the value.
        unsafe { &*self.value }
    }
}

impl<N: Exclusive> DerefMut for Held<'_, N> {
    fn deref_mut(&mut self) -> &mut N::Value {
        // SAFETY: as above, and this borrows it alone.
        unsafe { &mut *self.value }
    }
}

impl<N: Exclusive> Drop for Held<'_, N> {
    fn drop(&mut self) {
        let has_panicked = thread::panicking() && !self.was_panicking;
        self.slot.unlock(has_panicked);
    }
}
