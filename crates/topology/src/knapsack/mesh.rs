//! [`Mesh`]: a domain of up to 16 devices with direct links.

use std::sync::Arc;

use super::filter::{Filter, State};
use super::merge::NONE;
use super::potential;
use crate::domain::{Domain, DomainTree};
use crate::ratio::Ratio;
use crate::select::Term;
use crate::table::Table;
use crate::watch::Watch;

/// Is a domain whose devices are not interchangeable: its table has all their sets.
#[derive(Clone, Debug)]
pub(super) struct Mesh {
    pub(super) domain: usize,
    /// The devices, in the order of the tree: sets are masks of places.
    pub(super) devices: Vec<usize>,
    pub(super) table: Arc<Table>,
    /// The number of the shape of the table.
    pub(super) shape: u32,
    /// The domains inside, this one first, each with its devices.
    inside: Vec<(usize, u16)>,
    /// What of equal sets the first has the most of, the first of these first.
    order: Vec<u16>,
}

/// Says which sets of a mesh count, and for how much.
#[derive(Clone, Copy, Debug)]
pub(super) enum Goal {
    /// All, with so much for each of their links.
    Links(i64),
    /// Those with so many rings and, where they count, links.
    Rings(Ratio, Option<u64>),
}

/// The steps that it takes to look at one set, of which there are 65,536 at most.
const STEPS_OF_A_SET: u64 = 4;

/// Has the states of the devices of a mesh.
#[derive(Clone, Copy, Debug)]
struct States {
    free: u16,
    open: u16,
    required: u16,
}

impl Mesh {
    pub(super) fn new(tree: &DomainTree, domain: usize, table: Arc<Table>, shape: u32) -> Self {
        let start = tree.domains()[domain].start;
        // The devices of a domain are a range.
        let mask = |domain: &Domain| {
            let all = (1_u32 << domain.len) - 1;
            u16::try_from(all << (domain.start - start)).unwrap_or(u16::MAX)
        };
        let (mut inside, mut order) = (Vec::new(), Vec::new());
        let mut open = vec![domain];
        while let Some(next) = open.pop() {
            let domain = &tree.domains()[next];
            inside.push((next, mask(domain)));
            for &child in &domain.children {
                order.push(mask(&tree.domains()[child as usize]));
            }
            open.extend(domain.children.iter().rev().map(|&child| child as usize));
        }
        let devices = tree.devices(&tree.domains()[domain]).iter();
        Self {
            domain,
            devices: devices.map(|&device| device as usize).collect(),
            table,
            shape,
            inside,
            order,
        }
    }

    /// Returns the domains inside, with this one.
    pub(super) fn domains(&self) -> impl Iterator<Item = usize> {
        self.inside.iter().map(|&(domain, _)| domain)
    }

    /// Returns the mask of devices; others are passed over.
    pub(super) fn mask(&self, set: &[usize]) -> u16 {
        let places = self.devices.iter().enumerate();
        let chosen = places.filter(|(_, device)| set.contains(device));
        chosen.fold(0, |mask, (place, _)| mask | 1 << place)
    }

    fn states(&self, filter: &Filter) -> States {
        let of = |least: State| {
            let places = self.devices.iter().enumerate();
            let with = places.filter(|&(_, &device)| filter.get(device) >= least);
            with.fold(0, |mask, (place, _)| mask | 1 << place)
        };
        States {
            free: of(State::Left),
            open: of(State::Open),
            required: of(State::Must),
        }
    }

    /// Returns the most rings of so many devices, and of those sets the most links; none
    /// where they have no ring, or more devices are required than are here.
    pub(super) fn best_rings<W: Watch>(
        &self,
        filter: &Filter,
        (count, required): (usize, usize),
        links: bool,
        watch: &mut W,
    ) -> Result<Option<(Ratio, u64)>, W::Stop> {
        let states = self.states(filter);
        if states.required.count_ones() as usize != required {
            return Ok(None);
        }
        let terms = [Term::Ring, Term::Links];
        let terms = if links { &terms[..] } else { &terms[..1] };
        let sets = (states.free, states.open, states.required);
        let Some(set) = self.table.best_until(sets, count, terms, watch)? else {
            return Ok(None);
        };
        let rings = self.table.ring(set).rings;
        let links = if links { self.table.links(set) } else { 0 };
        Ok((rings > Ratio::ZERO).then_some((rings, links)))
    }

    /// Returns the best value for each number of devices.
    pub(super) fn values<W: Watch>(
        &self,
        filter: &Filter,
        most: usize,
        (goal, packing): (Goal, bool),
        watch: &mut W,
    ) -> Result<Vec<i64>, W::Stop> {
        let states = self.states(filter);
        watch.steps(STEPS_OF_A_SET << states.open.count_ones())?;
        let worths = self.worths(self.domain, states, packing);
        let most = most.min(states.open.count_ones() as usize);
        let mut values = vec![NONE; most + 1];
        each_set(states, u16::MAX, |set| {
            if let Some(entry) = values.get_mut(set.count_ones() as usize)
                && let Some(value) = self.value(set, goal, &worths)
            {
                *entry = value.max(*entry);
            }
        });
        Ok(values)
    }

    /// Returns the first best set of so many devices of a domain inside, with its value
    /// there.
    pub(super) fn best<W: Watch>(
        &self,
        (domain, count): (usize, usize),
        filter: &Filter,
        (goal, packing): (Goal, bool),
        watch: &mut W,
    ) -> Result<Option<(i64, u16)>, W::Stop> {
        let inside = self.inside.iter().find(|(inside, _)| *inside == domain);
        let Some(&(_, mask)) = inside else {
            return Ok(None);
        };
        let states = self.states(filter);
        watch.steps(STEPS_OF_A_SET << (states.open & mask).count_ones())?;
        let worths = self.worths(domain, states, packing);
        let mut best: Option<(i64, u16)> = None;
        each_set(states, mask, |set| {
            if set.count_ones() as usize != count {
                return;
            }
            let Some(value) = self.value(set, goal, &worths) else {
                return;
            };
            let better = best.is_none_or(|(most, chosen)| {
                value > most || (value == most && self.is_before(set, chosen))
            });
            if better {
                best = Some((value, set));
            }
        });
        Ok(best)
    }

    /// Returns what domains inside one lose with each number of devices.
    fn worths(&self, domain: usize, states: States, packing: bool) -> Vec<(u16, Vec<i64>)> {
        let outer = self.inside.iter().find(|(inside, _)| *inside == domain);
        let outer = outer.map_or(0, |&(_, mask)| mask);
        let inside = self.inside.iter().map(|&(_, mask)| mask);
        let inside = inside.filter(|mask| packing && mask & !outer == 0 && mask.count_ones() > 1);
        inside
            .map(|mask| {
                let (len, free) = (mask.count_ones(), (mask & states.free).count_ones());
                let left = |count| potential::of_domain(len, free - count);
                let lost = (0..=free).map(|count| left(0) - left(count));
                (
                    mask,
                    lost.map(|lost| i64::try_from(lost).unwrap_or(0)).collect(),
                )
            })
            .collect()
    }

    /// Returns the value of a set; none where it does not count. The empty one always does.
    fn value(&self, set: u16, goal: Goal, worths: &[(u16, Vec<i64>)]) -> Option<i64> {
        let value = match goal {
            _ if set == 0 => 0,
            Goal::Links(worth) => i64::try_from(self.table.links(set))
                .ok()?
                .checked_mul(worth)?,
            Goal::Rings(rings, links) => {
                let fits = links.is_none_or(|links| self.table.links(set) == links);
                if !fits || self.table.ring(set).rings != rings {
                    return None;
                }
                0
            }
        };
        let lost = worths
            .iter()
            .filter_map(|(mask, lost)| lost.get((set & mask).count_ones() as usize));
        Some(value - lost.sum::<i64>())
    }

    /// Says whether a set takes more of the first domain that tells them apart.
    fn is_before(&self, set: u16, other: u16) -> bool {
        let takes = |set: u16| self.order.iter().map(move |mask| (set & mask).count_ones());
        takes(set).gt(takes(other))
    }
}

/// Calls for each set of open devices inside of a mask with all that are required.
fn each_set(states: States, inside: u16, mut call: impl FnMut(u16)) {
    let open = states.open & inside & !states.required;
    if states.required & !inside != 0 {
        return;
    }
    let mut others = 0_u16;
    loop {
        call(others | states.required);
        if others == open {
            return;
        }
        others = others.wrapping_sub(open) & open;
    }
}
