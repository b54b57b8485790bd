//! How many devices of a set each part can give.

use super::needs::Need;
use super::query::{PartScratch, Question};
use super::table::{BITS, PartTable};
use crate::budget::Meter;

impl PartScratch {
    /// Returns how many devices of a set can be had together, by part and for devices
    /// in no part one by one: each number with the first device that it may count.
    ///
    /// A part that can be used in too many ways to try them says how many there are at
    /// most. Nothing is returned if it is stopped.
    pub(crate) fn most(
        &mut self,
        table: &PartTable,
        left: &[i128],
        words: &[u64],
        meter: &mut Meter<'_>,
    ) -> Vec<(usize, usize)> {
        let need = Need {
            words,
            from: 0,
            count: 1,
        };
        let question = Question {
            left,
            away: &[],
            needs: &[need],
        };
        self.needs.set(&question, table.plain.len(), 1);
        if !self.look(table, &question, meter) {
            return Vec::new();
        }
        let mut most = Vec::new();
        for (part, entry) in table.parts.iter().zip(&self.last) {
            let wanted = part.local(words);
            if wanted != 0 {
                let first = part.devices[wanted.trailing_zeros() as usize] as usize;
                most.push((first, self.memo.most(*entry).get(0)));
            }
        }
        let pairs = table.plain.iter().zip(words).enumerate();
        for (place, (plain, words)) in pairs {
            let mut wanted = plain & words;
            while wanted != 0 {
                most.push((place * BITS + wanted.trailing_zeros() as usize, 1));
                wanted &= wanted - 1;
            }
        }
        most.retain(|(_, count)| *count > 0);
        most
    }
}
