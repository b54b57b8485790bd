//! Full lists, which also say what is not there any more.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::documents::{self, Document};
use super::objects::identity_of;
use super::{Applied, Change, Engine, Relist, books};
use crate::error::{Code, Error};
use crate::model::Str;
use crate::store::{Identities, Identity};

impl Engine {
    /// Makes everything of a kind be what a full list says, also after events
    /// were missed: the state is then the same as if all of them had come.
    ///
    /// What the list has is applied as by [`Engine::apply`], what it has not is
    /// removed. An object of which a newer version is known stays as it is.
    /// Objects without a uid that are known by their place are replaced by
    /// those of the list. What was assumed for a claim, or a user of amounts, of
    /// which nothing was ever heard stays.
    ///
    /// # Errors
    ///
    /// Those of [`Engine::apply`], and [`Code::Duplicate`] if two objects have
    /// one name, uid or owner, with the place in the list. Nothing is changed then.
    pub fn replace(&mut self, list: Relist) -> Result<Applied, Error> {
        let mut applied = Applied::default();
        let changes: Vec<Change> = match list {
            Relist::ResourceSlices(list) => {
                let identities = list.iter().map(|one| identity_of(&one.metadata));
                for name in absent(&mut self.objects.slices.known, identities, false)? {
                    let old = self.objects.slices.known.remove_name(&name);
                    applied.join(self.exchange_slice(old.as_ref(), None));
                }
                let mut anonymous = std::mem::take(&mut self.objects.slices.anonymous);
                // Of two that publish one device, what the later one says is remembered.
                anonymous.sort_by(|one, other| one.order().cmp(&other.order()));
                for old in anonymous {
                    applied.join(self.exchange_slice(Some(&old), None));
                }
                list.into_iter().map(Change::ResourceSlice).collect()
            }
            Relist::Nodes(list) => {
                let identities = list.iter().map(|one| identity_of(&one.metadata));
                for name in absent(&mut self.objects.nodes, identities, true)? {
                    let old = self.objects.nodes.remove_name(&name);
                    applied.join(self.exchange_node(old, None));
                }
                list.into_iter().map(Change::Node).collect()
            }
            Relist::DeviceClasses(list) => {
                let identities = list.iter().map(|one| identity_of(&one.metadata));
                for name in absent(&mut self.objects.classes.known, identities, false)? {
                    let old = self.objects.classes.known.remove_name(&name);
                    applied.join(self.exchange_class(old.as_ref(), None));
                }
                for old in std::mem::take(&mut self.objects.classes.anonymous) {
                    applied.join(self.exchange_class(Some(&old), None));
                }
                list.into_iter().map(Change::DeviceClass).collect()
            }
            Relist::DeviceTaintRules(list) => {
                let identities = list.iter().map(|one| identity_of(&one.metadata));
                for name in absent(&mut self.objects.taint_rules.known, identities, false)? {
                    let old = self.objects.taint_rules.known.remove_name(&name);
                    applied.join(self.exchange_taint_rule(old.as_ref(), None));
                }
                for old in std::mem::take(&mut self.objects.taint_rules.anonymous) {
                    applied.join(self.exchange_taint_rule(Some(&old), None));
                }
                list.into_iter().map(Change::DeviceTaintRule).collect()
            }
            Relist::NodeUses(list) => {
                applied.join(self.absent_uses(&list)?);
                list.into_iter().map(Change::NodeUse).collect()
            }
            Relist::ResourceClaims(list) => {
                for (place, claim) in list.iter().enumerate() {
                    books::check(claim).map_err(|error| error.under(&format!("[{place}]")))?;
                }
                let identities = list.iter().map(books::identity_of);
                for name in absent(&mut self.claims, identities, true)? {
                    if let Some(known) = self.claims.remove_name(&name) {
                        self.assumed.remove(&known.owner);
                        self.owners.remove(&known.owner);
                        self.set(&known.owner, &Arc::default(), &mut applied);
                    }
                }
                list.into_iter().map(Change::ResourceClaim).collect()
            }
            Relist::Topologies(list) => {
                self.drop_absent(&list, &mut applied)?;
                list.into_iter().map(Change::Topology).collect()
            }
            Relist::AttributeOverlays(list) => {
                self.drop_absent(&list, &mut applied)?;
                list.into_iter().map(Change::AttributeOverlay).collect()
            }
            Relist::DeviceHealths(list) => {
                self.drop_absent(&list, &mut applied)?;
                list.into_iter().map(Change::DeviceHealth).collect()
            }
            Relist::DeviceHolds(list) => {
                self.drop_absent(&list, &mut applied)?;
                list.into_iter().map(Change::DeviceHold).collect()
            }
        };
        for change in changes {
            // Everything was checked before: none is refused.
            applied.join(self.apply(change)?);
        }
        self.settle_holds(&mut applied);
        Ok(self.applied(applied))
    }

    /// Checks a full list of documents, and takes away those that are not in it.
    fn drop_absent<T: Document>(&mut self, list: &[T], to: &mut Applied) -> Result<(), Error> {
        for (place, object) in list.iter().enumerate() {
            let checked = documents::check(object, &self.features);
            checked.map_err(|error| error.under(&format!("[{place}]")))?;
        }
        let identities = list.iter().map(|one| identity_of(one.metadata()));
        let known = T::known(&mut self.known_documents);
        for name in absent(known, identities, true)? {
            to.join(self.drop_document::<T>(&name));
        }
        Ok(())
    }
}

/// Checks a list, and returns the names of known objects that are not in it.
///
/// Those in it are known to exist from then on, whatever was heard before.
fn absent<T>(
    known: &mut Identities<T>,
    list: impl Iterator<Item = Identity>,
    all_have_identity: bool,
) -> Result<Vec<Str>, Error> {
    let (mut names, mut uids) = (BTreeSet::new(), BTreeSet::new());
    for (place, identity) in list.enumerate() {
        if identity.uid.is_none() && !all_have_identity {
            continue;
        }
        known
            .check(&identity)
            .map_err(|error| error.under(&format!("[{place}]")))?;
        let name = identity.name.clone();
        let is_first = identity.uid.is_none_or(|uid| uids.insert(uid));
        if !is_first || !names.insert(name.clone()) {
            let message = format!("`{name}` has the name or uid of another, expected its own");
            return Err(Error::new(Code::Duplicate, message).at(format!("[{place}].metadata")));
        }
    }
    for uid in &uids {
        known.revive(uid);
    }
    let absent = known.names().filter(|name| !names.contains(*name));
    Ok(absent.cloned().collect())
}
