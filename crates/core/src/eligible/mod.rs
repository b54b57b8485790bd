//! Verdicts of selectors as bitmaps, kept per expression and content of a slice.

mod cache;
mod row;

pub(crate) use cache::Verdicts;
pub use row::Row;
pub(crate) use row::derive;
