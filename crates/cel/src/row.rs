//! Devices as expressions see them: rows behind a trait.

use std::collections::BTreeMap;
use std::fmt;

use dralloc_quantity::Quantity;

use crate::{Semver, Value};

/// Which of the two maps of a device a name is looked up in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// `device.attributes`.
    Attribute,
    /// `device.capacity`.
    Capacity,
}

/// One attribute or capacity that an expression reads by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Slot {
    /// The map that the name is looked up in.
    pub kind: Kind,
    /// The domain, without the slash.
    pub domain: String,
    /// The identifier inside the domain.
    pub name: String,
}

/// What an expression reads of a device, known when it is compiled.
///
/// Two devices that agree on all of this get the same verdict at the same cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reads {
    /// The names read, without repetition; their position is the index
    /// that [`Row::attribute_slot`] and [`Row::capacity_slot`] get.
    pub slots: Vec<Slot>,
    /// The domains of which it matters whether the device has any name in them.
    pub domains: Vec<(Kind, String)>,
    /// Whether it may read names that are not among the slots: keys computed
    /// at run time, loops over a whole map, its size.
    pub everything: bool,
    /// Whether it reads `device.driver`.
    pub driver: bool,
    /// Whether it reads `device.allowMultipleAllocations`.
    pub allow_multiple_allocations: bool,
}

/// An attribute value, parsed beforehand and borrowed from its row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Attribute<'a> {
    /// An integer.
    Int(i64),
    /// A boolean.
    Bool(bool),
    /// A string.
    String(&'a str),
    /// A semantic version.
    Version(&'a Semver),
    /// A list of integers.
    Ints(&'a [i64]),
    /// A list of booleans.
    Bools(&'a [bool]),
    /// A list of strings.
    Strings(&'a [String]),
    /// A list of strings that the host shares.
    SharedStrings(&'a dyn Texts),
    /// A list of semantic versions.
    Versions(&'a [Semver]),
}

/// A list of strings that a host keeps in a form of its own.
pub trait Texts: fmt::Debug + Sync {
    /// Returns the number of strings.
    fn count(&self) -> usize;

    /// Returns the string at a place.
    fn text(&self, place: usize) -> Option<&str>;
}

impl<T: AsRef<str> + fmt::Debug + Sync> Texts for Vec<T> {
    fn count(&self) -> usize {
        self.len()
    }

    fn text(&self, place: usize) -> Option<&str> {
        self.get(place).map(AsRef::as_ref)
    }
}

impl PartialEq for dyn Texts + '_ {
    fn eq(&self, other: &Self) -> bool {
        let count = self.count();
        count == other.count() && (0..count).all(|place| self.text(place) == other.text(place))
    }
}

/// One device as expressions see it.
///
/// All names are qualified: the host splits a name at its first `/`, and a name
/// without one gets the driver as its domain. Where a device has both `x` and
/// `<driver>/x`, the host answers with the value of the qualified name
/// (Kubernetes picks one of the two by chance).
///
/// Kubernetes converts all attributes of a device before it evaluates the first
/// selector, so an attribute without a value, or with a version that
/// [`Semver::parse`] rejects, makes every selector fail on that device. The host
/// checks this before it evaluates ([`EvaluationError::attribute`] builds the
/// error); a row holds usable values only.
///
/// [`EvaluationError::attribute`]: crate::EvaluationError::attribute
///
/// ```
/// use dralloc_cel::{Attribute, Kind, Options, Program, Quantity, Row, Scratch, Verdict};
///
/// /// A device of one model, whose attributes are fields.
/// struct Gpu {
///     index: i64,
///     memory: Quantity,
/// }
///
/// impl Row for Gpu {
///     fn driver(&self) -> &str {
///         "gpu.example.com"
///     }
///     fn allow_multiple_allocations(&self) -> bool {
///         false
///     }
///     fn attribute(&self, domain: &str, name: &str) -> Option<Attribute<'_>> {
///         (domain == self.driver() && name == "index").then_some(Attribute::Int(self.index))
///     }
///     fn capacity(&self, domain: &str, name: &str) -> Option<&Quantity> {
///         (domain == self.driver() && name == "memory").then_some(&self.memory)
///     }
///     fn domains(&self, _: Kind) -> Vec<&str> {
///         vec![self.driver()]
///     }
///     fn names(&self, kind: Kind, domain: &str) -> Vec<&str> {
///         match kind {
///             _ if domain != self.driver() => Vec::new(),
///             Kind::Attribute => vec!["index"],
///             Kind::Capacity => vec!["memory"],
///         }
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let selector = r#"device.attributes["gpu.example.com"].index > 2"#;
/// let program = Program::compile(selector, &Options::selector())?;
/// let gpu = Gpu { index: 3, memory: Quantity::parse("40Gi")? };
/// assert_eq!(program.matches(&gpu, &mut Scratch::new()), Verdict::Match);
/// # Ok(())
/// # }
/// ```
pub trait Row {
    /// Returns the name of the driver, `device.driver`.
    fn driver(&self) -> &str;

    /// Returns `device.allowMultipleAllocations`, false where the device does not say.
    fn allow_multiple_allocations(&self) -> bool;

    /// Returns the attribute with this qualified name.
    fn attribute(&self, domain: &str, name: &str) -> Option<Attribute<'_>>;

    /// Returns the capacity with this qualified name.
    fn capacity(&self, domain: &str, name: &str) -> Option<&Quantity>;

    /// Returns the domains that occur in one of the maps: sorted, without repetition.
    fn domains(&self, kind: Kind) -> Vec<&str>;

    /// Returns the names in one domain of one of the maps: sorted, without repetition.
    fn names(&self, kind: Kind, domain: &str) -> Vec<&str>;

    /// Returns whether a map has any name in this domain.
    fn has_domain(&self, kind: Kind, domain: &str) -> bool {
        self.domains(kind).contains(&domain)
    }

    /// Returns the attribute of the slot at `index` of the program's
    /// [`Reads::slots`]; a host that has resolved the slots beforehand overrides this.
    fn attribute_slot(&self, index: usize, slot: &Slot) -> Option<Attribute<'_>> {
        let _ = index;
        self.attribute(&slot.domain, &slot.name)
    }

    /// Returns the capacity of the slot at `index` of the program's
    /// [`Reads::slots`]; a host that has resolved the slots beforehand overrides this.
    fn capacity_slot(&self, index: usize, slot: &Slot) -> Option<&Quantity> {
        let _ = index;
        self.capacity(&slot.domain, &slot.name)
    }
}

/// A device held in ordered maps: a simple [`Row`] for tests and small tools.
#[derive(Clone, Debug, Default)]
pub struct Device {
    driver: String,
    allow_multiple_allocations: bool,
    attributes: BTreeMap<String, BTreeMap<String, Value>>,
    capacity: BTreeMap<String, BTreeMap<String, Quantity>>,
}

impl Device {
    /// Creates a device of this driver without attributes and capacity.
    #[must_use]
    pub fn new(driver: impl Into<String>) -> Self {
        Self {
            driver: driver.into(),
            ..Self::default()
        }
    }

    /// Sets `device.allowMultipleAllocations`.
    pub fn set_allow_multiple_allocations(&mut self, allow: bool) {
        self.allow_multiple_allocations = allow;
    }

    /// Sets an attribute; a name without a domain gets the driver as its domain.
    pub fn set_attribute(&mut self, name: &str, value: Value) {
        let (domain, name) = self.qualify(name);
        self.attributes
            .entry(domain)
            .or_default()
            .insert(name, value);
    }

    /// Sets a capacity; a name without a domain gets the driver as its domain.
    pub fn set_capacity(&mut self, name: &str, quantity: Quantity) {
        let (domain, name) = self.qualify(name);
        self.capacity
            .entry(domain)
            .or_default()
            .insert(name, quantity);
    }

    fn qualify(&self, name: &str) -> (String, String) {
        match name.split_once('/') {
            Some((domain, name)) => (domain.to_owned(), name.to_owned()),
            None => (self.driver.clone(), name.to_owned()),
        }
    }
}

impl Row for Device {
    fn driver(&self) -> &str {
        &self.driver
    }

    fn allow_multiple_allocations(&self) -> bool {
        self.allow_multiple_allocations
    }

    fn attribute(&self, domain: &str, name: &str) -> Option<Attribute<'_>> {
        self.attributes
            .get(domain)?
            .get(name)
            .map(Value::as_attribute)
    }

    fn capacity(&self, domain: &str, name: &str) -> Option<&Quantity> {
        self.capacity.get(domain)?.get(name)
    }

    fn domains(&self, kind: Kind) -> Vec<&str> {
        match kind {
            Kind::Attribute => self.attributes.keys().map(String::as_str).collect(),
            Kind::Capacity => self.capacity.keys().map(String::as_str).collect(),
        }
    }

    fn names(&self, kind: Kind, domain: &str) -> Vec<&str> {
        match kind {
            Kind::Attribute => self.attributes.get(domain).map(keys).unwrap_or_default(),
            Kind::Capacity => self.capacity.get(domain).map(keys).unwrap_or_default(),
        }
    }
}

fn keys<V>(map: &BTreeMap<String, V>) -> Vec<&str> {
    map.keys().map(String::as_str).collect()
}
