//! [`Rows`]: what has to be known of the devices of a slice before expressions
//! can read them.

use std::collections::BTreeMap;
use std::sync::Arc;

use dralloc_cel::{EvaluationError, Semver, Value};

use crate::model::{Device, DeviceAttribute, Str};
use crate::number::number;

/// So many layouts are looked through for that of a device; drivers publish a
/// handful of sorts of devices in one slice.
const MAX_LAYOUTS_TRIED: usize = 8;

/// Holds what is made once of the devices of a slice, for all expressions.
///
/// Most values can be read as they are published. What is kept here are those
/// that have to be parsed, and which devices have the same names in the same
/// order, so that a name is looked up once for all of them.
#[derive(Debug)]
pub(crate) struct Rows {
    entries: Box<[Entry]>,
    /// The first device of each layout.
    layouts: Vec<u32>,
    /// Place of an attribute and of its value, by device and in order.
    parsed: Vec<(u32, u32)>,
    values: Vec<Value>,
    /// Devices with an attribute without usable value, in order.
    failures: Vec<(u32, EvaluationError)>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    layout: u32,
    /// Where its part of `parsed` starts; it ends where that of the next starts.
    parsed: u32,
}

impl Rows {
    /// Prepares devices of one slice.
    pub(crate) fn new(devices: &[Device]) -> Self {
        let mut entries = Vec::with_capacity(devices.len());
        let mut rows = Self {
            entries: Box::default(),
            layouts: Vec::new(),
            parsed: Vec::new(),
            values: Vec::new(),
            failures: Vec::new(),
        };
        let mut versions = Versions::default();
        let mut layout = 0;
        for (place, device) in devices.iter().enumerate() {
            layout = rows.layout(devices, place, layout);
            entries.push(Entry {
                layout,
                parsed: number(rows.parsed.len()),
            });
            if let Err(error) = rows.parse(device, &mut versions) {
                rows.failures.push((number(place), error));
            }
        }
        rows.entries = entries.into();
        rows
    }

    /// Returns the number of the layout of a device, most likely that of the one before.
    fn layout(&mut self, devices: &[Device], place: usize, before: u32) -> u32 {
        let has = |layout: u32| {
            let first = self.layouts.get(layout as usize);
            first.is_some_and(|first| has_same_names(&devices[*first as usize], &devices[place]))
        };
        if has(before) {
            return before;
        }
        let count = number(self.layouts.len());
        let known = (0..count).rev().take(MAX_LAYOUTS_TRIED);
        known
            .into_iter()
            .find(|layout| has(*layout))
            .unwrap_or_else(|| {
                self.layouts.push(number(place));
                count
            })
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

    /// Returns the number of the layout of a device: those with the same one
    /// have the same names in the same order.
    pub(crate) fn layout_of(&self, device: usize) -> usize {
        self.entries[device].layout as usize
    }

    pub(crate) fn layouts(&self) -> usize {
        self.layouts.len()
    }

    /// Returns an attribute of a device that had to be parsed.
    pub(crate) fn parsed(&self, device: usize, place: usize) -> Option<&Value> {
        let start = self.entries[device].parsed as usize;
        let end = self.entries.get(device + 1);
        let end = end.map_or(self.parsed.len(), |next| next.parsed as usize);
        let of_device = self.parsed.get(start..end)?;
        let (_, value) = of_device
            .iter()
            .find(|(other, _)| *other as usize == place)?;
        self.values.get(*value as usize)
    }
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
            && is_same(last, text)
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
    let attributes = are_same(one.attributes.keys(), other.attributes.keys());
    attributes && are_same(one.capacity.keys(), other.capacity.keys())
}

fn are_same<'a>(
    names: impl ExactSizeIterator<Item = &'a Str>,
    others: impl ExactSizeIterator<Item = &'a Str>,
) -> bool {
    names.len() == others.len() && names.zip(others).all(|(name, other)| is_same(name, other))
}

/// Decoders share equal text, so it is rarely compared.
fn is_same(one: &Str, other: &Str) -> bool {
    Arc::ptr_eq(one, other) || one == other
}
