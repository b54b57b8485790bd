//! [`Decode`]: from JSON text to any type that serde knows.

use std::borrow::Cow;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{IntoDeserializer, Visitor};
use serde::{Deserialize as _, Deserializer};

use super::access::{Bare, Entries, List};
use super::path::Segment;
use super::variant::Variant;
use super::{Cursor, DeviceMaps, Failure};
use crate::model::Json;

/// Decodes one value.
///
/// - Null is absent: an empty list, object or string, zero, false, or none.
/// - A type that takes anything gets numbers as their text: only quantities do.
/// - [`Json`] gets the text of its value.
/// - A field that its type does not know is noted and passed over.
pub(in crate::wire) struct Decode<'t> {
    pub(super) cursor: Cursor<'t>,
    pub(super) path: Vec<Segment<'t>>,
    /// Fields passed over, in the order of the text.
    pub(in crate::wire) unknown: Vec<Unknown>,
    note: bool,
    /// How many fields of the whole were passed that say what it is, or that make
    /// it a list.
    pub(in crate::wire) types: usize,
    /// Reads the maps of devices, if it is told to.
    pub(in crate::wire) maps: Option<DeviceMaps>,
    /// Where values start that count as absent.
    pub(in crate::wire) passed: Vec<usize>,
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

/// Brackets may be open inside each other that often where each of them is a call on the
/// stack. No type of the API needs half as many, but what takes anything would go on.
const DEEPEST: usize = 32;

pub(super) type NoEntries = std::iter::Empty<((), ())>;

impl<'t> Decode<'t> {
    /// Starts at a value; notes unknown fields if told to.
    pub(in crate::wire) fn new(cursor: Cursor<'t>, note: bool) -> Self {
        Self {
            cursor,
            path: Vec::new(),
            unknown: Vec::new(),
            note,
            types: 0,
            maps: None,
            passed: Vec::new(),
        }
    }

    /// Returns where it is.
    pub(in crate::wire) fn cursor(&mut self) -> &mut Cursor<'t> {
        &mut self.cursor
    }

    /// Returns whether the next value counts as absent, whatever it is.
    fn is_passed(&mut self) -> bool {
        if self.passed.is_empty() {
            return false;
        }
        self.cursor.peek();
        self.passed.contains(&self.cursor.offset())
    }

    /// Passes a value that is absent, and returns whether there is one.
    fn eat_absent(&mut self) -> Result<bool, Failure> {
        if self.is_passed() {
            return self.skip().map(|_| true);
        }
        Ok(self.cursor.eat_word("null"))
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

    /// Passes the opening bracket of a list or an object.
    fn open(&mut self, bracket: u8, expected: &str) -> Result<(), Failure> {
        if self.path.len() >= DEEPEST {
            let message = format!("more than {DEEPEST} brackets open");
            return Err(Failure::new(self.cursor.offset(), message));
        }
        if self.cursor.eat(bracket) {
            Ok(())
        } else {
            Err(self.mismatch(expected))
        }
    }

    /// Passes a value and returns its text.
    fn skip(&mut self) -> Result<&'t str, Failure> {
        // The bracket of the whole does not count.
        self.cursor.skip_inside(self.path.len().saturating_sub(1))
    }

    /// Reads the value at this path aside, if it is a map of a device that needs
    /// no other way; returns whether it did so.
    pub(super) fn read_map(&mut self) -> bool {
        let maps = self.maps.as_mut();
        maps.is_some_and(|maps| maps.read(&self.path, &mut self.cursor))
    }

    /// Passes over a field that its type does not know.
    pub(super) fn pass(
        &mut self,
        of: &'static str,
        fields: &'static [&'static str],
        name: &str,
        offset: usize,
    ) -> Result<(), Failure> {
        self.skip()?;
        let is_whole = self.path.len() == 1;
        let is_type = is_whole && matches!(name, "apiVersion" | "kind");
        self.types += usize::from(is_type || (is_whole && name == "items"));
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
                if this.eat_absent()? {
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
                if this.eat_absent()? {
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
            _ if self.is_passed() => self.located(|this| {
                this.skip()?;
                visitor.visit_unit()
            }),
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
            } else if this.cursor.eat_word("false") || this.eat_absent()? {
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
        if self.eat_absent()? {
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
        self.located(|this| visitor.visit_borrowed_str(this.skip()?))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.located(|this| {
            if this.eat_absent()? {
                let none = std::iter::empty::<()>();
                return visitor.visit_seq(SeqDeserializer::<_, Failure>::new(none));
            }
            this.open(b'[', "a list")?;
            visitor.visit_seq(List::new(this))
        })
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.located(|this| {
            if this.eat_absent()? {
                return visitor.visit_map(MapDeserializer::<NoEntries, Failure>::new(
                    std::iter::empty(),
                ));
            }
            this.open(b'{', "an object")?;
            visitor.visit_map(Entries::of_map(this))
        })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        self.located(|this| {
            if this.eat_absent()? {
                return visitor.visit_map(MapDeserializer::<NoEntries, Failure>::new(
                    std::iter::empty(),
                ));
            }
            let next = this.cursor.peek();
            if name == "DeviceCapacity" && matches!(next, Some(b'"' | b'-' | b'0'..=b'9')) {
                this.bare_quantity()?;
                return visitor.visit_map(Bare::new(this));
            }
            this.open(b'{', "an object")?;
            visitor.visit_map(Entries::of_struct(this, name, fields))
        })
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Failure> {
        self.located(|this| {
            this.skip()?;
            visitor.visit_unit()
        })
    }

    /// Reads one of some words, or of a step of a certificate its sort with its fields.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        if name == "Step" {
            return self.located(|this| {
                this.open(b'{', "an object")?;
                visitor.visit_enum(Variant::new(this, name))
            });
        }
        let word = String::deserialize(&mut *self)?;
        visitor.visit_enum(IntoDeserializer::<Failure>::into_deserializer(word))
    }

    serde::forward_to_deserialize_any! {
        i128 u128 f32 f64 bytes byte_buf unit unit_struct tuple tuple_struct
    }
}
