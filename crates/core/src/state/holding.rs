//! [`Holding`]: all that one owner has.

use std::collections::BTreeSet;

use super::Record;
use crate::model::Str;

/// So many users a claim can have (`resource/v1 ResourceClaimReservedForMaxSize`).
pub(crate) const MAX_USERS: usize = 256;

/// Is what an owner has, and who uses it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Holding {
    pub(crate) records: Vec<Record>,
    /// Uids of those that the claim is reserved for.
    pub(crate) users: BTreeSet<Str>,
    /// Whether it is about to be given back.
    pub(crate) releasing: bool,
}

impl Holding {
    /// Returns whether there is nothing to remember.
    pub(crate) fn is_empty(&self) -> bool {
        self.records.is_empty() && self.users.is_empty()
    }
}
