//! [`Text`]: one document of a file, with the places of its parts.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use dralloc::{Code, Error};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::position::Lines;
use super::source::Source;
use super::yaml::{Documents, Locator, Marks};
use super::{InputError, Origin};

/// Is one document of a file, JSON or YAML, as JSON text.
#[derive(Debug)]
pub(crate) struct Text {
    json: String,
    marks: Arc<Marks>,
    /// Where the text starts in the document.
    start: usize,
    /// Which document of the file, from 1.
    number: usize,
    file: Arc<str>,
    /// The whole file.
    source: Arc<str>,
}

/// Is a list of objects, as `kubectl` prints them.
#[derive(Debug, Deserialize)]
struct List<'t> {
    #[serde(borrow)]
    items: Option<Vec<&'t RawValue>>,
}

/// Reads the documents of a file (`-` is standard input), the first and the others.
///
/// # Errors
///
/// If the file cannot be read, a document is no YAML, or there is none.
pub(crate) fn texts(path: &Path) -> Result<(Text, Vec<Text>), InputError> {
    let source = Source::of(path);
    let file = source.name();
    let source: Arc<str> = source.read()?.into();
    let fault = |number, offset, message: String| {
        let origin = Origin {
            file: Arc::clone(&file),
            document: number,
            position: Some(Lines::new(source.as_bytes()).position(offset)),
        };
        InputError::one(origin, Error::new(Code::Malformed, message))
    };
    let mut documents = Documents::new(&source);
    let mut texts = Vec::new();
    while let Some(next) = documents.next() {
        let number = texts.len() + 1;
        let next = next.map_err(|error| fault(number, error.offset, error.message))?;
        texts.push(Text {
            json: next.json,
            marks: Arc::new(next.marks),
            start: 0,
            number,
            file: Arc::clone(&file),
            source: Arc::clone(&source),
        });
    }
    let mut texts = texts.into_iter();
    match texts.next() {
        Some(first) => Ok((first, texts.collect())),
        None => Err(fault(1, 0, "expected a value".to_owned())),
    }
}

impl Text {
    /// Decodes the document; a field that is not known is an error.
    pub(crate) fn decode<T: DeserializeOwned>(&self) -> Result<T, InputError> {
        dralloc::wire::from_json_strict(&self.json)
            .map_err(|fault| InputError::one(self.origin(fault.offset), fault.error))
    }

    /// Decodes what is of interest of the document; other fields are passed over.
    pub(crate) fn decode_part<T: DeserializeOwned>(&self) -> Result<T, InputError> {
        dralloc::wire::from_json(&self.json)
            .map_err(|fault| InputError::one(self.origin(fault.offset), fault.error))
    }

    /// Returns the document as JSON.
    pub(crate) fn json(&self) -> &str {
        &self.json
    }

    /// Returns what is in a list, the `items` of the document.
    ///
    /// # Errors
    ///
    /// If there are none.
    pub(crate) fn items(&self) -> Result<Vec<Self>, InputError> {
        let list = serde_json::from_str::<List<'_>>(&self.json);
        let items = list.ok().and_then(|list| list.items).ok_or_else(|| {
            let message = "expected a list of objects";
            self.fault(Error::new(Code::Malformed, message).at("items"))
        })?;
        let items = items.into_iter().map(|item| Self {
            json: item.get().to_owned(),
            marks: Arc::clone(&self.marks),
            start: self.start + distance(&self.json, item.get()),
            number: self.number,
            file: Arc::clone(&self.file),
            source: Arc::clone(&self.source),
        });
        Ok(items.collect())
    }

    /// Returns an error of the document with the place of its path, as far as that is
    /// there.
    pub(crate) fn fault(&self, error: Error) -> InputError {
        InputError::one(self.place(error.path()), error)
    }

    /// Returns where a path such as `spec.links[3].b` is, or what is there of it.
    pub(crate) fn place(&self, path: &str) -> Origin {
        self.origin(offset(&self.json, path))
    }

    fn origin(&self, offset: usize) -> Origin {
        let offset = Locator::new(&self.marks).yaml(self.start + offset);
        Origin {
            file: Arc::clone(&self.file),
            document: self.number,
            position: Some(Lines::new(self.source.as_bytes()).position(offset)),
        }
    }
}

/// Returns the offset of the part of a JSON text that a path leads to.
fn offset(json: &str, path: &str) -> usize {
    let mut part = json;
    let steps = path.split(['.', '[']).filter(|step| !step.is_empty());
    for step in steps {
        let next = if let Some(Ok(place)) = step.strip_suffix(']').map(str::parse::<usize>) {
            let items = serde_json::from_str::<Vec<&RawValue>>(part);
            items.ok().and_then(|items| items.get(place).copied())
        } else {
            let fields = serde_json::from_str::<BTreeMap<String, &RawValue>>(part);
            fields.ok().and_then(|fields| fields.get(step).copied())
        };
        match next {
            Some(next) => part = next.get(),
            None => break,
        }
    }
    distance(json, part)
}

/// Returns where in a text a part is that is borrowed from it.
fn distance(text: &str, part: &str) -> usize {
    part.as_ptr().addr().saturating_sub(text.as_ptr().addr())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_parts() {
        let json = r#"{"a":[1,{"b.c":2,"d":3}],"e":{}}"#;
        for (path, offset_of) in [
            ("", 0),
            ("a", 5),
            ("a[0]", 6),
            ("a[1].d", 21),
            ("a[1].missing", 8),
            ("a[7]", 5),
            ("e", 29),
        ] {
            assert_eq!(offset(json, path), offset_of, "{path}");
        }
    }

    #[test]
    fn items_keep_their_places() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("list.yaml");
        std::fs::write(&file, "kind: List\nitems:\n- {a: é}\n- b:\n    c: 1\n").unwrap();
        let (list, _) = texts(&file).unwrap();
        let items = list.items().unwrap();
        let places = [items[0].place("a"), items[1].place("b.c")];
        let places = places.map(|place| place.position.map(|at| (at.line, at.column)));
        assert_eq!(places, [Some((3, 7)), Some((5, 8))]);
        assert_eq!(items[1].json(), r#"{"b":{"c":1}}"#);
        let error = items[0].items().unwrap_err().to_string();
        assert!(
            error.ends_with(":3:3: items: expected a list of objects"),
            "{error}"
        );
    }
}
