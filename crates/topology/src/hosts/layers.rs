//! The knapsack over the parts of one domain.

use std::rc::Rc;

use super::solver::{Entry, Solver};
use super::{Halt, MAX_STATES, too_many};

/// Is what the parts from one on give together, the best way.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) units: u32,
    pub(super) hosts: u32,
    /// Whether the first of the parts gives something.
    pub(super) begun: bool,
    pub(super) value: u128,
    /// What the first part gives.
    pub(super) given: (u32, u32),
    /// The state of the parts after it, by place.
    pub(super) after: usize,
}

/// Layers, and the place of a state in the last one.
pub(super) type Trace = (Vec<Vec<State>>, usize);

/// Is a domain with the question for it.
struct Frame {
    node: usize,
    from: u32,
    to: u32,
    /// How many of the parts can give as much as a part must.
    parts: usize,
    /// How much that is.
    least: u32,
    /// By number, the fewest parts that could have it.
    fewest: Vec<u32>,
    /// How many hosts there may be; nothing if they are not counted one by one.
    hosts: Option<u32>,
}

impl Solver<'_> {
    /// Returns the best ways in which parts give `from` to `to` units together.
    ///
    /// Few parts come first in every value, so only ways with `bound` parts at most are
    /// looked at: as few as could be at first, more if some number was not found with
    /// these. A way that is found is the best then, since what it is compared with has no
    /// more parts.
    pub(super) fn combine(&mut self, node: usize, from: u32, to: u32) -> Result<Vec<Entry>, Halt> {
        let frame = self.frame(node, from, to)?;
        let mut bound = self.first_bound(&frame);
        loop {
            let layers = self.layers(&frame, bound)?;
            let entries = self.entries(&frame, layers.last().map_or(&[], Vec::as_slice));
            self.states = self
                .states
                .saturating_sub(layers.iter().map(Vec::len).sum());
            let supply = &self.tree.nodes[node].supply;
            let is_root = self.tree.nodes[node].level == 0;
            let mut wanted = (from..=to).filter(|&units| is_root || supply.hosts(units).is_some());
            let mut found = entries.iter().map(|entry| entry.units).peekable();
            let is_missing = wanted.any(|units| {
                while found.next_if(|&other| other < units).is_some() {}
                found.peek() != Some(&units)
            });
            let Some(next) = self.next_bound(&frame, bound).filter(|_| is_missing) else {
                return Ok(entries);
            };
            bound = next;
        }
    }

    /// Returns the layers in which one number is found, the last part first, and the place
    /// of it in the last layer.
    pub(super) fn trace(
        &mut self,
        node: usize,
        units: u32,
        hosts: u32,
    ) -> Result<Option<Trace>, Halt> {
        let frame = self.frame(node, units, units)?;
        let hosts = if self.tree.counts_hosts(self.tree.nodes[node].level) {
            hosts
        } else {
            u32::MAX
        };
        let mut bound = self.first_bound(&frame);
        loop {
            let layers = self.layers(&frame, bound)?;
            self.states = self
                .states
                .saturating_sub(layers.iter().map(Vec::len).sum());
            let last = layers.last().map_or(&[][..], Vec::as_slice);
            let found = last.iter().enumerate().filter(|(_, state)| {
                state.units == units && frame.hosts.is_none_or(|_| state.hosts <= hosts)
            });
            // Of equal ones that in which the first part gives more.
            let best = found.min_by_key(|(_, state)| (state.value, !state.begun));
            let place = best.map(|(place, _)| place);
            if let Some(place) = place {
                return Ok(Some((layers, place)));
            }
            match self.next_bound(&frame, bound) {
                Some(next) => bound = next,
                None => return Ok(None),
            }
        }
    }

    fn frame(&self, node: usize, from: u32, to: u32) -> Result<Frame, Halt> {
        if to as usize > MAX_STATES {
            return Err(too_many());
        }
        let (tree, this) = (self.tree, &self.tree.nodes[node]);
        let least = self.least[this.level + 1].max(1);
        let enough = |&part: &usize| tree.nodes[part].supply.most() >= least;
        let parts = this.parts.partition_point(enough);
        let mut fewest = Vec::with_capacity(to as usize + 1);
        let mut next = 0;
        for units in 0..=to {
            while next <= parts && this.sums[next] < units {
                next += 1;
            }
            fewest.push(u32::try_from(next).unwrap_or(u32::MAX));
        }
        // Hosts under a domain are counted as its parts.
        let counts = this.level < tree.levels && tree.counts_hosts(this.level + 1);
        Ok(Frame {
            node,
            from,
            to,
            parts,
            least,
            fewest,
            hosts: counts
                .then_some(tree.most_hosts)
                .flatten()
                .map(|(_, hosts)| hosts),
        })
    }

    /// Returns how many parts could be used at most: each gives `least` or more, and where
    /// parts are hosts there may be a limit.
    fn last_bound(&self, frame: &Frame) -> u32 {
        let level = self.tree.nodes[frame.node].level;
        let parts = u32::try_from(frame.parts).unwrap_or(u32::MAX);
        let parts = parts.min(frame.to / frame.least);
        let limit = self.tree.limit(level).filter(|_| level == self.tree.levels);
        limit.map_or(parts, |limit| parts.min(limit))
    }

    fn first_bound(&self, frame: &Frame) -> u32 {
        let last = self.last_bound(frame);
        // Where hosts count, more parts with fewer hosts may be wanted.
        if frame.hosts.is_some() {
            return last;
        }
        frame.fewest.last().map_or(0, |&fewest| fewest.min(last))
    }

    fn next_bound(&self, frame: &Frame, bound: u32) -> Option<u32> {
        let last = self.last_bound(frame);
        (bound < last).then(|| last.min(bound.saturating_mul(2).saturating_add(1)))
    }

    /// Returns the best states of the parts from the last on, then of the last two, and so
    /// on.
    ///
    /// A state is left out if nothing that is wanted can come of it: the parts before it
    /// are those that can give most, so the fewest of them with what is missing are known;
    /// with those there must be `bound` parts at most, and each must be able to give
    /// `least`. Of parts that look alike the first are used: any other way is one of those
    /// with parts exchanged.
    fn layers(&mut self, frame: &Frame, bound: u32) -> Result<Vec<Vec<State>>, Halt> {
        let (tree, this) = (self.tree, &self.tree.nodes[frame.node]);
        let level = this.level + 1;
        let tables = self.part_tables(frame, bound)?;
        let width = frame.hosts.map_or(1, |hosts| hosts as usize + 1);
        let size = (frame.to as usize + 1).saturating_mul(2 * width);
        if size > MAX_STATES {
            return Err(too_many());
        }
        let mut slots = vec![usize::MAX; size];
        let nothing = State {
            units: 0,
            hosts: 0,
            begun: false,
            value: 0,
            given: (0, 0),
            after: 0,
        };
        let mut layers = vec![vec![nothing]];
        for place in (0..frame.parts).rev() {
            let alike = (this.parts.get(place + 1)).is_some_and(|&next| {
                place + 1 < frame.parts
                    && tree.nodes[next].class == tree.nodes[this.parts[place]].class
            });
            let before = u32::try_from(place).unwrap_or(u32::MAX);
            let mut next: Vec<State> = Vec::new();
            let mut steps = 1;
            let last = layers.last().map_or(&[][..], Vec::as_slice);
            for (after, state) in last.iter().enumerate() {
                let used = self.fields.count(state.value, level);
                let is_live = |units: u32, used: u32| {
                    let missing = frame.from.saturating_sub(units);
                    let fewest = frame.fewest[missing as usize];
                    let room = u64::from(frame.to - units);
                    fewest <= before
                        && u64::from(used) + u64::from(fewest) <= u64::from(bound)
                        && u64::from(fewest) * u64::from(frame.least) <= room
                };
                let mut keep = |new: State| {
                    let slot = (new.units as usize * width + new.hosts as usize) * 2;
                    let slot = &mut slots[slot + usize::from(new.begun)];
                    match next.get_mut(*slot) {
                        None => {
                            *slot = next.len();
                            next.push(new);
                        }
                        Some(old) if is_better(&new, old, last) => *old = new,
                        Some(_) => {}
                    }
                };
                if !(alike && state.begun) && is_live(state.units, used) {
                    keep(State {
                        begun: false,
                        given: (0, 0),
                        after,
                        ..*state
                    });
                }
                let room = frame.to - state.units;
                let end = tables[place].partition_point(|entry| entry.units <= room);
                steps += end;
                for entry in &tables[place][..end] {
                    let (units, hosts) = (state.units + entry.units, state.hosts + entry.hosts);
                    let fits = frame.hosts.is_none_or(|most| hosts <= most);
                    if fits && is_live(units, used + 1) {
                        keep(State {
                            units,
                            hosts,
                            begun: true,
                            value: state.value + entry.value,
                            given: (entry.units, entry.hosts),
                            after,
                        });
                    }
                }
            }
            for state in &next {
                let slot = (state.units as usize * width + state.hosts as usize) * 2;
                slots[slot + usize::from(state.begun)] = usize::MAX;
            }
            self.states += next.len();
            if self.states > MAX_STATES {
                return Err(too_many());
            }
            self.step(steps)?;
            layers.push(next);
        }
        Ok(layers)
    }

    /// Returns for each part what it could give.
    ///
    /// The other parts, `bound - 1` at most, give what they can at most, so it gives the
    /// rest of `from` or more; and each of those needed for `from` gives `least` or more,
    /// so it gives no more than `to` leaves.
    fn part_tables(&mut self, frame: &Frame, bound: u32) -> Result<Vec<Rc<[Entry]>>, Halt> {
        let this = &self.tree.nodes[frame.node];
        let others = (bound as usize).saturating_sub(1);
        let others = others.min(frame.parts.saturating_sub(1));
        let needed = frame.fewest.get(frame.from as usize).copied().unwrap_or(0);
        let of_others = u64::from(needed.saturating_sub(1)) * u64::from(frame.least);
        let to = u32::try_from(u64::from(frame.to).saturating_sub(of_others)).unwrap_or(0);
        let mut tables: Vec<Rc<[Entry]>> = Vec::with_capacity(frame.parts);
        let mut last = None;
        for (place, &part) in this.parts.iter().enumerate().take(frame.parts) {
            let sum = if place < others {
                let most = self.tree.nodes[part].supply.most();
                this.sums[others + 1].saturating_sub(most)
            } else {
                this.sums[others]
            };
            let from = frame.from.saturating_sub(sum);
            let look = (self.tree.nodes[part].class, from);
            let table = match tables.last() {
                Some(table) if last == Some(look) => Rc::clone(table),
                _ => self.table(part, from, to)?,
            };
            last = Some(look);
            tables.push(table);
        }
        Ok(tables)
    }

    /// Returns the ways that states stand for: with a limit on hosts further out those
    /// that have fewer hosts than all that are as good.
    fn entries(&self, frame: &Frame, states: &[State]) -> Vec<Entry> {
        let this = &self.tree.nodes[frame.node];
        let counts = self.tree.counts_hosts(this.level);
        let over_hosts = this.level == self.tree.levels;
        let mut entries: Vec<Entry> = states
            .iter()
            .filter(|state| (frame.from..=frame.to).contains(&state.units))
            .map(|state| Entry {
                units: state.units,
                hosts: match (counts, over_hosts) {
                    (false, _) => 0,
                    (true, false) => state.hosts,
                    (true, true) => self.fields.count(state.value, this.level + 1),
                },
                value: state.value,
            })
            .collect();
        entries.sort_unstable_by_key(|entry| (entry.units, entry.hosts, entry.value));
        let mut best: Option<(u32, u128)> = None;
        entries.retain(|entry| {
            let is_new =
                best.is_none_or(|(units, value)| units != entry.units || entry.value < value);
            if is_new {
                best = Some((entry.units, entry.value));
            }
            is_new
        });
        entries
    }
}

/// Returns whether one state is better than another: the value, then what the first part
/// gives, then what those after it give.
fn is_better(new: &State, old: &State, after: &[State]) -> bool {
    let rank = |state: &State| {
        let begun = after.get(state.after).is_some_and(|state| state.begun);
        (state.given.0, begun)
    };
    new.value < old.value || new.value == old.value && rank(new) > rank(old)
}
