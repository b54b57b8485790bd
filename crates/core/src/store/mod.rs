//! What devices there are: objects by identity, and what a node sees of them.

mod catalog;
mod inventory;
mod node_view;
mod objects;
mod pool;
mod rows;

pub(crate) use catalog::{Catalog, DeviceKey, PoolKey};
pub(crate) use inventory::Inventory;
pub(crate) use node_view::{DeviceEntry, NodeView};
pub(crate) use objects::{Objects, StoredSlice, newer};
pub(crate) use pool::{Pool, PoolStatus};
pub(crate) use rows::Rows;
