//! [`AttributeSets`]: numbers for what devices show to a constraint.

use std::collections::BTreeMap;

use crate::number::number;
use crate::rules::{AttributeSet, AttributeValue};

/// Numbers a set of values of one constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SetId(u32);

impl SetId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Holds the sets of values that the devices of one constraint show.
///
/// Equal sets have equal numbers; the common part of two is found once.
#[derive(Debug, Default)]
pub(crate) struct AttributeSets {
    values: BTreeMap<AttributeValue, u32>,
    ids: BTreeMap<Vec<u32>, SetId>,
    sets: Vec<Vec<u32>>,
    common: BTreeMap<(SetId, SetId), Option<SetId>>,
}

impl AttributeSets {
    /// Returns the number of a set.
    ///
    /// One that cannot be compared is the empty set: it has nothing in common
    /// with any, itself included.
    pub(crate) fn add(&mut self, set: AttributeSet) -> SetId {
        let mut numbers = Vec::new();
        if let AttributeSet::Values(values) = set {
            for value in values {
                let next = number(self.values.len());
                numbers.push(*self.values.entry(value).or_insert(next));
            }
        }
        numbers.sort_unstable();
        self.intern(numbers)
    }

    fn intern(&mut self, numbers: Vec<u32>) -> SetId {
        if let Some(id) = self.ids.get(&numbers) {
            return *id;
        }
        let id = SetId(number(self.sets.len()));
        self.sets.push(numbers.clone());
        self.ids.insert(numbers, id);
        id
    }

    /// Returns how many different values there are.
    pub(crate) fn value_count(&self) -> usize {
        self.values.len()
    }

    /// Returns the numbers of the values of a set.
    pub(crate) fn values(&self, set: SetId) -> &[u32] {
        &self.sets[set.index()]
    }

    /// Returns the value of a number.
    pub(crate) fn value(&self, number: u32) -> Option<&AttributeValue> {
        let mut values = self.values.iter();
        values.find_map(|(value, other)| (*other == number).then_some(value))
    }

    /// Returns whether a set cannot be compared with any.
    pub(crate) fn is_incomparable(&self, set: SetId) -> bool {
        self.values(set).is_empty()
    }

    /// Returns what two sets have in common, if anything.
    pub(crate) fn common(&mut self, a: SetId, b: SetId) -> Option<SetId> {
        match (self.values(a), self.values(b)) {
            ([], _) | (_, []) => return None,
            _ if a == b => return Some(a),
            ([_], [_]) => return None,
            _ => {}
        }
        let key = (a.min(b), a.max(b));
        if let Some(known) = self.common.get(&key) {
            return *known;
        }
        let others = self.values(b);
        let both: Vec<u32> = self
            .values(a)
            .iter()
            .filter(|value| others.contains(value))
            .copied()
            .collect();
        let common = if both.is_empty() {
            None
        } else {
            Some(self.intern(both))
        };
        self.common.insert(key, common);
        common
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ints(sets: &mut AttributeSets, values: &[i64]) -> SetId {
        sets.add(AttributeSet::Values(
            values.iter().map(|v| AttributeValue::Int(*v)).collect(),
        ))
    }

    #[test]
    fn sets_have_values_in_common() {
        let mut sets = AttributeSets::default();
        let (a, b, c) = (
            ints(&mut sets, &[1, 2]),
            ints(&mut sets, &[2, 3]),
            ints(&mut sets, &[4]),
        );
        let two = ints(&mut sets, &[2]);
        assert_eq!(sets.common(a, b), Some(two));
        assert_eq!(sets.common(b, a), Some(two));
        assert_eq!(sets.common(a, c), None);
        assert_eq!(sets.common(two, two), Some(two));
    }

    #[test]
    fn incomparable_sets_have_nothing_in_common() {
        let mut sets = AttributeSets::default();
        let none = sets.add(AttributeSet::Incomparable);
        let one = ints(&mut sets, &[1]);
        assert_eq!(sets.common(none, none), None);
        assert_eq!(sets.common(one, none), None);
        assert!(sets.is_incomparable(none) && !sets.is_incomparable(one));
    }
}
