//! What independent parts of a node can give, as a bound of searches.
//!
//! The counters of a card connect its partitions: what one takes, others lack.
//! Devices of different cards have nothing to do with each other. So devices
//! fall into *parts* ([`PartTable`]), of 64 devices at most, and what a node can
//! give is the sum of what its parts can. *Needs* are classes of requests that
//! want the same devices; what a part gives is a vector, how many devices for
//! each need. Vectors of parts are found by trying its devices, which are few,
//! and combined by dynamic programming ([`PartScratch`]). Devices without
//! counters are looked at as sets: by Hall's theorem they can serve what is left
//! of the needs if each set of needs finds enough of them.
//!
//! # How to use it
//!
//! ```text
//! // Once, from numbers: which counters each device takes of, and how much.
//! let table = PartTable::new(devices, counters, |device| &uses[device], &[], meter)?;
//! // Once, to be kept: memory, and what parts in a certain state can give.
//! let mut scratch = PartScratch::default();
//! // For each question: what is left of counters, words of devices that nobody
//! // can have, and needs (words of candidates, first device that counts, number).
//! let question = Question { left: &left, away: &away, needs: &needs };
//! if !scratch.can_be_met(&table, &question, meter) { /* proof: it cannot */ }
//! // The least that a sum over parts can be; none if the needs cannot be met.
//! let least = scratch.least(&table, &question, &cost, &mut KnownCosts::default(), meter)?;
//! ```
//!
//! All answers are those of a relaxation: `false` and `None` are proofs, and
//! costs are never too high. Where work would not be bounded it relaxes more:
//! needs are merged, counters that connect too much are left out, parts that
//! can be used in too many ways give the most of each need. One scratch may
//! serve many tables; what it remembers it remembers of the last.

mod choices;
mod crowd;
mod known_costs;
mod lanes;
mod least;
mod memo;
mod most;
mod needs;
mod options;
mod query;
mod table;
mod terms;
#[cfg(test)]
mod tests;
mod usable;
pub(crate) use known_costs::KnownCosts;
pub(crate) use needs::Need;
pub(crate) use query::{PartScratch, Question};
pub(crate) use table::PartTable;

/// Says what the picks of each part cost; the sum over parts is what counts.
///
/// Costs are what picks add to what was picked before, if anything was. To pick
/// nothing adds nothing.
pub(crate) trait PartCost {
    /// An amount, or a vector of amounts in order of importance.
    type Cost: Ord + Clone;

    /// Returns the sum of nothing.
    fn zero(&self) -> Self::Cost;

    /// Returns a sum. It must keep order: more on one side is never less in sum.
    fn add(&self, one: &Self::Cost, other: &Self::Cost) -> Self::Cost;

    /// Returns what it costs to pick some devices of a part and no others of it;
    /// a bit for each device, in the order of [`PartTable::devices_of`].
    fn of(&self, part: usize, chosen: u64) -> Self::Cost;

    /// Returns what it costs to pick a device that is in no part; never less than
    /// nothing.
    fn of_plain(&self, device: usize) -> Self::Cost;

    /// Returns what a number of devices of a large group cost more than each alone,
    /// where all of them are in no part; never less than nothing.
    fn of_crowd(&self, group: usize, count: usize) -> Self::Cost {
        let _ = (group, count);
        self.zero()
    }

    /// Returns a number that is the same for parts where the same bits cost the
    /// same, if they are built alike; nothing if no two are to be thought so.
    fn class(&self, part: usize) -> Option<u64> {
        let _ = part;
        None
    }
}
