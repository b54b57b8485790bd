//! [`Scope`] and the domains of devices: what is in which switch, node, host or rack.

mod forest;
mod labels;
mod scope;

pub use forest::{Domain, DomainTree};
pub(crate) use labels::Labels;
pub use scope::Scope;
