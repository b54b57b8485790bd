//! [`Text`]: one document of a file, with the places of its parts.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use dralloc::{Code, Error};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::position::{Lines, Position};
use super::source::Source;
use super::yaml::{self, Documents, Locator, Marks};
use super::{InputError, Origin, field};

/// Is one document of a file, JSON or YAML, or a part of it, as JSON text.
#[derive(Clone, Debug)]
pub(crate) struct Text {
    document: Arc<Document>,
    /// Where the text is in the JSON of the document.
    range: Range<usize>,
}

/// Is what the texts of one document share.
#[derive(Debug)]
struct Document {
    /// None where the file itself is JSON.
    json: Option<String>,
    marks: Marks,
    /// Which document of the file, from 1.
    number: usize,
    file: Arc<str>,
    /// The whole file.
    source: Arc<String>,
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
    let source = Arc::new(source.read()?);
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
        texts.push(Text::of_yaml(&file, &source, number, next));
    }
    let mut texts = texts.into_iter();
    match texts.next() {
        Some(first) => Ok((first, texts.collect())),
        None => Err(fault(1, 0, "expected a value".to_owned())),
    }
}

impl Text {
    /// Returns the text of a file that is JSON.
    pub(super) fn of_json(file: &Arc<str>, source: &Arc<String>) -> Self {
        Self::of(Document {
            json: None,
            marks: Marks::default(),
            number: 1,
            file: Arc::clone(file),
            source: Arc::clone(source),
        })
    }

    /// Returns the text of a document of a file that is YAML.
    pub(super) fn of_yaml(
        file: &Arc<str>,
        source: &Arc<String>,
        number: usize,
        document: yaml::Document,
    ) -> Self {
        Self::of(Document {
            json: Some(document.json),
            marks: document.marks,
            number,
            file: Arc::clone(file),
            source: Arc::clone(source),
        })
    }

    fn of(document: Document) -> Self {
        let range = 0..document.json().len();
        Self {
            document: Arc::new(document),
            range,
        }
    }

    /// Returns the text from an offset on; it may go on behind the value there.
    pub(super) fn from(&self, offset: usize) -> Self {
        let start = self.range.start + offset;
        Self {
            document: Arc::clone(&self.document),
            range: start.min(self.range.end)..self.range.end,
        }
    }

    /// Decodes the document; a field that is not known is an error.
    pub(crate) fn decode<T: DeserializeOwned>(&self) -> Result<T, InputError> {
        dralloc::wire::from_json_strict(self.json())
            .map_err(|fault| InputError::one(self.origin(fault.offset), fault.error))
    }

    /// Decodes what is of interest of the document; other fields are passed over.
    pub(crate) fn decode_part<T: DeserializeOwned>(&self) -> Result<T, InputError> {
        dralloc::wire::from_json(self.json())
            .map_err(|fault| InputError::one(self.origin(fault.offset), fault.error))
    }

    /// Returns the document as JSON.
    pub(crate) fn json(&self) -> &str {
        &self.document.json()[self.range.clone()]
    }

    /// Returns what is in a list, the `items` of the document.
    ///
    /// # Errors
    ///
    /// If there are none.
    pub(crate) fn items(&self) -> Result<Vec<Self>, InputError> {
        let list = serde_json::from_str::<List<'_>>(self.json());
        let items = list.ok().and_then(|list| list.items).ok_or_else(|| {
            let message = "expected a list of objects";
            self.fault(Error::new(Code::Malformed, message).at("items"))
        })?;
        let items = items.into_iter().map(|item| {
            let start = self.range.start + distance(self.json(), item.get());
            Self {
                document: Arc::clone(&self.document),
                range: start..start + item.get().len(),
            }
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
        self.origin(field::offset(self.json(), path))
    }

    /// Returns which places of a YAML text made the text.
    pub(super) fn marks(&self) -> &Marks {
        &self.document.marks
    }

    /// Returns a position in the document with the names of file and document.
    pub(super) fn origin_at(&self, position: Position) -> Origin {
        self.document.origin(position)
    }

    fn origin(&self, offset: usize) -> Origin {
        Places::default().origin(&self.document, self.range.start + offset)
    }
}

/// Finds where paths are, each in its text, in the order in which they are given.
///
/// It takes one walk over each document, however many paths there are.
pub(crate) fn places(wanted: &[(&Text, &str)]) -> Vec<Origin> {
    let found = wanted.iter().map(|(text, path)| {
        let offset = text.range.start + field::offset(text.json(), path);
        (&text.document, offset)
    });
    let found: Vec<(&Arc<Document>, usize)> = found.collect();
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|place| {
        let (document, offset) = found[*place];
        (&document.file, document.number, offset)
    });
    let mut places = Places::default();
    let mut origins = vec![None; found.len()];
    for place in order {
        let (document, offset) = found[place];
        origins[place] = Some(places.origin(document, offset));
    }
    origins.into_iter().flatten().collect()
}

/// Finds places in documents, cheaply if asked for in ascending order.
#[derive(Debug, Default)]
struct Places<'t> {
    last: Option<(&'t Arc<Document>, Locator<'t>, Lines<'t>)>,
}

impl<'t> Places<'t> {
    fn origin(&mut self, document: &'t Arc<Document>, offset: usize) -> Origin {
        let kept = self.last.take();
        let kept = kept.filter(|(last, ..)| Arc::ptr_eq(last, document));
        let (_, locator, lines) = self.last.insert(kept.unwrap_or_else(|| {
            let locator = Locator::new(&document.marks);
            (document, locator, Lines::new(document.source.as_bytes()))
        }));
        let offset = match &document.json {
            Some(_) => locator.yaml(offset),
            None => offset,
        };
        document.origin(lines.position(offset))
    }
}

impl Document {
    fn json(&self) -> &str {
        self.json.as_deref().unwrap_or(&self.source)
    }

    fn origin(&self, position: Position) -> Origin {
        Origin {
            file: Arc::clone(&self.file),
            document: self.number,
            position: Some(position),
        }
    }
}

/// Returns where in a text a part is that is borrowed from it.
pub(super) fn distance(text: &str, part: &str) -> usize {
    part.as_ptr().addr().saturating_sub(text.as_ptr().addr())
}

#[cfg(test)]
mod tests {
    use super::*;

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
