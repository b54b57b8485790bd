//! Claims and other holdings as an [`Engine`] keeps them.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::holds::is_hold;
use super::{Applied, Engine, Held, NOBODY};
use crate::claims::owner_of;
use crate::error::{Code, Error};
use crate::model::{ResourceClaim, Str};
use crate::state::{Grant, Holding, MAX_USERS, Record, records_of};
use crate::store::{Identity, SharedCatalog};

/// Is what is known of a claim.
#[derive(Clone, Debug)]
pub(super) struct KnownClaim {
    pub(super) owner: Str,
    /// What it has as the last event said.
    pub(super) holding: Arc<Holding>,
}

/// Is what a transaction gave an owner.
#[derive(Clone, Debug, Default)]
pub(super) struct Assumed {
    /// Whether devices were given.
    pub(super) devices: bool,
    /// Users that no event has shown yet.
    pub(super) users: BTreeSet<Str>,
}

/// Returns the identity of a claim, whose name is unique in its namespace.
pub(super) fn identity_of(claim: &ResourceClaim) -> Identity {
    let metadata = &claim.metadata;
    let name = format!("{}/{}", metadata.namespace(), metadata.name);
    Identity::new(name.into(), metadata)
}

/// Checks what no API server lets through.
pub(super) fn check(claim: &ResourceClaim) -> Result<(), Error> {
    let owner = owner_of(claim);
    if is_hold(&owner) {
        let message = format!("`{owner}` names a hold of devices, expected a claim");
        return Err(Error::new(Code::Invalid, message).at("metadata"));
    }
    // Else it might be the `namespace/name` of another claim, and both one owner.
    let uid = claim.metadata.uid.as_deref().unwrap_or_default();
    if uid.contains('/') {
        let message = format!("`{uid}` has a `/`, expected a uid without");
        return Err(Error::new(Code::Invalid, message).at("metadata.uid"));
    }
    let users = claim.status.reserved_for.len();
    if users > MAX_USERS {
        let message = format!("{users} users, expected at most {MAX_USERS}");
        return Err(Error::new(Code::LimitExceeded, message).at("status.reservedFor"));
    }
    Ok(())
}

/// Returns what a claim says that it has.
pub(super) fn holding_of(claim: ResourceClaim, shares: bool, catalog: &SharedCatalog) -> Holding {
    let Some(allocation) = claim.status.allocation else {
        return Holding::default();
    };
    let users = claim.status.reserved_for.into_iter();
    Holding {
        records: records_of(&allocation, shares, catalog),
        users: users.map(|user| user.uid).collect(),
        releasing: claim.metadata.deletion_timestamp.is_some(),
        grant: Some(Grant::Written(Arc::new(allocation))),
    }
}

impl Engine {
    pub(super) fn put_claim(&mut self, claim: ResourceClaim) -> Result<Applied, Error> {
        check(&claim)?;
        let identity = identity_of(&claim);
        if !self.claims.is_news(&identity)? {
            return Ok(Applied::default());
        }
        let owner = owner_of(&claim);
        let name = identity.name.clone();
        let shares = self.features.consumable_capacity;
        let said = Arc::new(holding_of(claim, shares, &self.catalog));
        let known = KnownClaim {
            owner: owner.clone(),
            holding: Arc::clone(&said),
        };
        let mut applied = Applied::default();
        if let Some(old) = self.claims.put(identity, known)
            && old.owner != owner
        {
            // It was made anew: what the old one had is free.
            self.assumed.remove(&old.owner);
            self.owners.remove(&old.owner);
            self.set(&old.owner, &Arc::default(), &mut applied);
        }
        if matches!(self.owners.get(&owner), None | Some(None)) {
            self.owners.insert(owner.clone(), Some(name));
        }
        let holding = self.confirm(&owner, said);
        self.set(&owner, &holding, &mut applied);
        Ok(applied)
    }

    /// Returns what an owner has after an event: what it says, and what was
    /// assumed and is not in it because it was under way.
    fn confirm(&mut self, owner: &Str, said: Arc<Holding>) -> Arc<Holding> {
        let Some(assumed) = self.assumed.get_mut(owner) else {
            return said;
        };
        let has = self.state.holding(owner);
        if said.grant.is_none() && assumed.devices {
            return has.cloned().unwrap_or_default();
        }
        assumed.devices = false;
        assumed.users.retain(|user| !said.users.contains(user));
        // What it had was shown before: now that is gone, and nobody uses nothing.
        if assumed.users.is_empty() || said.grant.is_none() {
            self.assumed.remove(owner);
            return said;
        }
        let mut holding = (*said).clone();
        holding.users.extend(assumed.users.iter().cloned());
        Arc::new(holding)
    }

    /// Makes an owner have exactly this, if it has something else.
    pub(super) fn set(&mut self, owner: &Str, holding: &Arc<Holding>, applied: &mut Applied) {
        let is_same = match self.state.holding(owner) {
            // It may be said in other words.
            Some(old) => old == holding && old.has_same_text(holding),
            None => holding.is_empty(),
        };
        if !is_same {
            self.replace_holding(owner, holding, applied);
        }
    }

    /// Makes an owner have exactly this; returns what it had.
    pub(super) fn replace_holding(
        &mut self,
        owner: &Str,
        holding: &Arc<Holding>,
        applied: &mut Applied,
    ) -> Option<Arc<Holding>> {
        let old = Arc::make_mut(&mut self.state).set(owner, holding);
        let before = old.as_ref().map_or(&[][..], |old| &old.records);
        let is_same = match &old {
            Some(old) => old == holding,
            None => holding.is_empty(),
        };
        if !is_same {
            applied.changed = true;
            applied.claims.push(owner.clone());
            for record in before.iter().chain(&holding.records) {
                applied.add_pool(record.pool, &self.catalog);
            }
        }
        old
    }

    pub(super) fn hold(&mut self, held: &Held) -> Applied {
        let mut records = Vec::new();
        {
            let mut catalog = self.catalog.lock();
            for id in &held.devices {
                records.push(Record::whole(catalog.keys(id)));
            }
            for (id, share) in &held.shares {
                records.push(Record::share(catalog.keys(id), Some(share.clone()), None));
            }
            for (id, consumed) in &held.consumed_capacity {
                records.push(Record::share(catalog.keys(id), None, Some(consumed)));
            }
        }
        let holding = Holding {
            records,
            ..Holding::default()
        };
        let mut applied = Applied::default();
        self.set(&NOBODY.into(), &Arc::new(holding), &mut applied);
        applied
    }

    /// Takes the claim with a uid away, or else that with `namespace/name`.
    pub(super) fn remove_claim(&mut self, owner: &Str) -> Applied {
        let mut applied = Applied::default();
        // Without a name it is nobody's: what hosts hold is theirs to change, and
        // so is what device plugins hold.
        if owner.is_empty() || is_hold(owner) {
            return applied;
        }
        match self.claims.identity(owner) {
            Some(known) if known.uid.is_some() => return applied,
            Some(_) => {
                self.claims.remove_name(owner);
            }
            None if owner.contains('/') => {}
            None => {
                self.claims.remove_uid(owner);
            }
        }
        self.assumed.remove(owner);
        self.owners.remove(owner);
        self.set(owner, &Arc::default(), &mut applied);
        applied
    }

    /// Returns whether an owner has what a transaction gave it and no event has
    /// shown yet; owners are claims by uid, or else by `namespace/name`, and users
    /// of amounts.
    pub fn is_assumed(&self, owner: &str) -> bool {
        self.assumed.contains_key(owner) || self.uses.is_assumed(owner)
    }

    /// Takes back what transactions gave an owner and no event has shown yet: it
    /// has what the last event said, or nothing.
    ///
    /// Owners are claims by uid, or else by `namespace/name`, and users of amounts.
    pub fn forget(&mut self, owner: &str) -> Applied {
        let mut applied = Applied::default();
        self.uses.forget(owner, &mut applied);
        if let Some((owner, _)) = self.assumed.remove_entry(owner) {
            let name = self.claims.name(&owner).unwrap_or(&owner);
            // A claim of this name that has a uid is another owner.
            let known = self.claims.get(name);
            let known = known.filter(|known| known.owner == owner);
            let known = known.map(|known| Arc::clone(&known.holding));
            self.set(&owner, &known.unwrap_or_default(), &mut applied);
        }
        self.applied(applied)
    }
}
