//! Traces: the calls of a host as lines, and the same calls again.
//!
//! A [`Recorder`] passes calls on to an [`Engine`](super::Engine) and writes each
//! with its arguments and its result, as one line of JSON. The first line holds
//! the dump that the engine began with. [`Replay`] makes the same calls and
//! compares every result, byte for byte.
//!
//! ```json
//! {"apiVersion":"dralloc.dev/v1alpha1","kind":"Trace","dump":{…}}
//! {"call":"apply","object":{"apiVersion":"v1","kind":"Node",…},"result":{"changed":true,…}}
//! {"call":"snapshot","id":0}
//! {"call":"prepare","snapshot":0,"id":0,"objects":[…],"result":"done"}
//! {"call":"transaction","snapshot":0,"id":0}
//! {"call":"allocate","transaction":0,"node":"n","claims":0,"options":{},"result":{…}}
//! {"call":"commit","transaction":0,"result":{"changed":true,…}}
//! {"call":"drop","transaction":0}
//! ```
//!
//! What has been made has a number, each sort from 0 on. Workspaces are not
//! written: they never change an answer. How long a deadline or a cancel flag
//! lets a call go on cannot be repeated: a call that was stopped by one is passed
//! over, and what it held all the same is held again.

mod answer;
mod arguments;
mod difference;
mod gang;
mod log;
mod options;
mod recorder;
mod replay;
mod stopped;
mod transaction;

pub use difference::{Difference, Replayed};
pub use recorder::{RecordedClaims, RecordedSnapshot, Recorder};
pub use replay::{Replay, replay};
pub use transaction::{RecordedSavepoint, RecordedTransaction};

/// Kind of the first line of traces; their version is that of dumps.
const KIND: &str = "Trace";
