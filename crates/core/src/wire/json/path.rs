//! The way from an object to one of its fields.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Is one step of a path.
#[derive(Clone, Debug)]
pub(super) enum Segment<'t> {
    /// A field of an object.
    Field(Cow<'t, str>),
    /// A key of a map.
    Key(Cow<'t, str>),
    /// A place in a list.
    Index(usize),
}

impl Segment<'_> {
    /// Returns the steps as text, such as `spec.devices[2].attributes[example.com/model]`.
    pub(super) fn join(path: &[Self]) -> String {
        let mut text = String::new();
        for segment in path {
            match segment {
                Self::Index(index) => {
                    // Writing to a `String` cannot fail.
                    let _ = write!(text, "[{index}]");
                }
                Self::Key(key) if !is_plain(key) => {
                    let _ = write!(text, "[{}]", key.escape_debug());
                }
                Self::Key(name) | Self::Field(name) => {
                    if !text.is_empty() {
                        text.push('.');
                    }
                    text.extend(name.escape_debug());
                }
            }
        }
        text
    }
}

fn is_plain(key: &str) -> bool {
    !key.is_empty()
        && key
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}
