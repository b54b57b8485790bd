//! [`Shapes`]: which shapes maps had lately.

use std::collections::VecDeque;
use std::sync::Arc;

use super::{Entries, Map, Shape, Slot};
use crate::model::{Counter, DeviceAttribute, DeviceCapacity, Quantity, Str};

/// So many shapes are remembered; a cluster has a handful of sorts of devices.
const MAX_SHAPES: usize = 16;

/// So many maps make up for a shape with values.
const MIN_MAPS: usize = 4;

/// Tells whether values cannot be told apart, not even by how they are written.
pub(crate) trait Alike {
    fn is_alike(&self, other: &Self) -> bool;
}

/// Makes maps share their keys and values with those before.
#[derive(Debug)]
pub(crate) struct Shapes<V> {
    /// The last one used first.
    known: VecDeque<Arc<Shape<Str, V>>>,
}

impl<V> Default for Shapes<V> {
    fn default() -> Self {
        Self {
            known: VecDeque::new(),
        }
    }
}

impl<V: Alike + Clone> Shapes<V> {
    /// Shares what the maps of one object have in common, with each other and
    /// with those of others before.
    pub(crate) fn share(&mut self, mut maps: Vec<&mut Map<Str, V>>) {
        let mut start = 0;
        while start < maps.len() {
            let group = group(&maps[start..]);
            if group == 0 {
                start += 1;
            } else {
                self.share_group(&mut maps[start..start + group]);
                start += group;
            }
        }
    }

    /// Shares what maps with the same keys have in common.
    fn share_group(&mut self, maps: &mut [&mut Map<Str, V>]) {
        for place in 0..maps.len() {
            if !self.fit(&mut *maps[place]) {
                let shape = self.shape_of(&maps[place..]);
                self.remember(shape);
                self.fit(&mut *maps[place]);
            }
        }
    }

    /// Gives a map the first known shape that fits.
    fn fit(&mut self, map: &mut Map<Str, V>) -> bool {
        let Entries::Plain(entries) = &map.0 else {
            return true;
        };
        let Some(found) = self.known.iter().position(|shape| fits(shape, entries)) else {
            return false;
        };
        if found > 0
            && let Some(shape) = self.known.remove(found)
        {
            self.known.push_front(shape);
        }
        let Some(shape) = self.known.front() else {
            return false;
        };
        let Entries::Plain(entries) = std::mem::take(map).0 else {
            return false;
        };
        let values = entries.into_iter().map(|(_, value)| value);
        let own = shape.slots().zip(values);
        let own = own.filter(|((_, slot), _)| matches!(slot, Slot::Own(_)));
        let mut values = Vec::with_capacity(shape.own());
        values.extend(own.map(|(_, value)| value));
        map.0 = Entries::Shaped(Arc::clone(shape), values.into());
        true
    }

    /// Returns the shape of maps with the same keys, which has the values that
    /// all of them have.
    ///
    /// Values that maps before had not are left out, as long as most are left:
    /// they are common by chance, as those of one node.
    fn shape_of(&self, maps: &[&mut Map<Str, V>]) -> Shape<Str, V> {
        let Some((first, others)) = maps.split_first() else {
            return Shape::new(Box::default());
        };
        let is_common = |place: usize, value: &V| {
            let mut others = others.iter().map(|other| other.at(place));
            others.all(|other| other.is_some_and(|(_, other)| other.is_alike(value)))
        };
        let many = maps.len() >= MIN_MAPS;
        let common: Vec<bool> = first
            .values()
            .enumerate()
            .map(|(place, value)| many && is_common(place, value))
            .collect();
        let before = self.known.iter().find(|shape| has_keys(shape, first));
        let both: Option<Vec<bool>> = before.map(|shape| {
            let slots = shape.slots().zip(first.values()).zip(&common);
            slots
                .map(|(((_, slot), value), common)| match slot {
                    Slot::Common(other) => *common && other.is_alike(value),
                    Slot::Own(_) => false,
                })
                .collect()
        });
        let count = |common: &[bool]| common.iter().filter(|common| **common).count();
        let common = match both {
            Some(both) if 2 * count(&both) > count(&common) => both,
            _ => common,
        };
        let mut own = 0;
        let entries = first.iter().zip(common).map(|((key, value), common)| {
            let slot = if common {
                Slot::Common(value.clone())
            } else {
                own += 1;
                Slot::Own(own - 1)
            };
            (key.clone(), slot)
        });
        Shape::new(entries.collect())
    }

    fn remember(&mut self, shape: Shape<Str, V>) {
        self.known.truncate(MAX_SHAPES - 1);
        self.known.push_front(Arc::new(shape));
    }
}

/// Returns how many maps there are before one with other keys.
fn group<V>(maps: &[&mut Map<Str, V>]) -> usize {
    let Some(first) = maps.first().filter(|first| !first.is_empty()) else {
        return 0;
    };
    let same = maps
        .iter()
        .take_while(|other| other.len() == first.len() && first.keys().eq(other.keys()));
    same.count()
}

fn has_keys<V>(shape: &Shape<Str, V>, map: &Map<Str, V>) -> bool {
    shape.len() == map.len() && shape.slots().map(|(key, _)| key).eq(map.keys())
}

fn fits<V: Alike>(shape: &Shape<Str, V>, entries: &[(Str, V)]) -> bool {
    shape.len() == entries.len()
        && shape
            .slots()
            .zip(entries)
            .all(|((key, slot), (other, value))| {
                key == other
                    && match slot {
                        Slot::Common(common) => common.is_alike(value),
                        Slot::Own(_) => true,
                    }
            })
}

impl Alike for DeviceAttribute {
    fn is_alike(&self, other: &Self) -> bool {
        self == other
    }
}

impl Alike for Quantity {
    fn is_alike(&self, other: &Self) -> bool {
        self == other && self.text().is_some() && self.text() == other.text()
    }
}

impl Alike for Counter {
    fn is_alike(&self, other: &Self) -> bool {
        self.value.is_alike(&other.value)
    }
}

impl Alike for DeviceCapacity {
    fn is_alike(&self, other: &Self) -> bool {
        self.value.is_alike(&other.value)
            && match (&self.request_policy, &other.request_policy) {
                (None, None) => true,
                // What is printed has all of the text.
                (Some(one), Some(other)) => format!("{one:?}") == format!("{other:?}"),
                _ => false,
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map(entries: &[(&str, i64)]) -> Map<Str, DeviceAttribute> {
        entries
            .iter()
            .map(|(key, value)| ((*key).into(), DeviceAttribute::Int(*value)))
            .collect()
    }

    fn own<V>(map: &Map<Str, V>) -> Option<usize> {
        match &map.0 {
            Entries::Plain(_) => None,
            Entries::Shaped(_, own) => Some(own.len()),
        }
    }

    fn share(shapes: &mut Shapes<DeviceAttribute>, maps: &mut [Map<Str, DeviceAttribute>]) {
        let before = maps.to_vec();
        shapes.share(maps.iter_mut().collect());
        assert_eq!(maps, before);
        for (map, before) in maps.iter().zip(&before) {
            assert_eq!(format!("{map:?}"), format!("{before:?}"));
            assert_eq!(map.len(), map.iter().count());
            for (place, (key, value)) in before.iter().enumerate() {
                assert_eq!(map.get(key), Some(value));
                assert_eq!(map.at(place), Some((key, value)));
            }
            assert_eq!(map.get("none"), None);
        }
    }

    #[test]
    fn what_all_have_is_kept_once() {
        let mut shapes = Shapes::default();
        let of_node = |node| {
            let device =
                |index| map(&[("a", 1), ("b", 2), ("c", 3), ("index", index), ("n", node)]);
            (0..4).map(device).collect::<Vec<_>>()
        };
        let mut first = of_node(1);
        share(&mut shapes, &mut first);
        assert_eq!(own(&first[3]), Some(1));
        // What was common by chance is not from then on.
        for node in 2..4 {
            let mut next = of_node(node);
            share(&mut shapes, &mut next);
            assert_eq!(own(&next[3]), Some(2));
        }
        assert_eq!(shapes.known.len(), 2);
        // A map alone takes a shape that is there.
        let mut one = of_node(5);
        one.truncate(1);
        share(&mut shapes, &mut one);
        assert_eq!(own(&one[0]), Some(2));
        let mut other = vec![map(&[("a", 1)]), map(&[("b", 1)]), map(&[])];
        share(&mut shapes, &mut other);
        let owns: Vec<_> = other.iter().map(own).collect();
        assert_eq!(owns, [Some(1), Some(1), None]);
    }

    #[test]
    fn a_change_is_not_seen_by_others() {
        let mut maps = vec![map(&[("a", 1), ("b", 2)]); 4];
        share(&mut Shapes::default(), &mut maps);
        assert_eq!(own(&maps[0]), Some(0));
        maps[0].insert("c".into(), DeviceAttribute::Int(3));
        maps[1]
            .values_mut()
            .for_each(|value| *value = DeviceAttribute::Bool(true));
        assert_eq!(maps[0], map(&[("a", 1), ("b", 2), ("c", 3)]));
        assert_eq!(maps[1].get("b"), Some(&DeviceAttribute::Bool(true)));
        assert_eq!(maps[2], map(&[("a", 1), ("b", 2)]));
    }

    #[test]
    fn amounts_that_are_written_otherwise_are_not_alike() {
        let capacity = |text: &str| DeviceCapacity {
            value: text.parse().unwrap_or_default(),
            request_policy: None,
        };
        assert!(capacity("1Ki").is_alike(&capacity("1Ki")));
        assert!(!capacity("1Ki").is_alike(&capacity("1024")));
    }
}
