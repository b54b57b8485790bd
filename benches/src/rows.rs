//! A row as an engine holds it: what a program reads is looked up once.

use dralloc_cel::{Attribute, Device, Kind, Program, Row, Slot};
use dralloc_quantity::Quantity;

/// A device, and what the slots of one program are on it.
#[derive(Debug)]
pub struct ResolvedRow<'a> {
    device: &'a Device,
    slots: Vec<Resolved<'a>>,
}

#[derive(Clone, Copy, Debug)]
enum Resolved<'a> {
    Attribute(Option<Attribute<'a>>),
    Capacity(Option<&'a Quantity>),
}

impl<'a> ResolvedRow<'a> {
    /// Looks up the slots of a program.
    pub fn new(device: &'a Device, program: &Program) -> Self {
        let resolve = |slot: &Slot| match slot.kind {
            Kind::Attribute => Resolved::Attribute(device.attribute(&slot.domain, &slot.name)),
            Kind::Capacity => Resolved::Capacity(device.capacity(&slot.domain, &slot.name)),
        };
        Self {
            device,
            slots: program.reads().slots.iter().map(resolve).collect(),
        }
    }
}

impl Row for ResolvedRow<'_> {
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
        self.device.domains(kind)
    }

    fn names(&self, kind: Kind, domain: &str) -> Vec<&str> {
        self.device.names(kind, domain)
    }

    fn attribute_slot(&self, index: usize, _: &Slot) -> Option<Attribute<'_>> {
        match self.slots.get(index) {
            Some(Resolved::Attribute(attribute)) => *attribute,
            _ => None,
        }
    }

    fn capacity_slot(&self, index: usize, _: &Slot) -> Option<&Quantity> {
        match self.slots.get(index) {
            Some(Resolved::Capacity(quantity)) => *quantity,
            _ => None,
        }
    }
}
