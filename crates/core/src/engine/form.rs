//! The JSON of dumps and traces: what both write and read.

use serde::Serialize;

use crate::error::{Code, Error};
use crate::model::{
    AttributeOverlay, DeviceClass, DeviceHealth, DeviceHold, DeviceTaintRule, Json, Node,
    ResourceClaim, ResourceSlice, Topology,
};
use crate::wire::{Decoder, Encode, Object, encode};

/// API group and version of both.
pub(super) const API_VERSION: &str = "dralloc.dev/v1alpha1";

/// Writes a value as JSON.
pub(super) fn text(value: &impl Serialize) -> String {
    // What is written here has texts as keys and no writer of its own: it cannot fail.
    serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

/// Writes an object in the form of its API.
pub(super) fn object<T: Encode>(object: &T) -> String {
    // As above.
    encode(object).unwrap_or_else(|_| "null".to_owned())
}

/// Checks that a text says that it is of a kind.
pub(super) fn check_kind(api_version: &str, kind: &str, expected: &str) -> Result<(), Error> {
    if (api_version, kind) == (API_VERSION, expected) {
        return Ok(());
    }
    let message = format!("`{kind}` of `{api_version}`, expected `{expected}` of `{API_VERSION}`");
    Err(Error::new(Code::Unsupported, message).at("apiVersion"))
}

/// Is what an object is read as.
pub(super) trait OfKind: Sized {
    const KIND: &'static str;

    fn of(object: Object) -> Option<Self>;
}

macro_rules! of_kind {
    ($($kind:ident),+) => {$(
        impl OfKind for $kind {
            const KIND: &'static str = stringify!($kind);

            fn of(object: Object) -> Option<Self> {
                match object {
                    Object::$kind(one) => Some(one),
                    _ => None,
                }
            }
        }
    )+};
}

of_kind!(
    AttributeOverlay,
    DeviceClass,
    DeviceHealth,
    DeviceHold,
    DeviceTaintRule,
    Node,
    ResourceClaim,
    ResourceSlice,
    Topology
);

/// Reads one object of a kind.
pub(super) fn read<T: OfKind>(decoder: &mut Decoder, json: &Json) -> Result<T, Error> {
    read_any(decoder, json)?.and_then(T::of).ok_or_else(|| {
        let message = format!("expected one object of kind `{}`", T::KIND);
        Error::new(Code::Malformed, message)
    })
}

/// Reads one object; none if there are fewer or more.
pub(super) fn read_any(decoder: &mut Decoder, json: &Json) -> Result<Option<Object>, Error> {
    let (mut found, mut count) = (None, 0_usize);
    decoder.decode(json.as_str(), &mut |decoded| {
        count += 1;
        found = Some(decoded.object);
        Ok(())
    })?;
    Ok(found.filter(|_| count == 1))
}
