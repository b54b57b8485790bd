//! The seam between the oracle and CEL.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use dralloc::model::{Device, DeviceAttribute};
use dralloc_cel::{CompileError, Options, Program, Scratch, Semver, Value, Verdict};

use super::failure::{Failure, FailureKind};

/// Evaluates expressions on devices.
pub trait Expressions {
    /// Returns whether a selector selects a device.
    ///
    /// # Errors
    ///
    /// Where Kubernetes ends the call: the expression does not compile, an
    /// attribute of the device has no usable value, evaluation fails, or the
    /// result is no boolean.
    fn selects(&self, expression: &str, driver: &str, device: &Device) -> Result<bool, Failure>;

    /// Returns the attribute that an expression derives from a device.
    ///
    /// # Errors
    ///
    /// As for [`Expressions::selects`].
    fn derives(
        &self,
        expression: &str,
        driver: &str,
        device: &Device,
    ) -> Result<DeviceAttribute, Failure>;
}

/// Is a compiled expression, or why there is none.
type Compiled = Rc<Result<Program, CompileError>>;

/// Evaluates expressions with `dralloc-cel`, each compiled once.
#[derive(Default)]
pub struct Cel {
    selectors: RefCell<BTreeMap<String, Compiled>>,
    derived: RefCell<BTreeMap<String, Compiled>>,
}

impl Expressions for Cel {
    fn selects(&self, expression: &str, driver: &str, device: &Device) -> Result<bool, Failure> {
        let compiled = compiled(&self.selectors, expression, &Options::selector());
        let program = program(&compiled)?;
        match program.matches(&row(driver, device)?, &mut Scratch::new()) {
            Verdict::Match => Ok(true),
            Verdict::NoMatch => Ok(false),
            Verdict::Error(error) => {
                Err(Failure::new(FailureKind::CelEvaluation, error.to_string()))
            }
        }
    }

    fn derives(
        &self,
        expression: &str,
        driver: &str,
        device: &Device,
    ) -> Result<DeviceAttribute, Failure> {
        let compiled = compiled(&self.derived, expression, &Options::derived_attribute());
        let program = program(&compiled)?;
        program
            .evaluate(&row(driver, device)?, &mut Scratch::new())
            .map(attribute)
            .map_err(|error| Failure::new(FailureKind::CelEvaluation, error.to_string()))
    }
}

fn compiled(
    cache: &RefCell<BTreeMap<String, Compiled>>,
    expression: &str,
    options: &Options,
) -> Compiled {
    let mut cache = cache.borrow_mut();
    if let Some(compiled) = cache.get(expression) {
        return Rc::clone(compiled);
    }
    let compiled = Rc::new(Program::compile(expression, options));
    cache.insert(expression.to_owned(), Rc::clone(&compiled));
    compiled
}

fn program(compiled: &Compiled) -> Result<&Program, Failure> {
    compiled
        .as_ref()
        .as_ref()
        .map_err(|error| Failure::new(FailureKind::CelCompile, error.to_string()))
}

/// Converts all attributes, also those that no expression reads: one without a
/// usable value fails every expression.
fn row(driver: &str, device: &Device) -> Result<dralloc_cel::Device, Failure> {
    let mut row = dralloc_cel::Device::new(driver);
    row.set_allow_multiple_allocations(device.allow_multiple_allocations.unwrap_or_default());
    // Names with a domain come last, so that they win over the same name without.
    for qualified in [false, true] {
        for (name, attribute) in &device.attributes {
            if name.contains('/') == qualified {
                row.set_attribute(name, value(name, attribute)?);
            }
        }
        for (name, capacity) in &device.capacity {
            if name.contains('/') == qualified {
                row.set_capacity(name, capacity.value.clone());
            }
        }
    }
    Ok(row)
}

fn value(name: &str, attribute: &DeviceAttribute) -> Result<Value, Failure> {
    let failure = |reason: &str| {
        Failure::new(
            FailureKind::Attribute,
            format!("attribute `{name}`: {reason}"),
        )
    };
    let version = |text: &str| Semver::parse(text).map_err(|error| failure(&error.to_string()));
    Ok(match attribute {
        DeviceAttribute::Int(value) => Value::Int(*value),
        DeviceAttribute::Bool(value) => Value::Bool(*value),
        DeviceAttribute::String(value) => Value::String(value.to_string()),
        DeviceAttribute::Version(value) => Value::Version(version(value)?),
        DeviceAttribute::Ints(values) => Value::Ints(values.to_vec()),
        DeviceAttribute::Bools(values) => Value::Bools(values.to_vec()),
        DeviceAttribute::Strings(values) => {
            Value::Strings(values.iter().map(ToString::to_string).collect())
        }
        DeviceAttribute::Versions(values) => Value::Versions(
            values
                .iter()
                .map(|value| version(value))
                .collect::<Result<_, _>>()?,
        ),
        DeviceAttribute::Unknown => return Err(failure("unsupported attribute value")),
    })
}

fn attribute(value: Value) -> DeviceAttribute {
    match value {
        Value::Int(value) => DeviceAttribute::Int(value),
        Value::Bool(value) => DeviceAttribute::Bool(value),
        Value::String(value) => DeviceAttribute::String(value.into()),
        Value::Version(value) => DeviceAttribute::Version(value.as_str().into()),
        Value::Ints(values) => DeviceAttribute::Ints(values.into()),
        Value::Bools(values) => DeviceAttribute::Bools(values.into()),
        Value::Strings(values) => {
            DeviceAttribute::Strings(values.into_iter().map(Into::into).collect())
        }
        Value::Versions(values) => {
            DeviceAttribute::Versions(values.iter().map(|value| value.as_str().into()).collect())
        }
    }
}
