//! [`Text`]: what a quantity was read from.

use std::fmt;
use std::sync::Arc;

/// Longest text that needs no memory of its own.
const SHORT: usize = 22;

/// Holds the text of a quantity; nearly all are a few digits and a suffix.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Text {
    /// Its length and bytes.
    Short(u8, [u8; SHORT]),
    /// Shared, so that clones are cheap.
    Long(Arc<str>),
}

impl Text {
    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Short(length, bytes) => {
                let bytes = bytes.get(..usize::from(*length)).unwrap_or_default();
                // They were text when they came.
                std::str::from_utf8(bytes).unwrap_or_default()
            }
            Self::Long(text) => text,
        }
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Self {
        let mut bytes = [0; SHORT];
        match (u8::try_from(text.len()), bytes.get_mut(..text.len())) {
            (Ok(length), Some(place)) => {
                place.copy_from_slice(text.as_bytes());
                Self::Short(length, bytes)
            }
            _ => Self::Long(text.into()),
        }
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_comes_back_whatever_its_length() {
        for length in [0, 1, 21, 22, 23, 1024] {
            let text = "7".repeat(length);
            assert_eq!(Text::from(text.as_str()).as_str(), text);
        }
        assert_eq!(size_of::<Option<Text>>(), 24);
    }
}
