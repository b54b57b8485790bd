//! Reading JSON text into the model, with places, paths and other versions' forms.
//!
//! `serde_json` keeps neither the place of a value nor the text of a number, and
//! refuses null where Kubernetes reads it as absent. What is read here is plain
//! RFC 8259 all the same.

mod access;
mod cursor;
mod deserializer;
mod failure;
mod known;
mod path;
mod variant;

pub(super) use cursor::Cursor;
pub(super) use deserializer::{Decode, Unknown};
pub(super) use failure::Failure;
pub(super) use known::DeviceMaps;
