//! [`Rows`]: what has to be known of the devices of a slice before expressions
//! can read them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use dralloc_cel::{EvaluationError, Semver, Value};

use crate::model::{Device, DeviceAttribute, Str};
use crate::number::number;

/// So many layouts are looked through for that of a device; drivers publish a
/// handful of sorts of devices in one slice.
const MAX_LAYOUTS_TRIED: usize = 8;

/// So many rows of other slices are looked through for the same.
const MAX_ROWS_KEPT: usize = 8;

/// Holds what is made once of the devices of a slice, for all expressions.
///
/// Most values can be read as they are published. What is kept here are those
/// that have to be parsed, and which devices have the same names in the same
/// order, so that a name is looked up once for all of them.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    /// Devices with the same names and the same values that had to be parsed.
    sorts: Vec<Sort>,
    /// The sort of each device; empty if all are of one.
    of_devices: Vec<u32>,
    /// How many layouts there are.
    layouts: u32,
    /// Place of an attribute and of its value, by sort and in order.
    parsed: Vec<(u32, u32)>,
    values: Vec<Value>,
    /// Devices with an attribute without usable value, in order.
    failures: Vec<(u32, EvaluationError)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Sort {
    layout: u32,
    /// Where its part of `parsed` starts; it ends where that of the next starts.
    parsed: u32,
}

/// Holds rows that slices had lately: most slices of a cluster have the same.
#[derive(Clone, Debug, Default)]
pub(super) struct KnownRows(Arc<Mutex<Vec<Arc<Rows>>>>);

impl KnownRows {
    /// Prepares devices of one slice.
    pub(super) fn of(&self, devices: &[Device]) -> Arc<Rows> {
        let rows = Rows::new(devices);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(same) = known.iter().find(|other| other.is_alike(&rows)) {
            return Arc::clone(same);
        }
        let rows = Arc::new(rows);
        if known.len() == MAX_ROWS_KEPT {
            known.remove(0);
        }
        known.push(Arc::clone(&rows));
        rows
    }
}

impl Rows {
    /// Prepares devices of one slice.
    pub(crate) fn new(devices: &[Device]) -> Self {
        let mut rows = Self::default();
        let mut of_devices = Vec::with_capacity(devices.len());
        // The first device of each layout.
        let mut layouts = Vec::new();
        let mut versions = Versions::default();
        let mut layout = 0;
        for (place, device) in devices.iter().enumerate() {
            layout = find_layout(&mut layouts, devices, place, layout);
            let parsed = number(rows.parsed.len());
            if let Err(error) = rows.parse(device, &mut versions) {
                rows.failures.push((number(place), error));
            }
            rows.add_sort(Sort { layout, parsed });
            of_devices.push(number(rows.sorts.len() - 1));
        }
        if rows.sorts.len() > 1 {
            rows.of_devices = of_devices;
        }
        rows.layouts = number(layouts.len());
        rows.sorts.shrink_to_fit();
        rows.parsed.shrink_to_fit();
        rows.values.shrink_to_fit();
        rows
    }

    /// Adds the sort of a device, unless the one before is the same.
    fn add_sort(&mut self, sort: Sort) {
        let start = sort.parsed as usize;
        if let Some(last) = self.sorts.last()
            && last.layout == sort.layout
            && self.parsed[last.parsed as usize..start] == self.parsed[start..]
        {
            self.parsed.truncate(start);
        } else {
            self.sorts.push(sort);
        }
    }

    /// Returns whether the rows of another slice say the same.
    fn is_alike(&self, other: &Self) -> bool {
        let texts = |value: &Value| match value {
            Value::Version(version) => vec![version.as_str().to_owned()],
            Value::Versions(versions) => versions.iter().map(|v| v.as_str().to_owned()).collect(),
            _ => Vec::new(),
        };
        let is_alike = |one: &Value, other: &Value| match (one, other) {
            (Value::Version(one), Value::Version(other)) => one.as_str() == other.as_str(),
            (Value::Versions(_), Value::Versions(_)) => texts(one) == texts(other),
            _ => false,
        };
        let values = self.values.iter().zip(&other.values);
        self.failures.is_empty()
            && other.failures.is_empty()
            && self.layouts == other.layouts
            && self.sorts == other.sorts
            && self.of_devices == other.of_devices
            && self.parsed == other.parsed
            && self.values.len() == other.values.len()
            && values.into_iter().all(|(one, other)| is_alike(one, other))
    }

    fn parse<'a>(
        &mut self,
        device: &'a Device,
        versions: &mut Versions<'a>,
    ) -> Result<(), EvaluationError> {
        for (place, (name, attribute)) in device.attributes.iter().enumerate() {
            let value = match attribute {
                DeviceAttribute::Version(text) => {
                    if let Some(value) = versions.get(place, text) {
                        value
                    } else {
                        let value = self.add(value_of(name, attribute)?);
                        versions.insert(place, text, value)
                    }
                }
                DeviceAttribute::Versions(_) | DeviceAttribute::Unknown => {
                    self.add(value_of(name, attribute)?)
                }
                DeviceAttribute::Int(_)
                | DeviceAttribute::Bool(_)
                | DeviceAttribute::String(_)
                | DeviceAttribute::Ints(_)
                | DeviceAttribute::Bools(_)
                | DeviceAttribute::Strings(_) => continue,
            };
            self.parsed.push((number(place), value));
        }
        Ok(())
    }

    fn add(&mut self, value: Value) -> u32 {
        self.values.push(value);
        number(self.values.len() - 1)
    }

    /// Returns the error of the first attribute of a device without usable value.
    ///
    /// No expression can be evaluated then, not even one that does not read it.
    pub(crate) fn failure(&self, device: usize) -> Option<&EvaluationError> {
        let is_before = |(other, _): &(u32, EvaluationError)| (*other as usize) < device;
        let (found, error) = self
            .failures
            .get(self.failures.partition_point(is_before))?;
        (*found as usize == device).then_some(error)
    }

    fn sort(&self, device: usize) -> usize {
        self.of_devices.get(device).map_or(0, |sort| *sort as usize)
    }

    /// Returns the number of the layout of a device: those with the same one
    /// have the same names in the same order.
    pub(crate) fn layout_of(&self, device: usize) -> usize {
        self.sorts[self.sort(device)].layout as usize
    }

    pub(crate) fn layouts(&self) -> usize {
        self.layouts as usize
    }

    /// Returns an attribute of a device that had to be parsed.
    pub(crate) fn parsed(&self, device: usize, place: usize) -> Option<&Value> {
        let sort = self.sort(device);
        let start = self.sorts.get(sort)?.parsed as usize;
        let end = self.sorts.get(sort + 1);
        let end = end.map_or(self.parsed.len(), |next| next.parsed as usize);
        let of_device = self.parsed.get(start..end)?;
        let (_, value) = of_device
            .iter()
            .find(|(other, _)| *other as usize == place)?;
        self.values.get(*value as usize)
    }
}

/// Returns the number of the layout of a device, most likely that of the one before.
fn find_layout(layouts: &mut Vec<u32>, devices: &[Device], place: usize, before: u32) -> u32 {
    let has = |layout: u32| {
        let first = layouts.get(layout as usize);
        first.is_some_and(|first| has_same_names(&devices[*first as usize], &devices[place]))
    };
    if has(before) {
        return before;
    }
    let count = number(layouts.len());
    let known = (0..count).rev().take(MAX_LAYOUTS_TRIED);
    let known = known.into_iter().find(|layout| has(*layout));
    known.unwrap_or_else(|| {
        layouts.push(number(place));
        count
    })
}

/// Finds versions that were parsed before.
#[derive(Default)]
struct Versions<'a> {
    known: BTreeMap<&'a str, u32>,
    /// The last version at each place: most devices have the same there.
    last: Vec<Option<(&'a Str, u32)>>,
}

impl<'a> Versions<'a> {
    fn get(&mut self, place: usize, text: &'a Str) -> Option<u32> {
        if let Some((last, value)) = self.last.get(place).copied().flatten()
            && last == text
        {
            return Some(value);
        }
        let value = *self.known.get(&**text)?;
        Some(self.insert(place, text, value))
    }

    fn insert(&mut self, place: usize, text: &'a Str, value: u32) -> u32 {
        if self.last.len() <= place {
            self.last.resize(place + 1, None);
        }
        self.last[place] = Some((text, value));
        self.known.insert(text, value);
        value
    }
}

fn value_of(name: &Str, attribute: &DeviceAttribute) -> Result<Value, EvaluationError> {
    let failed =
        |reason: &dyn std::fmt::Display| Err(EvaluationError::attribute(name, &reason.to_string()));
    let value = match attribute {
        DeviceAttribute::Version(text) => match Semver::parse(text) {
            Ok(version) => Value::Version(version),
            Err(error) => return failed(&error),
        },
        DeviceAttribute::Versions(texts) => {
            let versions: Result<_, _> = texts.iter().map(|text| Semver::parse(text)).collect();
            match versions {
                Ok(versions) => Value::Versions(versions),
                Err(error) => return failed(&error),
            }
        }
        // Nothing else is parsed.
        _ => {
            return failed(&"has no value of a known type, expected exactly one");
        }
    };
    Ok(value)
}

fn has_same_names(one: &Device, other: &Device) -> bool {
    let attributes = one.attributes.shares_keys(&other.attributes)
        || are_same(one.attributes.keys(), other.attributes.keys());
    attributes
        && (one.capacity.shares_keys(&other.capacity)
            || are_same(one.capacity.keys(), other.capacity.keys()))
}

fn are_same<'a>(
    names: impl ExactSizeIterator<Item = &'a Str>,
    others: impl ExactSizeIterator<Item = &'a Str>,
) -> bool {
    names.len() == others.len() && names.eq(others)
}
