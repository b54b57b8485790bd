//! [`SliceVerdicts`]: what one selector says of the devices of one slice.

use std::sync::Arc;

use crate::error::Error;

/// Is what a selector says of one device, and the branches of a search that
/// finding out is worth.
#[derive(Clone, Debug)]
pub(super) struct Judged {
    pub(super) verdict: Result<bool, Arc<Error>>,
    pub(super) branches: u64,
}

/// Keeps verdicts as bits; what is rare is kept beside them.
#[derive(Debug)]
pub(super) struct SliceVerdicts {
    words: Box<[Word]>,
    rare: Option<Box<Rare>>,
}

/// Is 64 devices. One that is known and neither matches nor fails is refused.
#[derive(Clone, Copy, Debug, Default)]
struct Word {
    known: u64,
    matches: u64,
    fails: u64,
}

#[derive(Debug, Default)]
struct Rare {
    /// By device.
    errors: Vec<(u32, Arc<Error>)>,
    /// Evaluations that are worth a branch or more, in no order.
    costly: Vec<(u32, u64)>,
}

impl SliceVerdicts {
    /// Knows nothing of a number of devices yet.
    pub(super) fn new(devices: usize) -> Self {
        Self {
            words: vec![Word::default(); devices.div_ceil(64)].into(),
            rare: None,
        }
    }

    /// Returns those of 64 devices asked about that are not known.
    pub(super) fn unknown(&self, word: usize, asked: &[u64]) -> u64 {
        match (self.words.get(word), asked.get(word)) {
            (Some(word), Some(asked)) => asked & !word.known,
            _ => 0,
        }
    }

    /// Returns the branches that evaluating the known devices asked about was worth.
    pub(super) fn branches(&self, asked: &[u64]) -> u64 {
        let Some(rare) = &self.rare else { return 0 };
        let costly = rare.costly.iter();
        costly
            .filter(|(device, _)| is_in(asked, *device as usize))
            .fold(0, |sum, (_, branches)| sum.saturating_add(*branches))
    }

    /// Adds what is known of a device.
    pub(super) fn insert(&mut self, device: usize, judged: Judged) {
        let (word, bit) = (&mut self.words[device / 64], 1 << (device % 64));
        word.known |= bit;
        // Memory ends before four billion devices do.
        let number = u32::try_from(device).unwrap_or(u32::MAX);
        if judged.branches > 0 {
            let rare = self.rare.get_or_insert_default();
            rare.costly.push((number, judged.branches));
        }
        match judged.verdict {
            Ok(true) => word.matches |= bit,
            Ok(false) => {}
            Err(error) => {
                word.fails |= bit;
                let errors = &mut self.rare.get_or_insert_default().errors;
                let place = errors.partition_point(|(other, _)| *other < number);
                errors.insert(place, (number, error));
            }
        }
    }

    /// Keeps those of the devices asked about that match; they must be known.
    ///
    /// Those that fail are handed over, in order.
    pub(super) fn keep_matches(
        &self,
        asked: &mut [u64],
        mut failing: impl FnMut(usize, &Arc<Error>),
    ) {
        if let Some(rare) = &self.rare {
            for (device, error) in &rare.errors {
                if is_in(asked, *device as usize) {
                    failing(*device as usize, error);
                }
            }
        }
        for (word, asked) in self.words.iter().zip(asked) {
            *asked &= word.matches;
        }
    }

    /// Returns the memory that it takes, in words of 8 bytes and roughly.
    pub(super) fn weight(&self) -> usize {
        let rare = self.rare.as_ref().map_or(0, |rare| {
            let texts: usize = rare
                .errors
                .iter()
                .map(|(_, error)| 16 + error.message().len() / 8)
                .sum();
            8 + texts + 2 * rare.costly.len()
        });
        8 + 3 * self.words.len() + rare
    }
}

fn is_in(words: &[u64], number: usize) -> bool {
    words
        .get(number / 64)
        .is_some_and(|word| word >> (number % 64) & 1 == 1)
}
