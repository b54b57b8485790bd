//! Commits: what a transaction decided becomes what everybody knows.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::holds::is_hold;
use super::{Applied, Engine, Transaction};
use crate::error::{Code, Error};
use crate::model::Str;
use crate::state::{AllocatedState, Basis, Drafted, Holding, Sight};

impl Transaction {
    /// Makes the changes known to everybody, all or none; what claims were given
    /// is assumed until an event shows it, or [`Engine::forget`] takes it back.
    ///
    /// It does not matter what else has changed since the snapshot, if that is
    /// none of what the transaction decided by: what its claims had, and for
    /// those that it allocated, what their node sees and what is held of the
    /// pools of their devices and of their twins; that no event told of those whose
    /// status was believed; what owners used, and that what they asked for is still
    /// left. Hypothetical nodes are gone after it.
    ///
    /// # Errors
    ///
    /// [`Code::Conflict`] with the name of what has changed, or if the engine is
    /// another. Nothing is changed then.
    pub fn commit(self, engine: &mut Engine) -> Result<Applied, Error> {
        let Self {
            snapshot,
            mut draft,
            ..
        } = self;
        if !Arc::ptr_eq(&engine.identity, &snapshot.identity) {
            let message = "the snapshot is of another engine, expected one of this engine";
            return Err(Error::new(Code::Conflict, message));
        }
        engine.check_claims(draft.owners())?;
        if snapshot.revision != engine.revision || draft.inventory().is_some() {
            engine.check(&snapshot.state, draft.owners())?;
            engine.check_uses(&snapshot, &draft)?;
        }
        let uses = draft.take_uses();
        // The engine's own state is changed in place if nobody else looks at it.
        drop(snapshot);
        let mut applied = Applied::default();
        for (owner, drafted) in draft.into_owners() {
            engine.assume(&owner, &drafted.holding, &mut applied);
        }
        engine.assume_uses(uses, &mut applied);
        Ok(engine.applied(applied))
    }
}

impl Engine {
    /// Checks that no claim that would hold something is known to be gone, and
    /// that none is believed by its status of which an event told meanwhile.
    fn check_claims(&self, owners: &BTreeMap<Str, Drafted>) -> Result<(), Error> {
        for (owner, drafted) in owners {
            if is_hold(owner) {
                let message = format!("`{owner}` names a hold of devices, expected a claim");
                return Err(Error::new(Code::Conflict, message));
            }
            if !drafted.holding.is_empty() && self.claims.is_gone(owner) {
                let message = format!("claim `{owner}` is gone, expected one that is there");
                return Err(Error::new(Code::Conflict, message));
            }
            if matches!(drafted.basis, Some(Basis::Status)) && self.owners.contains_key(owner) {
                let message =
                    format!("claim `{owner}` is known by an event now, not by its status");
                return Err(Error::new(Code::Conflict, message));
            }
        }
        Ok(())
    }

    /// Checks that nothing has changed that a transaction decided by.
    fn check(&self, before: &AllocatedState, owners: &BTreeMap<Str, Drafted>) -> Result<(), Error> {
        for (owner, drafted) in owners {
            let now = self.state.holding(owner);
            if before.holding(owner) != now {
                let message = format!("claim `{owner}` has other devices or users than before");
                return Err(Error::new(Code::Conflict, message));
            }
            // Who has nothing in the end was given nothing.
            if let Some(sight) = drafted.chosen_by()
                && !drafted.holding.is_empty()
            {
                self.check_sight(before, sight, &drafted.holding)?;
            }
        }
        Ok(())
    }

    fn check_sight(
        &self,
        before: &AllocatedState,
        sight: &Sight,
        holding: &Holding,
    ) -> Result<(), Error> {
        let node = &sight.node;
        if self.inventory.revision(node) != Some(sight.revision) {
            let message = format!("node `{node}` is gone or has other devices than before");
            return Err(Error::new(Code::Conflict, message).at("node").on_node());
        }
        let own = holding.records.iter().map(|record| record.pool);
        let pools: BTreeSet<_> = own.chain(sight.twins.iter().copied()).collect();
        let changed = |pool: &&_| self.state.revision(**pool) != before.revision(**pool);
        if let Some(pool) = pools.iter().find(changed) {
            let (driver, name) = self.catalog.lock().name(*pool);
            let message = format!("pool `{driver}/{name}` has other devices in use than before");
            return Err(Error::new(Code::Conflict, message).at("node").on_node());
        }
        Ok(())
    }

    /// Makes an owner have what a transaction decided.
    fn assume(&mut self, owner: &Str, holding: &Arc<Holding>, applied: &mut Applied) {
        let before = self.replace_holding(owner, holding, applied);
        let nothing = Holding::default();
        let before = before.as_deref().unwrap_or(&nothing);
        if holding.is_empty() {
            self.assumed.remove(owner);
        } else {
            let assumed = self.assumed.entry(owner.clone()).or_default();
            assumed.devices |= before.records != holding.records
                || before.grant.is_some() != holding.grant.is_some();
            assumed.users.retain(|user| holding.users.contains(user));
            let new = holding.users.difference(&before.users);
            assumed.users.extend(new.cloned());
            if !assumed.devices && assumed.users.is_empty() {
                self.assumed.remove(owner);
            }
        }
    }
}
