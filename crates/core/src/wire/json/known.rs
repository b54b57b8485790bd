//! [`DeviceMaps`]: maps of devices that say what those before them said.

use std::borrow::Cow;

use serde::de::DeserializeOwned;

use super::path::Segment;
use super::{Cursor, Decode};
use crate::model::{Device, DeviceAttribute, DeviceCapacity, Map, Str, Texts};

/// Maps with more entries are read like all other values; the API allows half.
const MAX_ENTRIES: usize = 64;

/// Longer entries are not expected to come again.
const MAX_TEXT: usize = 256;

/// Reads the maps of devices beside their other fields.
///
/// Most devices say the same as the one before at the same places, byte by byte:
/// that is not read again. Whatever there is to be said about a map leaves it to
/// the usual way.
#[derive(Debug, Default)]
pub(in crate::wire) struct DeviceMaps {
    attributes: Known<DeviceAttribute>,
    capacity: Known<DeviceCapacity>,
    /// What was read, with the place of its device.
    read: Vec<(usize, ReadMap)>,
}

#[derive(Debug)]
enum ReadMap {
    Attributes(Map<Str, DeviceAttribute>),
    Capacity(Map<Str, DeviceCapacity>),
}

impl DeviceMaps {
    /// Reads the map at a path; returns whether it did so.
    pub(super) fn read(&mut self, path: &[Segment<'_>], cursor: &mut Cursor<'_>) -> bool {
        // Such as `spec.devices[2].attributes`.
        let (Some(Segment::Index(place)), Some(Segment::Field(field))) = (path.get(2), path.last())
        else {
            return false;
        };
        let map = match &**field {
            "attributes" => self.attributes.read(cursor).map(ReadMap::Attributes),
            "capacity" => self.capacity.read(cursor).map(ReadMap::Capacity),
            _ => None,
        };
        let is_read = map.is_some();
        self.read.extend(map.map(|map| (*place, map)));
        is_read
    }

    /// Puts what was read into its devices.
    pub(in crate::wire) fn put(&mut self, devices: &mut [Device]) {
        for (place, map) in self.read.drain(..) {
            if let Some(device) = devices.get_mut(place) {
                match map {
                    ReadMap::Attributes(map) => device.attributes = map,
                    ReadMap::Capacity(map) => device.capacity = map,
                }
            }
        }
    }
}

/// Remembers the entries of the last map.
#[derive(Debug)]
struct Known<V>(Vec<Entry<V>>);

#[derive(Debug)]
struct Entry<V> {
    /// From the first quote of the key to the last bracket of the value, so that
    /// what starts with it has the same entry.
    text: String,
    /// Where the value starts, or white space before it.
    key_end: usize,
    key: Str,
    value: V,
}

impl<V> Default for Known<V> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<V: Clone + DeserializeOwned> Known<V> {
    /// Reads a map and moves behind it, or does neither.
    fn read(&mut self, cursor: &mut Cursor<'_>) -> Option<Map<Str, V>> {
        let mut ahead = cursor.clone();
        if !ahead.eat(b'{') {
            return None;
        }
        let mut entries = Vec::with_capacity(self.0.len());
        while ahead.entry(entries.is_empty(), b'}').ok()? {
            entries.push(self.entry(entries.len(), &mut ahead)?);
        }
        let count = entries.len();
        let map = Map::from_iter(entries);
        // With fewer, keys came twice.
        (map.len() == count).then(|| {
            *cursor = ahead;
            map
        })
    }

    fn entry(&mut self, place: usize, cursor: &mut Cursor<'_>) -> Option<(Str, V)> {
        if place == MAX_ENTRIES {
            return None;
        }
        cursor.peek();
        let start = cursor.clone();
        let known = self.0.get_mut(place);
        let mut known_key = None;
        if let Some(known) = &known {
            if cursor.eat_text(&known.text) {
                return Some((known.key.clone(), known.value.clone()));
            }
            if cursor.eat_text(&known.text[..known.key_end]) {
                known_key = Some(known.key.clone());
            }
        }
        let key = match known_key {
            Some(key) => key,
            None => match cursor.key().ok()? {
                Cow::Borrowed(key) => Texts::share(key),
                Cow::Owned(_) => return None,
            },
        };
        let key_end = cursor.offset() - start.offset();
        // Only brackets and quotes end a value whatever follows.
        if cursor.peek() != Some(b'{') {
            return None;
        }
        let mut decode = Decode::new(cursor.clone(), true);
        let value = V::deserialize(&mut decode).ok()?;
        if !decode.unknown.is_empty() || decode.types > 0 {
            return None;
        }
        *cursor = decode.cursor;
        let text = start.text_to(cursor);
        if text.len() <= MAX_TEXT {
            match known {
                Some(known) => {
                    known.text.clear();
                    known.text.push_str(text);
                    known.key_end = key_end;
                    known.key = key.clone();
                    known.value = value.clone();
                }
                None => self.0.push(Entry {
                    text: text.to_owned(),
                    key_end,
                    key: key.clone(),
                    value: value.clone(),
                }),
            }
        }
        Some((key, value))
    }
}
