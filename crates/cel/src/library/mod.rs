//! The functions and operators of the language, one table per library.

mod authorization;
mod conversions;
pub(crate) mod cost;
mod double;
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
mod relaxed;
mod semver;
mod sets;
mod standard;
mod strings;
mod table;
mod time;
mod url;
mod zone;

use std::sync::LazyLock;

use crate::options::Language;

pub(crate) use format::{Piece, Pieces, Verb};
pub(crate) use message::message;
pub(crate) use named_format::NamedFormat;
pub(crate) use regex::{Matcher, Search};
pub(crate) use table::{
    CEL_GO_29, Cost, Function, LISTS, MAX_ARGUMENTS, Overload, PARAMETERS, Pattern,
};
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
    relaxed::FUNCTIONS,
    format::FUNCTIONS,
    authorization::FUNCTIONS,
    url::FUNCTIONS,
    named_format::FUNCTIONS,
];

/// All functions by the length of the name, then by name; those of one name in
/// the order of the tables.
static BY_NAME: LazyLock<Vec<&'static Function>> = LazyLock::new(|| {
    let mut functions: Vec<&Function> = TABLES.iter().copied().flatten().collect();
    functions.sort_by_key(|function| (function.name.len(), function.name));
    functions
});

/// Returns the names of all functions of a language but those of operators.
pub(crate) fn names(language: Language) -> impl Iterator<Item = &'static str> {
    BY_NAME
        .iter()
        .filter(move |function| function.is_in(language))
        .map(|function| function.name)
        .filter(|name| !name.contains(['_', '@']))
}

/// Returns the functions of this name in a language.
pub(crate) fn functions(
    name: &str,
    language: Language,
) -> impl Iterator<Item = &'static Function> + Clone {
    let before = |function: &&Function| (function.name.len(), function.name) < (name.len(), name);
    let (_, rest) = BY_NAME.split_at(BY_NAME.partition_point(before));
    rest.iter()
        .take_while(move |function| function.name == name)
        .copied()
        .filter(move |function| function.is_in(language))
}
