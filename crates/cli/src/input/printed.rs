//! [`Printed`]: what a tool printed, in whatever form.

use std::path::Path;
use std::sync::Arc;

use dralloc::{Code, Error};

use super::position::{Lines, Position};
use super::source::Source;
use super::yaml::{Documents, Locator, Marks};
use super::{InputError, Origin};

/// Is a text that others read, with the places of YAML that became JSON.
#[derive(Debug)]
pub(crate) struct Printed {
    /// The file as it was named, or `<stdin>`.
    pub(crate) file: Arc<str>,
    /// What is there; of YAML the documents as JSON, one a line.
    pub(crate) bytes: Vec<u8>,
    /// The YAML, and where its documents have what.
    yaml: Option<(String, Vec<Marks>)>,
}

impl Printed {
    /// Reads a file (`-` is standard input) as it is.
    pub(crate) fn read(path: &Path) -> Result<Self, InputError> {
        let source = Source::of(path);
        Ok(Self {
            file: source.name(),
            bytes: source.bytes()?,
            yaml: None,
        })
    }

    /// Reads a file of JSON or YAML.
    pub(crate) fn read_objects(path: &Path) -> Result<Self, InputError> {
        let printed = Self::read(path)?;
        let is_json = |text: &str| text.trim_start().starts_with(['{', '[']);
        match std::str::from_utf8(&printed.bytes) {
            Ok(text) if !is_json(text.trim_start_matches('\u{feff}')) => {
                let text = text.to_owned();
                printed.with_yaml(text)
            }
            _ => Ok(printed),
        }
    }

    fn with_yaml(self, text: String) -> Result<Self, InputError> {
        let mut documents = Documents::new(&text);
        let (mut json, mut marks) = (String::new(), Vec::new());
        let mut number = 0;
        while let Some(next) = documents.next() {
            number += 1;
            let next = next.map_err(|error| {
                let origin = Origin {
                    file: Arc::clone(&self.file),
                    document: number,
                    position: Some(Lines::new(text.as_bytes()).position(error.offset)),
                };
                InputError::one(origin, Error::new(Code::Malformed, error.message))
            })?;
            if !matches!(&*next.json, "" | "null") {
                json.push_str(&next.json);
                json.push('\n');
                marks.push(next.marks);
            }
        }
        Ok(Self {
            bytes: json.into_bytes(),
            yaml: Some((text, marks)),
            ..self
        })
    }

    /// Returns the place in the file of a place in [`Printed::bytes`].
    pub(crate) fn position(&self, line: usize, column: usize) -> Position {
        let as_it_is = Position { line, column };
        let Some((text, marks)) = &self.yaml else {
            return as_it_is;
        };
        let json = String::from_utf8_lossy(&self.bytes);
        let line = line.saturating_sub(1);
        let (Some(json), Some(marks)) = (json.lines().nth(line), marks.get(line)) else {
            return as_it_is;
        };
        let offset = json.char_indices().nth(column.saturating_sub(1));
        let offset = offset.map_or(json.len(), |(offset, _)| offset);
        let offset = Locator::new(marks).yaml(offset);
        Lines::new(text.as_bytes()).position(offset)
    }
}
