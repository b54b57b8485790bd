//! [`Classes`]: tables of domains that look alike.

use std::collections::BTreeMap;

use super::filter::State;
use super::merge::NONE;

/// Has tables, one for all domains that look alike.
#[derive(Debug)]
pub(super) struct Classes {
    pub(super) numbers: BTreeMap<Vec<u32>, u32>,
    pub(super) all: Vec<Class>,
}

#[derive(Clone, Debug)]
pub(super) struct Class {
    pub(super) table: Vec<i64>,
    pub(super) free: u32,
    pub(super) required: u32,
}

impl Classes {
    /// Returns the classes of single devices, by their state.
    pub(super) fn new() -> Self {
        let states = [State::Held, State::Left, State::Open, State::Must];
        Self {
            numbers: BTreeMap::new(),
            all: states.map(leaf_class).to_vec(),
        }
    }

    /// Returns the class of a device.
    pub(super) fn leaf(state: State) -> u32 {
        state as u32
    }

    pub(super) fn add(&mut self, key: Vec<u32>, class: Class) -> u32 {
        let number = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        self.all.push(class);
        self.numbers.insert(key, number);
        number
    }
}

pub(super) fn leaf_class(state: State) -> Class {
    let (table, free, required) = match state {
        State::Held => (vec![0], 0, 0),
        State::Left => (vec![0], 1, 0),
        State::Open => (vec![0, 0], 1, 0),
        State::Must => (vec![NONE, 0], 1, 1),
    };
    Class {
        table,
        free,
        required,
    }
}
