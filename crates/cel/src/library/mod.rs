//! The functions and operators of the language, one table per library.

mod conversions;
pub(crate) mod cost;
mod lists;
mod network;
mod operators;
mod optional;
mod quantity;
mod regex;
mod relaxed;
mod semver;
mod sets;
mod standard;
mod strings;
mod table;
mod time;

use crate::options::{Dialect, Language};

pub(crate) use regex::{Search, translate};
pub(crate) use table::{Cost, Function, MAX_ARGUMENTS, Overload, PARAMETERS, Pattern};
pub(crate) use time::time_zone;

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
];

/// Newest minor version of Kubernetes whose functions are known.
pub(crate) const NEWEST: u32 = 37;

/// Returns the names of all functions of a language but those of operators.
pub(crate) fn names(language: Language) -> impl Iterator<Item = &'static str> {
    TABLES
        .iter()
        .flat_map(|table| table.iter())
        .filter(move |function| function.is_in(language.minor))
        .map(|function| function.name)
        .filter(|name| !name.contains(['_', '@']))
}

/// Returns the functions of this name in a language.
pub(crate) fn functions(name: &str, language: Language) -> impl Iterator<Item = &'static Function> {
    let relaxed: &[Function] = match language.dialect {
        Dialect::Kubernetes => &[],
        Dialect::Relaxed => relaxed::FUNCTIONS,
    };
    TABLES
        .iter()
        .flat_map(|table| table.iter())
        .chain(relaxed)
        .filter(move |function| function.name == name && function.is_in(language.minor))
}
