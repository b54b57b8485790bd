//! What devices there are: objects by identity, and what a node sees of them.

mod catalog;
mod identities;
mod inventory;
mod journal;
mod node_view;
mod nodes;
mod paged;
mod pool;
mod rows;
mod stored_slice;
mod touched;

pub(crate) use catalog::{Catalog, DeviceKey, NodeKey, PoolKey, SharedCatalog};
pub(crate) use identities::{Identities, Identity};
pub(crate) use inventory::{Inventory, no_node};
pub(crate) use journal::Journal;
pub(crate) use node_view::{DeviceEntry, NodeView};
pub(crate) use nodes::{NodeEntry, Nodes};
pub(crate) use paged::{Cursor, Paged};
pub(crate) use pool::{Pool, PoolStatus};
pub(crate) use rows::Rows;
pub(crate) use stored_slice::StoredSlice;
pub(crate) use touched::Touched;
