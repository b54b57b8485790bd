//! Changes of the objects that were read.

use super::Change;
use crate::error::{Code, Error};
use crate::wire::Object;

/// Is the change that an object is new or different.
impl TryFrom<Object> for Change {
    type Error = Error;

    /// Returns the change.
    ///
    /// # Errors
    ///
    /// [`Code::Malformed`] for a kind that no engine knows: pods, templates, and
    /// what was passed over.
    fn try_from(object: Object) -> Result<Self, Error> {
        match object {
            Object::ResourceSlice(slice) => Ok(Self::ResourceSlice(slice)),
            Object::Node(node) => Ok(Self::Node(node)),
            Object::DeviceClass(class) => Ok(Self::DeviceClass(class)),
            Object::DeviceTaintRule(rule) => Ok(Self::DeviceTaintRule(rule)),
            Object::ResourceClaim(claim) => Ok(Self::ResourceClaim(claim)),
            Object::Topology(topology) => Ok(Self::Topology(topology)),
            Object::AttributeOverlay(overlay) => Ok(Self::AttributeOverlay(overlay)),
            Object::DeviceHealth(health) => Ok(Self::DeviceHealth(health)),
            Object::DeviceHold(hold) => Ok(Self::DeviceHold(hold)),
            Object::ResourceClaimTemplate(_) | Object::Pod(_) | Object::Ignored { .. } => {
                let message = "expected an object that an engine knows";
                Err(Error::new(Code::Malformed, message))
            }
        }
    }
}
