//! Why claims do not fit, in words that all commands share.

mod amount;
mod cause;
mod counts;
mod groups;
mod reason;

pub(crate) use groups::{Groups, groups};
pub(crate) use reason::Reason;
