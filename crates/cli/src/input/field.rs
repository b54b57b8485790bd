//! Where the field is that a path leads to.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Deserializer;
use serde_json::value::RawValue;

use super::text::distance;
use crate::object_name::ObjectName;

/// Is one step of a path.
#[derive(Debug, PartialEq, Eq)]
enum Step<'p> {
    Field(&'p str),
    /// What stands in brackets: the place in a list, or a key of a map.
    Inner(&'p str),
}

/// Returns the offset of what a path leads to in a JSON text, or of what is there
/// of it.
///
/// Paths are those of the newest version of the API; where an object is of an older
/// one, what stands under `exactly` and in the device is found where it was then.
pub(super) fn offset(json: &str, path: &str) -> usize {
    let mut part = json.trim_start();
    for step in steps(path) {
        let next = match step {
            Step::Field(name) => field(part, name).or_else(|| match name {
                "exactly" => Some(part),
                _ => field(part, "basic").and_then(|basic| field(basic, name)),
            }),
            Step::Inner(name) => match name.parse() {
                Ok(place) => item(part, place).or_else(|| field(part, name)),
                Err(_) => field(part, name),
            },
        };
        match next {
            Some(next) => part = next,
            None => break,
        }
    }
    distance(json, part)
}

/// Returns what the object is called that a JSON text starts with, if it says so.
pub(super) fn object_name(json: &str) -> Option<ObjectName> {
    let metadata = field(json, "metadata")?;
    let text = |name| first::<String>(field(metadata, name)?);
    let name = text("name").filter(|name| !name.is_empty())?;
    Some(ObjectName::new(
        &text("namespace").unwrap_or_default(),
        &name,
    ))
}

/// Splits a path such as `spec.devices[0].attributes[example.com/model].string`.
fn steps(path: &str) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(inner) = rest.strip_prefix('[') {
            let (name, after) = inner.split_once(']').unwrap_or((inner, ""));
            steps.push(Step::Inner(name));
            rest = after;
        } else {
            rest = rest.strip_prefix('.').unwrap_or(rest);
            let end = rest.find(['.', '[']).unwrap_or(rest.len());
            steps.push(Step::Field(&rest[..end]));
            rest = &rest[end..];
        }
    }
    steps
}

fn field<'j>(json: &'j str, name: &str) -> Option<&'j str> {
    let fields: BTreeMap<String, &'j RawValue> = first(json)?;
    fields.get(name).map(|value| value.get())
}

fn item(json: &str, place: usize) -> Option<&str> {
    let items: Vec<&RawValue> = first(json)?;
    items.get(place).map(|item| item.get())
}

/// Reads the value that a text starts with; whatever is behind it does not matter.
fn first<'j, T: Deserialize<'j>>(json: &'j str) -> Option<T> {
    T::deserialize(&mut Deserializer::from_str(json)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_parts() {
        let json = r#"{"a":[1,{"b.c/d":{"e":2},"f":3}],"g":{}}, "behind": {}"#;
        for (path, found) in [
            ("", json),
            ("a", "[1"),
            ("a[0]", "1,"),
            ("a[1].f", "3}"),
            ("a[1][b.c/d].e", "2}"),
            ("a[1][b.c/d].missing.e", "{\"e\""),
            ("a[1].missing", "{\"b.c"),
            ("a[7]", "[1"),
            ("a[", "[1"),
            ("g", "{}}"),
            ("behind", json),
        ] {
            let offset = offset(json, path);
            assert!(
                json[offset..].starts_with(found),
                "{path}: {}",
                &json[offset..]
            );
        }
    }

    #[test]
    fn objects_say_what_they_are_called() {
        for (json, name) in [
            (
                r#"{"metadata": {"name": "a", "namespace": "b"}} behind"#,
                Some("b/a"),
            ),
            (
                r#"{"metadata": {"name": "a", "namespace": 7}, "spec": 7}"#,
                Some("a"),
            ),
            (r#"{"metadata": {"name": ""}}"#, None),
            (r#"{"metadata": {"name": 7}}"#, None),
            (r#"{"metadata": null}"#, None),
            ("[]", None),
        ] {
            let found = object_name(json).map(|name| name.to_string());
            assert_eq!(found.as_deref(), name, "{json}");
        }
    }

    #[test]
    fn fields_of_older_versions_are_found_where_they_were() {
        let json =
            r#"{"requests":[{"count":1}],"devices":[{"basic":{"attributes":{"a":{"int":2}}}}]}"#;
        for (path, found) in [
            ("requests[0].exactly.count", "1}"),
            ("requests[0].exactly", "{\"count"),
            ("devices[0].attributes[a].int", "2}"),
        ] {
            assert!(json[offset(json, path)..].starts_with(found), "{path}");
        }
    }
}
