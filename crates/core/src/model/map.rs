//! [`Map`]: a small sorted map, dense in memory.

use std::borrow::Borrow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Maps keys to values in one sorted allocation.
///
/// Clusters publish millions of attributes in maps of a handful of entries:
/// a sorted slice takes a third of the memory of a tree, and iterates in the
/// same order on every machine. Duplicate keys cannot be decoded: which of the
/// two was meant is unknown.
///
/// # Examples
///
/// ```
/// use dralloc::model::Map;
///
/// let map: Map<&str, i32> = [("b", 2), ("a", 1)].into_iter().collect();
/// assert_eq!(map.get("a"), Some(&1));
/// assert_eq!(map.keys().copied().collect::<Vec<_>>(), ["a", "b"]);
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Map<K, V> {
    // INVARIANT: strictly increasing by key.
    entries: Box<[(K, V)]>,
}

impl<K, V> Map<K, V> {
    /// Returns a map without entries.
    pub fn new() -> Self {
        Self {
            entries: Box::default(),
        }
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the entries in the order of their keys.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&K, &V)> + Clone {
        self.entries.iter().map(|(key, value)| (key, value))
    }

    /// Returns the keys in order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &K> + Clone {
        self.entries.iter().map(|(key, _)| key)
    }

    /// Returns the values in the order of their keys.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &V> + Clone {
        self.entries.iter().map(|(_, value)| value)
    }

    /// Returns the values for change, in the order of their keys.
    pub fn values_mut(&mut self) -> impl ExactSizeIterator<Item = &mut V> {
        self.entries.iter_mut().map(|(_, value)| value)
    }

    /// Returns the entries with values for change, in the order of their keys.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (&K, &mut V)> {
        self.entries.iter_mut().map(|(key, value)| (&*key, value))
    }

    /// Returns the entry at a place in the order of keys.
    pub fn at(&self, index: usize) -> Option<(&K, &V)> {
        self.entries.get(index).map(|(key, value)| (key, value))
    }
}

impl<K: Ord, V> Map<K, V> {
    /// Returns the place of a key in the order of keys.
    pub fn position<Q: Ord + ?Sized>(&self, key: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        self.entries
            .binary_search_by(|(other, _)| other.borrow().cmp(key))
            .ok()
    }

    /// Returns the value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.position(key).map(|index| &self.entries[index].1)
    }

    /// Returns whether a key is present.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.position(key).is_some()
    }

    /// Sets the value of a key, in time proportional to the size of the map.
    pub fn insert(&mut self, key: K, value: V) {
        let mut entries = std::mem::take(&mut self.entries).into_vec();
        match entries.binary_search_by(|(other, _)| other.cmp(&key)) {
            Ok(index) => entries[index].1 = value,
            Err(index) => entries.insert(index, (key, value)),
        }
        self.entries = entries.into();
    }

    /// Returns the same map with every key replaced, for sharing equal keys.
    ///
    /// The replacement must keep the order of the keys; it is sorted again if not.
    #[must_use]
    pub fn map_keys<L: Ord>(self, replace: impl FnMut(K) -> L) -> Map<L, V> {
        let mut replace = replace;
        self.entries
            .into_vec()
            .into_iter()
            .map(|(key, value)| (replace(key), value))
            .collect()
    }
}

impl<K, V> Default for Map<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for Map<K, V> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_map().entries(self.iter()).finish()
    }
}

/// Of entries with equal keys, the last one counts.
impl<K: Ord, V> FromIterator<(K, V)> for Map<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut entries: Vec<(K, V)> = entries.into_iter().collect();
        if entries.windows(2).any(|pair| pair[0].0 >= pair[1].0) {
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            // `dedup_by` keeps the earlier of two equal keys and hands over the
            // later one first: the swap leaves the value that came last.
            entries.dedup_by(|later, earlier| {
                let equal = later.0 == earlier.0;
                if equal {
                    std::mem::swap(&mut later.1, &mut earlier.1);
                }
                equal
            });
        }
        Self {
            entries: entries.into(),
        }
    }
}

impl<'a, K, V> IntoIterator for &'a Map<K, V> {
    type Item = &'a (K, V);
    type IntoIter = std::slice::Iter<'a, (K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter()
    }
}

impl<K: Serialize, V: Serialize> Serialize for Map<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de, K, V> Deserialize<'de> for Map<K, V>
where
    K: Deserialize<'de> + Ord + fmt::Display,
    V: Deserialize<'de>,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<K, V>(PhantomData<(K, V)>);

        impl<'de, K, V> Visitor<'de> for Entries<K, V>
        where
            K: Deserialize<'de> + Ord + fmt::Display,
            V: Deserialize<'de>,
        {
            type Value = Map<K, V>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a map")
            }

            fn visit_unit<E: serde::de::Error>(self) -> Result<Self::Value, E> {
                Ok(Map::new())
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
                let mut entries: Vec<(K, V)> = Vec::new();
                while let Some(entry) = access.next_entry()? {
                    entries.push(entry);
                }
                entries.sort_by(|a, b| a.0.cmp(&b.0));
                if let Some(pair) = entries.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                    return Err(A::Error::custom(format_args!(
                        "duplicate key `{}`, expected each key once",
                        pair[0].0
                    )));
                }
                Ok(Map {
                    entries: entries.into(),
                })
            }
        }

        deserializer.deserialize_map(Entries(PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_equal_keys_counts() {
        let map: Map<&str, i32> = [("a", 1), ("b", 2), ("a", 3), ("a", 4)]
            .into_iter()
            .collect();
        assert_eq!(map.iter().collect::<Vec<_>>(), [(&"a", &4), (&"b", &2)]);
    }

    #[test]
    fn insert_keeps_the_order() {
        let mut map = Map::new();
        for (key, value) in [(3, 'c'), (1, 'a'), (2, 'b'), (1, 'z')] {
            map.insert(key, value);
        }
        assert_eq!(
            map.iter().collect::<Vec<_>>(),
            [(&1, &'z'), (&2, &'b'), (&3, &'c')]
        );
        assert_eq!(map.at(1), Some((&2, &'b')));
        assert_eq!(map.position(&3), Some(2));
    }

    #[test]
    fn duplicate_keys_cannot_be_decoded() {
        let error = serde_json::from_str::<Map<String, i32>>(r#"{"a":1,"a":2}"#).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("duplicate key `a`, expected each key once")
        );
    }
}
