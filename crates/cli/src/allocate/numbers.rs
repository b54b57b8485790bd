//! [`Numbers`]: numbers of questions, so that their long texts are compared but once.

use std::collections::BTreeMap;

/// Gives the same number to questions of the same text.
#[derive(Debug, Default)]
pub(super) struct Numbers {
    numbers: BTreeMap<String, usize>,
}

impl Numbers {
    /// Returns the number of a text.
    pub(super) fn of(&mut self, text: &str) -> usize {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.numbers.len();
        self.numbers.insert(text.to_owned(), number);
        number
    }
}
