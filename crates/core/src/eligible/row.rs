//! [`Row`]: a device as expressions see it.

use dralloc_cel::{Attribute, EvaluationError, Kind, Program, Scratch, Semver, Value};

use crate::model::{Device, DeviceAttribute, Map, QualifiedName, Quantity, Str};

/// Shows a device to an expression, with its attributes in the form that expressions use.
///
/// ```
/// use dralloc::DeviceRow;
/// use dralloc::model::Device;
/// use dralloc_cel::{Options, Program, Scratch, Verdict};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let device: Device = dralloc::wire::from_json(
///     r#"{"name": "gpu-0", "attributes": {"index": {"int": 3}}}"#,
/// ).map_err(|fault| fault.error)?;
/// let row = DeviceRow::new("gpu.example.com", &device)?;
/// let selector = r#"device.attributes["gpu.example.com"].index > 2"#;
/// let program = Program::compile(selector, &Options::selector())?;
/// assert_eq!(program.matches(&row, &mut Scratch::new()), Verdict::Match);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Row<'a> {
    driver: &'a str,
    device: &'a Device,
    /// By the place of the attribute.
    values: Vec<Value>,
}

impl<'a> Row<'a> {
    /// Converts all attributes of a device.
    ///
    /// # Errors
    ///
    /// If one of them has no usable value; no expression can be evaluated
    /// then, not even one that does not read it.
    pub fn new(driver: &'a str, device: &'a Device) -> Result<Self, EvaluationError> {
        let convert = |(name, attribute): (&Str, &DeviceAttribute)| {
            value_of(attribute).map_err(|reason| EvaluationError::attribute(name, &reason))
        };
        let values = device
            .attributes
            .iter()
            .map(convert)
            .collect::<Result<_, _>>()?;
        Ok(Self {
            driver,
            device,
            values,
        })
    }
}

fn value_of(attribute: &DeviceAttribute) -> Result<Value, String> {
    let version = |text: &Str| Semver::parse(text).map_err(|error| error.to_string());
    let strings = |texts: &[Str]| texts.iter().map(ToString::to_string).collect();
    Ok(match attribute {
        DeviceAttribute::Int(value) => Value::Int(*value),
        DeviceAttribute::Bool(value) => Value::Bool(*value),
        DeviceAttribute::String(text) => Value::String(text.to_string()),
        DeviceAttribute::Version(text) => Value::Version(version(text)?),
        DeviceAttribute::Ints(values) => Value::Ints(values.to_vec()),
        DeviceAttribute::Bools(values) => Value::Bools(values.to_vec()),
        DeviceAttribute::Strings(texts) => Value::Strings(strings(texts)),
        DeviceAttribute::Versions(texts) => {
            Value::Versions(texts.iter().map(version).collect::<Result<_, _>>()?)
        }
        DeviceAttribute::Unknown => {
            return Err("has no value of a known type, expected exactly one".to_owned());
        }
    })
}

/// Returns the place of a qualified name, or else of the bare one if the
/// domain is the driver's.
fn place<V>(map: &Map<QualifiedName, V>, driver: &str, domain: &str, id: &str) -> Option<usize> {
    let qualified = |name: &Str| {
        name.strip_prefix(domain)
            .and_then(|rest| rest.strip_prefix('/'))
            .is_some_and(|rest| *rest == *id)
    };
    map.keys().position(qualified).or_else(|| {
        let bare = domain == driver && !id.contains('/');
        if bare { map.position(id) } else { None }
    })
}

/// Splits a name into domain and id, with the driver as domain of bare names.
fn split<'a>(name: &'a str, driver: &'a str) -> (&'a str, &'a str) {
    name.split_once('/').unwrap_or((driver, name))
}

impl dralloc_cel::Row for Row<'_> {
    fn driver(&self) -> &str {
        self.driver
    }

    fn allow_multiple_allocations(&self) -> bool {
        self.device.allow_multiple_allocations.unwrap_or(false)
    }

    fn attribute(&self, domain: &str, name: &str) -> Option<Attribute<'_>> {
        let place = place(&self.device.attributes, self.driver, domain, name)?;
        self.values.get(place).map(Value::as_attribute)
    }

    fn capacity(&self, domain: &str, name: &str) -> Option<&Quantity> {
        let place = place(&self.device.capacity, self.driver, domain, name)?;
        self.device
            .capacity
            .at(place)
            .map(|(_, capacity)| &capacity.value)
    }

    fn domains(&self, kind: Kind) -> Vec<&str> {
        sorted(self.all_names(kind).map(|name| split(name, self.driver).0))
    }

    fn names(&self, kind: Kind, domain: &str) -> Vec<&str> {
        let pairs = self.all_names(kind).map(|name| split(name, self.driver));
        sorted(
            pairs
                .filter(|(other, _)| *other == domain)
                .map(|(_, id)| id),
        )
    }
}

impl Row<'_> {
    fn all_names(&self, kind: Kind) -> Box<dyn Iterator<Item = &Str> + '_> {
        match kind {
            Kind::Attribute => Box::new(self.device.attributes.keys()),
            Kind::Capacity => Box::new(self.device.capacity.keys()),
        }
    }
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
    driver: &str,
    device: &Device,
    scratch: &mut Scratch,
) -> Result<DeviceAttribute, EvaluationError> {
    let row = Row::new(driver, device)?;
    Ok(match program.evaluate(&row, scratch)? {
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
