//! [`Row`]: a device as expressions see it.

use dralloc_cel::{Attribute, EvaluationError, Kind, Program, Reads, Scratch, Slot, Value};

use crate::model::{Device, DeviceAttribute, Map, QualifiedName, Quantity, Str};
use crate::store::Rows;

/// Shows a device to an expression.
pub(crate) struct Row<'a> {
    driver: &'a str,
    device: &'a Device,
    rows: &'a Rows,
    /// Place of the device in the rows.
    index: usize,
    /// Where the slots of the expression are, if that is known.
    places: Option<&'a [Place]>,
}

/// Is the place of a name in a map of a device, or none.
///
/// It is the same for all devices of a layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place(u32);

impl<'a> Row<'a> {
    /// Shows the device at a place of the rows that were made of it.
    ///
    /// # Errors
    ///
    /// If one of its attributes has no usable value.
    pub(crate) fn new(
        driver: &'a str,
        device: &'a Device,
        rows: &'a Rows,
        index: usize,
    ) -> Result<Self, &'a EvaluationError> {
        match rows.failure(index) {
            Some(error) => Err(error),
            None => Ok(Self::usable(driver, device, rows, index)),
        }
    }

    /// Shows a device whose attributes all have usable values.
    pub(super) fn usable(
        driver: &'a str,
        device: &'a Device,
        rows: &'a Rows,
        index: usize,
    ) -> Self {
        Self {
            driver,
            device,
            rows,
            index,
            places: None,
        }
    }

    /// Returns the same device for an expression whose slots are resolved.
    pub(super) fn with_places(self, places: &'a [Place]) -> Self {
        Self {
            places: Some(places),
            ..self
        }
    }

    pub(super) fn device(&self) -> &'a Device {
        self.device
    }

    /// Adds where the slots of an expression are.
    pub(super) fn resolve(&self, reads: &Reads, places: &mut Vec<Place>) {
        places.extend(reads.slots.iter().map(|slot| {
            let place = match slot.kind {
                Kind::Attribute => place(
                    &self.device.attributes,
                    self.driver,
                    &slot.domain,
                    &slot.name,
                ),
                Kind::Capacity => {
                    place(&self.device.capacity, self.driver, &slot.domain, &slot.name)
                }
            };
            Place(place.map_or(u32::MAX, |place| u32::try_from(place).unwrap_or(u32::MAX)))
        }));
    }

    fn attribute_at(&self, place: usize) -> Option<Attribute<'a>> {
        let (_, attribute) = self.device.attributes.at(place)?;
        Some(match attribute {
            DeviceAttribute::Int(value) => Attribute::Int(*value),
            DeviceAttribute::Bool(value) => Attribute::Bool(*value),
            DeviceAttribute::String(text) => Attribute::String(text),
            DeviceAttribute::Ints(values) => Attribute::Ints(values),
            DeviceAttribute::Bools(values) => Attribute::Bools(values),
            DeviceAttribute::Strings(texts) => Attribute::SharedStrings(texts),
            DeviceAttribute::Version(_)
            | DeviceAttribute::Versions(_)
            | DeviceAttribute::Unknown => self.rows.parsed(self.index, place)?.as_attribute(),
        })
    }

    fn capacity_at(&self, place: usize) -> Option<&'a Quantity> {
        let (_, capacity) = self.device.capacity.at(place)?;
        Some(&capacity.value)
    }

    pub(super) fn find_attribute(&self, domain: &str, name: &str) -> Option<Attribute<'a>> {
        let place = place(&self.device.attributes, self.driver, domain, name)?;
        self.attribute_at(place)
    }

    pub(super) fn find_capacity(&self, domain: &str, name: &str) -> Option<&'a Quantity> {
        let place = place(&self.device.capacity, self.driver, domain, name)?;
        self.capacity_at(place)
    }

    pub(super) fn all_domains(&self, kind: Kind) -> Vec<&'a str> {
        sorted(self.all_names(kind).map(|name| split(name, self.driver).0))
    }

    pub(super) fn names_in(&self, kind: Kind, domain: &str) -> Vec<&'a str> {
        let pairs = self.all_names(kind).map(|name| split(name, self.driver));
        sorted(
            pairs
                .filter(|(other, _)| *other == domain)
                .map(|(_, id)| id),
        )
    }

    fn all_names(&self, kind: Kind) -> Box<dyn Iterator<Item = &'a Str> + 'a> {
        match kind {
            Kind::Attribute => Box::new(self.device.attributes.keys()),
            Kind::Capacity => Box::new(self.device.capacity.keys()),
        }
    }
}

impl Place {
    /// Returns a place that no map has where the name is not there.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

impl dralloc_cel::Row for Row<'_> {
    fn driver(&self) -> &str {
        self.driver
    }

    fn allow_multiple_allocations(&self) -> bool {
        self.device.allow_multiple_allocations.unwrap_or(false)
    }

    fn attribute(&self, domain: &str, name: &str) -> Option<Attribute<'_>> {
        self.find_attribute(domain, name)
    }

    fn capacity(&self, domain: &str, name: &str) -> Option<&Quantity> {
        self.find_capacity(domain, name)
    }

    fn domains(&self, kind: Kind) -> Vec<&str> {
        self.all_domains(kind)
    }

    fn names(&self, kind: Kind, domain: &str) -> Vec<&str> {
        self.names_in(kind, domain)
    }

    fn has_domain(&self, kind: Kind, domain: &str) -> bool {
        self.all_names(kind)
            .any(|name| split(name, self.driver).0 == domain)
    }

    fn attribute_slot(&self, index: usize, slot: &Slot) -> Option<Attribute<'_>> {
        match self.places {
            Some(places) => self.attribute_at(places.get(index)?.index()),
            None => self.attribute(&slot.domain, &slot.name),
        }
    }

    fn capacity_slot(&self, index: usize, slot: &Slot) -> Option<&Quantity> {
        match self.places {
            Some(places) => self.capacity_at(places.get(index)?.index()),
            None => self.capacity(&slot.domain, &slot.name),
        }
    }
}

/// Returns the place of a qualified name, or else of the bare one if the
/// domain is the driver's.
fn place<V>(map: &Map<QualifiedName, V>, driver: &str, domain: &str, id: &str) -> Option<usize> {
    let length = domain.len() + 1 + id.len();
    let qualified = |name: &Str| name.len() == length && name.split_once('/') == Some((domain, id));
    map.keys().position(qualified).or_else(|| {
        let bare = domain == driver && !id.contains('/');
        if bare { map.position(id) } else { None }
    })
}

/// Splits a name into domain and id, with the driver as domain of bare names.
fn split<'a>(name: &'a str, driver: &'a str) -> (&'a str, &'a str) {
    name.split_once('/').unwrap_or((driver, name))
}

fn sorted<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut names: Vec<&str> = names.collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Evaluates a derived attribute on a device.
pub(crate) fn derive(
    program: &Program,
    row: &dyn dralloc_cel::Row,
    scratch: &mut Scratch,
) -> Result<DeviceAttribute, EvaluationError> {
    Ok(match program.evaluate(row, scratch)? {
        Value::Int(value) => DeviceAttribute::Int(value),
        Value::Bool(value) => DeviceAttribute::Bool(value),
        Value::String(text) => DeviceAttribute::String(text.into()),
        Value::Version(version) => DeviceAttribute::Version(version.as_str().into()),
        Value::Ints(values) => DeviceAttribute::Ints(values.into()),
        Value::Bools(values) => DeviceAttribute::Bools(values.into()),
        Value::Strings(texts) => {
            DeviceAttribute::Strings(texts.into_iter().map(Str::from).collect())
        }
        Value::Versions(versions) => {
            DeviceAttribute::Versions(versions.iter().map(|v| v.as_str().into()).collect())
        }
    })
}
