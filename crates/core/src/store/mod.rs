//! What devices there are: objects by identity, and what a node sees of them.

mod catalog;
mod identities;
mod inventory;
mod node_view;
mod paged;
mod pool;
mod rows;
mod stored_slice;
mod touched;
mod twins;

pub(crate) use catalog::{Catalog, DeviceKey, PoolKey, SharedCatalog};
pub(crate) use identities::{Identities, Identity};
pub(crate) use inventory::Inventory;
pub(crate) use node_view::{DeviceEntry, NodeView};
pub(crate) use paged::Paged;
pub(crate) use pool::{Pool, PoolStatus};
pub(crate) use rows::Rows;
pub(crate) use stored_slice::StoredSlice;
pub(crate) use touched::Touched;
pub(crate) use twins::{DeclaredTwins, Departed, TwinIndex, Twins};
