//! [`Linked`]: terms that count how devices are linked, and how near they are.
//!
//! Their values are those of whole sets and do not grow pick by pick. So while requests
//! are open a value is what no completion is below, in this sense: as lists, in the
//! order of the terms. Terms that a table has are bounded together, by the best set that
//! the picks can become; each of the others alone.
//!
//! Admissible: let the positions of a list fall into groups, and let the values at the
//! positions of each group, as a list, be no more than those of any completion. Where
//! the whole list first differs from a completion, it does in one group, and there for
//! the first time; so it is less there. Positions of a group need not be neighbours, and
//! what picks add to other terms is a group of its own.
//!
//! Monotone: a pick leaves fewer completions, so the least of them only grows.

mod known;
mod near;
mod open;
mod sets;
mod spans;
mod usual;

use super::Term;
use crate::budget::Meter;
pub(crate) use known::Known;
use known::{Kind, bit};
use open::Alternative;
pub(super) use open::Candidates;
use spans::Spans;
pub(crate) use usual::UsualQuestion;

/// Is such a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::objective) enum Linkage {
    Ring,
    Links,
    Bottleneck,
    LinkPotential,
    NicAlignment,
    HostUplink,
    Span,
}

impl Linkage {
    /// Returns what a term is here; nothing if it is none of these.
    pub(super) fn of(term: &Term) -> Option<Self> {
        Some(match term {
            Term::Ring => Self::Ring,
            Term::Links => Self::Links,
            Term::Bottleneck => Self::Bottleneck,
            Term::LinkPotential => Self::LinkPotential,
            Term::NicAlignment => Self::NicAlignment,
            Term::HostUplink => Self::HostUplink,
            Term::Span => Self::Span,
            _ => return None,
        })
    }

    /// Returns what a table has of it.
    pub(super) fn of_table(self) -> Option<dralloc_topology::Term> {
        Some(match self {
            Self::Ring => dralloc_topology::Term::Ring,
            Self::Links => dralloc_topology::Term::Links,
            Self::Bottleneck => dralloc_topology::Term::Bottleneck,
            Self::LinkPotential => dralloc_topology::Term::Packing,
            Self::NicAlignment | Self::HostUplink | Self::Span => return None,
        })
    }
}

/// Keeps the values of these terms of a scope.
#[derive(Debug)]
pub(super) struct Linked {
    /// With their places among the terms of the scope.
    terms: Vec<(usize, Linkage)>,
    /// Whether they count for nothing until all picks are made.
    only_whole: bool,
    alternatives: Vec<Option<Alternative>>,
    requests: Vec<Request>,
    spans: Option<Spans>,
    /// By vertex, how many devices of it can be picked yet, each once.
    rooms: Vec<u32>,
    picked: Picked,
}

/// Is a request of the scope.
#[derive(Debug, Default)]
struct Request {
    alternatives: Vec<usize>,
    chosen: Option<usize>,
    /// How many picks of the chosen one are to come.
    left: i64,
}

/// Is what was picked.
#[derive(Debug, Default)]
struct Picked {
    devices: Vec<usize>,
    /// By vertex of linked devices, and of NICs, how many picks are of it.
    gpus: Vec<u32>,
    nics: Vec<u32>,
    /// The same as masks.
    gpu_set: u64,
    nic_set: u64,
    outsiders: usize,
}

impl Linked {
    /// Returns nothing if none of the terms is one of these.
    ///
    /// Alternatives are by number; those that do not count here are nothing.
    pub(super) fn new<'c>(
        known: &Known,
        terms: &[Term],
        candidates: impl Iterator<Item = Option<Candidates<'c>>>,
    ) -> Option<Self> {
        let terms = terms.iter().enumerate();
        let terms = terms.filter_map(|(place, term)| Some((place, Linkage::of(term)?)));
        let terms: Vec<(usize, Linkage)> = terms.collect();
        if terms.is_empty() {
            return None;
        }
        let candidates: Vec<Option<Candidates<'c>>> = candidates.collect();
        let mut linked = Self {
            spans: terms
                .iter()
                .any(|(_, term)| *term == Linkage::Span)
                .then(|| Spans::new(known, &candidates)),
            terms,
            only_whole: false,
            alternatives: Vec::with_capacity(candidates.len()),
            requests: Vec::new(),
            rooms: open::rooms(known, &candidates),
            picked: Picked::default(),
        };
        let mut requests: Vec<(usize, usize)> = Vec::new();
        for (number, candidates) in candidates.into_iter().enumerate() {
            let Some(candidates) = candidates else {
                linked.alternatives.push(None);
                continue;
            };
            let request = requests.iter().position(|it| *it == candidates.request);
            let request = request.unwrap_or_else(|| {
                requests.push(candidates.request);
                linked.requests.push(Request::default());
                requests.len() - 1
            });
            linked.requests[request].alternatives.push(number);
            linked
                .alternatives
                .push(Some(Alternative::new(known, &candidates, request)));
        }
        Some(linked)
    }

    /// Lets terms count for nothing until all picks are made.
    pub(super) fn count_when_whole(&mut self) {
        self.only_whole = true;
    }

    /// Notes that a request gets an alternative.
    pub(super) fn choose(&mut self, alternative: usize) {
        self.set(alternative, Some(alternative));
    }

    /// Takes that back.
    pub(super) fn take_choice_back(&mut self, alternative: usize) {
        self.set(alternative, None);
    }

    fn set(&mut self, alternative: usize, chosen: Option<usize>) {
        let known = self.alternatives.get(alternative);
        if let Some(known) = known.and_then(Option::as_ref)
            && let Some(request) = self.requests.get_mut(known.request)
        {
            request.chosen = chosen;
            request.left = chosen.map_or(0, |_| known.needed);
        }
    }

    /// Adds a pick of an alternative.
    pub(super) fn add(&mut self, known: &Known, alternative: usize, device: usize) {
        self.take(alternative, 1);
        let picked = &mut self.picked;
        picked.devices.push(device);
        match known.kind(device) {
            Kind::Gpu(place) => more(&mut picked.gpus, &mut picked.gpu_set, place),
            Kind::Outsider => picked.outsiders += 1,
            Kind::Other => {}
        }
        if let Some(place) = known.machine.nic(device) {
            more(&mut picked.nics, &mut picked.nic_set, place);
        }
    }

    /// Takes the latest pick back.
    pub(super) fn take_back(&mut self, known: &Known, alternative: usize, device: usize) {
        self.take(alternative, -1);
        let picked = &mut self.picked;
        picked.devices.pop();
        match known.kind(device) {
            Kind::Gpu(place) => less(&mut picked.gpus, &mut picked.gpu_set, place),
            Kind::Outsider => picked.outsiders = picked.outsiders.saturating_sub(1),
            Kind::Other => {}
        }
        if let Some(place) = known.machine.nic(device) {
            less(&mut picked.nics, &mut picked.nic_set, place);
        }
    }

    fn take(&mut self, alternative: usize, picks: i64) {
        let known = self.alternatives.get(alternative);
        if let Some(known) = known.and_then(Option::as_ref)
            && let Some(request) = self.requests.get_mut(known.request)
        {
            request.left -= picks;
        }
    }

    /// Writes the values among those of the scope.
    ///
    /// Is it stopped meanwhile, those of sets stay as they were.
    pub(super) fn write(&self, known: &Known, values: &mut [i64], meter: &mut Meter<'_>) {
        let open = self.open();
        let may_come = if self.spans.is_some() {
            open.all.1 > 0
        } else {
            open.linked.1 > 0 || open.nics.1 > 0
        };
        if self.only_whole && may_come {
            for (place, _) in &self.terms {
                set(values, *place, 0);
            }
            return;
        }
        if self.write_sets(known, &open, values, meter).is_err() {
            return;
        }
        for (place, term) in &self.terms {
            match term {
                Linkage::NicAlignment => {
                    set(values, *place, self.alignment(known, &open));
                }
                Linkage::HostUplink => set(values, *place, self.uplink(known, &open)),
                Linkage::Span => set(values, *place, self.span(known, &open)),
                _ => {}
            }
        }
    }

    /// Returns what it takes to write the values, in branches and roughly: sets of each
    /// size may be compared, devices assigned to NICs, and domains looked at.
    pub(super) fn effort(&self, known: &Known) -> u64 {
        let [gpus, nics] = known.machine.counts();
        let of = |(_, term): &(usize, Linkage)| match term {
            Linkage::Span => 1 + self.spans.as_ref().map_or(0, Spans::len) as u64 / 8,
            Linkage::NicAlignment | Linkage::HostUplink => 1 + (gpus * nics / 8) as u64,
            _ => 1 + (gpus * gpus / 8) as u64,
        };
        self.terms.iter().map(of).sum()
    }

    /// Says whether two alternatives are the same to these terms but for their devices.
    pub(super) fn are_alike(&self, one: usize, other: usize) -> bool {
        let counts = |alternative: usize| {
            let known = self.alternatives.get(alternative);
            known.is_some_and(Option::is_some)
        };
        counts(one) == counts(other)
    }

    /// Returns the devices that these terms do not count one by one.
    pub(super) fn group(&self, known: &Known) -> Vec<u32> {
        let counts_all = self.spans.is_some();
        let is_in = |device: &u32| {
            let device = *device as usize;
            counts_all || known.kind(device) != Kind::Other || known.machine.nic(device).is_some()
        };
        let all = 0..crate::number::number(known.kinds.len());
        all.filter(is_in).collect()
    }
}

fn set(values: &mut [i64], place: usize, value: i64) {
    if let Some(slot) = values.get_mut(place) {
        *slot = value;
    }
}

/// Returns a mask as tables have them.
fn low(set: u64) -> u16 {
    u16::try_from(set & u64::from(u16::MAX)).unwrap_or(0)
}

/// Counts a pick of a place.
fn more(counts: &mut Vec<u32>, mask: &mut u64, place: usize) {
    if counts.len() <= place {
        counts.resize(place + 1, 0);
    }
    counts[place] += 1;
    *mask |= bit(place);
}

/// Counts a pick less of a place.
fn less(counts: &mut [u32], mask: &mut u64, place: usize) {
    if let Some(count) = counts.get_mut(place) {
        *count = count.saturating_sub(1);
        if *count == 0 {
            *mask &= !bit(place);
        }
    }
}
