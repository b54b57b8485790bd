//! What devices there are: objects by identity, and what a node sees of them.

mod catalog;
mod identities;
mod inventory;
mod journal;
mod node_view;
mod nodes;
mod overlay;
mod paged;
mod pool;
mod pool_counters;
mod rows;
mod seen;
mod segment;
mod shared_slices;
mod stored_slice;
mod touched;
mod twins;

pub(crate) use catalog::{Catalog, DeviceKey, NodeKey, PoolKey, SharedCatalog};
pub(crate) use identities::{Identities, Identity, MAX_GONE};
pub(crate) use inventory::{Inventory, no_node};
pub(crate) use journal::Journal;
pub(crate) use node_view::NodeView;
pub(crate) use nodes::{NodeEntry, Nodes};
pub(crate) use overlay::{may_select, overlaid};
pub(crate) use paged::{Cursor, Paged};
pub use pool::PoolFault;
pub(crate) use pool::{Pool, PoolStatus};
pub(crate) use pool_counters::PoolCounters;
pub(crate) use rows::Rows;
pub(crate) use seen::{DeviceEntry, Seen};
pub(crate) use segment::{Segment, locate};
pub(crate) use shared_slices::SharedSlices;
pub(crate) use stored_slice::StoredSlice;
pub(crate) use touched::Touched;
pub(crate) use twins::{DeclaredTwins, Departed, TwinIndex, Twins};
