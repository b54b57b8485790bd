//! What paths read of the device, and their slots.

use super::Lowering;
use crate::program::node::{Conditional, DomainName, Key, Node, Path, Root};
use crate::runtime::Value;
use crate::{Kind, Slot};

impl Lowering<'_> {
    /// The text of a constant.
    pub(super) fn text(&self, key: &Key) -> Option<&str> {
        match key {
            Key::Constant(index) => match self.code.constants.get(*index) {
                Some(Value::String(text)) => Some(text),
                _ => None,
            },
            _ => None,
        }
    }

    /// The domain that a path denotes, if it denotes one.
    pub(super) fn domain(&self, path: &Path) -> Option<DomainName> {
        match (&path.root, path.qualifiers.as_slice()) {
            (Root::Device, [map, domain]) if !map.optional && !domain.optional && !path.test => {
                let kind = map_kind(self.text(&map.key)?)?;
                Some((kind, self.text(&domain.key)?.to_owned()))
            }
            (Root::Local(local), []) => self.domains.get(*local).cloned().flatten(),
            _ => None,
        }
    }

    /// The map that a path denotes, if it is `device.attributes` or `device.capacity`.
    pub(super) fn domains(&self, path: &Path) -> Option<Kind> {
        match (&path.root, path.qualifiers.as_slice()) {
            (Root::Device, [map]) if !map.optional && !path.test => map_kind(self.text(&map.key)?),
            _ => None,
        }
    }

    pub(super) fn slot(&mut self, (kind, domain): DomainName, name: &str) -> usize {
        let slot = Slot {
            kind,
            domain,
            name: name.to_owned(),
        };
        let slots = &mut self.code.reads.slots;
        if let Some(index) = slots.iter().position(|other| *other == slot) {
            return index;
        }
        slots.push(slot);
        slots.len() - 1
    }

    /// Makes the node of a finished path, a short one for usual paths.
    pub(super) fn path_node(&self, path: Path) -> Node {
        if let (Root::Device, [_, name]) = (&path.root, path.qualifiers.as_slice())
            && let (Key::Constant(name), Some((kind, _))) = (&name.key, self.domain(&path))
        {
            return Node::Domain { kind, name: *name };
        }
        match (&path.root, path.qualifiers.as_slice()) {
            (Root::Slot { slot, .. }, []) if path.test => Node::HasSlot(*slot),
            (
                Root::Slot {
                    slot,
                    optional: false,
                },
                [],
            ) => Node::Slot(*slot),
            (Root::Local(local), []) => Node::Local(*local),
            (Root::Local(local), [name]) if !name.optional => match name.key {
                Key::Slot(slot) => Node::BoundSlot {
                    local: *local,
                    slot,
                    test: path.test,
                },
                _ => Node::Path(path),
            },
            (Root::Device, [field])
                if !field.optional && !path.test && self.text(&field.key) == Some("driver") =>
            {
                Node::Driver
            }
            _ => Node::Path(path),
        }
    }

    /// Finishes a path: finds its slot and notes what it reads of the device.
    pub(super) fn settle(&mut self, mut path: Path) -> Path {
        if let Root::Conditional(conditional) = path.root {
            let Conditional {
                condition,
                truthy,
                falsy,
            } = *conditional;
            path.root = Root::Conditional(Box::new(Conditional {
                condition,
                truthy: self.settle(truthy),
                falsy: self.settle(falsy),
            }));
            return path;
        }
        match path.root {
            Root::Device => self.settle_device(path),
            Root::Local(local) => self.settle_local(path, local),
            _ => path,
        }
    }

    fn settle_device(&mut self, mut path: Path) -> Path {
        let field = path
            .qualifiers
            .first()
            .and_then(|first| self.text(&first.key));
        match field {
            Some("driver") => self.code.reads.driver = true,
            Some("allowMultipleAllocations") => self.code.reads.allow_multiple_allocations = true,
            // Fields are always there, and so is every domain.
            Some(_) if path.test && path.qualifiers.len() == 1 => {}
            Some(_) => {
                let slot = self.slot_of(&path);
                if let Some((slot, optional)) = slot {
                    path.qualifiers.drain(..3);
                    path.root = Root::Slot { slot, optional };
                } else if !(path.test && path.qualifiers.len() == 2) {
                    self.code.reads.everything = true;
                }
            }
            None => {
                self.code.reads.everything = true;
                self.code.reads.driver = true;
                self.code.reads.allow_multiple_allocations = true;
            }
        }
        path
    }

    /// The slot that the first three selections on the device denote, and
    /// whether the last of them is optional.
    fn slot_of(&mut self, path: &Path) -> Option<(usize, bool)> {
        let [map, domain, name, ..] = path.qualifiers.as_slice() else {
            return None;
        };
        if map.optional || domain.optional {
            return None;
        }
        let kind = map_kind(self.text(&map.key)?)?;
        let domain = self.text(&domain.key)?.to_owned();
        let text = self.text(&name.key)?.to_owned();
        Some((self.slot((kind, domain), &text), name.optional))
    }

    /// A variable that is bound to a domain: a selection on it has a slot.
    fn settle_local(&mut self, mut path: Path, local: usize) -> Path {
        let Some(domain) = self.domains.get(local).cloned().flatten() else {
            return path;
        };
        let name = path
            .qualifiers
            .first()
            .and_then(|first| self.text(&first.key))
            .map(str::to_owned);
        let slot = name.map(|name| self.slot(domain, &name));
        match (slot, path.qualifiers.first_mut()) {
            (Some(slot), Some(first)) => first.key = Key::Slot(slot),
            _ => self.code.reads.everything = true,
        }
        path
    }
}

fn map_kind(field: &str) -> Option<Kind> {
    match field {
        "attributes" => Some(Kind::Attribute),
        "capacity" => Some(Kind::Capacity),
        _ => None,
    }
}
