//! Rings, links, worst pairs and what is left for others: terms that a table has.

use dralloc_topology::{Level, NO_RING, Table, Term};

use super::known::Known;
use super::open::Open;
use super::{Linkage, Linked, low, set};
use crate::budget::Meter;
use crate::outcome::StopCause;

impl Linked {
    /// Writes the values of terms that a table has: exact when nothing is open, else
    /// the least that a completion comes to, as a list of these terms.
    pub(super) fn write_sets(
        &self,
        known: &Known,
        open: &Open,
        values: &mut [i64],
        meter: &mut Meter<'_>,
    ) -> Result<(), StopCause> {
        let mut places: Vec<usize> = Vec::new();
        let mut terms: Vec<Linkage> = Vec::new();
        for (place, term) in &self.terms {
            if term.of_table().is_some() {
                places.push(*place);
                terms.push(*term);
            }
        }
        let table = known.table().filter(|_| !terms.is_empty());
        let least = match table {
            Some(table) => Some(self.least(known, table, open, &terms, meter)?),
            None => None,
        };
        for (number, place) in places.into_iter().enumerate() {
            let least = least.as_ref().and_then(|least| least.get(number));
            set(values, place, least.copied().unwrap_or(0));
        }
        Ok(())
    }

    fn least(
        &self,
        known: &Known,
        table: &Table,
        open: &Open,
        terms: &[Linkage],
        meter: &mut Meter<'_>,
    ) -> Result<Vec<i64>, StopCause> {
        let question = Question {
            table,
            terms,
            free: low(known.free),
            chosen: low(self.picked.gpu_set),
            open: low(open.gpu_set),
        };
        let outsiders = self.picked.outsiders;
        if open.linked.1 <= 0 {
            return question.values(question.chosen, outsiders, meter);
        }
        if known.machine.has_allowed_sets() {
            // The best set of a table is an allowed one, and picks need not be.
            return Ok(vec![0; terms.len()]);
        }
        let mut least: Option<Vec<i64>> = None;
        let mut look = |picks: (i64, i64), outsiders: usize| {
            for count in self.vertices(open, picks) {
                if let Some(own) = question.least(count, outsiders, meter)?
                    && least.as_ref().is_none_or(|least| own < *least)
                {
                    least = Some(own);
                }
            }
            Ok(())
        };
        let (least_picks, most_picks) = open.linked;
        if open.gpu_set != 0 || least_picks <= 0 {
            let most = if open.gpu_set == 0 { 0 } else { most_picks };
            look((least_picks.max(0), most), outsiders)?;
        }
        if open.may_be_outsiders {
            // Any number of them costs at least what one does.
            let most = if open.gpu_set == 0 { 0 } else { most_picks - 1 };
            look((0, most), outsiders + 1)?;
        }
        Ok(least.unwrap_or_else(|| vec![0; terms.len()]))
    }
}

/// Asks a table for sets.
pub(super) struct Question<'q> {
    pub(super) table: &'q Table,
    pub(super) terms: &'q [Linkage],
    /// Vertices of which nothing is held.
    pub(super) free: u16,
    pub(super) chosen: u16,
    pub(super) open: u16,
}

impl Question<'_> {
    /// Returns what a set costs with a number of outsiders.
    fn values(
        &self,
        set: u16,
        outsiders: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Vec<i64>, StopCause> {
        let terms = self.terms.iter();
        terms
            .map(|term| self.value(*term, set, outsiders, meter))
            .collect()
    }

    /// Returns what a set costs by a term, with a number of outsiders.
    pub(super) fn value(
        &self,
        term: Linkage,
        set: u16,
        outsiders: usize,
        meter: &mut Meter<'_>,
    ) -> Result<i64, StopCause> {
        let gpus = set.count_ones() as usize;
        let is_apart = outsiders > 0 && gpus + outsiders > 1;
        let mut cost = |set: u16, term: Term| self.table.cost_until(self.free, set, term, meter);
        Ok(match term {
            Linkage::Ring if is_apart => NO_RING,
            Linkage::Bottleneck if is_apart => Level::Net.cost(),
            Linkage::LinkPotential => cost(set & self.free, Term::Packing)?,
            Linkage::Links => {
                let pairs = outsiders * gpus + outsiders * outsiders.saturating_sub(1) / 2;
                let pairs = i64::try_from(pairs).unwrap_or(i64::MAX);
                let lacking = pairs.saturating_mul(i64::from(self.table.most_links()));
                let own = cost(set, Term::Links)?;
                own.saturating_add(lacking)
            }
            term => match term.of_table() {
                Some(term) => cost(set, term)?,
                None => 0,
            },
        })
    }

    /// Returns the least that a set of so many vertices costs which has those that are
    /// chosen and others that are open; nothing if there is none.
    fn least(
        &self,
        count: usize,
        outsiders: usize,
        meter: &mut Meter<'_>,
    ) -> Result<Option<Vec<i64>>, StopCause> {
        let within = self.chosen | self.open;
        // What is taken from the free ones is known of free ones alone.
        let is_free = within & !self.free == 0;
        let counts = |term: &&Linkage| match term {
            // With an outsider they are the same whatever the set.
            Linkage::Ring | Linkage::Bottleneck => outsiders == 0,
            Linkage::LinkPotential => is_free,
            _ => true,
        };
        let terms = self.terms.iter().filter(counts);
        let terms: Vec<Term> = terms.filter_map(|term| term.of_table()).collect();
        let free = if is_free { self.free } else { within };
        let sets = (free, within, self.chosen);
        let Some(best) = self.table.best_until(sets, count, &terms, meter)? else {
            return Ok(None);
        };
        let mut values = self.values(best, outsiders, meter)?;
        for (value, term) in values.iter_mut().zip(self.terms) {
            if *term == Linkage::LinkPotential && !is_free {
                *value = 0;
            }
        }
        Ok(Some(values))
    }
}
