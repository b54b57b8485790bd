//! [`DeviceId`]: the full name of a device.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Str;

/// Names a device in the cluster; prints as `driver/pool/device`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DeviceId {
    /// Driver that publishes it.
    pub driver: Str,
    /// Pool it is in.
    pub pool: Str,
    /// Its name in the pool.
    pub device: Str,
}

impl DeviceId {
    /// Returns the id of a device.
    ///
    /// # Examples
    ///
    /// ```
    /// let id = dralloc::model::DeviceId::new("gpu.example.com", "node-1", "gpu-0");
    /// assert_eq!(id.to_string(), "gpu.example.com/node-1/gpu-0");
    /// ```
    pub fn new(driver: impl Into<Str>, pool: impl Into<Str>, device: impl Into<Str>) -> Self {
        Self {
            driver: driver.into(),
            pool: pool.into(),
            device: device.into(),
        }
    }

    /// Reads `driver/pool/device`; names of pools may have slashes of their own.
    ///
    /// # Examples
    ///
    /// ```
    /// use dralloc::model::DeviceId;
    ///
    /// let id = DeviceId::new("gpu.example.com", "rack-1/node-1", "gpu-0");
    /// assert_eq!(DeviceId::parse("gpu.example.com/rack-1/node-1/gpu-0"), Some(id));
    /// assert_eq!(DeviceId::parse("node-1/gpu-0"), None);
    /// ```
    pub fn parse(text: &str) -> Option<Self> {
        let (driver, rest) = text.split_once('/')?;
        let (pool, device) = rest.rsplit_once('/')?;
        let is_full = ![driver, pool, device].contains(&"");
        is_full.then(|| Self::new(driver, pool, device))
    }
}

impl fmt::Display for DeviceId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}/{}", self.driver, self.pool, self.device)
    }
}
