//! Kubernetes' wire formats: from JSON text to [`crate::model`] and back.
//!
//! [`Decoder`] reads `resource.k8s.io/v1`, `v1beta2` and `v1beta1`,
//! `DeviceTaintRule` also as `v1alpha3`, `dralloc.dev/v1alpha1`, nodes, pods, and
//! lists of all of them.
//! What it does not understand is never dropped in silence: an unknown field is
//! a [`Warning`], an unknown kind is [`Object::Ignored`], everything else is an
//! error with the path and the place in the text. [`encode`] writes
//! `resource.k8s.io/v1`.
//!
//! YAML is turned into JSON text by the caller, which keeps numbers as written.

mod decoder;
mod encode;
mod form;
mod interner;
mod json;
mod kind;
mod placement_policy;
mod v1beta1;

#[cfg(test)]
mod tests;

use std::fmt;

use kind::Version;

pub use decoder::Decoder;
pub use encode::{Encode, encode, encode_list};
pub use placement_policy::placement_policy;

use crate::model::{
    AttributeOverlay, DeviceClass, DeviceHealth, DeviceHold, DeviceTaintRule, Node, Pod,
    ResourceClaim, ResourceClaimTemplate, ResourceSlice, Str, Topology,
};
use crate::{Code, Error};

/// Is an object of a kind that dralloc reads, or the note that it was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Object {
    /// `resource.k8s.io` `ResourceSlice`
    ResourceSlice(ResourceSlice),
    /// `resource.k8s.io` `DeviceClass`
    DeviceClass(DeviceClass),
    /// `resource.k8s.io` `ResourceClaim`
    ResourceClaim(ResourceClaim),
    /// `resource.k8s.io` `ResourceClaimTemplate`
    ResourceClaimTemplate(ResourceClaimTemplate),
    /// `resource.k8s.io` `DeviceTaintRule`
    DeviceTaintRule(DeviceTaintRule),
    /// `dralloc.dev` `Topology`
    Topology(Topology),
    /// `dralloc.dev` `AttributeOverlay`
    AttributeOverlay(AttributeOverlay),
    /// `dralloc.dev` `DeviceHealth`
    DeviceHealth(DeviceHealth),
    /// `dralloc.dev` `DeviceHold`
    DeviceHold(DeviceHold),
    /// Core `Node`
    Node(Node),
    /// Core `Pod`
    Pod(Box<Pod>),
    /// Any other kind.
    Ignored {
        /// API group and version.
        api_version: Str,
        /// Kind.
        kind: Str,
    },
}

/// Is an object and what is to be said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded {
    /// The object.
    pub object: Object,
    /// Where it is in its list, such as `items[3]`; empty outside of a list.
    pub path: String,
    /// Where it starts in the text, in bytes.
    pub offset: usize,
    /// What was passed over in it.
    pub warnings: Vec<Warning>,
}

/// Says what was passed over in an object, or read in a way that may surprise.
///
/// Prints as path, message and, in brackets, the hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What sort of thing it is.
    pub kind: WarningKind,
    /// The field, from the top of the text: `items[3].spec.devices[0].basic`.
    pub path: String,
    /// What is wrong with it.
    pub message: String,
    /// What was probably meant.
    pub hint: Option<String>,
    /// Where it is in the text, in bytes.
    pub offset: usize,
}

/// Is a sort of [`Warning`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WarningKind {
    /// No version of the API has the field, as far as is known here.
    UnknownField,
    /// Another version of the API has it, in this place or another.
    OtherVersion,
}

impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.path, self.message)?;
        match &self.hint {
            Some(hint) => write!(formatter, " ({hint})"),
            None => Ok(()),
        }
    }
}

/// Says why an object could not be decoded, and where in the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct Fault {
    /// What is wrong; its path is from the top of the text.
    pub error: Error,
    /// Where it is in the text, in bytes.
    pub offset: usize,
    /// The object that it is in; none where it is not known which one that is.
    pub object: Option<FaultyObject>,
    /// What else is to be said of the object, with the first of its faults.
    pub warnings: Vec<Warning>,
}

/// Says which object could not be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultyObject {
    /// Its kind, such as `ResourceClaim`.
    pub kind: &'static str,
    /// Where it starts in the text, in bytes.
    pub offset: usize,
}

/// Reads a type of the model, or one made of them, from one JSON text as
/// Kubernetes does: null is absent, and quantities keep their digits.
///
/// Fields that are not known are passed over; [`Decoder`] reads whole objects
/// and warns of them.
///
/// # Errors
///
/// A [`Fault`] with [`Code::Malformed`], and the path
/// and place of what is wrong.
///
/// # Examples
///
/// ```
/// use dralloc::model::Device;
///
/// let device: Device = dralloc::wire::from_json(
///     r#"{"name": "gpu-0", "attributes": null, "capacity": {"memory": {"value": 1.50}}}"#,
/// )?;
/// let memory = device.capacity.get("memory").map(|capacity| capacity.value.to_string());
/// assert_eq!(memory.as_deref(), Some("1.50"));
/// # Ok::<(), dralloc::wire::Fault>(())
/// ```
pub fn from_json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Fault> {
    decode(text, false)
}

/// Like [`from_json`], and a field that the type does not know is an error.
///
/// # Errors
///
/// Those of [`from_json`], and [`Code::UnknownField`] for the first such field.
pub fn from_json_strict<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Fault> {
    decode(text, true)
}

fn decode<T: serde::de::DeserializeOwned>(text: &str, is_strict: bool) -> Result<T, Fault> {
    let mut decode = json::Decode::new(json::Cursor::new(text, 0), is_strict);
    let fault = |failure: &json::Failure| Fault {
        error: Error::new(Code::Malformed, failure.message()).at(failure.path()),
        offset: failure.offset(),
        object: None,
        warnings: Vec::new(),
    };
    let value = T::deserialize(&mut decode).map_err(|failure| fault(&failure))?;
    if decode.cursor().peek().is_some() {
        return Err(fault(&decode.cursor().unexpected("the end of the text")));
    }
    match decode.unknown.into_iter().next() {
        Some(unknown) => Err(Warning::new(unknown, Version::V1).into()),
        None => Ok(value),
    }
}
