//! [`Shape`]: what maps share.

use std::borrow::Borrow;

/// Holds the keys of maps and the values that all of them have.
#[derive(Debug)]
pub(super) struct Shape<K, V> {
    entries: Box<[(K, Slot<V>)]>,
}

/// Says where a map has a value.
#[derive(Debug)]
pub(super) enum Slot<V> {
    Common(V),
    /// At a place among its own.
    Own(u32),
}

impl<K, V> Shape<K, V> {
    pub(super) fn new(entries: Box<[(K, Slot<V>)]>) -> Self {
        Self { entries }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns how many values maps have of their own.
    pub(super) fn own(&self) -> usize {
        let slots = self.entries.iter();
        slots
            .filter(|(_, slot)| matches!(slot, Slot::Own(_)))
            .count()
    }

    pub(super) fn slots(&self) -> impl ExactSizeIterator<Item = (&K, &Slot<V>)> + Clone {
        self.entries.iter().map(|(key, slot)| (key, slot))
    }

    pub(super) fn at<'a>(&'a self, own: &'a [V], index: usize) -> Option<(&'a K, &'a V)> {
        let (key, slot) = self.entries.get(index)?;
        let value = match slot {
            Slot::Common(value) => value,
            Slot::Own(place) => own.get(*place as usize)?,
        };
        Some((key, value))
    }

    pub(super) fn iter<'a>(&'a self, own: &'a [V]) -> impl Iterator<Item = (&'a K, &'a V)> {
        (0..self.len()).filter_map(|index| self.at(own, index))
    }

    pub(super) fn search<Q: Ord + ?Sized>(&self, key: &Q) -> Result<usize, usize>
    where
        K: Borrow<Q>,
    {
        self.entries
            .binary_search_by(|(other, _)| other.borrow().cmp(key))
    }
}
