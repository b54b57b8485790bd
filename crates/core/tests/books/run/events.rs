//! Steps of the world: what events and lists say.

use dralloc::{Change, Relist, Removed};

use super::claim::event;
use super::{CLAIMS, Run};
use crate::model::Holding;
use crate::world::{device_names, id, node, pool_names};

impl Run {
    pub(super) fn change_slices(&mut self) {
        let names = pool_names();
        let name = names[self.random.below(names.len())];
        match self.random.below(10) {
            0..=5 => {
                let old = self.world.pools.get(&name).cloned();
                let slices = self
                    .world
                    .publish(name, &self.books.state, &mut self.random);
                for slice in &slices {
                    self.apply(Change::ResourceSlice(slice.clone()));
                }
                // What comes again, or late, changes nothing.
                for slice in slices
                    .into_iter()
                    .chain(old.iter().flat_map(|old| old.slices(name)))
                {
                    let applied = self.engine.apply(Change::ResourceSlice(slice)).unwrap();
                    assert!(!applied.is_changed(), "seed {}", self.seed);
                }
            }
            6 => {
                let gone = self.world.withdraw(name, &self.books.state, true);
                for change in gone {
                    self.apply(change);
                }
            }
            7 => {
                let old = self.world.pools.get(&name).cloned();
                let gone = self.world.withdraw(name, &self.books.state, false);
                for change in gone {
                    self.apply(change);
                }
                for slice in old.iter().flat_map(|old| old.slices(name)) {
                    let applied = self.engine.apply(Change::ResourceSlice(slice)).unwrap();
                    assert!(!applied.is_changed(), "seed {}", self.seed);
                }
            }
            _ => {}
        }
    }

    pub(super) fn change_node(&mut self) {
        let name = self.node();
        if self.world.nodes.remove(name) {
            self.apply(Change::Removed(Removed::Node(name.into())));
        } else {
            self.world.nodes.insert(name);
            self.apply(node(name));
        }
    }

    pub(super) fn change_taints(&mut self) {
        if self.random.chance(50) {
            let names = pool_names();
            let name = names[self.random.below(names.len())];
            let devices = device_names(name.0);
            let device = id(name, &devices[self.random.below(devices.len())]);
            let rule = self.world.taint(device);
            self.apply(rule);
        } else {
            self.world.tainted.clear();
            let applied = self
                .engine
                .replace(Relist::DeviceTaintRules(Vec::new()))
                .unwrap();
            self.note(&applied);
        }
    }

    pub(super) fn claim_event(&mut self) {
        let number = self.random.below(CLAIMS);
        if self.random.chance(12) {
            let owner = self.claims[number].uid.clone();
            self.apply(Change::Removed(Removed::ResourceClaim(
                owner.as_str().into(),
            )));
            self.books.remove(&owner);
            self.claims[number] = self.claim(number);
            return;
        }
        let mut claim = self.claims[number].clone();
        let said = match self.random.below(10) {
            // The echo of what the engine knows.
            0..=4 => self.books.state.of(&claim.uid),
            // It was under way when devices were given.
            5..=6 => Holding::default(),
            7 => self.some_devices(),
            _ => Holding {
                releasing: true,
                ..self.books.state.of(&claim.uid)
            },
        };
        // Sometimes it comes late.
        if self.random.chance(80) {
            self.claims[number].version += 1;
            claim.version += 1;
        }
        let event = event(&claim, &said);
        self.apply(Change::ResourceClaim(event));
        // Without an allocation a claim has no users.
        let said = if said.devices.is_empty() {
            Holding::default()
        } else {
            said
        };
        self.books.event(&claim.uid, claim.version, said);
    }

    /// A list says the same as the events that were missed.
    pub(super) fn relist(&mut self) {
        let mut names = pool_names();
        for _ in 0..self.random.below(3) {
            // Of what was missed between two states nobody knows anything.
            let name = names.swap_remove(self.random.below(names.len()));
            if self.random.chance(70) {
                self.world
                    .publish(name, &self.books.state, &mut self.random);
            } else {
                self.world.withdraw(name, &self.books.state, false);
            }
        }
        let mut slices = self.world.slices();
        self.random.shuffle(&mut slices);
        let applied = self
            .engine
            .replace(Relist::ResourceSlices(slices.clone()))
            .unwrap();
        self.note(&applied);
        let again = self.engine.replace(Relist::ResourceSlices(slices)).unwrap();
        assert!(!again.is_changed(), "{again:?}, seed {}", self.seed);
    }
}
