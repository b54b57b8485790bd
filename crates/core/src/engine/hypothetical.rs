//! Hypothetical nodes of a transaction.

use std::sync::Arc;

use super::Transaction;
use crate::error::{Code, Error};
use crate::model::{ResourceSlice, Str};
use crate::store::{Inventory, StoredSlice};

/// The label that names the node.
const HOSTNAME: &str = "kubernetes.io/hostname";

impl Transaction {
    /// Adds a node that is like another, with devices of its own: what slices
    /// publish for that node by name, nothing of it held.
    ///
    /// The clone has the given name in its hostname label, too. Its pools are named as
    /// those of the other, with the new name where that of the other stands, or
    /// else after a `/`, which no published pool can be mistaken for. A pool
    /// that is spread over several nodes is not complete on the clone.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`] if there is no such other node, [`Code::Duplicate`] if
    /// there is one of the new name.
    pub fn add_node(&mut self, name: &str, like: &str) -> Result<(), Error> {
        let inventory = self.inventory();
        let model = inventory.known_node(like)?;
        if inventory.node(name).is_some() || !inventory.local(name).is_empty() {
            let message = format!("node `{name}` exists, expected a new name");
            return Err(Error::new(Code::Duplicate, message).at("node").on_node());
        }
        let name: Str = name.into();
        let mut node = (**model).clone();
        node.metadata.name = name.clone();
        node.metadata.uid = None;
        let labels = node.metadata.labels.iter().map(|(label, value)| {
            let value = if **label == *HOSTNAME { &name } else { value };
            (label.clone(), value.clone())
        });
        node.metadata.labels = labels.collect();
        let slices = inventory.local(like).iter();
        let slices: Vec<ResourceSlice> = slices
            .map(|stored| renamed(&stored.slice, like, &name))
            .collect();
        let both = inventory.local(like).iter().zip(&slices);
        let copies = both.map(|(stored, copy)| {
            let (spec, pool) = (&stored.slice.spec, &copy.spec.pool);
            (
                spec.driver.clone(),
                spec.pool.name.clone(),
                pool.name.clone(),
            )
        });
        let copies: Vec<(Str, Str, Str)> = copies.collect();
        let mut next = Inventory::clone(inventory);
        let mut catalog = self.snapshot.catalog.lock();
        next.put_node(Arc::new(node), &mut catalog);
        for (place, slice) in slices.into_iter().enumerate() {
            // Places tell slices of one name apart; those with a uid have 0.
            let place = u64::MAX - place as u64;
            let stored = Arc::new(StoredSlice::new(slice, place, &mut catalog));
            next.exchange_slice(None, Some(&stored), true, &mut catalog);
        }
        if let Some(declared) = next.declared_twins().with_copies(&copies, &mut catalog) {
            next.set_declared_twins(declared, true, &mut catalog);
        }
        drop(catalog);
        self.draft.set_inventory(Arc::new(next));
        Ok(())
    }

    /// Takes a node away, whether it is hypothetical or not; what is held there
    /// stays held.
    ///
    /// # Errors
    ///
    /// [`Code::NotFound`] if there is no such node.
    pub fn remove_node(&mut self, name: &str) -> Result<(), Error> {
        let inventory = self.inventory();
        inventory.known_node(name)?;
        let mut next = Inventory::clone(inventory);
        next.remove_node(&name.into(), &mut self.snapshot.catalog.lock());
        self.draft.set_inventory(Arc::new(next));
        Ok(())
    }
}

/// Returns a slice as another node would publish it.
fn renamed(slice: &ResourceSlice, like: &str, name: &Str) -> ResourceSlice {
    let mut slice = slice.clone();
    slice.metadata.uid = None;
    slice.metadata.name = format!("{}/{name}", slice.metadata.name).into();
    slice.spec.node_name = Some(name.clone());
    let pool = &mut slice.spec.pool.name;
    *pool = if **pool == *like {
        name.clone()
    } else {
        format!("{pool}/{name}").into()
    };
    slice
}
