//! [`Own`]: what a workspace counts for itself.
//!
//! An answer keeps what was asked for, and the books keep who asked. All threads share
//! both, and a count that several threads write to takes longer than the rest of a call.
//! One thread at a time uses a workspace, so what is counted there is nobody else's.

use std::ops::Deref;
use std::sync::Arc;

use crate::claims::{Compiled, PreparedClaims};
use crate::model::Str;

/// Is what was asked for, counted apart from what others count.
#[derive(Clone, Debug)]
pub(super) struct OwnClaims(
    #[expect(
        clippy::redundant_allocation,
        reason = "the outer count is what it is for"
    )]
    Arc<Arc<Compiled>>,
);

impl OwnClaims {
    /// Returns what claims ask for, under a new count.
    pub(super) fn of(claims: &PreparedClaims) -> Self {
        Self(Arc::new(Arc::clone(claims.compiled())))
    }
}

impl Deref for OwnClaims {
    type Target = Compiled;

    fn deref(&self) -> &Compiled {
        &self.0
    }
}

/// Keeps what the last question was about.
#[derive(Debug, Default)]
pub(super) struct Own {
    claims: Option<OwnClaims>,
    owner: Str,
    /// Where the last owner is in memory of which there is no copy yet.
    seen: usize,
}

impl Own {
    /// Returns what claims ask for, under the count of this workspace.
    pub(super) fn claims(&mut self, claims: &PreparedClaims) -> OwnClaims {
        match &self.claims {
            Some(own) if Arc::ptr_eq(own.0.as_ref(), claims.compiled()) => own.clone(),
            _ => {
                let own = OwnClaims::of(claims);
                self.claims = Some(own.clone());
                own
            }
        }
    }

    /// Returns the name of an owner: a copy, if it is asked for more than once in a row,
    /// as one is that other threads may ask for, too.
    pub(super) fn owner(&mut self, owner: &Str) -> Str {
        if self.owner != *owner {
            let place = owner.as_ptr().addr();
            if self.seen != place {
                self.seen = place;
                return owner.clone();
            }
            self.owner = owner.as_str().into();
        }
        self.owner.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owner_is_copied_when_it_comes_again() {
        let mut own = Own::default();
        let (first, second): (Str, Str) = ("first".into(), "second".into());
        assert!(own.owner(&first).is_same(&first));
        assert!(own.owner(&second).is_same(&second));
        let copy = own.owner(&second);
        assert!(copy == second && !copy.is_same(&second));
        assert!(own.owner(&second).is_same(&copy));
        assert!(own.owner(&first).is_same(&first));
        assert!(own.owner(&second).is_same(&copy));
    }
}
