//! Lists and objects, entry by entry.

use serde::de::value::MapDeserializer;
use serde::de::{DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess};

use super::deserializer::NoEntries;
use super::path::Segment;
use super::{Decode, Failure};

/// Reads the entries of a list.
pub(super) struct List<'a, 't> {
    decode: &'a mut Decode<'t>,
    index: usize,
}

impl<'a, 't> List<'a, 't> {
    pub(super) fn new(decode: &'a mut Decode<'t>) -> Self {
        Self { decode, index: 0 }
    }
}

impl<'de> SeqAccess<'de> for List<'_, 'de> {
    type Error = Failure;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Failure> {
        if !self.decode.cursor.entry(self.index == 0, b']')? {
            return Ok(None);
        }
        self.decode.path.push(Segment::Index(self.index));
        self.index += 1;
        let value = seed.deserialize(&mut *self.decode)?;
        self.decode.path.pop();
        Ok(Some(value))
    }
}

/// Reads the entries of a map or the fields of a type.
pub(super) struct Entries<'a, 't> {
    decode: &'a mut Decode<'t>,
    /// Name and fields of a type; none for a map.
    fields: Option<(&'static str, &'static [&'static str])>,
    first: bool,
    /// Which fields were there already, one bit each.
    seen: u64,
}

impl<'a, 't> Entries<'a, 't> {
    pub(super) fn of_map(decode: &'a mut Decode<'t>) -> Self {
        Self {
            decode,
            fields: None,
            first: true,
            seen: 0,
        }
    }

    pub(super) fn of_struct(
        decode: &'a mut Decode<'t>,
        name: &'static str,
        fields: &'static [&'static str],
    ) -> Self {
        Self {
            decode,
            fields: Some((name, fields)),
            first: true,
            seen: 0,
        }
    }
}

impl<'de> MapAccess<'de> for Entries<'_, 'de> {
    type Error = Failure;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Failure> {
        while self.decode.cursor.entry(self.first, b'}')? {
            self.first = false;
            self.decode.cursor.peek();
            let offset = self.decode.cursor.offset();
            let key = self.decode.cursor.key()?;
            let Some((of, fields)) = self.fields else {
                let value = seed.deserialize(key.as_ref().into_deserializer());
                self.decode.path.push(Segment::Key(key));
                return value.map(Some);
            };
            self.decode.path.push(Segment::Field(key.clone()));
            match fields.iter().position(|field| *field == key) {
                Some(place) => {
                    let bit = 1_u64
                        .checked_shl(u32::try_from(place).unwrap_or(u32::MAX))
                        .unwrap_or(0);
                    if self.seen & bit != 0 {
                        let message = format!("duplicate field `{key}`, expected each field once");
                        return Err(Failure::new(offset, message));
                    }
                    self.seen |= bit;
                    // What serde derives knows fields also by their places.
                    return seed
                        .deserialize((place as u64).into_deserializer())
                        .map(Some);
                }
                None => self.decode.pass(of, fields, &key, offset)?,
            }
            self.decode.path.pop();
        }
        Ok(None)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Failure> {
        let is_device = matches!(self.fields, Some(("Device" | "BasicDevice", _)));
        let value = if is_device && self.decode.read_map() {
            let none = std::iter::empty();
            seed.deserialize(MapDeserializer::<NoEntries, Failure>::new(none))
        } else {
            seed.deserialize(&mut *self.decode)
        }?;
        self.decode.path.pop();
        Ok(value)
    }
}

/// Presents a bare quantity as an object with the field `value`.
pub(super) struct Bare<'a, 't> {
    decode: &'a mut Decode<'t>,
    done: bool,
}

impl<'a, 't> Bare<'a, 't> {
    pub(super) fn new(decode: &'a mut Decode<'t>) -> Self {
        Self {
            decode,
            done: false,
        }
    }
}

impl<'de> MapAccess<'de> for Bare<'_, 'de> {
    type Error = Failure;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Failure> {
        if std::mem::replace(&mut self.done, true) {
            return Ok(None);
        }
        seed.deserialize("value".into_deserializer()).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Failure> {
        seed.deserialize(&mut *self.decode)
    }
}
