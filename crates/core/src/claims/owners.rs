//! [`Owners`]: who asks.

use std::sync::Arc;

use crate::model::{ResourceClaim, Str};

/// Names who is to hold the devices of each claim; questions mostly have one.
#[derive(Clone, Debug)]
pub(super) enum Owners {
    One(Str),
    Many(Arc<[Str]>),
}

impl Owners {
    pub(super) fn of(claims: &[ResourceClaim]) -> Self {
        match claims {
            [claim] => Self::One(owner_of(claim)),
            claims => Self::Many(claims.iter().map(owner_of).collect()),
        }
    }

    /// Returns names that no claim has: they begin with a space.
    pub(super) fn of_nobody(number: u32, claims: usize) -> Self {
        let name = |claim: usize| Str::from(format!(" {number}/{claim}"));
        match claims {
            1 => Self::One(name(0)),
            claims => Self::Many((0..claims).map(name).collect()),
        }
    }

    pub(super) fn as_slice(&self) -> &[Str] {
        match self {
            Self::One(owner) => std::slice::from_ref(owner),
            Self::Many(owners) => owners,
        }
    }
}

/// Returns the name under which a claim holds devices: its uid, or else
/// `namespace/name`.
pub(crate) fn owner_of(claim: &ResourceClaim) -> Str {
    let metadata = &claim.metadata;
    match &metadata.uid {
        Some(uid) if !uid.is_empty() => uid.clone(),
        _ => format!("{}/{}", metadata.namespace(), metadata.name).into(),
    }
}
