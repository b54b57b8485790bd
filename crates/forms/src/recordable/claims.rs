//! [`Claims`]: prepared claims that may be recorded.

use std::sync::{Mutex, PoisonError};

use dralloc::model::ResourceClaim;
use dralloc::{Error, PreparedClaims, RecordedClaims, RecordedSnapshot};

use super::trace::KnownTrace;

/// Are prepared claims that serve in traces, too, also in one that began later.
#[derive(Debug)]
pub struct Claims {
    prepared: PreparedClaims,
    objects: Vec<ResourceClaim>,
    /// The same as the last trace knows them.
    recorded: Mutex<Option<(KnownTrace, RecordedClaims)>>,
}

impl Claims {
    pub(super) fn plain(prepared: PreparedClaims, objects: Vec<ResourceClaim>) -> Self {
        Self {
            prepared,
            objects,
            recorded: Mutex::new(None),
        }
    }

    pub(super) fn recorded(
        claims: RecordedClaims,
        trace: KnownTrace,
        objects: Vec<ResourceClaim>,
    ) -> Self {
        Self {
            prepared: claims.claims().clone(),
            objects,
            recorded: Mutex::new(Some((trace, claims))),
        }
    }

    /// Returns the claims as calls that are not written take them.
    pub fn get(&self) -> &PreparedClaims {
        &self.prepared
    }

    /// Returns the claims as a trace knows them, to which they are new at first.
    pub(super) fn of_trace(
        &self,
        trace: &KnownTrace,
        snapshot: &RecordedSnapshot,
    ) -> Result<RecordedClaims, Error> {
        let mut recorded = self.recorded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, claims)) = &*recorded
            && known.is(trace)
        {
            return Ok(claims.clone());
        }
        let claims = snapshot.prepare(&self.objects)?;
        *recorded = Some((trace.clone(), claims.clone()));
        Ok(claims)
    }
}
