//! [`List`]: a list that is rarely there.

use std::fmt;
use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Is a list that most objects have no entries of: an empty one is one word.
///
/// # Examples
///
/// ```
/// use dralloc::model::List;
///
/// let mut list: List<i32> = vec![1, 2].into();
/// list.push(3);
/// assert_eq!(list[..], [1, 2, 3]);
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct List<T>(
    /// INVARIANT: not empty.
    #[expect(
        clippy::box_collection,
        reason = "one word for what is rarely there, where a list takes three"
    )]
    Option<Box<Vec<T>>>,
);

impl<T> List<T> {
    /// Returns a list without entries.
    pub const fn new() -> Self {
        Self(None)
    }

    /// Adds an entry at the end.
    pub fn push(&mut self, entry: T) {
        self.0.get_or_insert_default().push(entry);
    }

    /// Takes the last entry away.
    pub fn pop(&mut self) -> Option<T> {
        let entries = self.0.as_mut()?;
        let last = entries.pop();
        if entries.is_empty() {
            self.0 = None;
        }
        last
    }
}

impl<T> Default for List<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> From<Vec<T>> for List<T> {
    fn from(mut entries: Vec<T>) -> Self {
        entries.shrink_to_fit();
        Self((!entries.is_empty()).then(|| Box::new(entries)))
    }
}

impl<T: Clone> From<&[T]> for List<T> {
    fn from(entries: &[T]) -> Self {
        entries.to_vec().into()
    }
}

impl<T> From<List<T>> for Vec<T> {
    fn from(list: List<T>) -> Self {
        list.0.map_or_else(Vec::new, |entries| *entries)
    }
}

impl<T> FromIterator<T> for List<T> {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Self {
        Vec::from_iter(entries).into()
    }
}

impl<T> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        self.0.as_ref().map_or(&[], |entries| entries)
    }
}

impl<T> DerefMut for List<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.0.as_mut().map_or(&mut [], |entries| entries)
    }
}

impl<'a, T> IntoIterator for &'a List<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut List<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}

impl<T> IntoIterator for List<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        Vec::from(self).into_iter()
    }
}

impl<T: fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, formatter)
    }
}

impl<T: Serialize> Serialize for List<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::from)
    }
}

impl<T: AsRef<str> + fmt::Debug + Sync> dralloc_cel::Texts for List<T> {
    fn count(&self) -> usize {
        self.len()
    }

    fn text(&self, place: usize) -> Option<&str> {
        self.get(place).map(AsRef::as_ref)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_emptied_list_is_an_empty_one() {
        let mut list: List<i32> = [1].into_iter().collect();
        assert_eq!((list.pop(), list.pop()), (Some(1), None));
        assert_eq!(list, List::new());
        assert_eq!(size_of::<Option<List<i32>>>(), 2 * size_of::<usize>());
        list.push(2);
        assert_eq!(format!("{list:?}"), "[2]");
    }
}
