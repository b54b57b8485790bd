//! [`to_yaml`]: JSON text as YAML for people.

#[cfg(test)]
mod tests;

use std::fmt;

use dralloc::{Code, Error};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::input::is_plain_text;

/// Deeper values are written as JSON, which YAML reads as well.
const MAX_DEPTH: usize = 64;

/// Longer keys need YAML's explicit form.
const MAX_KEY: usize = 1000;

/// Writes JSON text as YAML in block style, as `kubectl` does.
///
/// Reading it gives the same JSON values: numbers keep their digits, text that
/// looks like something else gets quotes, and keys keep their order.
///
/// # Errors
///
/// [`Code::Internal`] if the text is no JSON.
pub(crate) fn to_yaml(json: &str) -> Result<String, Error> {
    let mut yaml = String::with_capacity(json.len() * 2);
    let value = parse::<&RawValue>(json)?;
    write_value(&mut yaml, value.get(), 0, Place::Root)?;
    Ok(yaml)
}

/// Is what a value follows on its line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Root,
    Key,
    Dash,
}

/// Is the entries of an object in the order of the text.
struct Entries<'t>(Vec<(String, &'t RawValue)>);

fn parse<'t, T: Deserialize<'t>>(json: &'t str) -> Result<T, Error> {
    serde_json::from_str(json).map_err(|error| Error::new(Code::Internal, error.to_string()))
}

/// Writes a value and the end of its last line.
///
/// `depth` counts the levels around it; each indents what is in it by two.
fn write_value(yaml: &mut String, json: &str, depth: usize, place: Place) -> Result<(), Error> {
    let is_block = depth < MAX_DEPTH;
    match json.as_bytes().first() {
        Some(b'{') if is_block => {
            let Entries(entries) = parse(json)?;
            if entries.is_empty() {
                return write_line(yaml, "{}", place);
            }
            write_entries(yaml, &entries, depth, place)
        }
        Some(b'[') if is_block => {
            let items: Vec<&RawValue> = parse(json)?;
            if items.is_empty() {
                return write_line(yaml, "[]", place);
            }
            write_items(yaml, &items, depth, place)
        }
        Some(b'"') => write_text(yaml, &parse::<String>(json)?, depth, place),
        _ => write_line(yaml, json, place),
    }
}

/// Writes a value that needs no lines of its own.
#[expect(
    clippy::unnecessary_wraps,
    reason = "ends the branches of `write_value`"
)]
fn write_line(yaml: &mut String, text: &str, place: Place) -> Result<(), Error> {
    if place != Place::Root {
        yaml.push(' ');
    }
    // JSON may have line breaks between its tokens, never in them.
    yaml.extend(text.chars().map(|next| {
        if next == '\n' || next == '\r' {
            ' '
        } else {
            next
        }
    }));
    yaml.push('\n');
    Ok(())
}

fn write_entries(
    yaml: &mut String,
    entries: &[(String, &RawValue)],
    depth: usize,
    place: Place,
) -> Result<(), Error> {
    let mut is_on_line = place == Place::Dash;
    if place == Place::Key {
        yaml.push('\n');
    }
    for (key, value) in entries {
        if std::mem::replace(&mut is_on_line, false) {
            yaml.push(' ');
        } else {
            indent(yaml, depth);
        }
        if key.len() > MAX_KEY {
            yaml.push_str("? ");
            yaml.push_str(&quoted(key));
            yaml.push('\n');
            indent(yaml, depth);
        } else if is_plain_text(key) {
            yaml.push_str(key);
        } else {
            yaml.push_str(&quoted(key));
        }
        yaml.push(':');
        // A list stands under its key without more indentation.
        let inner = if value.get().starts_with('[') {
            depth
        } else {
            depth + 1
        };
        write_value(yaml, value.get(), inner, Place::Key)?;
    }
    Ok(())
}

fn write_items(
    yaml: &mut String,
    items: &[&RawValue],
    depth: usize,
    place: Place,
) -> Result<(), Error> {
    let mut is_on_line = place == Place::Dash;
    if place == Place::Key {
        yaml.push('\n');
    }
    for item in items {
        if std::mem::replace(&mut is_on_line, false) {
            yaml.push(' ');
        } else {
            indent(yaml, depth);
        }
        yaml.push('-');
        write_value(yaml, item.get(), depth + 1, Place::Dash)?;
    }
    Ok(())
}

fn write_text(yaml: &mut String, text: &str, depth: usize, place: Place) -> Result<(), Error> {
    if is_plain_text(text) {
        return write_line(yaml, text, place);
    }
    if place != Place::Key || !is_block_text(text) {
        return write_line(yaml, &quoted(text), place);
    }
    let chomping = match text.strip_suffix('\n') {
        None => "|-",
        Some(rest) if rest.ends_with('\n') => "|+",
        Some(_) => "|",
    };
    write_line(yaml, chomping, place)?;
    for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
        if !line.is_empty() {
            indent(yaml, depth);
        }
        yaml.push_str(line);
        yaml.push('\n');
    }
    Ok(())
}

fn indent(yaml: &mut String, depth: usize) {
    yaml.extend(std::iter::repeat_n("  ", depth));
}

/// Returns whether a text reads well, and the same, as a literal block.
fn is_block_text(text: &str) -> bool {
    let mut lines = text.split('\n');
    let first = lines.next().unwrap_or_default();
    !first.is_empty()
        && !first.starts_with(' ')
        && text.contains('\n')
        && text.chars().all(|next| next == '\n' || is_printable(next))
        && lines.all(|line| line.is_empty() || !line.trim().is_empty())
}

/// Returns whether a character can stand in YAML without an escape.
fn is_printable(character: char) -> bool {
    !character.is_control() && !matches!(character, '\u{2028}' | '\u{2029}' | '\u{feff}')
}

/// Writes a text in double quotes.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            _ if is_printable(character) => quoted.push(character),
            // Everything else has at most sixteen bits.
            _ => quoted.extend(format!("\\u{:04x}", u32::from(character)).chars()),
        }
    }
    quoted.push('"');
    quoted
}

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EntriesVisitor;

        impl<'de> Visitor<'de> for EntriesVisitor {
            type Value = Entries<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = access.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(EntriesVisitor)
    }
}
