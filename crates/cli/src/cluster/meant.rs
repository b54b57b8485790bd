//! Which object a misspelt name may have meant.

use dralloc_cel::nearest;

use super::{ObjectName, Objects};

/// Returns the name that a misspelt one may have meant: one that is spelt nearly alike, or
/// else the first of which it is the beginning, or that is its own beginning, such as
/// `gpu.example` for `gpu.example.com`.
pub(crate) fn meant<'n>(
    name: &str,
    known: impl IntoIterator<Item = &'n str> + Clone,
) -> Option<&'n str> {
    let begins = |long: &str, short: &str| {
        let rest = long.strip_prefix(short);
        !short.is_empty() && rest.is_some_and(|rest| rest.starts_with(['.', '-', '/']))
    };
    nearest(name, known.clone()).or_else(|| {
        let mut known = known.into_iter();
        known.find(|known| begins(known, name) || begins(name, known))
    })
}

/// Says that there is no object of a name, and which was perhaps meant.
pub(crate) fn absent<T>(kind: &str, name: &ObjectName, objects: &Objects<T>) -> String {
    let mut known = objects.keys();
    match (known.next(), known.next()) {
        (None, _) => format!("there is no {kind} `{name}`: none is given"),
        (Some(only), None) => {
            format!("there is no {kind} `{name}`: the only one given is `{only}`")
        }
        _ => {
            let (count, hint) = (objects.len(), hint(name, objects));
            format!("there is no {kind} `{name}` among the {count} given{hint}")
        }
    }
}

/// Returns what to add to a message that there is no object of a name where it is looked
/// for, such as ``; did you mean `one-gpu`?``; nothing if no other name is like it.
pub(crate) fn hint<T>(name: &ObjectName, objects: &Objects<T>) -> String {
    let elsewhere = objects.keys().find(|known| known.name == name.name);
    if let Some(known) = elsewhere.filter(|known| known.namespace != name.namespace) {
        return format!("; there is one in namespace `{}`", known.namespace);
    }
    let known = objects.keys();
    let known = known.filter(|known| known.namespace == name.namespace);
    did_you_mean(meant(&name.name, known.map(|known| &*known.name)))
}

/// Returns the question whether a name was meant, to be added to a message.
pub(crate) fn did_you_mean(meant: Option<&str>) -> String {
    meant.map_or_else(String::new, |meant| format!("; did you mean `{meant}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_meant_that_are_nearly_alike() {
        let known = ["gpu.example.com", "nic.example.com", "one-gpu"];
        for (name, expected) in [
            ("gpu.example", Some("gpu.example.com")),
            ("gpu.exmaple.com", Some("gpu.example.com")),
            ("one-gpus", Some("one-gpu")),
            ("one-gpu-2", Some("one-gpu")),
            ("fpga", None),
            ("", None),
        ] {
            assert_eq!(meant(name, known), expected, "{name}");
        }
    }
}
