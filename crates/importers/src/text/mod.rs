//! Text and places in it.

mod decode;
mod escape;
mod position;
mod words;

pub(crate) use decode::decode;
pub(crate) use dralloc_topology::quoted;
pub(crate) use position::{Locator, Position};
pub(crate) use words::{Line, Word, lines};

/// How many bytes a text may have.
pub const MAX_TEXT: usize = 256 << 20;
