//! [`Failure`]: why a text does not decode, and where.

use std::fmt;

use serde::de;

use super::path::Segment;

/// Says what is wrong at which place of the text.
///
/// Boxed, since it travels through every level of decoding.
#[derive(Debug)]
pub(in crate::wire) struct Failure(Box<Inner>);

#[derive(Debug)]
struct Inner {
    message: String,
    path: String,
    offset: Option<usize>,
}

impl Failure {
    pub(in crate::wire) fn new(offset: usize, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            message: message.into(),
            path: String::new(),
            offset: Some(offset),
        }))
    }

    /// Sets place and path, unless a level further down knew them better.
    pub(super) fn located(mut self, offset: usize, path: &[Segment<'_>]) -> Self {
        self.0.offset.get_or_insert(offset);
        if self.0.path.is_empty() {
            self.0.path = Segment::join(path);
        }
        self
    }

    pub(in crate::wire) fn message(&self) -> &str {
        &self.0.message
    }

    pub(in crate::wire) fn path(&self) -> &str {
        &self.0.path
    }

    pub(in crate::wire) fn offset(&self) -> usize {
        self.0.offset.unwrap_or_default()
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0.message)
    }
}

impl std::error::Error for Failure {}

impl de::Error for Failure {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(Box::new(Inner {
            message: message.to_string(),
            path: String::new(),
            offset: None,
        }))
    }

    fn invalid_type(unexpected: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::custom(format_args!(
            "expected {expected}, found {}",
            Found(unexpected)
        ))
    }

    fn invalid_value(unexpected: de::Unexpected<'_>, expected: &dyn de::Expected) -> Self {
        Self::invalid_type(unexpected, expected)
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        let (last, others) = expected.split_last().unwrap_or((&"nothing", &[]));
        let mut names: Vec<String> = others.iter().map(|name| format!("`{name}`, ")).collect();
        if !names.is_empty() {
            names.push("or ".to_owned());
        }
        Self::custom(format_args!(
            "expected {}`{last}`, found `{}`",
            names.concat(),
            variant.escape_debug()
        ))
    }

    fn missing_field(field: &'static str) -> Self {
        Self::custom(format_args!("field `{field}` is missing"))
    }
}

/// Names a value as users of JSON and YAML do.
struct Found<'a>(de::Unexpected<'a>);

impl fmt::Display for Found<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            de::Unexpected::Bool(value) => write!(formatter, "`{value}`"),
            de::Unexpected::Signed(value) => write!(formatter, "`{value}`"),
            de::Unexpected::Unsigned(value) => write!(formatter, "`{value}`"),
            de::Unexpected::Str(value) => write!(formatter, "`{}`", value.escape_debug()),
            de::Unexpected::Unit | de::Unexpected::Option => formatter.write_str("null"),
            de::Unexpected::Seq => formatter.write_str("a list"),
            de::Unexpected::Map => formatter.write_str("an object"),
            other => write!(formatter, "{other}"),
        }
    }
}
