//! [`Search`]: the best set of up to 32 devices with direct links among all of them.

mod bound;

use std::cmp::Reverse;

use crate::domain::Scope;
use crate::error::{Code, Error};
use crate::ratio::Ratio;
use crate::ring::{Part, Ring, ring};
use crate::select::{Choice, Method, Question, Term};
use crate::topology::Topology;
use crate::watch::{Halt, Unwatched, Watch};

/// Up to how many devices of a direct mesh there is a search.
const LARGEST_SEARCH: usize = 32;

/// How many steps a search may take: a step is a set that is settled in part.
const MOST_STEPS: usize = 1 << 17;

/// How many steps rings count for.
const RING_STEPS: usize = 64;

/// Has the links of up to [`LARGEST_SEARCH`] devices; sets are masks of places.
///
/// Branch and bound: devices are taken or left one after the other, and what cannot
/// become better than the best set so far is passed over. The first search finds the
/// best values, the second the first set that has them.
#[derive(Debug)]
pub(crate) struct Search {
    size: usize,
    part: Part,
    counts: Vec<u32>,
    spans: Vec<Scope>,
    allowed: Vec<u32>,
    limited: bool,
}

/// More than any value.
const MOST: Ratio = Ratio::whole(u64::MAX);

/// Is what a set is worth by the first term, and by the second.
type Value = (Ratio, Ratio);

/// Is a set of which only some devices are settled.
#[derive(Clone, Copy)]
struct Partial {
    chosen: u32,
    open: u32,
    more: usize,
}

impl Search {
    /// Returns the search over some devices; none for too many.
    pub(crate) fn of(topology: &Topology, devices: &[usize]) -> Option<Self> {
        if devices.len() > LARGEST_SEARCH {
            return None;
        }
        let pairs = || {
            let all = devices.iter();
            all.flat_map(|&a| devices.iter().map(move |&b| (a, b)))
        };
        let place = |device: &usize| devices.binary_search(device).ok();
        let mask = |set: &Vec<usize>| {
            let places: Option<Vec<usize>> = set.iter().map(place).collect();
            places.map(|places| places.iter().fold(0, |mask, place| mask | 1 << place))
        };
        let allowed = topology.allowed_sets();
        Some(Self {
            size: devices.len(),
            part: topology.part(devices),
            counts: pairs()
                .map(|(a, b)| topology.wire(a, b).map_or(0, |wire| wire.count))
                .collect(),
            spans: pairs()
                .map(|(a, b)| topology.domains().span(&[a, b]))
                .collect(),
            allowed: allowed.iter().filter_map(mask).collect(),
            limited: !allowed.is_empty(),
        })
    }

    /// Returns the best set, its devices by place.
    ///
    /// # Errors
    ///
    /// If it is stopped; [`Code::Unsupported`] for terms other than `ring` and `links`;
    /// [`Code::LimitExceeded`] after 131,072 steps.
    pub(crate) fn select<W: Watch>(
        &self,
        question: &Question<'_>,
        watch: &mut W,
    ) -> Result<Option<Choice>, Halt<W::Stop>> {
        for term in question.terms {
            if !matches!(term, Term::Ring | Term::Links) {
                let message = format!(
                    "expected terms out of `ring`, `links` for direct links between more than \
                     16 devices, found `{term}`"
                );
                return Err(Error::new(Code::Unsupported, "", message).into());
            }
        }
        let mask = |places: &[usize]| places.iter().fold(0_u32, |mask, place| mask | 1 << place);
        let (free, required) = (mask(question.free), mask(question.required));
        let more = question.count.checked_sub(required.count_ones() as usize);
        let Some(more) = more.filter(|_| required & !free == 0) else {
            return Ok(None);
        };
        let start = Partial {
            chosen: required,
            open: free & !required,
            more,
        };
        let set = if self.limited {
            self.best_allowed(start, question, watch)?
        } else {
            self.best(start, question.terms, watch)?
        };
        Ok(set.map(|set| self.choice(set)))
    }

    fn best_allowed<W: Watch>(
        &self,
        start: Partial,
        question: &Question<'_>,
        watch: &mut W,
    ) -> Result<Option<u32>, Halt<W::Stop>> {
        let all = start.chosen | start.open;
        let fits = |set: &&u32| {
            let inside = **set & !all == 0 && start.chosen & !**set == 0;
            inside && set.count_ones() as usize == question.count
        };
        let mut best = None;
        for &set in self.allowed.iter().filter(fits) {
            let key = (
                self.value(set, question.terms, watch)?,
                Reverse(members(set)),
            );
            best = best.max(Some((key, set)));
        }
        Ok(best.map(|(_, set)| set))
    }

    fn best<W: Watch>(
        &self,
        start: Partial,
        terms: &[Term],
        watch: &mut W,
    ) -> Result<Option<u32>, Halt<W::Stop>> {
        let mut order = members(start.open);
        let links = |device: usize| self.links_to(device, start.open | start.chosen);
        order.sort_by_key(|&device| Reverse(links(device)));
        let mut walk = Walk {
            left: MOST_STEPS,
            watch,
        };
        let mut best: Option<Value> = None;
        self.walk(start, &order, terms, &mut walk, |value, set| {
            if best.is_some_and(|best| value <= best) {
                return Step::Pass;
            }
            if set.is_some() {
                best = Some(value);
            }
            Step::On
        })?;
        let Some(best) = best else {
            return Ok(None);
        };
        let mut first = None;
        order.sort_unstable();
        self.walk(start, &order, terms, &mut walk, |value, set| {
            if value < best {
                return Step::Pass;
            }
            first = set;
            if set.is_some() { Step::Stop } else { Step::On }
        })?;
        Ok(first)
    }

    /// Goes through partial sets, those with the next device before those without, and
    /// asks at each with its bound, the second term at the most first; at a whole set with
    /// its value.
    fn walk<W: Watch>(
        &self,
        start: Partial,
        order: &[usize],
        terms: &[Term],
        walk: &mut Walk<'_, W>,
        mut ask: impl FnMut(Value, Option<u32>) -> Step,
    ) -> Result<(), Halt<W::Stop>> {
        let mut open = vec![(start, 0)];
        while let Some((partial, place)) = open.pop() {
            if partial.more > partial.open.count_ones() as usize {
                continue;
            }
            // A bound looks at each pair.
            walk.tell((self.size * self.size) as u64)?;
            let mut cost = 1;
            let first = self.bound(partial, terms.first());
            let mut step = ask((first, MOST), None);
            if matches!(step, Step::On) && terms.len() > 1 {
                step = ask((first, self.bound(partial, terms.get(1))), None);
            }
            if partial.more == 0 && matches!(step, Step::On) {
                cost = RING_STEPS;
                let value = self.value(partial.chosen, terms, walk.watch)?;
                step = ask(value, Some(partial.chosen));
            }
            walk.take(cost)?;
            match step {
                Step::Stop => return Ok(()),
                Step::On if partial.more > 0 => {}
                Step::On | Step::Pass => continue,
            }
            let Some(&device) = order.get(place) else {
                continue;
            };
            let without = Partial {
                open: partial.open & !(1 << device),
                ..partial
            };
            let with = Partial {
                chosen: without.chosen | 1 << device,
                more: without.more - 1,
                ..without
            };
            open.push((without, place + 1));
            open.push((with, place + 1));
        }
        Ok(())
    }

    /// Returns the value of a set.
    fn value<W: Watch>(
        &self,
        set: u32,
        terms: &[Term],
        watch: &mut W,
    ) -> Result<Value, Halt<W::Stop>> {
        let mut of = |term: Option<&Term>| -> Result<Ratio, W::Stop> {
            Ok(match term {
                Some(Term::Ring) => self.ring(&members(set), watch)?.rings,
                Some(Term::Links) => Ratio::whole(self.links(set)),
                _ => Ratio::ZERO,
            })
        };
        let values = of(terms.first()).and_then(|first| Ok((first, of(terms.get(1))?)));
        values.map_err(Halt::Stopped)
    }

    /// Returns the rings of a set; the smallest cut of a large one takes the cube of its
    /// devices.
    fn ring<W: Watch>(&self, devices: &[usize], watch: &mut W) -> Result<Ring, W::Stop> {
        watch.steps(devices.len().pow(3) as u64)?;
        ring(&self.part.of(devices), watch)
    }

    fn count(&self, a: usize, b: usize) -> u64 {
        let count = self.counts.get(a * self.size + b);
        count.map_or(0, |&count| u64::from(count))
    }

    fn links_to(&self, device: usize, set: u32) -> u64 {
        let others = places(set & !(1 << device));
        others.map(|other| self.count(device, other)).sum()
    }

    fn links(&self, set: u32) -> u64 {
        let links = places(set).map(|device| self.links_to(device, set));
        links.sum::<u64>() / 2
    }

    fn choice(&self, set: u32) -> Choice {
        let devices = members(set);
        let pairs = devices.iter().flat_map(|&a| {
            let before = devices.iter().take_while(move |&&b| b < a);
            before.map(move |&b| a * self.size + b)
        });
        let spans = pairs.filter_map(|pair| self.spans.get(pair).copied());
        // One more after the last step.
        let Ok(ring) = self.ring(&devices, &mut Unwatched);
        Choice {
            ring,
            links: self.links(set),
            span: spans.max().unwrap_or(Scope::Device),
            potential: None,
            method: Method::Search,
            devices,
        }
    }
}

/// Counts the steps of a search, of which there are [`MOST_STEPS`] at most, whoever watches.
struct Walk<'w, W> {
    left: usize,
    watch: &'w mut W,
}

impl<W: Watch> Walk<'_, W> {
    fn take(&mut self, steps: usize) -> Result<(), Error> {
        let left = self.left.checked_sub(steps).ok_or_else(|| {
            let message = format!("expected a set to be found in {MOST_STEPS} steps");
            Error::new(Code::LimitExceeded, "", message)
        });
        self.left = left?;
        Ok(())
    }

    fn tell(&mut self, steps: u64) -> Result<(), Halt<W::Stop>> {
        self.watch.steps(steps).map_err(Halt::Stopped)
    }
}

/// Says how a search goes on.
enum Step {
    On,
    Pass,
    Stop,
}

/// Goes through the places of a set, ascending.
fn places(set: u32) -> impl Iterator<Item = usize> {
    let next = |left: &u32| Some(left & left.wrapping_sub(1)).filter(|&left| left != 0);
    let lefts = std::iter::successors(Some(set).filter(|&set| set != 0), next);
    lefts.map(|left| left.trailing_zeros() as usize)
}

/// Returns the places of a set.
fn members(set: u32) -> Vec<usize> {
    places(set).collect()
}
