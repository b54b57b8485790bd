//! Values of one of several sorts, as serde derives them: an object with one field, whose
//! name is the sort.

use serde::Deserializer as _;
use serde::de::{self, DeserializeSeed, EnumAccess, IntoDeserializer, VariantAccess, Visitor};

use super::path::Segment;
use super::{Decode, Failure};

/// Reads the object behind its opening bracket.
pub(super) struct Variant<'a, 't> {
    decode: &'a mut Decode<'t>,
    /// Name of the type.
    name: &'static str,
}

impl<'a, 't> Variant<'a, 't> {
    pub(super) fn new(decode: &'a mut Decode<'t>, name: &'static str) -> Self {
        Self { decode, name }
    }

    /// Passes the end of the object.
    fn end<T>(self, value: T) -> Result<T, Failure> {
        self.decode.path.pop();
        if self.decode.cursor.eat(b'}') {
            Ok(value)
        } else {
            Err(self.decode.cursor.unexpected("`}` after one field"))
        }
    }
}

impl<'de> EnumAccess<'de> for Variant<'_, 'de> {
    type Error = Failure;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Failure> {
        let key = self.decode.cursor.key()?;
        self.decode.path.push(Segment::Field(key.clone()));
        let sort = seed.deserialize(key.as_ref().into_deserializer())?;
        Ok((sort, self))
    }
}

/// Says that a sort has no form: each of those that are read has fields.
fn unread() -> Failure {
    de::Error::custom("a sort without fields, expected another")
}

impl<'de> VariantAccess<'de> for Variant<'_, 'de> {
    type Error = Failure;

    fn unit_variant(self) -> Result<(), Failure> {
        Err(unread())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Failure> {
        let value = seed.deserialize(&mut *self.decode)?;
        self.end(value)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, _: V) -> Result<V::Value, Failure> {
        Err(unread())
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Failure> {
        let value = self.decode.deserialize_struct(self.name, fields, visitor)?;
        self.end(value)
    }
}
