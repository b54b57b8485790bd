//! [`KnownCosts`]: the least costs of what parts can give, found once.

use std::collections::BTreeMap;

use super::lanes::Lanes;
use super::terms::Label;

/// When so many states or costs are known, all of them are forgotten.
const STATES: usize = 1 << 11;
const COSTS: usize = 1 << 16;

/// Remembers the least cost of each vector of a part by what that follows from.
///
/// It is for one table and one cost, as long as parts of the same class cost the
/// same.
#[derive(Debug)]
pub(crate) struct KnownCosts<C> {
    places: BTreeMap<Key, usize>,
    states: Vec<State<C>>,
    /// How many costs all of them have.
    count: usize,
    /// By part: the place of its last state.
    last: Vec<usize>,
}

type Key = (usize, u64, Box<[u64]>, Box<[i128]>);

#[derive(Debug)]
struct State<C> {
    kind: usize,
    class: u64,
    masks: Box<[u64]>,
    left: Box<[i128]>,
    /// Vectors beyond it were left out.
    target: Lanes,
    /// Nothing if they are too many.
    costs: Option<Box<[Label<C>]>>,
}

impl<C> Default for KnownCosts<C> {
    fn default() -> Self {
        Self {
            places: BTreeMap::new(),
            states: Vec::new(),
            count: 0,
            last: Vec::new(),
        }
    }
}

impl<C> KnownCosts<C> {
    /// Forgets all if that is too much; places are good until the next time.
    pub(super) fn begin(&mut self) {
        if self.states.len() >= STATES || self.count >= COSTS {
            self.places.clear();
            self.states.clear();
            self.count = 0;
        }
    }

    /// Returns the place of a state of a part, if it is known for a target.
    pub(super) fn find(
        &mut self,
        part: usize,
        (kind, class): (usize, u64),
        (masks, left): (&[u64], &[i128]),
        target: Lanes,
    ) -> Option<usize> {
        if self.last.len() <= part {
            self.last.resize(part + 1, usize::MAX);
        }
        let is_it = |state: &State<C>| {
            (state.kind, state.class) == (kind, class)
                && *state.masks == *masks
                && *state.left == *left
        };
        let last = self.last[part];
        let place = match self.states.get(last) {
            Some(state) if is_it(state) => last,
            _ => *self.places.get(&(kind, class, masks.into(), left.into()))?,
        };
        self.last[part] = place;
        self.states[place].target.covers(target).then_some(place)
    }

    /// Notes the costs of a state; returns its place.
    pub(super) fn add(
        &mut self,
        part: usize,
        (kind, class): (usize, u64),
        (masks, left): (&[u64], &[i128]),
        target: Lanes,
        costs: Option<Vec<Label<C>>>,
    ) -> usize {
        let place = self.states.len();
        self.count += costs.as_ref().map_or(0, Vec::len);
        self.states.push(State {
            kind,
            class,
            masks: masks.into(),
            left: left.into(),
            target,
            costs: costs.map(Into::into),
        });
        let key = (kind, class, masks.into(), left.into());
        self.places.insert(key, place);
        if let Some(last) = self.last.get_mut(part) {
            *last = place;
        }
        place
    }

    /// Returns the costs of a state; nothing if there are too many vectors.
    pub(super) fn costs(&self, place: usize) -> Option<&[Label<C>]> {
        self.states.get(place)?.costs.as_deref()
    }
}
