//! Reading objects from files, directories and standard input, as YAML or JSON.
//!
//! An error never hides another: reading goes on to the next object, document
//! and file, and fails as a whole in the end.

mod fault;
mod field;
mod json_lines;
mod position;
mod printed;
mod source;
mod start;
mod text;
mod yaml;

#[cfg(test)]
pub(crate) mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use dralloc::wire::{Decoded, Decoder, Fault, Object, Warning};
use dralloc::{Code, Error};

use crate::progress::Progress;
pub(crate) use fault::{FaultyObject, InputError, InputFault};
pub(crate) use json_lines::{answer, line, lines};
use position::Lines;
pub(crate) use position::Position;
pub(crate) use printed::Printed;
pub(crate) use source::Source;
pub(crate) use start::Start;
pub(crate) use text::{Text, places, texts};
pub(crate) use yaml::is_plain_text;
use yaml::{Documents, Locator};

/// So many faults are listed before reading stops, where it is about something else.
pub(crate) const FEW_FAULTS: usize = 20;

/// Is where something was read; prints as `file:line:column`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The file as it was named, or `<stdin>`.
    pub(crate) file: Arc<str>,
    /// Which document of the file, from 1.
    pub(crate) document: usize,
    /// Line and column; none for the file as a whole.
    pub(crate) position: Option<Position>,
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.file)?;
        if let Some(Position { line, column }) = self.position {
            write!(formatter, ":{line}:{column}")?;
        }
        if self.document > 1 {
            write!(formatter, " (document {})", self.document)?;
        }
        Ok(())
    }
}

/// Is an object that was read.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// The object; never [`Object::Ignored`].
    pub(crate) object: Object,
    /// What is to be said about it, each with its place.
    pub(crate) warnings: Vec<(Origin, Warning)>,
    /// Where it starts.
    pub(crate) origin: Start,
}

/// Says what was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    /// How many objects were handed over.
    pub(crate) objects: usize,
    /// How many objects were passed over, by `apiVersion` and `kind`.
    pub(crate) ignored: BTreeMap<(String, String), usize>,
}

/// Reads all objects of sources: files (`-` is standard input) and directories (their
/// `.json`, `.yaml` and `.yml` files by name, not those of directories in them), as
/// [`Source::list`] makes them, and what programs printed.
///
/// Objects are handed over in the order of the input. An unknown field is a
/// warning, or an error if `is_strict`.
///
/// # Errors
///
/// All faults of the input together, up to `most_faults`; objects without fault have
/// been handed over nevertheless. An error of the sink ends the reading.
pub(crate) fn read(
    sources: Vec<Source>,
    is_strict: bool,
    most_faults: usize,
    sink: &mut dyn FnMut(Item) -> Result<(), InputError>,
) -> Result<Summary, InputError> {
    let mut reader = Reader {
        decoder: Decoder::new().strict(is_strict),
        summary: Summary::default(),
        faults: Vec::new(),
        most_faults,
        stopped: None,
        sink,
    };
    for source in sources {
        let (file, is_named_json) = (source.name(), source.is_json());
        match source.read() {
            Ok(text) => {
                let text = Arc::new(text);
                let may_be_json = if is_named_json {
                    !text.trim().is_empty()
                } else {
                    text.trim_start().starts_with('{')
                };
                let found = may_be_json.then(|| reader.found(&text));
                // YAML may start with a bracket, too, and is never JSON without fault.
                let found = found.filter(|found| {
                    is_named_json || found.iter().all(Result::is_ok) || is_json_stream(&text)
                });
                // That reading has to stop is noted in the reader.
                let _ = match found {
                    Some(found) => reader.json(&file, &text, found),
                    None => reader.yaml(&file, &text),
                };
            }
            Err(error) => reader.faults.extend_from_slice(error.faults()),
        }
        if let Some(error) = reader.stopped {
            return Err(error);
        }
        if reader.faults.len() >= most_faults {
            return Err(InputError::new(reader.faults, false));
        }
    }
    if reader.faults.is_empty() {
        Ok(reader.summary)
    } else {
        Err(InputError::new(reader.faults, true))
    }
}

/// Reads the one value that a file (`-` is standard input) has, in JSON or YAML.
///
/// # Errors
///
/// If there is no value or more than one, or it is not of that form, also by a
/// field that is not known.
pub(crate) fn read_value<T: serde::de::DeserializeOwned>(path: &Path) -> Result<T, InputError> {
    let (first, rest) = texts(path)?;
    match rest.first() {
        None => first.decode(),
        Some(second) => {
            let error = Error::new(Code::Malformed, "expected one document, found more");
            Err(second.fault(error))
        }
    }
}

/// Returns whether a text is JSON.
fn is_json_stream(text: &str) -> bool {
    let values = serde_json::Deserializer::from_str(text).into_iter::<serde::de::IgnoredAny>();
    values.into_iter().all(|value| value.is_ok())
}

struct Reader<'s> {
    decoder: Decoder,
    summary: Summary,
    faults: Vec<InputFault>,
    most_faults: usize,
    /// Set if the sink wants no more.
    stopped: Option<InputError>,
    sink: &'s mut dyn FnMut(Item) -> Result<(), InputError>,
}

/// Finds the place of an offset in the decoded text.
struct Place<'p> {
    text: &'p Text,
    locate: &'p mut dyn FnMut(usize) -> Position,
}

impl Place<'_> {
    fn at(&mut self, offset: usize) -> Origin {
        let position = (self.locate)(offset);
        self.text.origin_at(position)
    }
}

impl Reader<'_> {
    /// Decodes a text as JSON, up to so many faults as are told.
    fn found(&mut self, text: &str) -> Vec<Result<Decoded, Fault>> {
        let mut progress = Progress::new("reading", text.len());
        let (mut found, mut faults) = (Vec::new(), self.faults.len());
        // Why it ends early is the last fault.
        let most_faults = self.most_faults;
        let take = &mut |result: Result<Decoded, Fault>| {
            faults += usize::from(result.is_err());
            found.push(result);
            if faults < most_faults {
                Ok(())
            } else {
                Err(stop())
            }
        };
        let reach = &mut |offset| progress.reach(offset);
        let _ = self.decoder.decode_watched(text, take, reach);
        progress.finish();
        found
    }

    /// Takes what was found in a text.
    fn json(
        &mut self,
        file: &Arc<str>,
        source: &Arc<String>,
        found: Vec<Result<Decoded, Fault>>,
    ) -> Result<(), Error> {
        let text = &Text::of_json(file, source);
        let mut lines = Lines::new(source.as_bytes());
        let locate = &mut |offset| lines.position(offset);
        let mut place = Place { text, locate };
        let mut found = found.into_iter();
        found.try_for_each(|result| self.accept(result, &mut place))
    }

    fn yaml(&mut self, file: &Arc<str>, source: &Arc<String>) -> Result<(), Error> {
        let mut documents = Documents::new(source);
        let mut lines = Lines::new(source.as_bytes());
        let mut document = 0;
        while let Some(next) = documents.next() {
            document += 1;
            match next {
                Ok(next) => {
                    let text = &Text::of_yaml(file, source, document, next);
                    let mut locator = Locator::new(text.marks());
                    let locate = &mut |offset| lines.position(locator.yaml(offset));
                    self.decode(&mut Place { text, locate })?;
                }
                Err(error) => {
                    let position = Some(lines.position(error.offset));
                    let origin = Origin {
                        file: Arc::clone(file),
                        document,
                        position,
                    };
                    self.fault(InputFault {
                        origin,
                        object: None,
                        error: Error::new(Code::Malformed, error.message),
                        warnings: Vec::new(),
                    })?;
                }
            }
        }
        Ok(())
    }

    fn decode(&mut self, place: &mut Place<'_>) -> Result<(), Error> {
        let mut decoder = std::mem::take(&mut self.decoder);
        let json = place.text.json();
        let result = decoder.decode_each(json, &mut |result| self.accept(result, place));
        self.decoder = decoder;
        result
    }

    fn accept(
        &mut self,
        result: Result<Decoded, Fault>,
        place: &mut Place<'_>,
    ) -> Result<(), Error> {
        let decoded = match result {
            Ok(decoded) => decoded,
            Err(fault) => {
                let origin = place.at(fault.offset);
                let object = fault.object.and_then(|object| {
                    let kind = object.kind;
                    let name = field::object_name(&place.text.json()[object.offset..])?;
                    Some(FaultyObject { kind, name })
                });
                let error = match &object {
                    Some(_) => within_object(&fault.error),
                    None => fault.error,
                };
                let warnings = fault.warnings.into_iter();
                let warnings = warnings.map(|warning| (place.at(warning.offset), warning));
                return self.fault(InputFault {
                    origin,
                    object,
                    error,
                    warnings: warnings.collect(),
                });
            }
        };
        let Decoded {
            object,
            offset,
            warnings,
            ..
        } = decoded;
        if let Object::Ignored { api_version, kind } = object {
            *self
                .summary
                .ignored
                .entry((api_version.to_string(), kind.to_string()))
                .or_default() += 1;
            return Ok(());
        }
        self.summary.objects += 1;
        let origin = Start::new(place.at(offset), place.text.from(offset));
        let warnings = warnings
            .into_iter()
            .map(|warning| (place.at(warning.offset), warning))
            .collect();
        (self.sink)(Item {
            object,
            warnings,
            origin,
        })
        .map_err(|error| {
            self.stopped = Some(error);
            stop()
        })
    }

    fn fault(&mut self, fault: InputFault) -> Result<(), Error> {
        self.faults.push(fault);
        if self.faults.len() < self.most_faults {
            Ok(())
        } else {
            Err(stop())
        }
    }
}

/// Returns an error with a path that starts in its object.
fn within_object(error: &Error) -> Error {
    Error::new(error.code(), error.message()).at(path_within_object(error.path()))
}

/// Returns a path without what leads to the object in lists.
pub(crate) fn path_within_object(path: &str) -> &str {
    let mut path = path;
    while let Some(rest) = path.strip_prefix("items[") {
        match rest.split_once("].") {
            Some((number, rest)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
                path = rest;
            }
            _ => break,
        }
    }
    path
}

/// Ends the reading; why is noted in the reader.
fn stop() -> Error {
    Error::new(Code::Internal, "reading has stopped")
}
