//! [`Transaction::remedied`]: how things are with a remedy.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::amounts::DraftedUse;
use crate::claims::{Alternative, PreparedClaims};
use crate::engine::Transaction;
use crate::error::{Code, Error};
use crate::explain::{NamePlace, Remedy, SelectorPlace};
use crate::model::{DeviceAttribute, DeviceId, ResourceSlice, Str};
use crate::rules;
use crate::state::Holding;
use crate::store::{Inventory, PoolKey, StoredSlice};

impl Transaction {
    /// Makes a remedy so, as a what-if: changes what is held or published, and returns
    /// what is asked then, which is for questions alone (answers copy nothing of the
    /// claims).
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`] if there is no such pool or device.
    pub fn remedied(
        &mut self,
        claims: &PreparedClaims,
        remedy: &Remedy,
    ) -> Result<PreparedClaims, Error> {
        match remedy {
            Remedy::Release { holders } => {
                for holder in holders {
                    self.let_go(&holder.owner);
                }
            }
            Remedy::Pool { driver, pool, .. } => {
                let key = self.pool(driver, pool)?;
                let newest: Vec<_> = self.inventory().newest_of_pool(key).cloned().collect();
                let count = i64::try_from(newest.len()).unwrap_or(i64::MAX);
                let edited = newest.into_iter().map(|stored| {
                    let mut slice = stored.slice.clone();
                    slice.spec.pool.resource_slice_count = count;
                    (stored, slice)
                });
                let edited = edited.collect();
                self.publish(edited);
            }
            Remedy::Attribute {
                devices,
                attribute,
                value,
            } => {
                let edited = self.with_attribute(devices, attribute, value)?;
                self.publish(edited);
            }
            Remedy::Constraint {
                claim, constraint, ..
            } => {
                let place = (*claim, *constraint);
                return Ok(claims.narrowed(|_, _| true, |claim, one| (claim, one) != place));
            }
            Remedy::Policy { claim, place, .. } => {
                let own = claims.claims().get(*claim);
                let own = own.map_or(0, |claim| claim.constraints.len());
                let place = (*claim, own + *place);
                return Ok(claims.narrowed(|_, _| true, |claim, one| (claim, one) != place));
            }
            Remedy::Guard { of, expression }
            | Remedy::Name {
                of: NamePlace::Selector { of, expression },
                ..
            } => {
                return Ok(
                    claims.with_selector(expression, |claim, alternative, changed| {
                        if let Some(selector) = selector(of, claim, alternative) {
                            alternative.selectors[selector] = changed;
                        }
                    }),
                );
            }
            Remedy::Name {
                of: NamePlace::Constraint { claim, constraint },
                instead,
                ..
            } => return Ok(claims.with_attribute((*claim, *constraint), instead)),
            _ => return Ok(claims.altered(|claim, one| alter(remedy, claim, one))),
        }
        Ok(claims.clone())
    }

    /// Takes back what an owner holds, also if nothing is known of it: its status is
    /// not believed then.
    pub(in crate::engine) fn let_go(&mut self, owner: &Str) {
        self.draft.set(owner, Holding::default(), None);
        if self.draft.amounts().of(owner).is_some() {
            self.draft.set_use(owner, DraftedUse::default());
        }
    }

    fn pool(&self, driver: &Str, pool: &Str) -> Result<PoolKey, Error> {
        let key = self.snapshot.catalog.lock().find(driver, pool);
        key.ok_or_else(|| {
            let message = format!("no pool `{driver}/{pool}`, expected one that is published");
            Error::new(Code::NotFound, message)
        })
    }

    /// Returns slices with those where devices publish an attribute.
    fn with_attribute(
        &self,
        devices: &[DeviceId],
        attribute: &Str,
        value: &DeviceAttribute,
    ) -> Result<Vec<(Arc<StoredSlice>, ResourceSlice)>, Error> {
        let mut edited: BTreeMap<u64, (Arc<StoredSlice>, ResourceSlice)> = BTreeMap::new();
        for id in devices {
            let key = self.pool(&id.driver, &id.pool)?;
            let mut found = self.inventory().newest_of_pool(key);
            let found = found.find_map(|stored| {
                let mut devices = stored.slice.spec.devices.iter();
                let index = devices.position(|device| device.name == id.device)?;
                Some((Arc::clone(stored), index))
            });
            let Some((stored, index)) = found else {
                let message = format!("no device `{id}`, expected one that is published");
                return Err(Error::new(Code::NotFound, message));
            };
            let slice = stored.slice.clone();
            let (_, slice) = edited.entry(stored.revision).or_insert((stored, slice));
            let device = &mut slice.spec.devices[index];
            let name = rules::name_on(device, &id.driver, attribute);
            device.attributes.insert(name, value.clone());
        }
        Ok(edited.into_values().collect())
    }

    /// Lets slices be others.
    fn publish(&mut self, edited: Vec<(Arc<StoredSlice>, ResourceSlice)>) {
        let mut next = Inventory::clone(self.inventory());
        let mut catalog = self.snapshot.catalog.lock();
        for (old, slice) in edited {
            let published = old.published().clone();
            let new = StoredSlice::new(published, old.place(), &mut catalog).under(Some(slice));
            next.exchange_slice(Some(&old), Some(&Arc::new(new)), true, &mut catalog);
        }
        drop(catalog);
        self.draft.set_inventory(Arc::new(next));
    }
}

/// Changes an alternative of a claim, if it is meant.
fn alter(remedy: &Remedy, place: usize, alternative: &mut Alternative) {
    let is = |claim: &usize, request: &Str| {
        *claim == place && *alternative.name.in_results() == *request
    };
    match remedy {
        Remedy::Toleration {
            claim,
            requests,
            tolerations,
        } if requests.iter().any(|request| is(claim, request)) => {
            alternative.tolerations.extend_from_slice(tolerations);
        }
        Remedy::Count {
            claim,
            request,
            instead,
            ..
        } if is(claim, request) => {
            alternative.needed = crate::claims::Needed::Count(*instead);
        }
        Remedy::Capacity {
            claim,
            request,
            capacity,
            instead,
            ..
        } if is(claim, request) => {
            if let Some(asked) = &mut alternative.capacity {
                asked.requests.insert(capacity.clone(), instead.clone());
            }
        }
        Remedy::Name {
            of: NamePlace::Capacity { claim, request },
            name,
            instead,
        } if is(claim, request) => {
            if let Some(asked) = &mut alternative.capacity {
                let requests = asked.requests.iter().map(|(known, amount)| {
                    let known = if known == name { instead } else { known };
                    (known.clone(), amount.clone())
                });
                asked.requests = requests.collect();
            }
        }
        Remedy::Selector { of, .. } => {
            if let Some(selector) = selector(of, place, alternative) {
                alternative.selectors.remove(selector);
            }
        }
        _ => {}
    }
}

/// Returns the place of a selector among those of an alternative, if it has it.
fn selector(of: &SelectorPlace, claim: usize, alternative: &Alternative) -> Option<usize> {
    let of_class = alternative.class.spec.selectors.len();
    let place = match of {
        SelectorPlace::Class { class, selector } => {
            let is_it = alternative.class.metadata.name == *class && *selector < of_class;
            is_it.then_some(*selector)
        }
        SelectorPlace::Request {
            claim: meant,
            request,
            selector,
        } => {
            let is_it = *meant == claim && *alternative.name.in_results() == *request;
            is_it.then_some(of_class + *selector)
        }
    };
    place.filter(|place| *place < alternative.selectors.len())
}
