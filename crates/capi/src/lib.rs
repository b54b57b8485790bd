//! The C ABI of dralloc: what the header `include/dralloc.h` declares.
//!
//! One file per noun of the header. A function says in plain words what it does;
//! pointers of callers are followed in `raw` only. `README.md` of this folder has
//! the rules.
#![expect(
    non_camel_case_types,
    reason = "names are those of the header, and cbindgen takes them as they are"
)]

mod bytes;
mod cancel;
mod claims;
mod engine;
mod error;
mod node_list;
mod objects;
mod options;
mod outcome;
mod placement;
mod raw;
mod savepoint;
mod snapshot;
mod status;
mod trace;
mod transaction;
mod version;
mod workspace;
