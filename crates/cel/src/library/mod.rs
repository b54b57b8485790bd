//! The functions and operators of the language, one table per library.

mod authorization;
mod conversions;
pub(crate) mod cost;
mod format;
mod lists;
mod message;
mod named_format;
mod network;
mod operators;
mod optional;
mod quantity;
mod quote;
mod regex;
mod semver;
mod sets;
mod standard;
mod strings;
mod table;
mod time;
mod url;
mod zone;

pub(crate) use format::{Piece, Pieces, Verb};
pub(crate) use message::message;
pub(crate) use named_format::NamedFormat;
pub(crate) use regex::{Search, translate};
pub(crate) use table::{CEL_GO_29, Cost, Function, MAX_ARGUMENTS, Overload, PARAMETERS, Pattern};
pub(crate) use url::Url;

/// All tables; functions of one name may be in several of them.
static TABLES: &[&[Function]] = &[
    operators::FUNCTIONS,
    conversions::FUNCTIONS,
    standard::FUNCTIONS,
    time::FUNCTIONS,
    optional::FUNCTIONS,
    strings::FUNCTIONS,
    lists::FUNCTIONS,
    lists::BUILDING,
    sets::FUNCTIONS,
    regex::FUNCTIONS,
    quantity::FUNCTIONS,
    semver::FUNCTIONS,
    network::FUNCTIONS,
    format::FUNCTIONS,
    authorization::FUNCTIONS,
    url::FUNCTIONS,
    named_format::FUNCTIONS,
];

/// Returns the functions of this name in a minor version of Kubernetes.
pub(crate) fn functions(name: &str, minor: u32) -> impl Iterator<Item = &'static Function> {
    TABLES
        .iter()
        .flat_map(|table| table.iter())
        .filter(move |function| function.name == name && function.is_in(minor))
}
