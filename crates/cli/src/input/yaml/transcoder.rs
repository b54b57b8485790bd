//! [`Transcoder`]: from the events of one YAML document to JSON text.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use granit_parser::{Event, ScalarStyle};
use serde_json::value::RawValue;

use super::marks::Checkpoint;
use super::scalar::Scalar;
use super::{Document, Marks, YamlError, push_string};

/// So many bytes of JSON may come from aliases and merges in one document.
const MAX_EXPANSION: usize = 16 << 20;

#[derive(Default)]
pub(super) struct Transcoder {
    json: String,
    marks: Marks,
    frames: Vec<Frame>,
    /// The keys of all open mappings, as ranges of the JSON text.
    keys: Vec<Range<usize>>,
    anchors: BTreeMap<usize, Anchored>,
    expansion: usize,
}

/// Is the JSON text of an anchored node.
enum Anchored {
    There(Range<usize>),
    Kept(String),
}

/// Is an open list or mapping.
struct Frame {
    start: usize,
    anchor: usize,
    is_empty: bool,
    mapping: Option<Mapping>,
}

/// Is the state of an open mapping.
struct Mapping {
    /// How many keys of outer mappings come before those of this one.
    first_key: usize,
    has_key: bool,
    /// Set while the value of a merge key is read.
    merging: Option<Merging>,
    /// Values of merge keys, and where the keys are in the YAML text.
    merges: Vec<(String, usize)>,
}

/// Is what to return to after the value of a merge key.
struct Merging {
    /// Where the value starts in the JSON text.
    start: usize,
    marks: Checkpoint,
    /// The last anchor before it.
    anchor: usize,
    /// Where the key is in the YAML text.
    offset: usize,
}

fn error<T>(offset: usize, message: impl Into<String>) -> Result<T, YamlError> {
    Err(YamlError {
        message: message.into(),
        offset,
    })
}

impl Transcoder {
    pub(super) fn finish(self) -> Document {
        Document {
            json: self.json,
            marks: self.marks,
        }
    }

    pub(super) fn event(&mut self, event: Event<'_>, offset: usize) -> Result<(), YamlError> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let scalar = Scalar::of(&text, style, tag.as_deref())
                    .or_else(|message| error(offset, message))?;
                if scalar == Scalar::NotFinite && !self.wants_key() {
                    return error(offset, format!("`{text}`, expected a finite number"));
                }
                if self.wants_key() {
                    let is_merge = text == "<<" && style == ScalarStyle::Plain && tag.is_none();
                    return self.scalar_key(&text, &scalar, anchor, is_merge, offset);
                }
                self.before_value(offset);
                let start = self.json.len();
                self.push_scalar(&text, &scalar);
                self.set_anchor(anchor, start);
                self.after_value();
            }
            Event::Alias(anchor) => self.alias(anchor, offset)?,
            Event::SequenceStart(_, anchor, _) => self.open('[', anchor, offset)?,
            Event::MappingStart(_, anchor, _) => self.open('{', anchor, offset)?,
            Event::SequenceEnd | Event::MappingEnd => self.close(offset)?,
            _ => {}
        }
        Ok(())
    }

    fn wants_key(&self) -> bool {
        let mapping = self.frames.last().and_then(|frame| frame.mapping.as_ref());
        mapping.is_some_and(|mapping| !mapping.has_key)
    }

    fn push_scalar(&mut self, text: &str, scalar: &Scalar<'_>) {
        match scalar {
            Scalar::Null => self.json.push_str("null"),
            Scalar::Bool(value) => self.json.push_str(if *value { "true" } else { "false" }),
            Scalar::Number(number) => self.json.push_str(number),
            Scalar::Text | Scalar::NotFinite => push_string(&mut self.json, text),
        }
    }

    fn scalar_key(
        &mut self,
        text: &str,
        scalar: &Scalar<'_>,
        anchor: usize,
        is_merge: bool,
        offset: usize,
    ) -> Result<(), YamlError> {
        if is_merge {
            let merging = Merging {
                start: self.json.len(),
                marks: self.marks.checkpoint(),
                anchor: self
                    .anchors
                    .last_key_value()
                    .map_or(0, |(anchor, _)| *anchor),
                offset,
            };
            if let Some(mapping) = self
                .frames
                .last_mut()
                .and_then(|frame| frame.mapping.as_mut())
            {
                mapping.has_key = true;
                mapping.merging = Some(merging);
            }
            return Ok(());
        }
        let name = match scalar {
            Scalar::Null => return error(offset, "null as a key, expected a string"),
            Scalar::Bool(true) => "true",
            Scalar::Bool(false) => "false",
            Scalar::Number(number) => number,
            Scalar::Text | Scalar::NotFinite => text,
        };
        self.key(offset, |json| push_string(json, name));
        if anchor != 0 {
            let mut value = std::mem::take(&mut self.json);
            self.push_scalar(text, scalar);
            std::mem::swap(&mut value, &mut self.json);
            self.anchors.insert(anchor, Anchored::Kept(value));
        }
        Ok(())
    }

    /// Writes a key by a function that appends it as JSON text.
    fn key(&mut self, offset: usize, write: impl FnOnce(&mut String)) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        if !std::mem::replace(&mut frame.is_empty, false) {
            self.json.push(',');
        }
        if let Some(mapping) = &mut frame.mapping {
            mapping.has_key = true;
        }
        let start = self.json.len();
        self.marks.push(start, offset);
        write(&mut self.json);
        self.keys.push(start..self.json.len());
        self.json.push(':');
    }

    fn before_value(&mut self, offset: usize) {
        if let Some(frame) = self.frames.last_mut()
            && frame.mapping.is_none()
            && !std::mem::replace(&mut frame.is_empty, false)
        {
            self.json.push(',');
        }
        self.marks.push(self.json.len(), offset);
    }

    fn after_value(&mut self) {
        let Some(mapping) = self
            .frames
            .last_mut()
            .and_then(|frame| frame.mapping.as_mut())
        else {
            return;
        };
        mapping.has_key = false;
        let Some(merging) = mapping.merging.take() else {
            return;
        };
        let start = merging.start;
        let value = self.json.split_off(start);
        self.marks.restore(merging.marks);
        // What is anchored in the value goes with it.
        for (_, anchored) in self.anchors.range_mut(merging.anchor + 1..) {
            if let Anchored::There(range) = anchored {
                *anchored = Anchored::Kept(value[range.start - start..range.end - start].into());
            }
        }
        mapping.merges.push((value, merging.offset));
    }

    fn set_anchor(&mut self, anchor: usize, start: usize) {
        if anchor != 0 {
            self.anchors
                .insert(anchor, Anchored::There(start..self.json.len()));
        }
    }

    fn alias(&mut self, anchor: usize, offset: usize) -> Result<(), YamlError> {
        let text = match self.anchors.get(&anchor) {
            Some(Anchored::There(range)) => self.json[range.clone()].to_owned(),
            Some(Anchored::Kept(text)) => text.clone(),
            None => return error(offset, "alias inside of what it stands for"),
        };
        self.expand(text.len(), offset)?;
        if self.wants_key() {
            match text.as_bytes().first() {
                Some(b'"') => self.key(offset, |json| json.push_str(&text)),
                Some(b'{' | b'[' | b'n') | None => {
                    return error(offset, "alias as a key, expected one of a string");
                }
                Some(_) => self.key(offset, |json| push_string(json, &text)),
            }
            return Ok(());
        }
        self.before_value(offset);
        self.json.push_str(&text);
        self.after_value();
        Ok(())
    }

    fn expand(&mut self, length: usize, offset: usize) -> Result<(), YamlError> {
        self.expansion += length.max(1);
        if self.expansion <= MAX_EXPANSION {
            return Ok(());
        }
        error(
            offset,
            format!("aliases stand for more than {} MiB", MAX_EXPANSION >> 20),
        )
    }

    fn open(&mut self, bracket: char, anchor: usize, offset: usize) -> Result<(), YamlError> {
        if self.wants_key() {
            return error(offset, "list or mapping as a key, expected a string");
        }
        self.before_value(offset);
        let mapping = (bracket == '{').then(|| Mapping {
            first_key: self.keys.len(),
            has_key: false,
            merging: None,
            merges: Vec::new(),
        });
        self.frames.push(Frame {
            start: self.json.len(),
            anchor,
            is_empty: true,
            mapping,
        });
        self.json.push(bracket);
        Ok(())
    }

    fn close(&mut self, offset: usize) -> Result<(), YamlError> {
        let Some(mut frame) = self.frames.pop() else {
            return Ok(());
        };
        if let Some(mapping) = &mut frame.mapping {
            let merges = std::mem::take(&mut mapping.merges);
            let first_key = mapping.first_key;
            self.check_keys(first_key, offset)?;
            if !merges.is_empty() {
                self.merge(&merges, first_key, frame.is_empty)?;
            }
            self.keys.truncate(first_key);
            self.json.push('}');
        } else {
            self.json.push(']');
        }
        self.set_anchor(frame.anchor, frame.start);
        self.after_value();
        Ok(())
    }

    /// Refuses a mapping that has a key twice.
    fn check_keys(&mut self, first: usize, offset: usize) -> Result<(), YamlError> {
        let json = &self.json;
        let keys = &mut self.keys[first..];
        if keys.len() < 2 {
            return Ok(());
        }
        keys.sort_by(|a, b| {
            json[a.clone()]
                .cmp(&json[b.clone()])
                .then(a.start.cmp(&b.start))
        });
        let twice = keys
            .windows(2)
            .find(|pair| json[pair[0].clone()] == json[pair[1].clone()]);
        let Some(pair) = twice else { return Ok(()) };
        let place = super::Locator::new(&self.marks).yaml(pair[1].start);
        let key = json[pair[1].clone()].trim_matches('"');
        error(
            place.min(offset),
            format!("duplicate key `{key}`, expected each key once"),
        )
    }

    /// Appends what the merge keys of a mapping add to its own keys.
    fn merge(
        &mut self,
        merges: &[(String, usize)],
        first_key: usize,
        is_empty: bool,
    ) -> Result<(), YamlError> {
        let own = self.keys[first_key..]
            .iter()
            .map(|key| self.json[key.clone()].to_owned());
        let mut known: BTreeSet<String> = own.collect();
        let mut is_empty = is_empty;
        for (text, offset) in merges {
            let Some(sources) = merge_sources(text) else {
                return error(
                    *offset,
                    "value of `<<`, expected a mapping or a list of mappings",
                );
            };
            for (name, value) in sources.into_iter().flatten() {
                let mut key = String::new();
                push_string(&mut key, &name);
                if known.contains(&key) {
                    continue;
                }
                if !std::mem::replace(&mut is_empty, false) {
                    self.json.push(',');
                }
                self.marks.push(self.json.len(), *offset);
                self.json.push_str(&key);
                self.json.push(':');
                self.json.push_str(value.get());
                known.insert(key);
            }
        }
        Ok(())
    }
}

type Source<'t> = BTreeMap<String, &'t RawValue>;

fn merge_sources(text: &str) -> Option<Vec<Source<'_>>> {
    if text.starts_with('[') {
        return serde_json::from_str(text).ok();
    }
    text.starts_with('{')
        .then(|| serde_json::from_str(text).ok().map(|source| vec![source]))?
}
