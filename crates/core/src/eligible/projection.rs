//! [`Projections`]: verdicts by what a selector reads of a device.

use std::cmp::Ordering;

use dralloc_cel::{Kind, Reads, Row as _};

use super::row::{Place, Row};
use super::slice_verdicts::Judged;
use crate::model::{DeviceAttribute, Quantity, Str};

/// From this runtime cost of an evaluation on, devices are projected.
///
/// Measured: a projection of two names is found in 22 ns. A comparison of an
/// attribute with a constant (cost 5 to 9) takes 35 to 60 ns, so that little is
/// gained if devices agree, and more is lost if they do not; loops and regular
/// expressions (cost 16 and more) take 130 ns and more.
const MIN_COST: u64 = 12;

/// More projections than this are not kept.
const MAX_PROJECTIONS: usize = 512;

/// So many may be seen before it is asked whether devices share them: what
/// differs from device to device, such as a uuid, is not worth it.
const TRIAL: usize = 64;

/// Selectors that read more are not projected.
const MAX_SLOTS: usize = 32;

/// Keeps one verdict for all devices that agree in everything that a selector
/// reads, whatever slice they are in.
#[derive(Debug, Default)]
pub(super) struct Projections {
    /// In order.
    known: Vec<(Projection, Judged)>,
    /// How often a device was found.
    hits: usize,
    state: State,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    /// No evaluation has cost enough yet.
    #[default]
    Waiting,
    On,
    /// Little repeats, or too much is read.
    GivenUp,
}

/// Is what a selector reads of a device.
#[derive(Debug)]
struct Projection {
    driver: Option<Str>,
    flags: Vec<bool>,
    values: Box<[Option<Projected>]>,
}

#[derive(Debug)]
enum Projected {
    Attribute(DeviceAttribute),
    Capacity(Quantity),
}

impl Projections {
    /// Returns the verdict of devices like this one.
    pub(super) fn find(
        &mut self,
        reads: &Reads,
        row: &Row<'_>,
        places: &[Place],
    ) -> Option<&Judged> {
        if self.state != State::On {
            return None;
        }
        let place = self.place(reads, row, places).ok()?;
        self.hits = self.hits.saturating_add(1);
        Some(&self.known[place].1)
    }

    /// Adds the verdict of a device that was evaluated, if that is worth it;
    /// returns the memory that it takes, in words of 8 bytes and roughly.
    pub(super) fn insert(
        &mut self,
        reads: &Reads,
        row: &Row<'_>,
        places: &[Place],
        (judged, cost): (&Judged, u64),
    ) -> usize {
        if self.state == State::Waiting && cost >= MIN_COST {
            let is_few = reads.slots.len() <= MAX_SLOTS && reads.domains.len() <= MAX_SLOTS;
            let is_known = is_few && !reads.everything;
            self.state = if is_known { State::On } else { State::GivenUp };
        }
        if self.state != State::On || self.known.len() >= MAX_PROJECTIONS {
            return 0;
        }
        if self.known.len() >= TRIAL && self.hits < self.known.len() {
            self.known = Vec::new();
            self.state = State::GivenUp;
            return 0;
        }
        let Err(place) = self.place(reads, row, places) else {
            return 0;
        };
        let projection = Projection::of(reads, row, places);
        self.known.insert(place, (projection, judged.clone()));
        16 + 6 * reads.slots.len()
    }

    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    fn place(&self, reads: &Reads, row: &Row<'_>, places: &[Place]) -> Result<usize, usize> {
        self.known
            .binary_search_by(|(known, _)| known.compare(reads, row, places))
    }
}

impl Projection {
    fn of(reads: &Reads, row: &Row<'_>, places: &[Place]) -> Self {
        let driver = reads.driver.then(|| Str::from(row.driver()));
        let value = |index: usize| {
            Some(match reads.slots[index].kind {
                Kind::Attribute => Projected::Attribute(attribute(row, places, index)?.clone()),
                Kind::Capacity => Projected::Capacity(capacity(row, places, index)?.clone()),
            })
        };
        Self {
            driver,
            flags: flags(reads, row).collect(),
            values: (0..reads.slots.len()).map(value).collect(),
        }
    }

    /// Compares it with that of another device, in some order.
    fn compare(&self, reads: &Reads, row: &Row<'_>, places: &[Place]) -> Ordering {
        for (index, value) in self.values.iter().enumerate() {
            let ordering = match reads.slots[index].kind {
                Kind::Attribute => {
                    let known = match value {
                        Some(Projected::Attribute(known)) => Some(known),
                        _ => None,
                    };
                    compare_options(known, attribute(row, places, index), compare_attributes)
                }
                Kind::Capacity => {
                    let known = match value {
                        Some(Projected::Capacity(known)) => Some(known),
                        _ => None,
                    };
                    compare_options(known, capacity(row, places, index), compare_quantities)
                }
            };
            if ordering.is_ne() {
                return ordering;
            }
        }
        let driver = self
            .driver
            .as_ref()
            .map_or(Ordering::Equal, |driver| (**driver).cmp(row.driver()));
        driver.then_with(|| self.flags.iter().copied().cmp(flags(reads, row)))
    }
}

/// Returns what is read beside the slots and the driver.
fn flags<'a>(reads: &'a Reads, row: &'a Row<'_>) -> impl Iterator<Item = bool> + 'a {
    let multiple = reads.allow_multiple_allocations && row.allow_multiple_allocations();
    let domains = reads.domains.iter();
    let has_domain = |(kind, domain): &(Kind, String)| row.has_domain(*kind, domain);
    std::iter::once(multiple).chain(domains.map(has_domain))
}

fn attribute<'a>(row: &Row<'a>, places: &[Place], slot: usize) -> Option<&'a DeviceAttribute> {
    let attributes = &row.device().attributes;
    attributes
        .at(places.get(slot)?.index())
        .map(|(_, value)| value)
}

fn capacity<'a>(row: &Row<'a>, places: &[Place], slot: usize) -> Option<&'a Quantity> {
    let capacity = &row.device().capacity;
    capacity
        .at(places.get(slot)?.index())
        .map(|(_, value)| &value.value)
}

fn compare_options<T>(
    one: Option<&T>,
    other: Option<&T>,
    compare: impl Fn(&T, &T) -> Ordering,
) -> Ordering {
    match (one, other) {
        (Some(one), Some(other)) => compare(one, other),
        (one, other) => one.is_some().cmp(&other.is_some()),
    }
}

/// Versions count as they are written: a selector may read them as text.
fn compare_attributes(one: &DeviceAttribute, other: &DeviceAttribute) -> Ordering {
    use DeviceAttribute as A;
    // Decoders share equal text, so it is rarely compared.
    let text = |one: &Str, other: &Str| {
        if one.is_same(other) {
            Ordering::Equal
        } else {
            one.cmp(other)
        }
    };
    match (one, other) {
        (A::Int(one), A::Int(other)) => one.cmp(other),
        (A::Bool(one), A::Bool(other)) => one.cmp(other),
        (A::String(one), A::String(other)) | (A::Version(one), A::Version(other)) => {
            text(one, other)
        }
        (A::Ints(one), A::Ints(other)) => one.cmp(other),
        (A::Bools(one), A::Bools(other)) => one.cmp(other),
        (A::Strings(one), A::Strings(other)) | (A::Versions(one), A::Versions(other)) => {
            one.cmp(other)
        }
        _ => rank(one).cmp(&rank(other)),
    }
}

fn rank(attribute: &DeviceAttribute) -> u8 {
    match attribute {
        DeviceAttribute::Int(_) => 0,
        DeviceAttribute::Bool(_) => 1,
        DeviceAttribute::String(_) => 2,
        DeviceAttribute::Version(_) => 3,
        DeviceAttribute::Ints(_) => 4,
        DeviceAttribute::Bools(_) => 5,
        DeviceAttribute::Strings(_) => 6,
        DeviceAttribute::Versions(_) => 7,
        DeviceAttribute::Unknown => 8,
    }
}

/// The text counts as well: messages of errors may show it.
fn compare_quantities(one: &Quantity, other: &Quantity) -> Ordering {
    one.cmp(other).then_with(|| one.text().cmp(&other.text()))
}
