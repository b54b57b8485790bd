//! The functions and operators of the language, one table per library.

mod conversions;
pub(crate) mod cost;
mod lists;
mod network;
mod operators;
mod optional;
mod quantity;
mod regex;
mod semver;
mod sets;
mod standard;
mod strings;
mod table;
mod time;

use std::sync::LazyLock;

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

/// All functions by the length of the name, then by name; those of one name in
/// the order of the tables.
static BY_NAME: LazyLock<Vec<&'static Function>> = LazyLock::new(|| {
    let mut functions: Vec<&Function> = TABLES.iter().copied().flatten().collect();
    functions.sort_by_key(|function| (function.name.len(), function.name));
    functions
});

/// Returns the functions of this name in a minor version of Kubernetes.
pub(crate) fn functions(name: &str, minor: u32) -> impl Iterator<Item = &'static Function> + Clone {
    let before = |function: &&Function| (function.name.len(), function.name) < (name.len(), name);
    let (_, rest) = BY_NAME.split_at(BY_NAME.partition_point(before));
    rest.iter()
        .take_while(move |function| function.name == name)
        .copied()
        .filter(move |function| function.is_in(minor))
}
