//! What is held, and by whom.

mod allocated;
mod draft;
mod held_device;
mod record;

pub(crate) use allocated::AllocatedState;
pub(crate) use draft::{Draft, DraftMark};
pub(crate) use held_device::HeldDevice;
pub(crate) use record::{HeldAs, Record, records_of};
