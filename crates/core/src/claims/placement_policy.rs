//! Placement policies in configuration: refused until there are some.

use crate::error::{Code, Error};
use crate::model::OpaqueDeviceConfiguration;

/// Driver under which configuration is for dralloc itself.
const DRIVER: &str = "dralloc.dev";

/// Refuses configuration for dralloc: what it asks for would be ignored.
pub(super) fn check(opaque: Option<&OpaqueDeviceConfiguration>) -> Result<(), Error> {
    match opaque {
        Some(opaque) if *opaque.driver == *DRIVER => {
            let message =
                format!("configuration for `{DRIVER}` is not supported yet, expected none");
            Err(Error::new(Code::Unsupported, message).at("opaque.driver"))
        }
        _ => Ok(()),
    }
}
