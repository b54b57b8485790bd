//! [`Compared`]: what devices show to a constraint that a plan is under.

use std::cell::OnceCell;

use crate::constraint::{AttributeSets, Holders, SetId};

/// Is a constraint of a plan, with what each device shows to it.
#[derive(Debug)]
pub(crate) struct Compared {
    /// Place of the constraint in the problem.
    pub(crate) constraint: usize,
    /// By device.
    shown: Vec<Option<SetId>>,
    /// Once somebody asks for the devices of a value.
    holders: OnceCell<Holders>,
}

impl PartialEq for Compared {
    fn eq(&self, other: &Self) -> bool {
        self.constraint == other.constraint && self.shown == other.shown
    }
}

impl Compared {
    /// Returns a constraint to which none of some devices shows anything yet.
    pub(in crate::solver) fn new(constraint: usize, devices: usize) -> Self {
        Self {
            constraint,
            shown: vec![None; devices],
            holders: OnceCell::new(),
        }
    }

    /// Writes down what a device shows.
    pub(in crate::solver) fn show(&mut self, device: usize, set: SetId) {
        self.shown[device] = Some(set);
        self.holders.take();
    }

    /// Returns what a device shows.
    pub(in crate::solver) fn shown(&self, device: usize) -> Option<SetId> {
        self.shown[device]
    }

    /// Returns what each device shows.
    pub(in crate::solver) fn all_shown(&self) -> &[Option<SetId>] {
        &self.shown
    }

    /// Returns the devices from a place on that show a value; the sets are those of the
    /// constraint.
    pub(in crate::solver) fn with(
        &self,
        sets: &AttributeSets,
        value: u32,
        start: usize,
    ) -> impl Iterator<Item = usize> {
        let holders = || Holders::new(sets, &self.shown);
        let devices = self.holders.get_or_init(holders).with(value, start);
        devices.iter().map(|device| *device as usize)
    }

    /// Returns the devices from a place on that show one of some values, each device once.
    pub(in crate::solver) fn with_any(
        &self,
        sets: &AttributeSets,
        values: SetId,
        start: usize,
    ) -> impl Iterator<Item = usize> {
        let values = sets.values(values);
        values.iter().flat_map(move |value| {
            // It comes with the first value of those that it shows.
            let is_first = move |device: &usize| {
                let shown = self.shown(*device).map_or(&[][..], |set| sets.values(set));
                shown.iter().find(|own| values.contains(own)) == Some(value)
            };
            let devices = self.with(sets, *value, start);
            devices.filter(move |device| values.len() == 1 || is_first(device))
        })
    }
}
