//! An engine, and what is made of it, of which a host may have the calls written.
//!
//! The types have the names and the calls of those of [`dralloc`]. A host uses them
//! from the beginning, and may ask for a trace at any time: [`Engine::record`] passes
//! the calls that follow on to a [`Recorder`](dralloc::Recorder). What was made before
//! is used further, but for transactions, which cannot be committed any more: their
//! calls are not in the trace.

mod claims;
mod engine;
mod snapshot;
mod trace;
mod transaction;

#[cfg(test)]
mod tests;

pub use claims::Claims;
pub use engine::Engine;
pub use snapshot::Snapshot;
pub use trace::{Trace, replay};
pub use transaction::{Savepoint, Transaction};
