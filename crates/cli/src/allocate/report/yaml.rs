//! YAML from JSON, with every number as it is written there.

use std::fmt::{self, Write as _};

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::input::is_plain_text;

/// Deeper values are written as JSON, which is YAML, too.
const DEPTH_MAX: usize = 64;

/// Returns a JSON text as a YAML document in block style.
pub(super) fn from_json(text: &str) -> serde_json::Result<String> {
    let mut output = String::new();
    match Value::open(text)? {
        Value::Scalar => writeln!(output, "{text}").unwrap_or_default(),
        value => write_block(&mut output, value, 0, false)?,
    }
    Ok(output)
}

/// Is a JSON value, opened one level deep.
enum Value<'a> {
    Object(Vec<(String, &'a RawValue)>),
    Array(Vec<&'a RawValue>),
    /// Not read at all: a number may be larger than any type.
    Scalar,
}

impl<'a> Value<'a> {
    fn open(text: &'a str) -> serde_json::Result<Self> {
        if text.starts_with(['{', '[']) { serde_json::from_str(text) } else { Ok(Self::Scalar) }
    }
}

/// Writes the lines of an object or array; the first line may follow a dash.
fn write_block(
    output: &mut String,
    value: Value<'_>,
    depth: usize,
    follows_dash: bool,
) -> serde_json::Result<()> {
    let indent = |output: &mut String, first: bool| {
        if !(first && follows_dash) {
            output.extend(std::iter::repeat_n("  ", depth));
        }
    };
    match value {
        Value::Object(entries) => {
            for (place, (key, value)) in entries.into_iter().enumerate() {
                indent(output, place == 0);
                write_text(output, &key)?;
                output.push(':');
                write_value(output, value, depth, false)?;
            }
        }
        Value::Array(items) => {
            for (place, item) in items.into_iter().enumerate() {
                indent(output, place == 0);
                output.push('-');
                write_value(output, item, depth, true)?;
            }
        }
        Value::Scalar => {}
    }
    Ok(())
}

/// Writes what comes after a key or a dash.
fn write_value(
    output: &mut String,
    raw: &RawValue,
    depth: usize,
    follows_dash: bool,
) -> serde_json::Result<()> {
    let text = raw.get();
    if depth >= DEPTH_MAX {
        writeln!(output, " {text}").unwrap_or_default();
        return Ok(());
    }
    match Value::open(text)? {
        Value::Object(entries) if entries.is_empty() => output.push_str(" {}\n"),
        Value::Array(items) if items.is_empty() => output.push_str(" []\n"),
        value @ (Value::Object(_) | Value::Array(_)) if follows_dash => {
            output.push(' ');
            write_block(output, value, depth + 1, true)?;
        }
        value @ Value::Object(_) => {
            output.push('\n');
            write_block(output, value, depth + 1, false)?;
        }
        // As `kubectl` does, the dashes of a list stand below its key.
        value @ Value::Array(_) => {
            output.push('\n');
            write_block(output, value, depth, false)?;
        }
        Value::Scalar => {
            output.push(' ');
            if text.starts_with('"') {
                write_text(output, &serde_json::from_str::<String>(text)?)?;
            } else {
                output.push_str(text);
            }
            output.push('\n');
        }
    }
    Ok(())
}

/// Writes a text plain where no reader can take it for something else, else
/// quoted as in JSON.
fn write_text(output: &mut String, text: &str) -> serde_json::Result<()> {
    if is_plain_text(text) {
        output.push_str(text);
    } else {
        output.push_str(&serde_json::to_string(text)?);
    }
    Ok(())
}

impl<'de> Deserialize<'de> for Value<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ValueVisitor)
    }
}

struct ValueVisitor;

impl<'de> Visitor<'de> for ValueVisitor {
    type Value = Value<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object or an array")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value<'de>, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = access.next_entry()? {
            entries.push(entry);
        }
        Ok(Value::Object(entries))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value<'de>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_and_lists_are_blocks() {
        let json = r#"{"a":{"b":[1,{"c":"d","e":[]},[2,3]]},"f":{},"g":[[]]}"#;
        let yaml = "a:\n  b:\n  - 1\n  - c: d\n    e: []\n  - - 2\n    - 3\nf: {}\ng:\n- []\n";
        assert_eq!(from_json(json).unwrap(), yaml);
    }

    #[test]
    fn texts_stay_texts() {
        let json = r#"{"a":"true","b":"1e3","c":"x y","d":"n/a-1.2_b","e":"Null","f":"a\nb","1":""}"#;
        let yaml = "a: \"true\"\nb: \"1e3\"\nc: x y\nd: n/a-1.2_b\ne: \"Null\"\nf: \"a\\nb\"\n\"1\": \"\"\n";
        assert_eq!(from_json(json).unwrap(), yaml);
    }

    #[test]
    fn numbers_stay_as_they_are_written() {
        let json = r#"{"a":123456789012345678901234567890,"b":1.10,"c":-0,"d":null,"e":1e999}"#;
        let yaml = "a: 123456789012345678901234567890\nb: 1.10\nc: -0\nd: null\ne: 1e999\n";
        assert_eq!(from_json(json).unwrap(), yaml);
    }

    #[test]
    fn depth_is_bounded() {
        let json = format!("{{\"a\":{}1{}}}", "[".repeat(10_000), "]".repeat(10_000));
        let yaml = from_json(&json).unwrap();
        assert!(yaml.starts_with("a:\n- - - "));
    }
}
