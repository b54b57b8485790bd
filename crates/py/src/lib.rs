//! The native module `dralloc._native` of the Python package `dralloc`.
//!
//! It is thin: objects become JSON text, which `dralloc-forms` reads as for every
//! other language, and answers become Python's values when they are asked for. Calls
//! that take time release the interpreter's lock, look at signals while they run, and
//! end at one border, where a panic becomes an exception (`boundary.rs`).
//! `python/dralloc/_native.pyi` has the documentation for those who call it.
#![forbid(unsafe_code)]
#![expect(
    clippy::needless_pass_by_value,
    reason = "what Python hands over is made for the call"
)]

mod boundary;
mod cancel;
mod claims;
mod command_line;
mod document;
mod engine;
mod failure;
mod node_list;
mod objects;
mod options;
mod outcome;
mod package;
mod placement;
mod savepoint;
mod snapshot;
mod text;
mod trace;
mod transaction;
mod watch;
mod workspace;

use pyo3::prelude::*;

/// Python's objects lie at multiples of 16 at best: what needs more is boxed.
macro_rules! aligned {
    ($($class:ty),* $(,)?) => {
        $(const _: () = assert!(align_of::<$class>() <= 16);)*
    };
}

aligned!(
    cancel::Cancel,
    claims::PreparedClaims,
    engine::Engine,
    node_list::NodeList,
    options::Options,
    outcome::Outcome,
    placement::PlacedNode,
    placement::Placement,
    savepoint::Savepoint,
    snapshot::Snapshot,
    trace::Trace,
    transaction::Transaction,
    workspace::Workspace,
);

#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::boundary::panic;
    #[pymodule_export]
    use crate::cancel::Cancel;
    #[pymodule_export]
    use crate::claims::PreparedClaims;
    #[pymodule_export]
    use crate::command_line::run;
    #[pymodule_export]
    use crate::engine::Engine;
    #[pymodule_export]
    use crate::node_list::NodeList;
    #[pymodule_export]
    use crate::objects::{defaults, to_json, validate};
    #[pymodule_export]
    use crate::options::Options;
    #[pymodule_export]
    use crate::outcome::{Feasible, Infeasible, Optimal, Outcome, Unknown};
    #[pymodule_export]
    use crate::placement::{PlacedNode, Placement};
    #[pymodule_export]
    use crate::savepoint::Savepoint;
    #[pymodule_export]
    use crate::snapshot::Snapshot;
    #[pymodule_export]
    use crate::trace::{Trace, replay};
    #[pymodule_export]
    use crate::transaction::Transaction;
    #[pymodule_export]
    use crate::workspace::Workspace;
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::package::only_interpreter(module.py())?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
