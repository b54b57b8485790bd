//! [`Holding`]: all that one owner has.

use std::collections::BTreeSet;

use super::{Grant, Record};
use crate::model::Str;

/// So many users a claim can have (`resource/v1 ResourceClaimReservedForMaxSize`).
pub(crate) const MAX_USERS: usize = 256;

/// Is what an owner has, and who uses it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Holding {
    pub(crate) records: Vec<Record>,
    /// Uids of those that the claim is reserved for.
    pub(crate) users: BTreeSet<Str>,
    /// Whether it is about to be given back.
    pub(crate) releasing: bool,
    /// What the records are of; none for hosts with books of their own. A claim
    /// can have one without records, such as for access for administration.
    pub(crate) grant: Option<Grant>,
}

/// Two are equal if they hold the same; what else a grant says, such as its time,
/// does not count.
impl PartialEq for Holding {
    fn eq(&self, other: &Self) -> bool {
        self.records == other.records
            && self.users == other.users
            && self.releasing == other.releasing
            && self.grant.is_some() == other.grant.is_some()
    }
}

impl Eq for Holding {}

impl Holding {
    /// Returns whether there is nothing to remember.
    pub(crate) fn is_empty(&self) -> bool {
        self.records.is_empty() && self.users.is_empty() && self.grant.is_none()
    }

    /// Returns whether both were given the same, word for word.
    pub(crate) fn has_same_text(&self, other: &Self) -> bool {
        match (&self.grant, &other.grant) {
            (Some(one), Some(other)) => one.is_same_text(other),
            (one, other) => one.is_none() && other.is_none(),
        }
    }
}
