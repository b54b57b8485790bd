//! [`Inventory`]: the objects with the indexes that questions need.

use std::sync::Arc;

use imbl::OrdMap;

use super::stored_slice::{SliceList, exchange};
use super::{
    Catalog, DeclaredTwins, Departed, DeviceKey, NodeEntry, NodeView, Nodes, Paged, Pool, PoolKey,
    Seen, SharedSlices, StoredSlice, Touched, TwinIndex, pool,
};
use crate::error::{Code, Error};
use crate::features::Features;
use crate::model::{DeviceClass, DeviceTaintRule, Node, Str};
use crate::rules::{Physical, is_understood};

/// Indexes objects, and makes what nodes see when first asked.
///
/// A clone shares everything; what is written after that is copied on the way.
///
/// INVARIANT: what a node sees is thrown away with every write that it depends
/// on, so that clones may share it, whichever of them made it.
#[derive(Clone, Debug)]
pub(crate) struct Inventory {
    features: Features,
    nodes: Nodes,
    classes: OrdMap<Str, Arc<Vec<Arc<DeviceClass>>>>,
    /// In order of their names.
    taint_rules: Arc<Vec<Arc<DeviceTaintRule>>>,
    /// Slices that name no node.
    shared: SharedSlices,
    pools: Paged<Arc<SliceList>>,
    twin_index: TwinIndex,
    declared_twins: Arc<DeclaredTwins>,
    departed: Departed,
}

impl Inventory {
    pub(crate) fn new(features: Features) -> Self {
        Self {
            features,
            nodes: Nodes::default(),
            classes: OrdMap::new(),
            taint_rules: Arc::default(),
            shared: SharedSlices::default(),
            pools: Paged::default(),
            twin_index: TwinIndex::default(),
            declared_twins: Arc::default(),
            departed: Departed::default(),
        }
    }

    pub(crate) fn features(&self) -> &Features {
        &self.features
    }

    /// Returns the nodes by name.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = &Arc<Node>> {
        let mut cursor = self.nodes.cursor();
        let entries = self.nodes.order().iter();
        entries.filter_map(move |key| cursor.get(key.index())?.as_ref()?.node.as_ref())
    }

    /// Returns the nodes by number.
    pub(crate) fn numbered(&self) -> &Nodes {
        &self.nodes
    }

    pub(crate) fn node(&self, name: &str) -> Option<&Arc<Node>> {
        self.nodes.named(name)?.node.as_ref()
    }

    /// Returns the node with a name.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`] if there is none.
    pub(crate) fn known_node(&self, name: &str) -> Result<&Arc<Node>, Error> {
        self.node(name).ok_or_else(|| no_node(name))
    }

    pub(crate) fn class(&self, name: &str) -> Option<&Arc<DeviceClass>> {
        self.classes.get(name)?.first()
    }

    /// Returns all classes by name, those of one name in the order in which they count.
    pub(crate) fn classes(&self) -> impl Iterator<Item = &Arc<DeviceClass>> {
        self.classes.values().flat_map(|classes| classes.iter())
    }

    /// Puts a class behind the others of its name.
    pub(crate) fn push_class(&mut self, class: Arc<DeviceClass>) {
        let name = class.metadata.name.clone();
        Arc::make_mut(self.classes.entry(name).or_default()).push(class);
    }

    /// Returns all slices, by name.
    pub(crate) fn slices_by_name(&self) -> Vec<&Arc<StoredSlice>> {
        let mut slices: Vec<&Arc<StoredSlice>> = self.all_slices().collect();
        slices.sort_by(|one, other| one.order().cmp(&other.order()));
        slices
    }

    pub(crate) fn taint_rules(&self) -> &[Arc<DeviceTaintRule>] {
        &self.taint_rules
    }

    /// Returns the slices that name a node.
    pub(crate) fn local(&self, node: &str) -> &[Arc<StoredSlice>] {
        self.nodes.named(node).map_or(&[], |entry| &entry.local)
    }

    /// Returns the slices that name no node.
    pub(crate) fn shared(&self) -> impl Iterator<Item = &Arc<StoredSlice>> {
        self.shared.iter()
    }

    pub(super) fn shared_slices(&self) -> &SharedSlices {
        &self.shared
    }

    /// Returns all slices, in no order that means anything.
    pub(crate) fn all_slices(&self) -> impl Iterator<Item = &Arc<StoredSlice>> {
        let local = self.nodes.entries().flat_map(|entry| &entry.local);
        local.chain(self.shared.iter())
    }

    pub(super) fn twin_index(&self) -> &TwinIndex {
        &self.twin_index
    }

    /// Returns which devices the host says are the same.
    pub(crate) fn declared_twins(&self) -> &DeclaredTwins {
        &self.declared_twins
    }

    /// Returns what held devices were that nobody publishes any more.
    pub(crate) fn departed(&self) -> &Departed {
        &self.departed
    }

    /// Returns the slices that may be for a node.
    pub(crate) fn candidates(&self, node: &str) -> impl Iterator<Item = &Arc<StoredSlice>> {
        self.local(node).iter().chain(self.shared.iter())
    }

    /// Returns all slices of a pool.
    pub(crate) fn of_pool(&self, pool: PoolKey) -> &[Arc<StoredSlice>] {
        self.pools.get(pool.index()).map_or(&[], |slices| slices)
    }

    /// Returns the slices of the newest generation of a pool, of those that the features
    /// allow to look at; by name.
    pub(crate) fn newest_of_pool(&self, pool: PoolKey) -> impl Iterator<Item = &Arc<StoredSlice>> {
        let features = self.features();
        let slices = self.of_pool(pool).iter();
        let slices = slices.filter(move |stored| is_understood(&stored.slice, features));
        let generation = |stored: &Arc<StoredSlice>| stored.slice.spec.pool.generation;
        let newest = slices.clone().map(generation).max();
        slices.filter(move |stored| Some(generation(stored)) == newest)
    }

    /// Returns all pools by driver and name, as one sees them who sees every slice.
    pub(crate) fn whole_pools(&self) -> Vec<Arc<Pool>> {
        let features = self.features();
        let slices = self.all_slices();
        let slices = slices.filter(|stored| is_understood(&stored.slice, features));
        pool::gather(slices, |key| self.of_pool(key), features)
    }

    /// Returns a number that is another whenever what the node sees is.
    pub(crate) fn revision(&self, node: &str) -> Option<u64> {
        let entry = self.nodes.named(node)?;
        entry.node.as_ref().map(|_| entry.revision)
    }

    /// Returns what a node sees.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`] if there is no such node, [`Code::NodeSelector`] if
    /// a slice that may be for the node has a malformed selector.
    pub(crate) fn view(&self, node: &str) -> Result<&Arc<NodeView>, Error> {
        let entry = self.nodes.named(node);
        let seen = entry.and_then(|entry| self.view_of(entry));
        seen.unwrap_or_else(|| Err(no_node(node)))
    }

    /// Returns what a node sees, if there is one; errors are those of
    /// [`Inventory::view`].
    pub(crate) fn view_of<'a>(
        &'a self,
        entry: &'a NodeEntry,
    ) -> Option<Result<&'a Arc<NodeView>, Error>> {
        let node = entry.node.as_ref()?;
        let view = entry.view.get_or_init(|| {
            let view = NodeView::new(self, Arc::clone(node), entry.revision);
            view.map(Arc::new).map_err(Box::new)
        });
        Some(view.as_ref().map_err(|error| (**error).clone()))
    }

    /// Returns all pools by driver and name, and the devices of those that are complete:
    /// what one sees who sees every slice.
    pub(crate) fn all_seen(&self) -> Seen {
        Seen::new(self.whole_pools(), self)
    }

    /// Returns the nodes and names of nodes, with the slices that name them.
    pub(super) fn entries(
        &self,
    ) -> impl Iterator<Item = (&Str, Option<&Node>, &[Arc<StoredSlice>])> {
        let entries = self.nodes.entries();
        entries.map(|entry| (&entry.name, entry.node.as_deref(), &*entry.local))
    }

    /// Puts a node in the place of that of its name.
    pub(crate) fn put_node(&mut self, node: Arc<Node>, catalog: &mut Catalog) {
        let name = node.metadata.name.clone();
        self.nodes.set_node(&name, Some(node), catalog);
    }

    /// Takes a node away; the slices that name it stay.
    pub(crate) fn remove_node(&mut self, name: &Str, catalog: &mut Catalog) {
        self.nodes.set_node(name, None, catalog);
        self.nodes.drop_if_empty(name);
    }

    /// Puts a class, or takes it away; of those with one name the first with a
    /// uid counts, or else the first.
    pub(crate) fn exchange_class(
        &mut self,
        old: Option<&Arc<DeviceClass>>,
        new: Option<Arc<DeviceClass>>,
    ) {
        let any = old.or(new.as_ref());
        let Some(name) = any.map(|class| class.metadata.name.clone()) else {
            return;
        };
        let mut list = self.classes.remove(&name).unwrap_or_default();
        let has_uid = new.as_ref().is_some_and(|new| new.metadata.uid.is_some());
        let place = if has_uid { 0 } else { list.len() };
        replace(Arc::make_mut(&mut list), old, new, place);
        if !list.is_empty() {
            self.classes.insert(name, list);
        }
    }

    /// Puts a taint rule, or takes it away; the nodes that see its devices see
    /// them anew, if anybody has looked at this inventory.
    pub(crate) fn exchange_taint_rule(
        &mut self,
        old: Option<&Arc<DeviceTaintRule>>,
        new: Option<Arc<DeviceTaintRule>>,
        looked_at: bool,
        catalog: &mut Catalog,
    ) -> Touched {
        let is_same = old.map(|old| &old.spec) == new.as_ref().map(|new| &new.spec);
        let touched = if is_same || !self.features.device_taints {
            Touched::default()
        } else {
            Touched::by_rules(self, &old.into_iter().chain(&new), looked_at)
        };
        if !is_same && self.features.device_taints {
            self.shared.touch_all();
        }
        let rules = Arc::make_mut(&mut self.taint_rules);
        let place = new.as_ref().map_or(0, |new| {
            rules.partition_point(|other| other.metadata.name <= new.metadata.name)
        });
        replace(rules, old, new, place);
        for name in touched.nodes() {
            self.nodes.touch(name, catalog);
        }
        touched
    }

    /// Puts a slice, or takes it away; the nodes that it concerns see their
    /// devices anew, all those with slices of its pool among them.
    pub(crate) fn exchange_slice(
        &mut self,
        old: Option<&Arc<StoredSlice>>,
        new: Option<&Arc<StoredSlice>>,
        looked_at: bool,
        catalog: &mut Catalog,
    ) -> Touched {
        let both = || old.into_iter().chain(new);
        let mut index = std::mem::take(&mut self.twin_index);
        let all = self.all_slices().map(|stored| &**stored);
        let with_twins = index.exchange(old.map(|old| &**old), new.map(|new| &**new), all);
        self.twin_index = index;
        let pools = both().map(|stored| stored.pool).chain(with_twins);
        let of_pools = pools.flat_map(|pool| self.of_pool(pool));
        let mut touched = Touched::by_slices(self, both().chain(of_pools), looked_at);
        if new.is_some_and(|new| self.departed.loses(new)) {
            touched.add_all(self);
        }
        for stored in both() {
            let mut of_pool = both().chain(self.of_pool(stored.pool));
            if of_pool.any(|stored| stored.node().is_none()) {
                self.shared.touch(stored.pool);
            }
        }
        if let Some(old) = old {
            exchange(self.write_pool(old.pool), Some(old), None);
        }
        if let Some(new) = new {
            exchange(self.write_pool(new.pool), None, Some(new));
        }
        self.shared.exchange(old, new, &self.features);
        for name in touched.nodes() {
            let on_node = |stored: &&Arc<StoredSlice>| stored.node() == Some(name);
            let (old, new) = (old.filter(on_node), new.filter(on_node));
            exchange(self.nodes.write_local(name, catalog), old, new);
            self.nodes.drop_if_empty(name);
        }
        touched
    }

    /// Declares which devices are the same; the nodes that see some of them see
    /// them anew.
    pub(crate) fn set_declared_twins(
        &mut self,
        declared: DeclaredTwins,
        looked_at: bool,
        catalog: &mut Catalog,
    ) -> Touched {
        let pools = self.declared_twins.changed_pools(&declared);
        let slices = pools.iter().flat_map(|pool| self.of_pool(*pool));
        let touched = Touched::by_slices(self, slices, looked_at);
        self.declared_twins = Arc::new(declared);
        for name in touched.nodes() {
            self.nodes.touch(name, catalog);
        }
        touched
    }

    /// Remembers what a held device was that nobody publishes any more.
    pub(crate) fn restore_departed(&mut self, keys: (PoolKey, DeviceKey), physical: &Physical<'_>) {
        self.departed.restore(keys, physical);
    }

    /// Remembers what held devices of an old slice are, if nobody publishes them
    /// any more, and forgets it for those of a new one.
    pub(crate) fn note_departed(
        &mut self,
        old: Option<&StoredSlice>,
        mut held: Vec<DeviceKey>,
        new: Option<&StoredSlice>,
    ) {
        if let Some(old) = old {
            let of_pool = self.of_pool(old.pool);
            held.retain(|key| !of_pool.iter().any(|stored| stored.devices.contains(key)));
        }
        self.departed.exchange(old, &held, new);
    }

    fn write_pool(&mut self, pool: PoolKey) -> &mut SliceList {
        Arc::make_mut(self.pools.get_mut(pool.index()))
    }
}

/// Puts an object in the place of an old one, or else in a given place.
fn replace<T>(list: &mut Vec<Arc<T>>, old: Option<&Arc<T>>, new: Option<Arc<T>>, place: usize) {
    let is_old = |one: &Arc<T>| old.is_some_and(|old| Arc::ptr_eq(old, one));
    match (list.iter().position(is_old), new) {
        (Some(found), Some(new)) => list[found] = new,
        (Some(found), None) => {
            list.remove(found);
        }
        (None, Some(new)) => list.insert(place, new),
        (None, None) => {}
    }
}

/// Returns the error of a question to a node that is not there.
pub(crate) fn no_node(name: &str) -> Error {
    let message = format!("no node `{name}`, expected the name of one that exists");
    Error::new(Code::NotFound, message).at("node").on_node()
}
