//! [`Documents`]: what is said of devices beside what their drivers publish.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use imbl::OrdMap;

use super::objects::identity_of;
use super::{Applied, Engine};
use crate::error::{Code, Error};
use crate::features::Features;
use crate::model::{
    AttributeOverlay, DeviceHealth, DeviceHold, DeviceId, ObjectMeta, Str, Topology,
};
use crate::store::{Identities, Touched};
use crate::topology::{Graph, Topologies};
use crate::validate;

/// Holds the objects of `dralloc.dev` by name, for snapshots.
///
/// A clone shares everything; what is written after that is copied on the way.
#[derive(Clone, Debug, Default)]
pub(super) struct Documents {
    pub(super) topologies: OrdMap<Str, Arc<Topology>>,
    /// The same as graphs.
    pub(super) graphs: Topologies,
    pub(super) attribute_overlays: OrdMap<Str, Arc<AttributeOverlay>>,
    pub(super) device_healths: OrdMap<Str, Arc<DeviceHealth>>,
    pub(super) device_holds: OrdMap<Str, Arc<DeviceHold>>,
}

/// Holds the same with what only the writer has to know.
#[derive(Debug, Default)]
pub(super) struct KnownDocuments {
    pub(super) topologies: Identities<()>,
    pub(super) attribute_overlays: Identities<()>,
    pub(super) device_healths: Identities<()>,
    pub(super) device_holds: Identities<()>,
    /// Holds that count devices, by node.
    pub(super) counting: BTreeMap<Str, BTreeSet<Str>>,
}

/// Is a kind of object that is kept as it is, by its name.
pub(super) trait Document: Clone {
    /// Returns what is wrong with an object.
    fn check(&self, features: &Features) -> Vec<Error>;
    fn metadata(&self) -> &ObjectMeta;
    /// Returns whether two objects say the same.
    fn is_same(&self, other: &Self) -> bool;
    fn known(known: &mut KnownDocuments) -> &mut Identities<()>;
    fn listed(documents: &mut Documents) -> &mut OrdMap<Str, Arc<Self>>;
    /// Puts what is made of an object beside it, or takes it away with it.
    fn index(_documents: &mut Documents, _name: &Str, _new: Option<&Self>) {}
    /// Does what follows from one object in the place of another.
    fn follow(engine: &mut Engine, old: Option<&Self>, new: Option<&Self>, applied: &mut Applied);
}

impl Engine {
    pub(super) fn put_document<T: Document>(&mut self, object: T) -> Result<Applied, Error> {
        check(&object, &self.features)?;
        let identity = identity_of(object.metadata());
        let known = T::known(&mut self.known_documents);
        if !known.is_news(&identity)? {
            return Ok(Applied::default());
        }
        let name = identity.name.clone();
        known.put(identity, ());
        Ok(self.exchange_document(&name, Some(object)))
    }

    /// Takes the object with a uid away, or else that with a name.
    pub(super) fn remove_document<T: Document>(&mut self, which: &Str) -> Applied {
        let known = T::known(&mut self.known_documents);
        match known.identity(which) {
            Some(found) if found.uid.is_none() => {
                known.remove_name(which);
                self.exchange_document::<T>(which, None)
            }
            _ => {
                let name = known.name(which).cloned();
                known.remove_uid(which);
                name.map_or_else(Applied::default, |name| {
                    self.exchange_document::<T>(&name, None)
                })
            }
        }
    }

    /// Takes a name out of the documents without a word on its uid.
    pub(super) fn drop_document<T: Document>(&mut self, name: &Str) -> Applied {
        T::known(&mut self.known_documents).remove_name(name);
        self.exchange_document::<T>(name, None)
    }

    fn exchange_document<T: Document>(&mut self, name: &Str, new: Option<T>) -> Applied {
        let new = new.map(Arc::new);
        let documents = Arc::make_mut(&mut self.documents);
        let listed = T::listed(documents);
        let old = match &new {
            Some(new) => listed.insert(name.clone(), Arc::clone(new)),
            None => listed.remove(name),
        };
        let is_same = match (&old, &new) {
            (Some(old), Some(new)) => old.is_same(new),
            (None, None) => true,
            _ => false,
        };
        if is_same {
            return Applied::default();
        }
        T::index(documents, name, new.as_deref());
        let mut applied = Applied::changed();
        T::follow(self, old.as_deref(), new.as_deref(), &mut applied);
        applied
    }

    /// Names the nodes that have devices with full names.
    fn touch_devices<'a>(&mut self, ids: impl Iterator<Item = &'a DeviceId>, to: &mut Applied) {
        let pools: BTreeSet<_> = {
            let catalog = self.catalog.lock();
            ids.filter_map(|id| catalog.find(&id.driver, &id.pool))
                .collect()
        };
        let pools: Vec<_> = pools.into_iter().collect();
        let looked_at = *self.looked_at.get_mut();
        to.touch(Touched::by_pools(&self.inventory, &pools, looked_at));
    }
}

/// Refuses an object with its first fault.
pub(super) fn check<T: Document>(object: &T, features: &Features) -> Result<(), Error> {
    // Nobody is there to make one from `generateName`.
    if object.metadata().name.is_empty() {
        let message = "no name, expected one";
        return Err(Error::new(Code::Invalid, message).at("metadata.name"));
    }
    let first = object.check(features).into_iter().next();
    first.map_or(Ok(()), Err)
}

impl Document for Topology {
    fn check(&self, _features: &Features) -> Vec<Error> {
        validate::topology(self)
    }

    fn metadata(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn is_same(&self, other: &Self) -> bool {
        self.spec == other.spec
    }

    fn known(known: &mut KnownDocuments) -> &mut Identities<()> {
        &mut known.topologies
    }

    fn listed(documents: &mut Documents) -> &mut OrdMap<Str, Arc<Self>> {
        &mut documents.topologies
    }

    fn index(documents: &mut Documents, name: &Str, new: Option<&Self>) {
        // It was checked when it came.
        let graph = new.and_then(|topology| Graph::new(&topology.spec).ok());
        documents.graphs.exchange(name, graph);
    }

    fn follow(engine: &mut Engine, old: Option<&Self>, new: Option<&Self>, applied: &mut Applied) {
        let both = || old.into_iter().chain(new);
        let vertices = || both().flat_map(|topology| &topology.spec.vertices);
        let devices = vertices().filter_map(|vertex| vertex.device.as_deref());
        let ids: Vec<_> = devices.filter_map(DeviceId::parse).collect();
        engine.touch_devices(ids.iter(), applied);
        // Which devices have the attribute is looked for when the graph is made.
        applied.any_node |= vertices().any(|vertex| vertex.matches.is_some());
    }
}

impl Document for DeviceHealth {
    fn check(&self, _features: &Features) -> Vec<Error> {
        validate::device_health(self)
    }

    fn metadata(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn is_same(&self, other: &Self) -> bool {
        self.spec == other.spec
    }

    fn known(known: &mut KnownDocuments) -> &mut Identities<()> {
        &mut known.device_healths
    }

    fn listed(documents: &mut Documents) -> &mut OrdMap<Str, Arc<Self>> {
        &mut documents.device_healths
    }

    fn follow(engine: &mut Engine, old: Option<&Self>, new: Option<&Self>, applied: &mut Applied) {
        let both = || old.into_iter().chain(new).map(|health| &health.spec);
        let ids = both().filter_map(|spec| spec.device.as_ref());
        engine.touch_devices(ids, applied);
        for spec in both() {
            match (&spec.matches, &spec.node_name) {
                (Some(_), Some(node)) => applied.nodes.push(node.clone()),
                (Some(_), None) => applied.any_node = true,
                (None, _) => {}
            }
        }
    }
}

impl Document for DeviceHold {
    fn check(&self, features: &Features) -> Vec<Error> {
        validate::device_hold(self, features)
    }

    fn metadata(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn is_same(&self, other: &Self) -> bool {
        self.spec == other.spec
    }

    fn known(known: &mut KnownDocuments) -> &mut Identities<()> {
        &mut known.device_holds
    }

    fn listed(documents: &mut Documents) -> &mut OrdMap<Str, Arc<Self>> {
        &mut documents.device_holds
    }

    fn follow(engine: &mut Engine, old: Option<&Self>, new: Option<&Self>, applied: &mut Applied) {
        engine.exchange_hold(old, new, applied);
    }
}

impl Document for AttributeOverlay {
    fn check(&self, features: &Features) -> Vec<Error> {
        validate::attribute_overlay(self, features)
    }

    fn metadata(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn is_same(&self, other: &Self) -> bool {
        self.spec == other.spec
    }

    fn known(known: &mut KnownDocuments) -> &mut Identities<()> {
        &mut known.attribute_overlays
    }

    fn listed(documents: &mut Documents) -> &mut OrdMap<Str, Arc<Self>> {
        &mut documents.attribute_overlays
    }

    fn follow(engine: &mut Engine, old: Option<&Self>, new: Option<&Self>, applied: &mut Applied) {
        engine.exchange_overlay(old, new, applied);
    }
}
