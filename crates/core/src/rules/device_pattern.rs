//! [`DevicePattern`]: devices by name and attributes.

use crate::model::{Device, DeviceAttribute, Map, QualifiedName, Str};

/// Selects devices by what is given; all of it must match.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DevicePattern<'a> {
    pub(crate) driver: Option<&'a str>,
    pub(crate) pool: Option<&'a str>,
    pub(crate) device: Option<&'a str>,
    pub(crate) attributes: &'a Map<QualifiedName, DeviceAttribute>,
}

impl DevicePattern<'_> {
    /// Returns whether a device of a pool may match.
    pub(crate) fn may_select(&self, driver: &str, pool: &str) -> bool {
        let is = |wanted: Option<&str>, name: &str| wanted.is_none_or(|wanted| wanted == name);
        is(self.driver, driver) && is(self.pool, pool)
    }

    /// Returns whether a device matches; attributes are equal if type and value are.
    pub(crate) fn selects(&self, driver: &str, pool: &str, device: &Device) -> bool {
        let has = |(name, value): (&QualifiedName, &DeviceAttribute)| {
            find_name(device, driver, name).is_some_and(|(_, found)| found == value)
        };
        self.may_select(driver, pool)
            && self.device.is_none_or(|wanted| *wanted == *device.name)
            && self.attributes.into_iter().all(has)
    }
}

/// Returns an attribute with the name that it is published under.
///
/// Other than for constraints, a name without a domain also finds the one with
/// the driver's domain: both are the same attribute.
pub(crate) fn find_name<'a>(
    device: &'a Device,
    driver: &str,
    name: &str,
) -> Option<(&'a Str, &'a DeviceAttribute)> {
    let attributes = &device.attributes;
    let place = attributes
        .position(name)
        .or_else(|| match name.split_once('/') {
            Some((domain, id)) if domain == driver => attributes.position(id),
            Some(_) => None,
            None => {
                let in_domain = |other: &Str| other.split_once('/') == Some((driver, name));
                attributes.keys().position(in_domain)
            }
        });
    attributes.at(place?)
}
