//! [`MapIter`]: the entries of a map in order.

use super::{Entries, Map, Shape};

/// Goes through the entries of a [`Map`].
#[derive(Debug)]
pub struct MapIter<'a, K, V>(Kind<'a, K, V>);

#[derive(Debug)]
enum Kind<'a, K, V> {
    Plain(std::slice::Iter<'a, (K, V)>),
    Shaped {
        shape: &'a Shape<K, V>,
        own: &'a [V],
        index: usize,
    },
}

impl<'a, K, V> MapIter<'a, K, V> {
    pub(super) fn new(map: &'a Map<K, V>) -> Self {
        Self(match &map.0 {
            Entries::Plain(entries) => Kind::Plain(entries.iter()),
            Entries::Shaped(shape, own) => Kind::Shaped {
                shape,
                own,
                index: 0,
            },
        })
    }
}

impl<'a, K, V> Iterator for MapIter<'a, K, V> {
    type Item = (&'a K, &'a V);

    fn next(&mut self) -> Option<Self::Item> {
        match &mut self.0 {
            Kind::Plain(entries) => entries.next().map(|(key, value)| (key, value)),
            Kind::Shaped { shape, own, index } => {
                let entry = shape.at(own, *index)?;
                *index += 1;
                Some(entry)
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = match &self.0 {
            Kind::Plain(entries) => entries.len(),
            Kind::Shaped { shape, index, .. } => shape.len() - index,
        };
        (left, Some(left))
    }
}

impl<K, V> ExactSizeIterator for MapIter<'_, K, V> {}

impl<K, V> Clone for MapIter<'_, K, V> {
    fn clone(&self) -> Self {
        Self(match &self.0 {
            Kind::Plain(entries) => Kind::Plain(entries.clone()),
            Kind::Shaped { shape, own, index } => Kind::Shaped {
                shape,
                own,
                index: *index,
            },
        })
    }
}
