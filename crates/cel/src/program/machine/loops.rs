//! Evaluation of loops.
//!
//! Kubernetes expands a loop into steps on an accumulator; the costs charged
//! here are those of the expansion: an access to the accumulator, a call of
//! an operator, or a comparison costs 1 each.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::failure::{Done, Failure, Outcome, absorbed, invalid, no_such_overload, split};
use super::{Local, Machine};
use crate::program::node::{LoopNode, NodeId};
use crate::runtime::compare::{has_order, is_same_key, key_order};
use crate::runtime::{Map, Value};
use crate::syntax::LoopKind;

/// The accumulator, or why there is none.
type Accumulated<T> = Result<T, Failure>;

impl<'a> Machine<'a, '_> {
    pub(super) fn run_loop(&mut self, parts: &'a LoopNode, place: &mut Value<'a>) -> Done {
        let mut range = Value::Null;
        self.eval_to(parts.range, &mut range)?;
        let keys = match &range {
            Value::List(_) => None,
            Value::Map(map) => Some(map.keys(self.context.row)),
            other => {
                return Err(invalid(format!(
                    "got `{}`, expected iterable type",
                    other.type_name()
                )));
            }
        };
        let items = Items { range, keys };
        *place = match parts.kind {
            LoopKind::All => Value::Bool(self.quantify(parts, &items, false)?),
            LoopKind::Exists => Value::Bool(self.quantify(parts, &items, true)?),
            LoopKind::ExistsOne => Value::Bool(self.exists_one(parts, &items)?),
            LoopKind::List => self.collect_list(parts, &items)?,
            LoopKind::Map => self.collect_map(parts, &items)?,
            LoopKind::Entries => self.collect_entries(parts, &items)?,
        };
        Ok(())
    }

    /// Sets the variables to the item at `index`; false at the end.
    fn next(&mut self, parts: &LoopNode, items: &Items<'a>, index: usize) -> bool {
        let (first, second) = match (&items.range, &items.keys) {
            (Value::List(list), _) if !parts.two => {
                return match &mut self.locals[parts.local] {
                    Local::Value(value) => list.get_to(index, value),
                    local => {
                        let mut value = Value::Null;
                        let is_element = list.get_to(index, &mut value);
                        *local = Local::Value(value);
                        is_element
                    }
                };
            }
            (Value::List(list), _) => {
                let Some(element) = list.get(index) else {
                    return false;
                };
                let index = i64::try_from(index).unwrap_or(i64::MAX);
                (Value::Int(index), Some(element))
            }
            (Value::Map(map), Some(keys)) => {
                let Some(key) = keys.get(index) else {
                    return false;
                };
                let value = match map {
                    _ if !parts.two => None,
                    // Some keys are not found, though they are there.
                    Map::Entries(entries) => entries.get(index).map(|(_, value)| value.clone()),
                    _ => map.find(key, self.context.row),
                };
                (key.clone(), value)
            }
            _ => return false,
        };
        self.locals[parts.local] = Local::Value(first);
        if parts.two {
            self.locals[parts.local + 1] = Local::Value(second.unwrap_or(Value::Null));
        }
        true
    }

    /// Evaluates a condition; a failure that ends nothing is a value here.
    fn truth(&mut self, condition: NodeId) -> Result<Accumulated<bool>, Failure> {
        let mut value = Value::Null;
        Ok(match absorbed(self.eval_to(condition, &mut value))? {
            Some(failure) => Err(failure),
            None => match value {
                Value::Bool(value) => Ok(value),
                _ => Err(no_such_overload()),
            },
        })
    }

    /// `all` and `exists`: the verdict `decides` ends the loop.
    fn quantify(
        &mut self,
        parts: &LoopNode,
        items: &Items<'a>,
        decides: bool,
    ) -> Accumulated<bool> {
        // The condition: an access and a test, and a negation for `exists`.
        let condition = if decides { 3 } else { 2 };
        let mut result: Accumulated<bool> = Ok(!decides);
        let mut index = 0;
        while self.next(parts, items, index) {
            index += 1;
            self.context.charge_units(condition)?;
            if result.as_ref().is_ok_and(|verdict| *verdict == decides) {
                break;
            }
            self.context.charge(1)?;
            let verdict = self.truth(parts.body)?;
            result = match (result, verdict) {
                (_, Ok(verdict)) if verdict == decides => Ok(decides),
                (Err(error), _) => Err(error),
                (Ok(_), verdict) => verdict,
            };
        }
        self.context.charge(1)?;
        result
    }

    fn exists_one(&mut self, parts: &LoopNode, items: &Items<'a>) -> Accumulated<bool> {
        let mut count: Accumulated<u64> = Ok(0);
        let mut index = 0;
        while self.next(parts, items, index) {
            index += 1;
            match self.truth(parts.body)? {
                Ok(true) => {
                    self.context.charge_units(2)?;
                    count = count.map(|count| count + 1);
                }
                Ok(false) => {}
                Err(error) => count = Err(error),
            }
        }
        self.context.charge_units(2)?;
        count.map(|count| count == 1)
    }

    /// Evaluates the filter of a step: whether the step is to be done.
    fn passes(&mut self, parts: &LoopNode) -> Result<Result<bool, Failure>, Failure> {
        match parts.filter {
            Some(filter) => self.truth(filter),
            None => Ok(Ok(true)),
        }
    }

    fn collect_list(&mut self, parts: &LoopNode, items: &Items<'a>) -> Outcome<'a> {
        let mut result: Accumulated<Vec<Value<'a>>> = Ok(Vec::new());
        let mut index = 0;
        while self.next(parts, items, index) {
            index += 1;
            match self.passes(parts)? {
                Ok(true) => {}
                Ok(false) => continue,
                Err(error) => {
                    result = Err(error);
                    continue;
                }
            }
            // The accumulator, a list of one, and the concatenation.
            self.context.charge(1)?;
            let (value, failure) = split(self.eval(parts.body))?;
            if !parts.constant_body {
                self.context.charge(10)?;
            }
            self.context.charge(1)?;
            self.context.allocate_values(1)?;
            match (&mut result, failure) {
                (Ok(values), None) => values.push(value),
                (Ok(_), Some(failure)) => result = Err(failure),
                (Err(_), _) => {}
            }
        }
        self.context.charge(1)?;
        result.map(Value::list)
    }

    fn collect_map(&mut self, parts: &LoopNode, items: &Items<'a>) -> Outcome<'a> {
        let mut result: Accumulated<Vec<(Value<'a>, Value<'a>)>> = Ok(Vec::new());
        let mut index = 0;
        while self.next(parts, items, index) {
            index += 1;
            match self.passes(parts)? {
                Ok(true) => {}
                Ok(false) => continue,
                Err(error) => {
                    result = Err(error);
                    continue;
                }
            }
            self.context.charge(1)?;
            let Ok(pairs) = &mut result else {
                continue;
            };
            let key = match &self.locals[parts.local] {
                Local::Value(key) => key.clone(),
                _ => Value::Null,
            };
            self.context.charge(1)?;
            let (value, failure) = split(self.eval(parts.body))?;
            self.context.charge(1)?;
            self.context.allocate_values(2)?;
            match failure {
                Some(failure) => result = Err(failure),
                // Keys of the range are distinct.
                None => pairs.push((key, value)),
            }
        }
        self.context.charge(1)?;
        result.map(|pairs| {
            let pairs = pairs.into_iter().map(|(key, value)| (key, Some(value)));
            Value::Map(Map::from_pairs(pairs.collect()))
        })
    }

    fn collect_entries(&mut self, parts: &LoopNode, items: &Items<'a>) -> Outcome<'a> {
        let mut result: Accumulated<Merged<'a>> = Ok(Merged::default());
        let mut index = 0;
        while self.next(parts, items, index) {
            index += 1;
            match self.passes(parts)? {
                Ok(true) => {}
                Ok(false) => continue,
                Err(error) => {
                    result = Err(error);
                    continue;
                }
            }
            // The accumulator and the insertion.
            self.context.charge(1)?;
            let (value, failure) = split(self.eval(parts.body))?;
            self.context.charge(1)?;
            if let Ok(merged) = &mut result {
                let done = match failure {
                    Some(failure) => Err(failure),
                    None => self.merge(merged, &value),
                };
                if let Err(failure) = done {
                    result = Err(failure);
                }
            }
        }
        self.context.charge(1)?;
        result.map(|merged| {
            let entries = merged.entries.into_iter();
            let pairs = entries.map(|(key, value)| (key.0, value));
            Value::Map(Map::from_pairs(pairs.chain(merged.others).collect()))
        })
    }

    /// Adds the entries of a map; no key may come twice.
    fn merge(&mut self, merged: &mut Merged<'a>, update: &Value<'a>) -> Done {
        let Value::Map(update) = update else {
            return Err(no_such_overload());
        };
        for (index, key) in update.keys(self.context.row).into_iter().enumerate() {
            self.context.allocate_values(2)?;
            let value = match update {
                Map::Entries(entries) => entries.get(index).map(|(_, value)| value.clone()),
                _ => update.find(&key, self.context.row),
            };
            let is_known = if has_order(&key) {
                merged.entries.insert(MapKey(key), value).is_some()
            } else {
                let mut others = merged.others.iter();
                let found = others.any(|(other, _)| is_same_key(other, &key));
                merged.others.push((key, value));
                self.context.work(merged.others.len() as u64)?;
                found
            };
            if is_known {
                return Err(invalid("insert failed: key already exists"));
            }
        }
        Ok(())
    }
}

/// The entries of maps that are merged.
#[derive(Default)]
struct Merged<'a> {
    entries: BTreeMap<MapKey<'a>, Option<Value<'a>>>,
    /// Those of keys without an order.
    others: Vec<(Value<'a>, Option<Value<'a>>)>,
}

/// A key in the order of keys.
struct MapKey<'a>(Value<'a>);

impl PartialEq for MapKey<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for MapKey<'_> {}

impl PartialOrd for MapKey<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for MapKey<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        key_order(&self.0, &other.0)
    }
}

/// What a loop goes over.
struct Items<'a> {
    range: Value<'a>,
    /// The keys of a map.
    keys: Option<Vec<Value<'a>>>,
}
