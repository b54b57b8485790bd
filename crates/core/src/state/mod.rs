//! What is held, and by whom.

mod allocated;
mod draft;
mod grant;
mod held_device;
mod holding;
mod pool_blocks;
mod record;
mod share_id;
mod written;

pub(crate) use allocated::AllocatedState;
pub(crate) use draft::{Basis, Draft, DraftMark, Drafted, HeldWords, Sight};
pub(crate) use grant::{DenseAnswer, Grant};
pub(crate) use held_device::HeldDevice;
pub(crate) use holding::{Holding, MAX_USERS};
pub(crate) use record::{HeldAs, Record, records_of};
pub(crate) use share_id::ShareId;
