//! The command line as a plugin of `kubectl`: it is the same, but reads the cluster where
//! no file is given. Whatever concerns access is left to `kubectl`.

mod connection;
mod get;
mod live;
mod plugin;
mod version;

pub(crate) use live::Live;
pub(crate) use plugin::plugin;
