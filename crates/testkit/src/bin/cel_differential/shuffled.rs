//! [`Shuffled`]: a device whose maps are visited in another order.

use std::cell::RefCell;

use dralloc_cel::{Attribute, Device, Kind, Row};
use dralloc_quantity::Quantity;
use dralloc_testkit::generate::Random;

/// A device whose maps are visited in random order, as Kubernetes visits them.
pub(crate) struct Shuffled<'d> {
    device: &'d Device,
    random: RefCell<Random>,
}

impl<'d> Shuffled<'d> {
    pub(crate) fn new(device: &'d Device, seed: u64) -> Self {
        Self {
            device,
            random: RefCell::new(Random::new(seed)),
        }
    }

    fn shuffle<'n>(&self, mut names: Vec<&'n str>) -> Vec<&'n str> {
        self.random.borrow_mut().shuffle(&mut names);
        names
    }
}

impl Row for Shuffled<'_> {
    fn driver(&self) -> &str {
        self.device.driver()
    }

    fn allow_multiple_allocations(&self) -> bool {
        self.device.allow_multiple_allocations()
    }

    fn attribute(&self, domain: &str, name: &str) -> Option<Attribute<'_>> {
        self.device.attribute(domain, name)
    }

    fn capacity(&self, domain: &str, name: &str) -> Option<&Quantity> {
        self.device.capacity(domain, name)
    }

    fn domains(&self, kind: Kind) -> Vec<&str> {
        self.shuffle(self.device.domains(kind))
    }

    fn names(&self, kind: Kind, domain: &str) -> Vec<&str> {
        self.shuffle(self.device.names(kind, domain))
    }
}
