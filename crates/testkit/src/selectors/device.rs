//! [`RandomDevice`]: the device that a selector is evaluated on.

use dralloc_cel::{Device, EvaluationError, Semver, Value};
use dralloc_quantity::Quantity;
use serde_json::{Value as Json, json};

use super::text::Flavour;
use super::types::Type;
use crate::generate::Random;

/// A device as it is published, with names that selectors can look for.
#[derive(Clone, Debug, PartialEq)]
pub struct RandomDevice {
    pub(super) driver: &'static str,
    allow_multiple_allocations: Option<bool>,
    pub(super) attributes: Vec<(Name, Attribute)>,
    pub(super) capacity: Vec<(Name, &'static str)>,
}

/// The name of an attribute or a capacity.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Name {
    pub(super) domain: &'static str,
    pub(super) id: &'static str,
    /// Whether it is published without its domain, which is the driver.
    bare: bool,
}

/// The value of an attribute, as it is published.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Attribute {
    Int(i64),
    Bool(bool),
    String(&'static str),
    Version(&'static str),
    Ints(Vec<i64>),
    Bools(Vec<bool>),
    Strings(Vec<&'static str>),
    Versions(Vec<&'static str>),
}

const DRIVERS: [&str; 3] = ["gpu.nvidia.com", "d.example", "nic.example.com"];
const DOMAINS: [&str; 2] = ["example.com", "resource.kubernetes.io"];
/// Names of attributes; some are words of the language, or no identifiers at all.
const NAMES: [&str; 22] = [
    "type",
    "model",
    "index",
    "numa",
    "healthy",
    "version",
    "uuid",
    "pcieRoot",
    "links",
    "peers",
    "ints",
    "strs",
    "bools",
    "vers",
    "zone",
    "in",
    "namespace",
    "map",
    "with-dash",
    "with.dot",
    "_x9",
    "size",
];
const CAPACITIES: [&str; 6] = ["memory", "cores", "bw", "copy-engines", "type", "index"];
const QUANTITIES: [&str; 16] = [
    "80Gi",
    "132",
    "3",
    "0",
    "1500m",
    "1e3",
    "-1",
    "0.1",
    "40960Mi",
    "1n",
    "8Ei",
    "9223372036854775807",
    "9223372036854775808",
    "1e30",
    "0.5Gi",
    "2k",
];

impl Name {
    fn published(&self) -> String {
        if self.bare {
            self.id.to_owned()
        } else {
            format!("{}/{}", self.domain, self.id)
        }
    }
}

impl Attribute {
    fn random(minor: u32, random: &mut Random) -> Self {
        // Versions before 1.36 know no lists.
        let kinds = if minor >= 36 { 15 } else { 11 };
        let length = random.below(4);
        match random.below(kinds) {
            0..=3 => Self::Int(integer(random)),
            4 | 5 => Self::Bool(random.chance(50)),
            6..=8 => Self::String(string(random)),
            9 | 10 => Self::Version(version(random)),
            11 => Self::Ints((0..length).map(|_| integer(random)).collect()),
            12 => Self::Bools((0..length).map(|_| random.chance(50)).collect()),
            13 => Self::Strings((0..length).map(|_| string(random)).collect()),
            _ => Self::Versions((0..length).map(|_| version(random)).collect()),
        }
    }

    /// Returns the type that expressions find.
    pub(super) fn kind(&self) -> Type {
        match self {
            Self::Int(_) => Type::Int,
            Self::Bool(_) => Type::Bool,
            Self::String(_) => Type::String,
            Self::Version(_) => Type::Version,
            Self::Ints(_) => Type::list(Type::Int),
            Self::Bools(_) => Type::list(Type::Bool),
            Self::Strings(_) => Type::list(Type::String),
            Self::Versions(_) => Type::list(Type::Version),
        }
    }

    fn json(&self) -> Json {
        match self {
            Self::Int(value) => json!({"int": value}),
            Self::Bool(value) => json!({"bool": value}),
            Self::String(value) => json!({"string": value}),
            Self::Version(value) => json!({"version": value}),
            Self::Ints(values) => json!({"ints": values}),
            Self::Bools(values) => json!({"bools": values}),
            Self::Strings(values) => json!({"strings": values}),
            Self::Versions(values) => json!({"versions": values}),
        }
    }

    fn value(&self) -> Result<Value, String> {
        let version = |text: &&str| Semver::parse(text).map_err(|error| error.to_string());
        let owned = |text: &&str| (*text).to_owned();
        Ok(match self {
            Self::Int(value) => Value::Int(*value),
            Self::Bool(value) => Value::Bool(*value),
            Self::String(value) => Value::String((*value).to_owned()),
            Self::Version(text) => Value::Version(version(text)?),
            Self::Ints(values) => Value::Ints(values.clone()),
            Self::Bools(values) => Value::Bools(values.clone()),
            Self::Strings(values) => Value::Strings(values.iter().map(owned).collect()),
            Self::Versions(texts) => {
                Value::Versions(texts.iter().map(version).collect::<Result<_, _>>()?)
            }
        })
    }
}

fn integer(random: &mut Random) -> i64 {
    const ODD: [i64; 6] = [i64::MAX, i64::MIN, -1, 1 << 53, (1 << 53) + 1, 1_000_000];
    if random.chance(12) {
        ODD[random.below(ODD.len())]
    } else {
        i64::try_from(random.below(8)).unwrap_or_default()
    }
}

fn string(random: &mut Random) -> &'static str {
    match random.below(10) {
        0..=5 => Flavour::Any.text(random),
        6 => Flavour::Version.text(random),
        7 => Flavour::Address.text(random),
        8 => Flavour::Quantity.text(random),
        _ => Flavour::Number.text(random),
    }
}

/// A version: one in 200 is none, which makes the device unusable.
fn version(random: &mut Random) -> &'static str {
    if random.below(200) == 0 {
        Flavour::Version.text(random)
    } else {
        Flavour::Version.good_text(random)
    }
}

impl RandomDevice {
    /// Returns the texts of its capacities.
    pub fn quantities(&self) -> impl Iterator<Item = String> {
        self.capacity.iter().map(|(_, text)| (*text).to_owned())
    }

    /// Returns a device for a minor version of Kubernetes.
    pub(super) fn new(minor: u32, random: &mut Random) -> Self {
        let driver = random.pick(&DRIVERS);
        let mut device = Self {
            driver,
            allow_multiple_allocations: match random.below(3) {
                0 => None,
                1 => Some(true),
                _ => Some(false),
            },
            attributes: Vec::new(),
            capacity: Vec::new(),
        };
        for _ in 0..random.below(14) {
            let name = name(driver, &NAMES, random);
            if device.attributes.iter().all(|(other, _)| !name.same(other)) {
                device
                    .attributes
                    .push((name, Attribute::random(minor, random)));
            }
        }
        for _ in 0..random.below(6) {
            let name = name(driver, &CAPACITIES, random);
            if device.capacity.iter().all(|(other, _)| !name.same(other)) {
                device.capacity.push((name, random.pick(&QUANTITIES)));
            }
        }
        device
    }

    /// Returns the driver of the device.
    pub fn driver(&self) -> &str {
        self.driver
    }

    /// Returns the device as the corpus in `testdata/cel` writes it.
    pub fn json(&self) -> Json {
        let attributes = self.attributes.iter();
        let capacity = self.capacity.iter();
        let mut json = json!({
            "attributes": attributes
                .map(|(name, value)| (name.published(), value.json()))
                .collect::<serde_json::Map<_, _>>(),
            "capacity": capacity
                .map(|(name, value)| (name.published(), json!({"value": value})))
                .collect::<serde_json::Map<_, _>>(),
        });
        if let Some(allow) = self.allow_multiple_allocations {
            json["allowMultipleAllocations"] = allow.into();
        }
        json
    }

    /// Returns the device as expressions see it.
    ///
    /// # Errors
    /// Fails if an attribute has no usable value, as every selector does then.
    pub fn row(&self) -> Result<Device, EvaluationError> {
        let mut device = Device::new(self.driver);
        device.set_allow_multiple_allocations(self.allow_multiple_allocations == Some(true));
        for (name, value) in &self.attributes {
            let name = name.published();
            let value = value
                .value()
                .map_err(|reason| EvaluationError::attribute(&name, &reason))?;
            device.set_attribute(&name, value);
        }
        for (name, text) in &self.capacity {
            let name = name.published();
            let quantity = Quantity::parse(text)
                .map_err(|error| EvaluationError::attribute(&name, &error.to_string()))?;
            device.set_capacity(&name, quantity);
        }
        Ok(device)
    }

    /// Returns the devices that lack one attribute or capacity of this one.
    pub fn smaller(&self) -> Vec<Self> {
        let mut smaller = Vec::new();
        for index in 0..self.attributes.len() {
            let mut device = self.clone();
            device.attributes.remove(index);
            smaller.push(device);
        }
        for index in 0..self.capacity.len() {
            let mut device = self.clone();
            device.capacity.remove(index);
            smaller.push(device);
        }
        smaller
    }
}

impl Name {
    /// Whether both are one name to expressions, which would be one value by chance.
    fn same(&self, other: &Self) -> bool {
        (self.domain, self.id) == (other.domain, other.id)
    }
}

/// Returns a name, mostly in the domain of the driver.
fn name(driver: &'static str, names: &[&'static str], random: &mut Random) -> Name {
    let own = random.chance(60);
    Name {
        domain: if own { driver } else { random.pick(&DOMAINS) },
        id: random.pick(names),
        bare: own && random.chance(70),
    }
}
