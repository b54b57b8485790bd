//! Numbers, lists and names as people read them.

use std::fmt;

use dralloc::model::Str;

/// So many of many are named.
const NAMED: usize = 3;

/// Returns a number with its noun in the right form, such as `2 devices`.
pub(crate) fn counted<N>(number: N, noun: &str) -> String
where
    N: Copy + PartialEq + From<u8> + fmt::Display,
{
    if number == N::from(1) {
        return format!("{number} {noun}");
    }
    match noun.strip_suffix('y') {
        Some(stem) => format!("{number} {stem}ies"),
        None if noun.ends_with('s') => format!("{number} {noun}es"),
        None => format!("{number} {noun}s"),
    }
}

/// Joins texts as people do, such as `1, 2 or 4`.
pub(crate) fn listed(texts: &[String], conjunction: &str) -> String {
    match texts {
        [first @ .., last] if !first.is_empty() => {
            format!("{} {conjunction} {last}", first.join(", "))
        }
        _ => texts.concat(),
    }
}

/// Joins names as people do, the first of many, such as `a, b and 7 more`.
pub(crate) fn few<T: fmt::Display>(names: &[T]) -> String {
    let (first, others) = match names.len() {
        0..=NAMED => (names, None),
        many => (&names[..NAMED - 1], Some(many - (NAMED - 1))),
    };
    let first = first.iter().map(ToString::to_string);
    let others = others.map(|others| format!("{others} more"));
    listed(&first.chain(others).collect::<Vec<_>>(), "and")
}

/// Names nodes, the first of many.
pub(crate) fn named(nodes: &[Str]) -> String {
    match nodes.len() {
        0..=NAMED => nodes.join(", "),
        many => format!("{many} nodes ({})", few(nodes)),
    }
}

/// Returns what things are called that are so many of all, such as `both devices`.
pub(crate) fn of_all(count: usize, all: usize, noun: &str) -> String {
    match (count, all) {
        (1, 1) => format!("the only {noun}"),
        (2, 2) => format!("both {noun}s"),
        (count, all) if count == all => format!("all {}", counted(all, noun)),
        _ => format!("{count} of {}", counted(all, noun)),
    }
}

/// Says that something finds none of some things, such as `matches none of 8 devices`; the
/// verb is given as `match` and `matches`.
pub(crate) fn finds_none((find, finds): (&str, &str), all: usize, noun: &str) -> String {
    match all {
        0 => format!("{finds} nothing: there is no {noun}"),
        1 => format!("does not {find} the only {noun}"),
        2 => format!("{finds} neither of the 2 {noun}s"),
        _ => format!("{finds} none of {}", counted(all, noun)),
    }
}

/// Returns the name of an attribute or a capacity without its domain.
pub(crate) fn id_of(name: &str) -> &str {
    name.split_once('/').map_or(name, |(_, id)| id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_have_the_form_of_their_number() {
        for (number, noun, expected) in [
            (0, "device", "0 devices"),
            (1, "device", "1 device"),
            (2, "DeviceClass", "2 DeviceClasses"),
            (1, "PlacementPolicy", "1 PlacementPolicy"),
            (3, "PlacementPolicy", "3 PlacementPolicies"),
        ] {
            assert_eq!(counted(number, noun), expected);
        }
    }

    #[test]
    fn only_the_last_text_has_the_conjunction() {
        let texts = ["1", "2", "4"].map(String::from);
        for (count, expected) in [(0, ""), (1, "1"), (2, "1 or 2"), (3, "1, 2 or 4")] {
            assert_eq!(listed(&texts[..count], "or"), expected);
        }
    }

    #[test]
    fn the_first_of_many_nodes_are_named() {
        let nodes = ["a", "b", "c", "d"].map(Str::from);
        for (count, expected) in [(1, "a"), (3, "a, b, c"), (4, "4 nodes (a, b and 2 more)")] {
            assert_eq!(named(&nodes[..count]), expected);
        }
    }

    #[test]
    fn a_few_names_are_all_named() {
        let names = ["a", "b", "c", "d", "e"];
        for (count, expected) in [
            (0, ""),
            (1, "a"),
            (2, "a and b"),
            (3, "a, b and c"),
            (4, "a, b and 2 more"),
            (5, "a, b and 3 more"),
        ] {
            assert_eq!(few(&names[..count]), expected);
        }
    }

    #[test]
    fn all_are_said_to_be_all_and_none_to_be_none() {
        for (count, all, expected) in [
            (1, 1, "the only device"),
            (2, 2, "both devices"),
            (3, 3, "all 3 devices"),
            (1, 2, "1 of 2 devices"),
        ] {
            assert_eq!(of_all(count, all, "device"), expected);
        }
        for (all, expected) in [
            (0, "matches nothing: there is no device"),
            (1, "does not match the only device"),
            (2, "matches neither of the 2 devices"),
            (3, "matches none of 3 devices"),
        ] {
            assert_eq!(finds_none(("match", "matches"), all, "device"), expected);
        }
    }

    #[test]
    fn an_id_is_what_follows_the_domain() {
        for (name, id) in [("memory", "memory"), ("gpu.example.com/memory", "memory")] {
            assert_eq!(id_of(name), id);
        }
    }
}
