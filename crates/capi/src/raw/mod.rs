//! What follows pointers of callers: the only unsafe code of the project.
//!
//! A [`Slot`](slot::Slot) is what a handle points to. Slots are never given back to
//! the system, so that a handle that was freed, or one of another sort, can be told
//! from a good one without reading memory that is not ours. [`Caller`] stands for
//! the promise of the header: pointers are null, or point to what it says.

mod caller;
mod held;
mod run;
mod shelf;
mod slot;

#[cfg(test)]
mod tests;

pub(crate) use caller::{Array, Caller, Out};
pub(crate) use held::Held;
pub(crate) use shelf::live;
pub(crate) use slot::{Exclusive, Noun, Shared};

/// Makes a call: follows the pointers of the caller, and lets no panic through.
macro_rules! call {
    ($error:expr, |$caller:ident| $body:expr) => {{
        // SAFETY: whoever calls a function of the header keeps what its head says
        // of pointers.
        let caller = unsafe { $crate::raw::Caller::trusted() };
        caller.run($error, |$caller| $body)
    }};
}

pub(crate) use call;
