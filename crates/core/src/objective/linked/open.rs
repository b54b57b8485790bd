//! [`Open`]: what picks are still to come.

use std::ops::RangeInclusive;

use super::known::{Kind, Known, bit};
use super::{Linked, Request};
use crate::bitmap::Bitmap;

/// Is a device that can be picked any number of times.
const MANY: u32 = 1 << 16;

/// Are the devices that an alternative can have.
pub(in crate::objective) struct Candidates<'c> {
    /// Places of the claim, and of the request in it.
    pub(in crate::objective) request: (usize, usize),
    pub(in crate::objective) devices: &'c Bitmap,
    pub(in crate::objective) needed: usize,
    /// Whether it can be had at all.
    pub(in crate::objective) possible: bool,
}

/// Is what picks of an alternative can be.
#[derive(Debug)]
pub(super) struct Alternative {
    pub(super) request: usize,
    pub(super) needed: i64,
    possible: bool,
    /// Vertices of linked devices, and of NICs.
    gpus: u64,
    nics: u64,
    has_outsiders: bool,
    linked: Part,
    nic: Part,
}

/// Says of how many of the candidates something is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    All,
    Some,
    None,
}

impl Part {
    fn of(count: usize, all: usize) -> Self {
        match count {
            0 => Self::None,
            _ if count == all => Self::All,
            _ => Self::Some,
        }
    }

    /// Returns of how many picks it is true at least and at most.
    fn of_picks(self, picks: i64) -> (i64, i64) {
        match self {
            Self::All => (picks, picks),
            Self::Some => (0, picks),
            Self::None => (0, 0),
        }
    }
}

impl Alternative {
    pub(super) fn new(known: &Known, candidates: &Candidates<'_>, request: usize) -> Self {
        let mut alternative = Self {
            request,
            needed: i64::try_from(candidates.needed).unwrap_or(i64::MAX),
            possible: candidates.possible,
            gpus: 0,
            nics: 0,
            has_outsiders: false,
            linked: Part::None,
            nic: Part::None,
        };
        let (mut all, mut linked, mut nics) = (0, 0, 0);
        for device in candidates.devices.iter() {
            all += 1;
            match known.kind(device) {
                Kind::Gpu(place) => {
                    alternative.gpus |= bit(place);
                    linked += 1;
                }
                Kind::Outsider => {
                    alternative.has_outsiders = true;
                    linked += 1;
                }
                Kind::Other => {}
            }
            if let Some(place) = known.machine.nic(device) {
                alternative.nics |= bit(place);
                nics += 1;
            }
        }
        alternative.linked = Part::of(linked, all);
        alternative.nic = Part::of(nics, all);
        alternative
    }
}

/// Returns how many devices of each vertex any alternative can have.
pub(super) fn rooms(known: &Known, candidates: &[Option<Candidates<'_>>]) -> Vec<u32> {
    let mut rooms = Vec::new();
    for (device, kind) in known.kinds.iter().enumerate() {
        let Kind::Gpu(place) = kind else { continue };
        let mut all = candidates.iter().flatten();
        if all.any(|candidates| candidates.devices.contains(device)) {
            if rooms.len() <= *place {
                rooms.resize(place + 1, 0);
            }
            let picks = if known.shareable.contains(device) {
                MANY
            } else {
                1
            };
            rooms[*place] = picks.max(rooms[*place] + picks).min(MANY);
        }
    }
    rooms
}

/// Says which picks are still to come.
#[derive(Debug, Default)]
pub(super) struct Open {
    /// How many of them are of linked devices or outsiders, at least and at most.
    pub(super) linked: (i64, i64),
    /// How many are of NICs.
    pub(super) nics: (i64, i64),
    /// How many there are.
    pub(super) all: (i64, i64),
    /// Of which vertices they can be.
    pub(super) gpu_set: u64,
    pub(super) nic_set: u64,
    pub(super) may_be_outsiders: bool,
}

impl Request {
    /// Calls for each alternative that it can get yet.
    pub(super) fn each<'l>(
        &self,
        linked: &'l Linked,
        mut call: impl FnMut(usize, &'l Alternative),
    ) {
        let known = |number: usize| linked.alternatives.get(number)?.as_ref();
        if let Some(chosen) = self.chosen {
            if let Some(alternative) = known(chosen) {
                call(chosen, alternative);
            }
            return;
        }
        for number in &self.alternatives {
            if let Some(alternative) = known(*number).filter(|it| it.possible) {
                call(*number, alternative);
            }
        }
    }
}

impl Linked {
    /// Returns what is to come.
    pub(super) fn open(&self) -> Open {
        let mut open = Open::default();
        for request in &self.requests {
            let mut sum = Sum::default();
            request.each(self, |_, alternative| {
                let picks = match request.chosen {
                    Some(_) => request.left,
                    None => alternative.needed,
                };
                sum.add(alternative, picks);
                if picks > 0 {
                    open.gpu_set |= alternative.gpus;
                    open.nic_set |= alternative.nics;
                    open.may_be_outsiders |= alternative.has_outsiders;
                }
            });
            for (all, own) in [
                (&mut open.linked, sum.linked),
                (&mut open.nics, sum.nics),
                (&mut open.all, sum.all),
            ] {
                let (least, most) = own.unwrap_or((0, 0));
                all.0 = all.0.saturating_add(least);
                all.1 = all.1.saturating_add(most);
            }
        }
        for (place, room) in self.rooms.iter().enumerate() {
            if self.picks_of(place) >= *room {
                open.gpu_set &= !bit(place);
            }
        }
        open
    }

    fn picks_of(&self, place: usize) -> u32 {
        self.picked.gpus.get(place).copied().unwrap_or(0)
    }

    /// Returns how many picks of linked devices are to come, when some of those may be
    /// outsiders or none is.
    pub(super) fn gpu_picks(open: &Open) -> (i64, i64) {
        let (least, most) = open.linked;
        match (open.gpu_set, open.may_be_outsiders) {
            (0, _) => (0, 0),
            (_, true) => (0, most.max(0)),
            (_, false) => (least.max(0), most.max(0)),
        }
    }

    /// Returns how many vertices there can be in the end with a number of picks of linked
    /// devices, at least and at most.
    pub(super) fn vertices(&self, open: &Open, (least, most): (i64, i64)) -> RangeInclusive<usize> {
        let chosen = self.picked.gpu_set;
        let now = chosen.count_ones() as usize;
        let fresh = open.gpu_set & !chosen;
        let to_usize = |picks: i64| usize::try_from(picks).unwrap_or(0);
        let up_to = to_usize(most).min(fresh.count_ones() as usize);
        let room = |place: usize| {
            let room = self.rooms.get(place).copied().unwrap_or(0);
            room.saturating_sub(self.picks_of(place)) as usize
        };
        let places = |set: u64| (0..64_usize).filter(move |place| set & bit(*place) != 0);
        // First all that is left of vertices that are there already.
        let beside: usize = places(open.gpu_set & chosen).map(room).sum();
        let mut rest = to_usize(least).saturating_sub(beside);
        let mut rooms: Vec<usize> = places(fresh).map(room).collect();
        rooms.sort_unstable_by(|one, other| other.cmp(one));
        let mut from = 0;
        for room in rooms {
            if rest == 0 {
                break;
            }
            rest = rest.saturating_sub(room);
            from += 1;
        }
        now + from.min(up_to)..=now + up_to
    }
}

/// Is what a request brings at least and at most.
#[derive(Default)]
struct Sum {
    linked: Option<(i64, i64)>,
    nics: Option<(i64, i64)>,
    all: Option<(i64, i64)>,
}

impl Sum {
    fn add(&mut self, alternative: &Alternative, picks: i64) {
        let widen = |sum: &mut Option<(i64, i64)>, (least, most): (i64, i64)| {
            let (from, to) = sum.unwrap_or((least, most));
            *sum = Some((from.min(least), to.max(most)));
        };
        widen(&mut self.linked, alternative.linked.of_picks(picks));
        widen(&mut self.nics, alternative.nic.of_picks(picks));
        widen(&mut self.all, (picks, picks));
    }
}
