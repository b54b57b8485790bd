//! Values during evaluation.
//!
//! Values borrow from the row and from the program; only what an expression
//! builds is owned.

use std::cmp::Ordering;
use std::net::IpAddr;
use std::ops::Deref;
use std::sync::Arc;

use dralloc_quantity::Quantity;

use super::compare;
use crate::library::{NamedFormat, Url};
use crate::{Attribute, EvaluationError, Kind, Row, Semver, Texts};

/// Borrowed, or owned and shared.
#[derive(Debug)]
pub(crate) enum Shared<'a, T: ?Sized> {
    Borrowed(&'a T),
    Owned(Arc<T>),
}

impl<T: ?Sized> Clone for Shared<'_, T> {
    fn clone(&self) -> Self {
        match self {
            Self::Borrowed(value) => Self::Borrowed(value),
            Self::Owned(value) => Self::Owned(Arc::clone(value)),
        }
    }
}

impl<T: ?Sized> Deref for Shared<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        match self {
            Self::Borrowed(value) => value,
            Self::Owned(value) => value,
        }
    }
}

impl<T: ?Sized> Shared<'_, T> {
    /// Whether both are one object in memory.
    pub(crate) fn is_same_object(&self, other: &Self) -> bool {
        std::ptr::addr_eq(&raw const **self, &raw const **other)
    }

    fn borrow(&self) -> Shared<'_, T> {
        Shared::Borrowed(self)
    }
}

/// A point in time as cel-go holds it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timestamp {
    /// Since the start of 1970, UTC.
    pub(crate) seconds: i64,
    pub(crate) nanos: u32,
    /// The offset from UTC, in seconds, that it is written with; does not count
    /// in comparisons.
    pub(crate) offset: i64,
}

impl PartialEq for Timestamp {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Timestamp {}

impl PartialOrd for Timestamp {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Timestamp {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.seconds, self.nanos).cmp(&(other.seconds, other.nanos))
    }
}

/// One value.
#[derive(Clone, Debug)]
pub(crate) enum Value<'a> {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    String(Shared<'a, str>),
    Bytes(Shared<'a, [u8]>),
    /// Nanoseconds.
    Duration(i64),
    Timestamp(Timestamp),
    List(List<'a>),
    Map(Map<'a>),
    Optional(Option<Arc<Value<'a>>>),
    Quantity {
        quantity: Shared<'a, Quantity>,
        /// Made by arithmetic: Kubernetes cannot compare such a quantity for
        /// equality when it stands on the right.
        computed: bool,
    },
    Version(Shared<'a, Semver>),
    /// An IP address.
    Ip(IpAddr),
    /// A network in CIDR form.
    Cidr(Network),
    Url(Arc<Url>),
    /// A named format of strings.
    Format(&'static NamedFormat),
    /// The name of a type.
    Type(&'static str),
    /// What is in an optional value and cannot be got out of it.
    Unconvertible,
}

/// An address and how many of its bits denote the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Network {
    pub(crate) address: IpAddr,
    pub(crate) bits: u32,
}

/// A list, in whatever form it is held.
#[derive(Clone, Debug)]
pub(crate) enum List<'a> {
    Values(Shared<'a, [Value<'a>]>),
    Ints(&'a [i64]),
    Bools(&'a [bool]),
    Strings(&'a [String]),
    SharedStrings(&'a dyn Texts),
    Versions(&'a [Semver]),
}

/// A map, in whatever form it is held.
#[derive(Clone, Debug)]
pub(crate) enum Map<'a> {
    /// Sorted by key as [`super::compare::key_order`] says.
    Entries(Shared<'a, [(Value<'a>, Value<'a>)]>),
    /// The variable `device`, which Kubernetes hands over as a map.
    Device,
    /// `device.attributes` or `device.capacity`.
    Domains(Kind),
    /// One domain of these.
    Names(Kind, Shared<'a, str>),
}

fn find_entry<'a>(
    entries: &Shared<'a, [(Value<'a>, Value<'a>)]>,
    key: &Value<'a>,
) -> Option<Value<'a>> {
    match entries {
        Shared::Borrowed(entries) => compare::entry(entries, key).map(Value::borrow),
        Shared::Owned(entries) => compare::entry(entries, key).cloned(),
    }
}

impl<'a> Value<'a> {
    pub(crate) fn string(text: impl Into<Arc<str>>) -> Self {
        Self::String(Shared::Owned(text.into()))
    }

    pub(crate) fn text(text: &'a str) -> Self {
        Self::String(Shared::Borrowed(text))
    }

    pub(crate) fn list(values: Vec<Self>) -> Self {
        Self::List(List::Values(Shared::Owned(values.into())))
    }

    pub(crate) fn some(value: Self) -> Self {
        Self::Optional(Some(Arc::new(value)))
    }

    pub(crate) fn none() -> Self {
        Self::Optional(None)
    }

    pub(crate) fn version(version: Semver) -> Self {
        Self::Version(Shared::Owned(Arc::new(version)))
    }

    /// Returns what is in an optional value.
    ///
    /// # Errors
    /// Fails on what was [put there](Self::restored) without being usable.
    pub(crate) fn content(&self) -> Result<Self, EvaluationError> {
        match self {
            Self::Unconvertible => Err(super::invalid("unsupported conversion to ref.Val")),
            other => Ok(other.clone()),
        }
    }

    /// Returns the value as cel-go before 0.29 got it back after a conversion
    /// to the Go value that it stands for.
    pub(crate) fn restored(&self) -> Self {
        match self {
            Self::Quantity { .. }
            | Self::Version(_)
            | Self::Ip(_)
            | Self::Cidr(_)
            | Self::Url(_)
            | Self::Format(_) => Self::Unconvertible,
            Self::Type(name) => Self::text(name),
            Self::Optional(None) => Self::Null,
            Self::Optional(Some(value)) => value.restored(),
            other => other.clone(),
        }
    }

    /// Returns the value without owning anything: cheap, for constants.
    pub(crate) fn borrow(&'a self) -> Self {
        let mut value = Self::Null;
        self.borrow_to(&mut value);
        value
    }

    /// Puts the value into a place without owning anything.
    pub(crate) fn borrow_to(&'a self, place: &mut Self) {
        match self {
            Self::Bool(value) => *place = Self::Bool(*value),
            Self::Int(value) => *place = Self::Int(*value),
            Self::String(text) => *place = Self::String(text.borrow()),
            Self::Bytes(bytes) => *place = Self::Bytes(bytes.borrow()),
            Self::Version(version) => *place = Self::Version(version.borrow()),
            Self::Quantity { quantity, computed } => {
                *place = Self::Quantity {
                    quantity: quantity.borrow(),
                    computed: *computed,
                };
            }
            Self::List(List::Values(values)) => {
                *place = Self::List(List::Values(values.borrow()));
            }
            Self::Map(Map::Entries(entries)) => {
                *place = Self::Map(Map::Entries(entries.borrow()));
            }
            other => *place = other.clone(),
        }
    }

    /// Puts a copy of the value into a place.
    pub(crate) fn copy_to(&self, place: &mut Self) {
        match self {
            Self::Bool(value) => *place = Self::Bool(*value),
            Self::Int(value) => *place = Self::Int(*value),
            Self::String(Shared::Borrowed(text)) => *place = Self::text(text),
            other => *place = other.clone(),
        }
    }

    pub(crate) fn from_attribute(attribute: Attribute<'a>) -> Self {
        match attribute {
            Attribute::Int(value) => Self::Int(value),
            Attribute::Bool(value) => Self::Bool(value),
            Attribute::String(value) => Self::text(value),
            Attribute::Version(value) => Self::Version(Shared::Borrowed(value)),
            Attribute::Ints(values) => Self::List(List::Ints(values)),
            Attribute::Bools(values) => Self::List(List::Bools(values)),
            Attribute::Strings(values) => Self::List(List::Strings(values)),
            Attribute::SharedStrings(values) => Self::List(List::SharedStrings(values)),
            Attribute::Versions(values) => Self::List(List::Versions(values)),
        }
    }

    pub(crate) fn from_quantity(quantity: &'a Quantity) -> Self {
        Self::Quantity {
            quantity: Shared::Borrowed(quantity),
            computed: false,
        }
    }

    /// Returns the name that `type()` gives.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Self::Null => "null_type",
            Self::Bool(_) => "bool",
            Self::Int(_) => "int",
            Self::Uint(_) => "uint",
            Self::Double(_) => "double",
            Self::String(_) => "string",
            Self::Bytes(_) => "bytes",
            Self::Duration(_) => "google.protobuf.Duration",
            Self::Timestamp(_) => "google.protobuf.Timestamp",
            Self::List(_) => "list",
            Self::Map(_) => "map",
            Self::Optional(_) => "optional_type",
            Self::Quantity { .. } => "kubernetes.Quantity",
            Self::Version(_) => "kubernetes.Semver",
            Self::Ip(_) => "net.IP",
            Self::Cidr(_) => "net.CIDR",
            Self::Url(_) => "kubernetes.URL",
            Self::Format(_) => "kubernetes.NamedFormat",
            Self::Type(_) => "type",
            Self::Unconvertible => "error",
        }
    }

    /// Whether Kubernetes can look the value up among map keys; it crashes on
    /// the others, which ends the evaluation.
    pub(crate) fn is_hashable(&self) -> bool {
        !matches!(self, Self::Version(_) | Self::Bytes(_) | Self::Format(_))
    }

    /// Returns the size that runtime costs go by: characters, bytes or
    /// elements; 1 for what has no size.
    pub(crate) fn cost_size(&self, row: &dyn Row) -> u64 {
        match self {
            Self::Optional(Some(value)) => value.cost_size(row),
            Self::Ip(IpAddr::V4(_)) => 4,
            Self::Ip(IpAddr::V6(_)) => 16,
            Self::Cidr(network) => u64::from(network.bits.div_ceil(8)),
            other => other.size(row).unwrap_or(1),
        }
    }

    /// Returns the number of bytes in a text or in what was read from one.
    pub(crate) fn length(&self) -> usize {
        match self {
            Self::String(text) => text.len(),
            Self::Bytes(bytes) => bytes.len(),
            Self::Version(version) => version.as_str().len(),
            Self::Url(url) => url.length(),
            _ => 0,
        }
    }

    /// Returns what `size()` gives, if the value has a size.
    pub(crate) fn size(&self, row: &dyn Row) -> Option<u64> {
        let size = match self {
            Self::String(text) if text.is_ascii() => text.len(),
            Self::String(text) => text.chars().count(),
            Self::Bytes(bytes) => bytes.len(),
            Self::List(list) => list.len(),
            Self::Map(map) => map.len(row),
            _ => return None,
        };
        u64::try_from(size).ok()
    }
}

impl<'a> List<'a> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Values(values) => values.len(),
            Self::Ints(values) => values.len(),
            Self::Bools(values) => values.len(),
            Self::Strings(values) => values.len(),
            Self::SharedStrings(values) => values.count(),
            Self::Versions(values) => values.len(),
        }
    }

    pub(crate) fn get(&self, index: usize) -> Option<Value<'a>> {
        Some(match self {
            Self::Values(Shared::Borrowed(values)) => values.get(index)?.borrow(),
            Self::Values(Shared::Owned(values)) => values.get(index)?.clone(),
            Self::Ints(values) => Value::Int(*values.get(index)?),
            Self::Bools(values) => Value::Bool(*values.get(index)?),
            Self::Strings(values) => Value::text(values.get(index)?),
            Self::SharedStrings(values) => Value::text(values.text(index)?),
            Self::Versions(values) => Value::Version(Shared::Borrowed(values.get(index)?)),
        })
    }

    /// Puts an element into a place; false where the list ends before.
    pub(crate) fn get_to(&self, index: usize, place: &mut Value<'a>) -> bool {
        match self {
            Self::Values(Shared::Borrowed(values)) => match values.get(index) {
                Some(value) => value.borrow_to(place),
                None => return false,
            },
            other => match other.get(index) {
                Some(value) => *place = value,
                None => return false,
            },
        }
        true
    }

    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = Value<'a>> + '_ {
        (0..self.len()).filter_map(|index| self.get(index))
    }
}

/// The fields of `device`, sorted.
const DEVICE_FIELDS: [&str; 4] = [
    "allowMultipleAllocations",
    "attributes",
    "capacity",
    "driver",
];

impl<'a> Map<'a> {
    pub(crate) fn empty() -> Self {
        Self::Entries(Shared::Borrowed(&[]))
    }

    /// Builds a map; of equal keys the last one counts, and one without a
    /// value removes the key.
    pub(crate) fn from_pairs(pairs: Vec<(Value<'a>, Option<Value<'a>>)>) -> Self {
        let mut entries: Vec<(Value<'a>, Option<Value<'a>>)> = pairs;
        // Stable, so that equal keys keep their order.
        entries.sort_by(|(left, _), (right, _)| compare::key_order(left, right));
        let mut kept: Vec<(Value<'a>, Option<Value<'a>>)> = Vec::with_capacity(entries.len());
        for (key, value) in entries {
            // Keys without an order stand together at the end.
            let same = kept
                .iter_mut()
                .rev()
                .take_while(|(other, _)| compare::key_order(other, &key).is_eq())
                .find(|(other, _)| compare::is_same_key(other, &key));
            match same {
                Some(same) => *same = (key, value),
                None => kept.push((key, value)),
            }
        }
        let entries: Vec<(Value<'a>, Value<'a>)> = kept
            .into_iter()
            .filter_map(|(key, value)| Some((key, value?)))
            .collect();
        Self::Entries(Shared::Owned(entries.into()))
    }

    /// Returns the value of a key as a selection or an index gets it.
    ///
    /// The maps of domains have every domain; the ones they lack are empty.
    pub(crate) fn find(&self, key: &Value<'a>, row: &'a dyn Row) -> Option<Value<'a>> {
        match (self, key) {
            (Self::Entries(entries), _) => find_entry(entries, key),
            (Self::Domains(kind), Value::String(domain)) => {
                Some(Value::Map(Self::Names(*kind, domain.clone())))
            }
            (Self::Domains(_), _) => Some(Value::Map(Self::empty())),
            (Self::Names(Kind::Attribute, domain), Value::String(name)) => {
                row.attribute(domain, name).map(Value::from_attribute)
            }
            (Self::Names(Kind::Capacity, domain), Value::String(name)) => {
                row.capacity(domain, name).map(Value::from_quantity)
            }
            (Self::Device, Value::String(name)) => match &**name {
                "driver" => Some(Value::text(row.driver())),
                "allowMultipleAllocations" => Some(Value::Bool(row.allow_multiple_allocations())),
                "attributes" => Some(Value::Map(Self::Domains(Kind::Attribute))),
                "capacity" => Some(Value::Map(Self::Domains(Kind::Capacity))),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns whether the map has a key, as `in` sees it: for domains, only
    /// those that the device has.
    pub(crate) fn contains(&self, key: &Value<'a>, row: &'a dyn Row) -> bool {
        match (self, key) {
            (Self::Domains(kind), Value::String(domain)) => row.has_domain(*kind, domain),
            (Self::Domains(_), _) => false,
            _ => self.find(key, row).is_some(),
        }
    }

    /// Returns the visits that looking up a key is worth.
    pub(crate) fn lookup_work(&self, key: &Value<'a>) -> u64 {
        match self {
            Self::Entries(entries) => compare::lookup_work(entries.len(), key),
            _ => 0,
        }
    }

    pub(crate) fn len(&self, row: &dyn Row) -> usize {
        match self {
            Self::Entries(entries) => entries.len(),
            Self::Device => DEVICE_FIELDS.len(),
            Self::Domains(kind) => row.domains(*kind).len(),
            Self::Names(kind, domain) => row.names(*kind, domain).len(),
        }
    }

    /// Returns the keys in the order that loops take.
    pub(crate) fn keys(&self, row: &'a dyn Row) -> Vec<Value<'a>> {
        let texts = match self {
            Self::Entries(entries) => return entries.iter().map(|(key, _)| key.clone()).collect(),
            Self::Device => DEVICE_FIELDS.to_vec(),
            Self::Domains(kind) => row.domains(*kind),
            Self::Names(kind, domain) => row.names(*kind, domain),
        };
        texts.into_iter().map(Value::text).collect()
    }
}
