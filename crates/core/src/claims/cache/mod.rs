//! [`SharedCompiled`]: specs that were compiled before.

mod fingerprint;
#[cfg(test)]
mod tests;
mod weight;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use fingerprint::fingerprint;

use super::{Compiled, PreparedClaims, check_duplicate};
use crate::error::Error;
use crate::features::Features;
use crate::model::{DeviceClass, ResourceClaim};

/// So many sets of specs are kept, by their fingerprint; a power of two.
const SETS: usize = 64;

/// So many specs a set has; of more, that which was used longest ago is forgotten.
const WAYS: usize = 8;

/// With more bytes than this, all specs are forgotten.
const MAX_WEIGHT: usize = if cfg!(test) { 1 << 16 } else { 32 << 20 };

/// Is what an engine, its snapshots and their transactions have compiled.
///
/// It is locked while claims are prepared, never by questions, and not while
/// anything is compiled. What is in it decides about time alone.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedCompiled(Arc<Mutex<Cache>>);

#[derive(Debug, Default)]
struct Cache {
    /// Empty until there is something; in each set the last used first.
    sets: Vec<Vec<Entry>>,
    weight: usize,
}

#[derive(Debug)]
struct Entry {
    fingerprint: u64,
    weight: usize,
    compiled: Arc<Compiled>,
}

impl SharedCompiled {
    /// Prepares claims; equal specs under equal features that name the same
    /// classes are compiled once.
    pub(crate) fn prepare<'a>(
        &self,
        claims: &[ResourceClaim],
        class: impl Fn(&str) -> Option<&'a Arc<DeviceClass>>,
        features: &Features,
    ) -> Result<PreparedClaims, Error> {
        let fingerprint = fingerprint(claims);
        let is_same = |compiled: &Compiled| compiled.is_of(claims, &class, features);
        let known = self.lock().find(fingerprint, is_same);
        let compiled = if let Some(compiled) = known {
            for index in 1..claims.len() {
                check_duplicate(claims, index)?;
            }
            compiled
        } else {
            let new = Arc::new(Compiled::new(claims, &class, *features)?);
            let weight = new.weight();
            let mut cache = self.lock();
            // Another thread may have been faster: all are to share one.
            cache.find(fingerprint, is_same).unwrap_or_else(|| {
                cache.insert(fingerprint, weight, &new);
                new
            })
        };
        Ok(PreparedClaims::of(compiled, claims))
    }

    fn lock(&self) -> MutexGuard<'_, Cache> {
        // Whatever was going on, each entry is complete.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Cache {
    fn find(
        &mut self,
        fingerprint: u64,
        is_same: impl Fn(&Compiled) -> bool,
    ) -> Option<Arc<Compiled>> {
        let set = self.sets.get_mut(set_of(fingerprint))?;
        let place = set
            .iter()
            .position(|entry| entry.fingerprint == fingerprint && is_same(&entry.compiled))?;
        set[..=place].rotate_right(1);
        set.first().map(|entry| Arc::clone(&entry.compiled))
    }

    fn insert(&mut self, fingerprint: u64, weight: usize, compiled: &Arc<Compiled>) {
        if weight > MAX_WEIGHT / WAYS || !compiled.is_faultless() {
            return;
        }
        if self.weight + weight > MAX_WEIGHT {
            *self = Self::default();
        }
        self.sets.resize_with(SETS, Vec::new);
        let set = &mut self.sets[set_of(fingerprint)];
        if set.len() == WAYS
            && let Some(last) = set.pop()
        {
            self.weight -= last.weight;
        }
        self.weight += weight;
        let entry = Entry {
            fingerprint,
            weight,
            compiled: Arc::clone(compiled),
        };
        set.insert(0, entry);
    }
}

/// The upper bits are the best mixed ones.
fn set_of(fingerprint: u64) -> usize {
    (fingerprint >> 32) as usize % SETS
}
