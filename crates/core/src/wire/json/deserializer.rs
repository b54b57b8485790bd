//! [`Decode`]: from JSON text to any type that serde knows.

use std::borrow::Cow;

use serde::Deserializer;
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Visitor};

use super::path::Segment;
use super::{Cursor, Failure};
use crate::model::Json;

/// Decodes one value.
///
/// - Null is absent: an empty list, object or string, zero, false, or none.
/// - A type that takes anything gets numbers as their text: only quantities do.
/// - [`Json`] gets the text of its value.
/// - A field that its type does not know is noted and passed over.
pub(in crate::wire) struct Decode<'t> {
    cursor: Cursor<'t>,
    path: Vec<Segment<'t>>,
    /// Fields passed over, in the order of the text.
    pub(in crate::wire) unknown: Vec<Unknown>,
    note: bool,
}

/// Is what a type had no place for.
#[derive(Debug)]
pub(in crate::wire) enum Unknown {
    /// A field.
    Field {
        /// Name of the type.
        of: &'static str,
        /// The fields that it has.
        fields: &'static [&'static str],
        name: String,
        path: String,
        offset: usize,
    },
    /// A bare quantity in the place of a `DeviceCapacity`, read as its value.
    BareQuantity {
        text: String,
        path: String,
        offset: usize,
    },
}

/// Fields that exist in the API, and that dralloc has no use for.
const UNREAD: &[(&str, &[&str])] = &[
    ("ObjectMeta", &["managedFields", "selfLink"]),
    ("DeviceTaintRule", &["status"]),
];

type NoEntries = std::iter::Empty<((), ())>;

impl<'t> Decode<'t> {
    /// Starts at a value; notes unknown fields if told to.
    pub(in crate::wire) fn new(cursor: Cursor<'t>, note: bool) -> Self {
        Self {
            cursor,
            path: Vec::new(),
            unknown: Vec::new(),
            note,
        }
    }

    fn mismatch(&mut self, expected: &str) -> Failure {
        self.cursor.unexpected(expected)
    }

    /// Runs one step and completes its failure with this place and path.
    fn located<T>(
        &mut self,
        step: impl FnOnce(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.cursor.peek();
        let offset = self.cursor.offset();
        step(self).map_err(|failure| failure.located(offset, &self.path))
    }

    fn bare_quantity(&mut self) -> Result<(), Failure> {
        let offset = self.cursor.offset();
        let text = self.cursor.clone().skip()?.trim_matches('"').to_owned();
        if self.note {
            let path = Segment::join(&self.path);
            self.unknown
                .push(Unknown::BareQuantity { text, path, offset });
        }
        Ok(())
    }

    /// Passes over a field that its type does not know.
    fn pass(
        &mut self,
        of: &'static str,
        fields: &'static [&'static str],
        name: &str,
        offset: usize,
    ) -> Result<(), Failure> {
        self.cursor.skip()?;
        let is_type = self.path.len() == 1 && matches!(name, "apiVersion" | "kind");
        let is_unread = UNREAD
            .iter()
            .any(|(other, names)| *other == of && names.contains(&name));
        if self.note && !is_type && !is_unread {
            let path = Segment::join(&self.path);
            self.unknown.push(Unknown::Field {
                of,
                fields,
                name: name.into(),
                path,
                offset,
            });
        }
        Ok(())
    }
}

/// Reads a whole number exactly, also when written `2.0` or `2e3`.
fn whole(text: &str) -> Option<i64> {
    if let Ok(number) = text.parse() {
        return Some(number);
    }
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let zeros = usize::try_from(exponent)
        .ok()?
        .checked_sub(fraction.len())?;
    let digits = format!("{integer}{fraction}");
    if digits.trim_start_matches(['-', '0']).is_empty() {
        return Some(0);
    }
    // More zeros than that fit in no number.
    if zeros > 19 {
        None
    } else {
        format!("{digits}{}", "0".repeat(zeros)).parse().ok()
    }
}

macro_rules! deserialize_whole {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
            self.located(|this| {
                if this.cursor.eat_word("null") {
                    return visitor.visit_i64(0);
                }
                if !matches!(this.cursor.peek(), Some(b'-' | b'0'..=b'9')) {
                    return Err(this.mismatch("a whole number"));
                }
                match whole(this.cursor.clone().number()?) {
                    Some(number) => {
                        this.cursor.number()?;
                        visitor.visit_i64(number)
                    }
                    None => Err(this.mismatch("a whole number of at most 64 bits")),
                }
            })
        }
    )*};
}

macro_rules! deserialize_text {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
            self.located(|this| {
                if this.cursor.eat_word("null") {
                    return visitor.visit_borrowed_str("");
                }
                if this.cursor.peek() != Some(b'"') {
                    return Err(this.mismatch("a string"));
                }
                match this.cursor.string()? {
                    Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
                    Cow::Owned(text) => visitor.visit_string(text),
                }
            })
        }
    )*};
}

impl<'de> Deserializer<'de> for &mut Decode<'de> {
    type Error = Failure;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        match self.cursor.peek() {
            Some(b'"') => self.deserialize_str(visitor),
            Some(b'{') => self.deserialize_map(visitor),
            Some(b'[') => self.deserialize_seq(visitor),
            Some(b't' | b'f') => self.deserialize_bool(visitor),
            _ => self.located(|this| {
                if this.cursor.eat_word("null") {
                    return visitor.visit_unit();
                }
                visitor.visit_borrowed_str(this.cursor.number()?)
            }),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.located(|this| {
            if this.cursor.eat_word("true") {
                visitor.visit_bool(true)
            } else if this.cursor.eat_word("false") || this.cursor.eat_word("null") {
                visitor.visit_bool(false)
            } else {
                Err(this.mismatch("`true` or `false`"))
            }
        })
    }

    deserialize_whole! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
    }

    deserialize_text! { deserialize_str deserialize_string deserialize_identifier deserialize_char }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        if self.cursor.eat_word("null") {
            visitor.visit_none()
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Failure> {
        if name != Json::NAME {
            return visitor.visit_newtype_struct(self);
        }
        self.located(|this| visitor.visit_borrowed_str(this.cursor.skip()?))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.located(|this| {
            if this.cursor.eat_word("null") {
                let none = std::iter::empty::<()>();
                return visitor.visit_seq(SeqDeserializer::<_, Failure>::new(none));
            }
            if !this.cursor.eat(b'[') {
                return Err(this.mismatch("a list"));
            }
            visitor.visit_seq(List {
                decode: this,
                index: 0,
            })
        })
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.located(|this| {
            if this.cursor.eat_word("null") {
                return visitor.visit_map(MapDeserializer::<NoEntries, Failure>::new(
                    std::iter::empty(),
                ));
            }
            if !this.cursor.eat(b'{') {
                return Err(this.mismatch("an object"));
            }
            visitor.visit_map(Entries {
                decode: this,
                fields: None,
                first: true,
                seen: 0,
            })
        })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.located(|this| {
            if this.cursor.eat_word("null") {
                return visitor.visit_map(MapDeserializer::<NoEntries, Failure>::new(
                    std::iter::empty(),
                ));
            }
            let next = this.cursor.peek();
            if name == "DeviceCapacity" && matches!(next, Some(b'"' | b'-' | b'0'..=b'9')) {
                this.bare_quantity()?;
                return visitor.visit_map(Bare {
                    decode: this,
                    done: false,
                });
            }
            if !this.cursor.eat(b'{') {
                return Err(this.mismatch("an object"));
            }
            let fields = Some((name, fields));
            visitor.visit_map(Entries {
                decode: this,
                fields,
                first: true,
                seen: 0,
            })
        })
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.located(|this| {
            this.cursor.skip()?;
            visitor.visit_unit()
        })
    }

    serde::forward_to_deserialize_any! {
        i128 u128 f32 f64 bytes byte_buf unit unit_struct tuple tuple_struct enum
    }
}

/// Reads the entries of a list.
struct List<'a, 't> {
    decode: &'a mut Decode<'t>,
    index: usize,
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
struct Entries<'a, 't> {
    decode: &'a mut Decode<'t>,
    /// Name and fields of a type; none for a map.
    fields: Option<(&'static str, &'static [&'static str])>,
    first: bool,
    /// Which fields were there already, one bit each.
    seen: u64,
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
                    return seed.deserialize(key.as_ref().into_deserializer()).map(Some);
                }
                None => self.decode.pass(of, fields, &key, offset)?,
            }
            self.decode.path.pop();
        }
        Ok(None)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Failure> {
        let value = seed.deserialize(&mut *self.decode)?;
        self.decode.path.pop();
        Ok(value)
    }
}

/// Presents a bare quantity as an object with the field `value`.
struct Bare<'a, 't> {
    decode: &'a mut Decode<'t>,
    done: bool,
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
