//! Attribute overlays as an [`Engine`] lays them over slices.

use std::sync::Arc;

use super::{Applied, Engine};
use crate::model::{AttributeOverlay, ResourceSlice, Str};
use crate::rules::node_of;
use crate::store::{StoredSlice, may_select, overlaid};

impl Engine {
    /// Returns a slice as everything else is to see it.
    pub(super) fn stored(&mut self, published: ResourceSlice, place: u64) -> StoredSlice {
        let overlaid = self.overlaid(&published);
        StoredSlice::new(published, place, &mut self.catalog.lock()).under(overlaid)
    }

    /// Returns what overlays make of a slice; nothing if they leave it as it is.
    fn overlaid(&self, published: &ResourceSlice) -> Option<ResourceSlice> {
        let overlays = &self.documents.attribute_overlays;
        if overlays.is_empty() {
            return None;
        }
        let node = |name: &str| self.inventory.node(name).map(|node| &**node);
        overlaid(
            published,
            overlays.values().map(|overlay| &**overlay),
            &node,
        )
    }

    pub(super) fn exchange_overlay(
        &mut self,
        old: Option<&AttributeOverlay>,
        new: Option<&AttributeOverlay>,
        applied: &mut Applied,
    ) {
        let concerns = |stored: &&Arc<StoredSlice>| {
            let mut both = old.into_iter().chain(new);
            both.any(|overlay| may_select(overlay, stored.published()))
        };
        let slices = &self.objects.slices;
        let all = slices.known.objects().chain(&slices.anonymous);
        let concerned = all.filter(concerns).cloned().collect();
        self.overlay_again(concerned, applied);
    }

    /// Lays overlays anew over what is published for a node that is other now.
    pub(super) fn overlay_node(&mut self, name: &Str, applied: &mut Applied) {
        let mut overlays = self.documents.attribute_overlays.values();
        let by_node = |overlay: &Arc<AttributeOverlay>| {
            let selector = overlay.spec.selector.as_ref();
            selector.is_some_and(|selector| selector.node_selector.is_some())
        };
        if !overlays.any(by_node) {
            return;
        }
        let names = |stored: &&Arc<StoredSlice>| {
            let spec = &stored.published().spec;
            let mut nodes = spec.devices.iter().map(|device| node_of(spec, device).0);
            nodes.any(|node| node == Some(name))
        };
        let shared = self.inventory.shared().filter(names);
        let local = self.inventory.local(name).iter();
        let concerned = local.chain(shared).cloned().collect();
        self.overlay_again(concerned, applied);
    }

    /// Lays overlays anew over slices; those that stay the same are left alone.
    fn overlay_again(&mut self, mut slices: Vec<Arc<StoredSlice>>, applied: &mut Applied) {
        // Of two that publish one device, what the later one says is remembered.
        slices.sort_by(|one, other| one.order().cmp(&other.order()));
        for old in slices {
            let overlaid = self.overlaid(old.published());
            let is_same = match &overlaid {
                Some(slice) => slice.spec == old.slice.spec,
                None => !old.is_overlaid(),
            };
            if is_same {
                continue;
            }
            let published = old.published().clone();
            let new = StoredSlice::new(published, old.place(), &mut self.catalog.lock());
            let new = Arc::new(new.under(overlaid));
            let name = &old.slice.metadata.name;
            self.objects.slices.replace(name, &old, &new);
            applied.join(self.exchange_slice(Some(&old), Some(&new)));
        }
    }
}
