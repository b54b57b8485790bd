//! The best set.

use super::Table;
use super::rank::{Ranked, compare};
use crate::ratio::Ratio;
use crate::select::Term;

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
        let open = open & free;
        if required & !open != 0 || count > self.len() {
            return None;
        }
        let mut best: Option<Best> = None;
        for &ranked in self.ranked(count) {
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
                Some(best) => match self.against(best, ranked, free, terms) {
                    Verdict::Better(ring, left) => *best = Best { ranked, ring, left },
                    Verdict::Worse => {}
                    Verdict::AllWorse => break,
                },
            }
        }
        best.map(|best| best.ranked.set)
    }

    /// Compares a set with the best so far.
    fn against(&self, best: &mut Best, ranked: Ranked, free: u16, terms: &[Term]) -> Verdict {
        let (mut ring, mut left) = (None, None);
        for (place, term) in terms.iter().enumerate() {
            let order = match term {
                Term::Ring => {
                    let most = self.ring_of(best);
                    if Ratio::whole(ranked.bound) < most {
                        // The ranks go down in their bounds.
                        return if place == 0 {
                            Verdict::AllWorse
                        } else {
                            Verdict::Worse
                        };
                    }
                    if Ratio::whole(ranked.bound) == most
                        && terms.get(place + 1) == Some(&Term::Links)
                        && ranked.links < best.ranked.links
                    {
                        // Those of the same bound go down in their links.
                        return if place == 0 {
                            Verdict::AllWorse
                        } else {
                            Verdict::Worse
                        };
                    }
                    let own = self.rings_of(ranked.set).0;
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
                    let of = |set: u16| self.potential(free & !set);
                    let own = of(ranked.set);
                    left = Some(own);
                    own.cmp(best.left.get_or_insert_with(|| of(best.ranked.set)))
                }
            };
            match order {
                std::cmp::Ordering::Equal => {}
                std::cmp::Ordering::Greater => return Verdict::Better(ring, left),
                std::cmp::Ordering::Less => return Verdict::Worse,
            }
        }
        if compare(ranked.set, best.ranked.set).is_lt() {
            return Verdict::Better(ring, left);
        }
        // Equal in rings and links, with a bound that is no higher than both: what
        // follows is later in order, or worse.
        let plain = terms == [Term::Ring, Term::Links];
        if plain && Ratio::whole(ranked.bound) == self.ring_of(best) {
            Verdict::AllWorse
        } else {
            Verdict::Worse
        }
    }

    fn ring_of(&self, best: &mut Best) -> Ratio {
        *best
            .ring
            .get_or_insert_with(|| self.rings_of(best.ranked.set).0)
    }
}

/// Says what a set is against the best so far.
enum Verdict {
    Better(Option<Ratio>, Option<u64>),
    Worse,
    /// So is all that follows.
    AllWorse,
}
