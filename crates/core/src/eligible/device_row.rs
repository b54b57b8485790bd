//! [`DeviceRow`]: one device for expressions of the caller.

use dralloc_cel::{Attribute, EvaluationError, Kind};

use super::Row;
use crate::model::{Device, Quantity};
use crate::store::Rows;

/// Shows a device to an expression, by itself and without an engine.
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
pub struct DeviceRow<'a> {
    driver: &'a str,
    device: &'a Device,
    rows: Rows,
}

impl<'a> DeviceRow<'a> {
    /// Converts all attributes of a device.
    ///
    /// # Errors
    ///
    /// If one of them has no usable value; no expression can be evaluated
    /// then, not even one that does not read it.
    pub fn new(driver: &'a str, device: &'a Device) -> Result<Self, EvaluationError> {
        let rows = Rows::new(std::slice::from_ref(device));
        if let Some(error) = rows.failure(0) {
            return Err(error.clone());
        }
        Ok(Self {
            driver,
            device,
            rows,
        })
    }

    fn row(&self) -> Row<'_> {
        Row::usable(self.driver, self.device, &self.rows, 0)
    }
}

impl dralloc_cel::Row for DeviceRow<'_> {
    fn driver(&self) -> &str {
        self.driver
    }

    fn allow_multiple_allocations(&self) -> bool {
        self.device.allow_multiple_allocations.unwrap_or(false)
    }

    fn attribute(&self, domain: &str, name: &str) -> Option<Attribute<'_>> {
        self.row().find_attribute(domain, name)
    }

    fn capacity(&self, domain: &str, name: &str) -> Option<&Quantity> {
        self.row().find_capacity(domain, name)
    }

    fn domains(&self, kind: Kind) -> Vec<&str> {
        self.row().all_domains(kind)
    }

    fn names(&self, kind: Kind, domain: &str) -> Vec<&str> {
        self.row().names_in(kind, domain)
    }

    fn has_domain(&self, kind: Kind, domain: &str) -> bool {
        self.row().has_domain(kind, domain)
    }
}
