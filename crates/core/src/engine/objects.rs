//! Slices, nodes, classes and taint rules as an [`Engine`] keeps them.

use std::sync::Arc;

use super::{Applied, Engine, Twins};
use crate::error::Error;
use crate::model::{DeviceClass, DeviceTaintRule, Node, ObjectMeta, ResourceSlice, Str};
use crate::store::{DeclaredTwins, Identities, Identity, StoredSlice, Touched};

/// Holds the objects that say which devices there are.
#[derive(Debug, Default)]
pub(super) struct Objects {
    pub(super) slices: Kind<StoredSlice>,
    pub(super) classes: Kind<DeviceClass>,
    pub(super) taint_rules: Kind<DeviceTaintRule>,
    pub(super) nodes: Identities<Arc<Node>>,
    /// Grows with each slice without identity.
    pub(super) places: u64,
}

/// Holds objects with identity, and those that are known by their place alone.
#[derive(Debug)]
pub(super) struct Kind<T> {
    pub(super) known: Identities<Arc<T>>,
    pub(super) anonymous: Vec<Arc<T>>,
}

impl<T> Default for Kind<T> {
    fn default() -> Self {
        Self {
            known: Identities::default(),
            anonymous: Vec::new(),
        }
    }
}

impl<T> Kind<T> {
    /// Returns whether a state of an object is news.
    fn is_news(&self, identity: &Identity) -> Result<bool, Error> {
        Ok(identity.uid.is_none() || self.known.is_news(identity)?)
    }

    /// Keeps an object; returns that in whose place it comes.
    fn put(&mut self, identity: Identity, object: Arc<T>) -> Option<Arc<T>> {
        if identity.uid.is_none() {
            self.anonymous.push(object);
            return None;
        }
        self.known.put(identity, object)
    }

    /// Puts another form of an object in its place.
    pub(super) fn replace(&mut self, name: &str, old: &Arc<T>, new: &Arc<T>) {
        let is_old = |one: &&mut Arc<T>| Arc::ptr_eq(one, old);
        let mut known = self.known.get_mut(name).into_iter();
        let found = known.find(is_old);
        if let Some(place) = found.or_else(|| self.anonymous.iter_mut().find(is_old)) {
            *place = Arc::clone(new);
        }
    }
}

/// Returns the identity of an object that is in no namespace.
pub(super) fn identity_of(metadata: &ObjectMeta) -> Identity {
    Identity::new(metadata.name.clone(), metadata)
}

impl Engine {
    pub(super) fn put_slice(&mut self, slice: ResourceSlice) -> Result<Applied, Error> {
        let identity = identity_of(&slice.metadata);
        if !self.objects.slices.is_news(&identity)? {
            return Ok(Applied::default());
        }
        let mut place = 0;
        if identity.uid.is_none() {
            self.objects.places += 1;
            place = self.objects.places;
        } else if let Some(known) = self.objects.slices.known.get(&identity.name)
            && known.published().spec == slice.spec
        {
            let known = Arc::clone(known);
            self.objects.slices.known.put(identity, known);
            return Ok(Applied::default());
        }
        let stored = Arc::new(self.stored(slice, place));
        let old = self.objects.slices.put(identity, Arc::clone(&stored));
        Ok(self.exchange_slice(old.as_ref(), Some(&stored)))
    }

    pub(super) fn exchange_slice(
        &mut self,
        old: Option<&Arc<StoredSlice>>,
        new: Option<&Arc<StoredSlice>>,
    ) -> Applied {
        if old.is_none() && new.is_none() {
            return Applied::default();
        }
        let mut applied = Applied::changed();
        for stored in old.into_iter().chain(new) {
            applied.add_pool(stored.pool, &self.catalog);
        }
        if let Some(old) = old {
            self.remember(old);
        }
        let looked_at = *self.looked_at.get_mut();
        let inventory = Arc::make_mut(&mut self.inventory);
        let mut catalog = self.catalog.lock();
        let touched = inventory.exchange_slice(old, new, looked_at, &mut catalog);
        let gone = old.into_iter().flat_map(|old| old.devices.iter().copied());
        let gone = gone.filter(|key| !new.is_some_and(|new| new.devices.contains(key)));
        let held = gone.filter(|key| self.state.device(*key).is_some());
        inventory.note_departed(old.map(|old| &**old), held.collect(), new.map(|new| &**new));
        applied.touch(touched);
        applied
    }

    pub(super) fn declare_twins(&mut self, twins: Twins) -> Applied {
        if self.inventory.declared_twins().names() == twins.devices {
            return Applied::default();
        }
        let looked_at = *self.looked_at.get_mut();
        let inventory = Arc::make_mut(&mut self.inventory);
        let mut catalog = self.catalog.lock();
        let declared = DeclaredTwins::new(twins.devices, &mut catalog);
        let mut applied = Applied::changed();
        applied.touch(inventory.set_declared_twins(declared, looked_at, &mut catalog));
        applied
    }

    /// Keeps in mind what held devices of a slice took of counters, in case
    /// that they are not published any more.
    fn remember(&mut self, old: &StoredSlice) {
        for (key, device) in old.devices.iter().zip(&old.slice.spec.devices) {
            let held = self.state.device(*key);
            let is_known = |consumption| consumption == Some(&*device.consumes_counters);
            if held.is_some_and(|held| !is_known(held.last_consumption())) {
                let state = Arc::make_mut(&mut self.state);
                state.remember(*key, &device.consumes_counters);
            }
        }
    }

    pub(super) fn put_node(&mut self, node: Node) -> Result<Applied, Error> {
        let identity = identity_of(&node.metadata);
        if !self.objects.nodes.is_news(&identity)? {
            return Ok(Applied::default());
        }
        if let Some(known) = self.objects.nodes.get(&identity.name) {
            // Kubelets update the status of their node all the time: only what
            // decides about devices is a change.
            let same = node.metadata.labels == known.metadata.labels
                && node.spec == known.spec
                && node.status == known.status;
            if same {
                let known = Arc::clone(known);
                self.objects.nodes.put(identity, known);
                return Ok(Applied::default());
            }
        }
        let node = Arc::new(node);
        let old = self.objects.nodes.put(identity, Arc::clone(&node));
        Ok(self.exchange_node(old, Some(node)))
    }

    pub(super) fn exchange_node(
        &mut self,
        old: Option<Arc<Node>>,
        new: Option<Arc<Node>>,
    ) -> Applied {
        let Some(any) = new.as_ref().or(old.as_ref()) else {
            return Applied::default();
        };
        let mut applied = Applied::changed();
        let name = any.metadata.name.clone();
        applied.nodes.push(name.clone());
        let inventory = Arc::make_mut(&mut self.inventory);
        let mut catalog = self.catalog.lock();
        match (old, new) {
            (_, Some(node)) => inventory.put_node(node, &mut catalog),
            (Some(node), None) => inventory.remove_node(&node.metadata.name, &mut catalog),
            (None, None) => {}
        }
        drop(catalog);
        self.overlay_node(&name, &mut applied);
        applied
    }

    pub(super) fn put_class(&mut self, class: DeviceClass) -> Result<Applied, Error> {
        let identity = identity_of(&class.metadata);
        if !self.objects.classes.is_news(&identity)? {
            return Ok(Applied::default());
        }
        let class = Arc::new(class);
        let old = self.objects.classes.put(identity, Arc::clone(&class));
        Ok(self.exchange_class(old.as_ref(), Some(class)))
    }

    pub(super) fn exchange_class(
        &mut self,
        old: Option<&Arc<DeviceClass>>,
        new: Option<Arc<DeviceClass>>,
    ) -> Applied {
        let changed = old.map(|old| &old.spec) != new.as_ref().map(|new| &new.spec);
        if old.is_some() || new.is_some() {
            Arc::make_mut(&mut self.inventory).exchange_class(old, new);
        }
        Applied {
            changed,
            ..Applied::default()
        }
    }

    pub(super) fn remove_classes(&mut self, name: &Str) -> Applied {
        let old = self.objects.classes.known.remove_name(name);
        let mut applied = self.exchange_class(old.as_ref(), None);
        let (gone, rest) = std::mem::take(&mut self.objects.classes.anonymous)
            .into_iter()
            .partition(|class| class.metadata.name == *name);
        self.objects.classes.anonymous = rest;
        let gone: Vec<Arc<DeviceClass>> = gone;
        for class in gone {
            applied.join(self.exchange_class(Some(&class), None));
        }
        applied
    }

    pub(super) fn put_taint_rule(&mut self, rule: DeviceTaintRule) -> Result<Applied, Error> {
        let identity = identity_of(&rule.metadata);
        if !self.objects.taint_rules.is_news(&identity)? {
            return Ok(Applied::default());
        }
        let rule = Arc::new(rule);
        let old = self.objects.taint_rules.put(identity, Arc::clone(&rule));
        Ok(self.exchange_taint_rule(old.as_ref(), Some(rule)))
    }

    pub(super) fn exchange_taint_rule(
        &mut self,
        old: Option<&Arc<DeviceTaintRule>>,
        new: Option<Arc<DeviceTaintRule>>,
    ) -> Applied {
        let changed = old.map(|old| &old.spec) != new.as_ref().map(|new| &new.spec);
        let mut touched = Touched::default();
        if old.is_some() || new.is_some() {
            let looked_at = *self.looked_at.get_mut();
            let inventory = Arc::make_mut(&mut self.inventory);
            let mut catalog = self.catalog.lock();
            touched = inventory.exchange_taint_rule(old, new, looked_at, &mut catalog);
        }
        let mut applied = Applied {
            changed,
            ..Applied::default()
        };
        applied.touch(touched);
        applied
    }
}
