//! [`Str`]: a piece of text that objects share.

mod texts;

use std::borrow::{Borrow, Cow};
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use arcstr::ArcStr;
use serde::de::Visitor;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub(crate) use texts::Texts;

/// Is a piece of text that objects share; a clone takes no memory.
///
/// It is one word, since clusters publish millions: half of what `Arc<str>`
/// takes.
///
/// # Examples
///
/// ```
/// use dralloc::model::Str;
///
/// let name: Str = "gpu-0".into();
/// assert_eq!(&*name, "gpu-0");
/// assert!(name.clone().starts_with("gpu"));
/// ```
#[derive(Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Str(ArcStr);

impl Str {
    /// The field of the name of a node, which most results have.
    pub(crate) const METADATA_NAME: Self = Self(arcstr::literal!("metadata.name"));

    /// The operator of selectors that list values.
    pub(crate) const IN: Self = Self(arcstr::literal!("In"));

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether two are in the same place in memory, without a look at
    /// the text.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        ArcStr::ptr_eq(&self.0, &other.0)
    }
}

impl Deref for Str {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl Borrow<str> for Str {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for Str {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Str {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl From<String> for Str {
    fn from(text: String) -> Self {
        Self(text.into())
    }
}

impl From<&String> for Str {
    fn from(text: &String) -> Self {
        text.as_str().into()
    }
}

impl From<Box<str>> for Str {
    fn from(text: Box<str>) -> Self {
        (&*text).into()
    }
}

impl From<Cow<'_, str>> for Str {
    fn from(text: Cow<'_, str>) -> Self {
        (&*text).into()
    }
}

impl From<Arc<str>> for Str {
    fn from(text: Arc<str>) -> Self {
        (&*text).into()
    }
}

impl From<Str> for Arc<str> {
    fn from(text: Str) -> Self {
        (&*text).into()
    }
}

impl From<Str> for String {
    fn from(text: Str) -> Self {
        (*text).to_owned()
    }
}

impl fmt::Debug for Str {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, formatter)
    }
}

impl fmt::Display for Str {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, formatter)
    }
}

impl Serialize for Str {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<'de> Deserialize<'de> for Str {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;

        impl Visitor<'_> for Text {
            type Value = Str;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a string")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Str, E> {
                Ok(Texts::share(text))
            }
        }

        deserializer.deserialize_str(Text)
    }
}

#[cfg(test)]
mod tests {
    use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

    use super::*;

    #[test]
    fn it_is_one_word_and_hashes_as_its_text_does() {
        assert_eq!(size_of::<Option<Str>>(), size_of::<usize>());
        let hash = BuildHasherDefault::<DefaultHasher>::default();
        assert_eq!(hash.hash_one(Str::from("a")), hash.hash_one("a"));
        assert!(Str::from("b") > Str::from("a"));
    }
}
