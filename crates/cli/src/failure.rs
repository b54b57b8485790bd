//! [`Failure`]: what ends a command early.

use std::io;

use crate::exit_code::ExitCode;
use crate::input::InputError;
use crate::style::{self, ERROR};

/// Ends a command before it is done.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The input cannot be read.
    #[error("{0}")]
    Read(#[from] InputError),
    /// The input cannot be used; each line is one fault.
    #[error("{0}")]
    Input(String),
    /// The answer cannot be written.
    #[error("cannot write the answer: {0}")]
    Output(#[from] io::Error),
}

impl Failure {
    /// Tells the user, and returns the exit code.
    ///
    /// A reader that went away, such as `head`, has seen enough: that is no failure.
    pub(crate) fn report(self) -> ExitCode {
        if let Self::Output(error) = &self
            && is_closed(error)
        {
            return ExitCode::SUCCESS;
        }
        for line in style::harmless(&self.to_string()).lines() {
            style::say(&format!("{ERROR}error:{ERROR:#} {line}"));
        }
        ExitCode::from(2)
    }
}

/// Takes it for written where the reader has seen enough, so that the exit code is still
/// that of the answer.
pub(crate) fn unless_seen_enough(printed: io::Result<()>) -> io::Result<()> {
    match printed {
        Err(error) if is_closed(&error) => Ok(()),
        result => result,
    }
}

fn is_closed(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}
