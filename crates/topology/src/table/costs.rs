//! What sets of a table cost.

use super::Table;
use crate::cost;
use crate::level::Level;
use crate::ratio::Ratio;
use crate::select::Term;
use crate::watch::{Unwatched, Watch};

impl Table {
    /// Returns what a set costs by a term: never negative, and lower is better.
    ///
    /// | term | costs |
    /// |---|---|
    /// | ring | nanoseconds that a terabyte takes around the rings of the set ([`Table::ring_rate`]), rounded up; 0 for fewer than two devices, [`NO_RING`](crate::NO_RING) where there is no ring |
    /// | links | the links that its pairs lack, if each had as many as the best pair of the table |
    /// | bottleneck | the place of the level of its worst pair: `NV#` 10^10 less its links, `XGMI#` 2 * 10^10 less its links, `PIX` 2 * 10^10, `PXB` 3, `PHB` 4, `NODE` 5, `SYS` 6, `NET` 7 * 10^10; 0 for fewer than two devices |
    /// | span | the number of the nearest [`Scope`](crate::Scope) that they have in common, 0 for [`Scope::Device`](crate::Scope::Device) |
    /// | packing | the potential that the free devices lose with the set |
    ///
    /// Between sets of one size, costs have the order of the measures, so
    /// [`Table::best`] is a set of least cost: for rings as long as their rates differ by
    /// a kB/s (up to 1,000 GB/s), exactly for all others. Costs of different machines can
    /// be compared: rings are in time, levels and scopes numbered alike; links and
    /// potential count from what the machine has at best.
    ///
    /// Takes a look into a table; the first time for a set of a mesh its rings are
    /// computed (below a millisecond for up to 8 devices), and the first time for a term
    /// its table of all sets.
    ///
    /// # Examples
    ///
    /// ```
    /// # use dralloc_topology::{Document, NO_RING, Table, Term, Topology};
    /// # let text = include_str!("../../../../testdata/topologies/dgx1-v100.json");
    /// let table = Table::new(&Topology::new(&Document::read(text)?)?).expect("eight devices");
    /// // Six rings of 25 GB/s: 6.67 seconds.
    /// assert_eq!(table.cost(0xff, 0xff, Term::Ring), 6_666_666_667);
    /// assert_eq!(table.cost(0xff, 0b1000_0001, Term::Ring), NO_RING);
    /// # Ok::<(), dralloc_topology::Error>(())
    /// ```
    pub fn cost(&self, free: u16, set: u16, term: Term) -> i64 {
        let Ok(cost) = self.cost_until(free, set, term, &mut Unwatched);
        cost
    }

    /// Returns what [`Table::cost`] does, unless it is stopped.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub fn cost_until<W: Watch>(
        &self,
        free: u16,
        set: u16,
        term: Term,
        watch: &mut W,
    ) -> Result<i64, W::Stop> {
        let signed = |value: u64| i64::try_from(value).unwrap_or(i64::MAX);
        Ok(match term {
            Term::Ring => self.ring_rate_until(set, watch)?.map_or(0, cost::around),
            Term::Links => {
                cost::lacking(set.count_ones(), self.shape.most_links(), self.links(set))
            }
            Term::Bottleneck => self.bottleneck(set).map_or(0, Level::cost),
            Term::Span => self.span(set) as i64,
            Term::Packing => {
                let left = self.potential_until(free & !set, watch)?;
                signed(self.potential(free).saturating_sub(left))
            }
        })
    }

    /// Returns what a set costs by each term, by [`Table::cost`].
    pub fn costs(&self, free: u16, set: u16, terms: &[Term]) -> Vec<i64> {
        let costs = terms.iter().map(|&term| self.cost(free, set, term));
        costs.collect()
    }

    /// Returns the rate of all rings of a set together in thousandths of GB/s, zero where
    /// there is none; nothing for fewer than two devices.
    ///
    /// Where the document leaves rates out a link counts as
    /// [`ASSUMED_LINK`](crate::ASSUMED_LINK). For direct meshes of more than 8 devices it
    /// is at most that, as [`Table::ring`] says.
    pub fn ring_rate(&self, set: u16) -> Option<Ratio> {
        let Ok(rate) = self.ring_rate_until(set, &mut Unwatched);
        rate
    }

    /// Returns what [`Table::ring_rate`] does, unless it is stopped.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub fn ring_rate_until<W: Watch>(
        &self,
        set: u16,
        watch: &mut W,
    ) -> Result<Option<Ratio>, W::Stop> {
        if set.count_ones() < 2 {
            return Ok(None);
        }
        let unit = self.shape.unit.unwrap_or(cost::ASSUMED_LINK);
        let rings = self.rings_of(set, watch)?.0;
        let above = u128::from(rings.numerator()) * u128::from(unit.thousandths());
        let most = Ratio::whole(u64::MAX);
        let rate = Ratio::reduced(above, u128::from(rings.denominator()));
        Ok(Some(rate.unwrap_or(most)))
    }
}
