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
            && error.kind() == io::ErrorKind::BrokenPipe
        {
            return ExitCode::SUCCESS;
        }
        for line in style::harmless(&self.to_string()).lines() {
            style::say(&format!("{ERROR}error:{ERROR:#} {line}"));
        }
        ExitCode::from(2)
    }
}
