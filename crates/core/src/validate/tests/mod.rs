//! For each rule: a neighbour that is accepted, and an input that is refused
//! with exact path, code and message.
#![expect(
    clippy::too_many_lines,
    reason = "a table of rules is read from top to bottom"
)]

mod capacity;
mod defaults;
mod device;
mod device_class;
mod features;
mod hostile;
mod metadata;
mod names;
mod node_selector;
mod placement_policy;
mod pod;
mod resource_claim;
mod resource_claim_status;
mod resource_slice;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::Features;
use crate::error::{Code, Error};

/// Is one rule: what is accepted, what is refused, and how. Both objects are
/// the base with some places changed; `null` takes a place away.
type Row = (Value, Value, &'static str, Code, &'static str);

fn table<T: DeserializeOwned>(base: &Value, validate: fn(&T) -> Vec<Error>, rows: &[Row]) {
    assert_eq!(
        report(&validate(&object(base, &json!({})))),
        [] as [String; 0],
        "the base"
    );
    for (accepted, refused, path, code, message) in rows {
        assert_eq!(
            report(&validate(&object(base, accepted))),
            [] as [String; 0],
            "{accepted}"
        );
        let expected = format!("{path}: {code}: {message}");
        assert_eq!(
            report(&validate(&object(base, refused))),
            [expected],
            "{refused}"
        );
    }
}

fn report(errors: &[Error]) -> Vec<String> {
    let line = |error: &Error| format!("{}: {}: {}", error.path(), error.code(), error.message());
    errors.iter().map(line).collect()
}

/// Returns the base with changes: places such as `/spec/devices/0/name`.
fn object<T: DeserializeOwned>(base: &Value, changes: &Value) -> T {
    let mut object = base.clone();
    for (place, value) in changes.as_object().unwrap() {
        let (parent, last) = place.rsplit_once('/').unwrap();
        let last = last.replace("~1", "/");
        match object.pointer_mut(parent) {
            Some(Value::Object(fields)) if value.is_null() => {
                fields.remove(&last);
            }
            Some(Value::Object(fields)) => {
                fields.insert(last, value.clone());
            }
            Some(Value::Array(items)) if last == "-" => items.push(value.clone()),
            Some(Value::Array(items)) => items[last.parse::<usize>().unwrap()] = value.clone(),
            other => panic!("{parent} is {other:?}"),
        }
    }
    serde_json::from_value(object).unwrap()
}

/// Returns a list of items made from their places.
fn list(length: usize, item: impl Fn(usize) -> Value) -> Value {
    (0..length).map(item).collect()
}

/// Returns a map of entries made from their places.
fn map(length: usize, entry: impl Fn(usize) -> (String, Value)) -> Value {
    Value::Object((0..length).map(entry).collect())
}

fn all() -> Features {
    Features::all()
}
