//! The best set.

use std::cmp::Ordering;

use super::Table;
use super::rank::{Ranked, compare};
use crate::ratio::Ratio;
use crate::select::{Criterion, Term};
use crate::watch::{Unwatched, Watch};

/// So many sets are looked at before somebody is told of it.
const STEPS_AT_ONCE: usize = 64;

/// Is what is known of the best set so far.
struct Best {
    ranked: Ranked,
    ring: Option<Ratio>,
    /// Potential of what it leaves, where it was asked for.
    left: Option<u64>,
}

impl Table {
    /// Returns the best set of `count` of the free devices with the required ones: none
    /// is better by the terms, and among equals it is the first in the order of devices.
    /// None where there is no such set.
    ///
    /// Looks at each set of that size at most once (12,870 at most). The proof is that
    /// all were compared: a set is passed over only where an upper bound of its rings
    /// says that it is worse, or its links, or that it is equal and later.
    pub fn best(&self, free: u16, required: u16, count: usize, terms: &[Term]) -> Option<u16> {
        self.best_within(free, free, required, count, terms)
    }

    /// Returns the best set of `count` of those free devices that are open, with the
    /// required ones, as [`Table::best`] does.
    ///
    /// What is free and not open stays free: packing potential counts it. So a search
    /// that has settled some devices either way has the best completion, and its
    /// [`Table::costs`] bound what any other can have.
    pub fn best_within(
        &self,
        free: u16,
        open: u16,
        required: u16,
        count: usize,
        terms: &[Term],
    ) -> Option<u16> {
        let sets = (free, open, required);
        let Ok(best) = self.best_until(sets, count, terms, &mut Unwatched);
        best
    }

    /// Returns what [`Table::best_within`] does for free, open and required devices, unless
    /// it is stopped; by terms, or by [criteria](Criterion) of which some are the caller's.
    ///
    /// # Errors
    ///
    /// If it is stopped.
    pub fn best_until<'c, C: Copy + Into<Criterion<'c>>, W: Watch>(
        &self,
        (free, open, required): (u16, u16, u16),
        count: usize,
        terms: &[C],
        watch: &mut W,
    ) -> Result<Option<u16>, W::Stop> {
        let open = open & free;
        if required & !open != 0 || count > self.len() {
            return Ok(None);
        }
        let mut best: Option<Best> = None;
        for (place, &ranked) in self.ranked(count, watch)?.iter().enumerate() {
            if place.is_multiple_of(STEPS_AT_ONCE) {
                watch.steps(STEPS_AT_ONCE as u64)?;
            }
            if ranked.set & !open != 0 || ranked.set & required != required {
                continue;
            }
            match &mut best {
                None => {
                    best = Some(Best {
                        ranked,
                        ring: None,
                        left: None,
                    });
                }
                Some(best) => match self.against(best, ranked, free, terms, watch)? {
                    Verdict::Better(ring, left) => *best = Best { ranked, ring, left },
                    Verdict::Worse => {}
                    Verdict::AllWorse => break,
                },
            }
        }
        Ok(best.map(|best| best.ranked.set))
    }

    /// Compares a set with the best so far.
    fn against<'c, C: Copy + Into<Criterion<'c>>, W: Watch>(
        &self,
        best: &mut Best,
        ranked: Ranked,
        free: u16,
        terms: &[C],
        watch: &mut W,
    ) -> Result<Verdict, W::Stop> {
        let (mut ring, mut left) = (None, None);
        let is_links = |term: &C| matches!((*term).into(), Criterion::Term(Term::Links));
        for (place, term) in terms.iter().enumerate() {
            let term = match (*term).into() {
                Criterion::Term(term) => term,
                Criterion::Cost(cost) => match cost(ranked.set).cmp(&cost(best.ranked.set)) {
                    Ordering::Equal => continue,
                    Ordering::Less => return Ok(Verdict::Better(ring, left)),
                    Ordering::Greater => return Ok(Verdict::Worse),
                },
            };
            let order = match term {
                Term::Ring => {
                    let most = self.ring_of(best, watch)?;
                    if Ratio::whole(ranked.bound) < most {
                        // The ranks go down in their bounds.
                        return Ok(Verdict::worse(place == 0));
                    }
                    if Ratio::whole(ranked.bound) == most
                        && terms.get(place + 1).is_some_and(is_links)
                        && ranked.links < best.ranked.links
                    {
                        // Those of the same bound go down in their links.
                        return Ok(Verdict::worse(place == 0));
                    }
                    let own = self.rings_of(ranked.set, watch)?.0;
                    ring = Some(own);
                    own.cmp(&most)
                }
                Term::Links => ranked.links.cmp(&best.ranked.links),
                Term::Bottleneck => {
                    let worst = |set| self.worst_place(set);
                    worst(best.ranked.set).cmp(&worst(ranked.set))
                }
                Term::Span => self.span(best.ranked.set).cmp(&self.span(ranked.set)),
                Term::Packing => {
                    let own = self.potential_until(free & !ranked.set, watch)?;
                    left = Some(own);
                    let of_best = || self.potential(free & !best.ranked.set);
                    own.cmp(best.left.get_or_insert_with(of_best))
                }
            };
            match order {
                Ordering::Equal => {}
                Ordering::Greater => return Ok(Verdict::Better(ring, left)),
                Ordering::Less => return Ok(Verdict::Worse),
            }
        }
        if compare(ranked.set, best.ranked.set).is_lt() {
            return Ok(Verdict::Better(ring, left));
        }
        // Equal in rings and links, with a bound that is no higher than both: what
        // follows is later in order, or worse.
        let plain = matches!(terms, [ring, links] if is_links(links)
            && matches!((*ring).into(), Criterion::Term(Term::Ring)));
        let is_last = plain && Ratio::whole(ranked.bound) == self.ring_of(best, watch)?;
        Ok(Verdict::worse(is_last))
    }

    fn ring_of<W: Watch>(&self, best: &mut Best, watch: &mut W) -> Result<Ratio, W::Stop> {
        if let Some(ring) = best.ring {
            return Ok(ring);
        }
        let ring = self.rings_of(best.ranked.set, watch)?.0;
        best.ring = Some(ring);
        Ok(ring)
    }
}

/// Says what a set is against the best so far.
enum Verdict {
    Better(Option<Ratio>, Option<u64>),
    Worse,
    /// So is all that follows.
    AllWorse,
}

impl Verdict {
    /// Returns that a set is worse, and perhaps all that follow.
    fn worse(are_all: bool) -> Self {
        if are_all { Self::AllWorse } else { Self::Worse }
    }
}
