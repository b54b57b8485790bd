//! [`Replayed`]: what a line of a trace was, made again.

use std::fmt;

/// Says what a line was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replayed {
    /// The result is the recorded one.
    Same,
    /// The call was stopped by a deadline or a cancel flag when it was recorded,
    /// and is not compared.
    Stopped,
    /// The result is another one.
    Different(Difference),
}

/// Is a result that is not the recorded one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The line of the trace, from 1 on.
    pub line: usize,
    /// The call.
    pub call: String,
    /// The result that was recorded, as JSON.
    pub recorded: String,
    /// The result now, as JSON.
    pub replayed: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            line,
            call,
            recorded,
            replayed,
        } = self;
        write!(
            formatter,
            "line {line}: `{call}` returned {replayed}, recorded was {recorded}"
        )
    }
}
