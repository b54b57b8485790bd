//! [`Watch`]: who is told how far a computation has come, and may end it.

use std::convert::Infallible;

use crate::error::Error;

/// Is told of the steps of a computation that may take long, and may end it.
///
/// A step takes some nanoseconds. What an ended computation has found out of single sets is
/// kept; an answer is never made of a part.
pub trait Watch {
    /// Says why it was ended.
    type Stop;

    /// Notes that so many steps were taken, or are about to be.
    ///
    /// # Errors
    ///
    /// To end the computation.
    fn steps(&mut self, steps: u64) -> Result<(), Self::Stop>;
}

/// Lets a computation go on to its end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    type Stop = Infallible;

    fn steps(&mut self, _steps: u64) -> Result<(), Infallible> {
        Ok(())
    }
}

/// Says why a computation has no answer.
pub(crate) enum Halt<S> {
    /// Who watches has ended it.
    Stopped(S),
    Error(Error),
}

impl Halt<Infallible> {
    /// Returns the error of a computation that nobody ends.
    pub(crate) fn error(self) -> Error {
        match self {
            Self::Stopped(never) => match never {},
            Self::Error(error) => error,
        }
    }
}

impl<S> From<Error> for Halt<S> {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}
