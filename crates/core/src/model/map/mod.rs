//! [`Map`]: a small sorted map, dense in memory.

mod iter;
mod shapes;
mod slots;

use std::borrow::Borrow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::sync::Arc;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use iter::MapIter;
pub(crate) use shapes::Shapes;

use slots::{Shape, Slot};

/// Maps keys to values, sorted by key and dense in memory.
///
/// Clusters publish millions of attributes in maps of a handful of entries:
/// a sorted slice takes a third of the memory of a tree, and iterates in the
/// same order on every machine. Decoders let maps share their keys, and the
/// values that all of them have. Duplicate keys cannot be decoded: which of the
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
#[derive(Clone)]
pub struct Map<K, V>(Entries<K, V>);

/// INVARIANT: strictly increasing by key.
#[derive(Clone)]
enum Entries<K, V> {
    Plain(Box<[(K, V)]>),
    Shaped(Arc<Shape<K, V>>, Box<[V]>),
}

impl<K, V> Map<K, V> {
    /// Returns a map without entries.
    pub fn new() -> Self {
        Self(Entries::Plain(Box::default()))
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        match &self.0 {
            Entries::Plain(entries) => entries.len(),
            Entries::Shaped(shape, _) => shape.len(),
        }
    }

    /// Returns whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the entries in the order of their keys.
    pub fn iter(&self) -> MapIter<'_, K, V> {
        MapIter::new(self)
    }

    /// Returns the keys in order.
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &K> + Clone {
        self.iter().map(|(key, _)| key)
    }

    /// Returns the values in the order of their keys.
    pub fn values(&self) -> impl ExactSizeIterator<Item = &V> + Clone {
        self.iter().map(|(_, value)| value)
    }

    /// Returns the entry at a place in the order of keys.
    pub fn at(&self, index: usize) -> Option<(&K, &V)> {
        match &self.0 {
            Entries::Plain(entries) => entries.get(index).map(|(key, value)| (key, value)),
            Entries::Shaped(shape, own) => shape.at(own, index),
        }
    }

    /// Returns whether two maps are known to be equal without a look at them.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Entries::Shaped(one, own), Entries::Shaped(other, _)) => {
                Arc::ptr_eq(one, other) && own.is_empty()
            }
            _ => std::ptr::eq(self, other),
        }
    }

    /// Returns whether two maps are known to have the same keys without a look at them.
    pub(crate) fn shares_keys(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Entries::Shaped(one, _), Entries::Shaped(other, _)) => Arc::ptr_eq(one, other),
            _ => self.is_empty() && other.is_empty(),
        }
    }
}

impl<K: Clone, V: Clone> Map<K, V> {
    /// Returns the values for change, in the order of their keys.
    pub fn values_mut(&mut self) -> impl ExactSizeIterator<Item = &mut V> {
        self.own().iter_mut().map(|(_, value)| value)
    }

    /// Returns the entries with values for change, in the order of their keys.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (&K, &mut V)> {
        self.own().iter_mut().map(|(key, value)| (&*key, value))
    }

    /// Returns the entries for change, of which none is shared from then on.
    fn own(&mut self) -> &mut [(K, V)] {
        if let Entries::Shaped(shape, own) = &self.0 {
            let entries = shape.iter(own);
            let entries = entries.map(|(key, value)| (key.clone(), value.clone()));
            self.0 = Entries::Plain(entries.collect());
        }
        match &mut self.0 {
            Entries::Plain(entries) => entries,
            Entries::Shaped(..) => &mut [],
        }
    }
}

impl<K: Ord, V> Map<K, V> {
    /// Returns the place of a key in the order of keys.
    pub fn position<Q: Ord + ?Sized>(&self, key: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        match &self.0 {
            Entries::Plain(entries) => {
                entries.binary_search_by(|(other, _)| other.borrow().cmp(key))
            }
            Entries::Shaped(shape, _) => shape.search(key),
        }
        .ok()
    }

    /// Returns the value of a key.
    pub fn get<Q: Ord + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let (_, value) = self.at(self.position(key)?)?;
        Some(value)
    }

    /// Returns whether a key is present.
    pub fn contains_key<Q: Ord + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.position(key).is_some()
    }
}

impl<K: Ord + Clone, V: Clone> Map<K, V> {
    /// Sets the value of a key, in time proportional to the size of the map.
    pub fn insert(&mut self, key: K, value: V) {
        self.own();
        let mut entries = match std::mem::take(self).0 {
            Entries::Plain(entries) => entries.into_vec(),
            Entries::Shaped(..) => Vec::new(),
        };
        match entries.binary_search_by(|(other, _)| other.cmp(&key)) {
            Ok(index) => entries[index].1 = value,
            Err(index) => entries.insert(index, (key, value)),
        }
        self.0 = Entries::Plain(entries.into());
    }
}

impl<K: PartialEq, V: PartialEq> PartialEq for Map<K, V> {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Entries::Shaped(one, own), Entries::Shaped(other, others))
                if Arc::ptr_eq(one, other) =>
            {
                own == others
            }
            _ => self.len() == other.len() && self.iter().eq(other),
        }
    }
}

impl<K: Eq, V: Eq> Eq for Map<K, V> {}

impl<K: Hash, V: Hash> Hash for Map<K, V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.len());
        for entry in self {
            entry.hash(state);
        }
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
        Self(Entries::Plain(entries.into()))
    }
}

impl<'a, K, V> IntoIterator for &'a Map<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = MapIter<'a, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K: Serialize, V: Serialize> Serialize for Map<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

/// Maps mostly take about so many bytes: a dozen attributes, or a few capacities.
const USUAL: usize = 288;

impl<'de, K, V> Deserialize<'de> for Map<K, V>
where
    K: Deserialize<'de> + Ord + fmt::Display,
    V: Deserialize<'de>,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader<K, V>(PhantomData<(K, V)>);

        impl<'de, K, V> Visitor<'de> for Reader<K, V>
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
                    if entries.is_empty() {
                        entries.reserve(USUAL / size_of::<(K, V)>().max(1));
                    }
                    entries.push(entry);
                }
                // Who writes JSON mostly sorts keys.
                if entries.is_sorted_by(|a, b| a.0 < b.0) {
                    return Ok(Map(Entries::Plain(entries.into())));
                }
                entries.sort_by(|a, b| a.0.cmp(&b.0));
                if let Some(pair) = entries.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                    return Err(A::Error::custom(format_args!(
                        "duplicate key `{}`, expected each key once",
                        pair[0].0
                    )));
                }
                Ok(Map(Entries::Plain(entries.into())))
            }
        }

        deserializer.deserialize_map(Reader(PhantomData))
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
