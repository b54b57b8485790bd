//! Objects of Python as JSON text, which is what everything is read from.

use std::cell::RefCell;

use dralloc::{Code, Error};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use serde::ser::{Error as _, SerializeMap as _, SerializeSeq as _};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::failure::Failure;
use crate::package::Item;

/// Makes dicts, lists, texts and numbers of anything else.
static PLAIN: Item = Item::new("dralloc._plain", "plain");

/// Makes digits of a whole number, whatever its class thinks they are.
static DIGITS: Item = Item::new("dralloc._plain", "digits");

/// No object of Kubernetes is nested as deep; what contains itself is.
const DEPTH: usize = 128;

/// Texts of Python may have halves of characters.
const HALF: &str = "a text with half a character, expected one that is UTF-8";

/// As long as a claim usually is.
const USUAL: usize = 512;

/// Is what an object that does not say it is an object of.
#[derive(Clone, Copy)]
pub(crate) struct Kind<'a> {
    pub(crate) api_version: &'a str,
    pub(crate) kind: &'a str,
}

/// Returns the text of objects, one after the other; each is JSON text already, or
/// an object, or a list of objects.
pub(crate) fn objects(
    objects: &Bound<'_, PyTuple>,
    kind: Option<Kind<'_>>,
) -> Result<String, Failure> {
    let mut text = Vec::with_capacity(USUAL);
    for (place, object) in objects.iter().enumerate() {
        let add = |text: &mut Vec<u8>, object: &Bound<'_, PyAny>, path: &str| {
            add(text, object, kind).map_err(|failure| under(failure, path))
        };
        // A single object is the whole: nothing needs to be said of its place.
        let path = match objects.len() {
            1 => String::new(),
            _ => format!("[{place}]"),
        };
        match many(&object)? {
            Some(list) => {
                for (place, object) in list.try_iter()?.enumerate() {
                    add(&mut text, &object?, &format!("{path}[{place}]"))?;
                }
            }
            None => add(&mut text, &object, &path)?,
        }
    }
    utf8(text)
}

/// Returns the text of one value, which is JSON text already or becomes it.
pub(crate) fn value(value: &Bound<'_, PyAny>) -> Result<String, Failure> {
    let mut text = Vec::with_capacity(USUAL);
    add(&mut text, value, None)?;
    utf8(text)
}

/// Returns what an argument is a list of, if it is one.
fn many<'py>(objects: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let is =
        |one: &Bound<'_, PyAny>| one.is_instance_of::<PyList>() || one.is_instance_of::<PyTuple>();
    if is(objects) {
        return Ok(Some(objects.clone()));
    }
    if objects.is_instance_of::<PyDict>()
        || objects.is_instance_of::<PyString>()
        || objects.is_instance_of::<PyBytes>()
    {
        return Ok(None);
    }
    let plain = PLAIN.get(objects.py())?.call1((objects,))?;
    Ok(is(&plain).then_some(plain))
}

fn utf8(text: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(text).map_err(|_| malformed("the text is not UTF-8, expected JSON", ""))
}

fn malformed(message: &str, path: &str) -> Failure {
    Error::new(Code::Malformed, message).at(path).into()
}

pub(crate) fn under(failure: Failure, path: &str) -> Failure {
    match failure {
        Failure::Error { code, error } => Failure::Error {
            code,
            error: Box::new(error.under(path)),
        },
        other => other,
    }
}

fn add(
    text: &mut Vec<u8>,
    object: &Bound<'_, PyAny>,
    kind: Option<Kind<'_>>,
) -> Result<(), Failure> {
    if let Ok(json) = object.cast::<PyString>() {
        let json = json.to_str().map_err(|_| malformed(HALF, ""))?;
        text.extend_from_slice(json.as_bytes());
    } else if let Ok(json) = object.cast::<PyBytes>() {
        text.extend_from_slice(json.as_bytes());
    } else {
        write(text, object, kind)?;
    }
    text.push(b'\n');
    Ok(())
}

/// Writes a value as JSON.
fn write(
    text: &mut Vec<u8>,
    object: &Bound<'_, PyAny>,
    kind: Option<Kind<'_>>,
) -> Result<(), Failure> {
    if object.is_none() {
        // A variable that was forgotten must not be a list of nothing.
        let message = "`None`, expected an object of Kubernetes";
        return Err(malformed(message, ""));
    }
    let fault = RefCell::new(Fault::default());
    let plain = plain_object(object)?;
    let form = Form {
        value: plain.as_ref().unwrap_or(object),
        kind,
        depth: 0,
        fault: &fault,
    };
    let written = serde_json::to_writer(text, &form);
    let Err(error) = written else { return Ok(()) };
    let Fault { path, raised } = fault.into_inner();
    if let Some(raised) = raised {
        // What the object itself raises is not ours.
        return Err(raised.into());
    }
    let path: String = path.into_iter().rev().collect();
    let message = error.to_string();
    Err(malformed(&message, path.trim_start_matches('.')))
}

/// Returns an object in Kubernetes' spelling if it is a dict in that of Python's
/// client.
fn plain_object<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = object.py();
    match object.cast::<PyDict>() {
        Ok(object) if object.contains(intern!(py, "api_version"))? => {
            Ok(Some(PLAIN.get(py)?.call1((object,))?))
        }
        _ => Ok(None),
    }
}

/// Is where a value cannot be written.
#[derive(Default)]
struct Fault {
    /// From the inside out.
    path: Vec<String>,
    raised: Option<PyErr>,
}

/// Is a value on its way to JSON.
#[derive(Clone, Copy)]
struct Form<'a, 'py> {
    value: &'a Bound<'py, PyAny>,
    kind: Option<Kind<'a>>,
    depth: usize,
    fault: &'a RefCell<Fault>,
}

impl<'py> Form<'_, 'py> {
    fn inner<'b>(&'b self, value: &'b Bound<'py, PyAny>) -> Form<'b, 'py> {
        Form {
            value,
            kind: None,
            depth: self.depth + 1,
            fault: self.fault,
        }
    }

    /// Notes in which part of the value the fault is.
    fn within<T, E>(&self, result: Result<T, E>, part: impl FnOnce() -> String) -> Result<T, E> {
        if result.is_err() {
            self.fault.borrow_mut().path.push(part());
        }
        result
    }

    /// Notes what Python raised.
    fn raised<T, E: serde::ser::Error>(&self, result: PyResult<T>) -> Result<T, E> {
        result.map_err(|raised| {
            let error = E::custom(&raised);
            self.fault.borrow_mut().raised = Some(raised);
            error
        })
    }

    fn dict<S: Serializer>(&self, dict: &Bound<'py, PyDict>, to: S) -> Result<S::Ok, S::Error> {
        let py = dict.py();
        let mut says_kind = true;
        if self.kind.is_some() {
            let kind = self.raised(dict.get_item(intern!(py, "kind")))?;
            says_kind = kind.is_some_and(|kind| !kind.is_none());
        }
        let mut map = to.serialize_map(None)?;
        if let (Some(kind), false) = (self.kind, says_kind) {
            map.serialize_entry("apiVersion", kind.api_version)?;
            map.serialize_entry("kind", kind.kind)?;
        }
        let (length, mut items) = (dict.len(), dict.iter());
        for _ in 0..length {
            // What Python does for a value may change the dict, which would be a panic.
            if dict.len() != length {
                let message = "a dict that changes while it is read, expected one that does not";
                return Err(S::Error::custom(message));
            }
            let Some((key, value)) = items.next() else {
                break;
            };
            let Ok(key) = key.cast::<PyString>() else {
                return Err(S::Error::custom(format!(
                    "a key of type `{}`, expected a text",
                    type_name(&key)
                )));
            };
            let key = key.to_str().map_err(|_| S::Error::custom(HALF))?;
            if !says_kind && (key == "kind" || key == "apiVersion") {
                continue;
            }
            let written = map.serialize_entry(key, &self.inner(&value));
            self.within(written, || format!(".{key}"))?;
        }
        map.end()
    }

    fn list<S: Serializer>(
        &self,
        items: impl Iterator<Item = Bound<'py, PyAny>>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let mut list = to.serialize_seq(None)?;
        for (place, item) in items.enumerate() {
            let written = list.serialize_element(&self.inner(&item));
            self.within(written, || format!("[{place}]"))?;
        }
        list.end()
    }

    fn number<S: Serializer>(number: &Bound<'py, PyInt>, to: S) -> Result<S::Ok, S::Error> {
        if let Ok(number) = number.extract::<i64>() {
            return number.serialize(to);
        }
        // Digits beyond that are for the reader to judge.
        let digits = DIGITS
            .get(number.py())
            .and_then(|digits| digits.call1((number,))?.extract::<String>());
        let Ok(digits) = digits else {
            let message = "more digits than Python writes, expected a number of Kubernetes";
            return Err(S::Error::custom(message));
        };
        let digits = RawValue::from_string(digits).map_err(S::Error::custom)?;
        digits.serialize(to)
    }
}

impl Serialize for Form<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let value = self.value;
        if self.depth > DEPTH {
            let message = format!("nested deeper than {DEPTH}, expected an object of Kubernetes");
            return Err(S::Error::custom(message));
        }
        if let Ok(text) = value.cast::<PyString>() {
            let text = text.to_str().map_err(|_| S::Error::custom(HALF))?;
            text.serialize(to)
        } else if let Ok(dict) = value.cast::<PyDict>() {
            self.dict(dict, to)
        } else if let Ok(list) = value.cast::<PyList>() {
            self.list(list.iter(), to)
        } else if value.is_none() {
            to.serialize_unit()
        } else if let Ok(truth) = value.cast::<PyBool>() {
            truth.is_true().serialize(to)
        } else if let Ok(number) = value.cast::<PyInt>() {
            Self::number(number, to)
        } else if let Ok(number) = value.cast::<PyFloat>() {
            let number = number.value();
            if !number.is_finite() {
                let message = format!("`{number}`, expected a number that has digits");
                return Err(S::Error::custom(message));
            }
            number.serialize(to)
        } else if let Ok(tuple) = value.cast::<PyTuple>() {
            self.list(tuple.iter(), to)
        } else {
            let plain = PLAIN
                .get(value.py())
                .and_then(|plain| plain.call1((value,)));
            let plain = self.raised(plain)?;
            if plain.is(value) {
                let message = format!(
                    "a value of type `{}`, expected an object of Kubernetes",
                    type_name(value)
                );
                return Err(S::Error::custom(message));
            }
            Form {
                value: &plain,
                depth: self.depth + 1,
                ..*self
            }
            .serialize(to)
        }
    }
}

fn type_name(value: &Bound<'_, PyAny>) -> String {
    let name = value.get_type().qualname();
    name.map_or_else(|_| "unknown".to_owned(), |name| name.to_string())
}
