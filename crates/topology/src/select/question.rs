//! [`Question`]: which set is asked for.

use super::Term;

/// Asks for the best set of so many free devices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Question<'a> {
    /// Devices that may be taken; numbers of none are passed over.
    pub free: &'a [usize],
    /// How many to take.
    pub count: usize,
    /// Devices that must be among them; they have to be free too.
    pub required: &'a [usize],
    /// What is better, the most important first; none: the first set will do.
    pub terms: &'a [Term],
}
