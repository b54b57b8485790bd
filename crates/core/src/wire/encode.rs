//! [`encode`]: from objects to JSON text.

use serde::Serialize;

use super::Object;
use crate::model::{
    AttributeOverlay, DeviceClass, DeviceHealth, DeviceHold, DeviceTaintRule, Node, Pod,
    ResourceClaim, ResourceClaimTemplate, ResourceSlice, Topology,
};
use crate::{Code, Error};

/// Is a kind of object that has a wire form.
pub trait Encode: Serialize {
    /// Returns API group and version, and kind.
    fn type_meta(&self) -> (&str, &str);
}

macro_rules! encode_as {
    ($($kind:ident: $api_version:literal),* $(,)?) => {$(
        impl Encode for $kind {
            fn type_meta(&self) -> (&str, &str) {
                ($api_version, stringify!($kind))
            }
        }
    )*};
}

encode_as! {
    ResourceSlice: "resource.k8s.io/v1",
    DeviceClass: "resource.k8s.io/v1",
    ResourceClaim: "resource.k8s.io/v1",
    ResourceClaimTemplate: "resource.k8s.io/v1",
    DeviceTaintRule: "resource.k8s.io/v1",
    Topology: "dralloc.dev/v1alpha1",
    AttributeOverlay: "dralloc.dev/v1alpha1",
    DeviceHealth: "dralloc.dev/v1alpha1",
    DeviceHold: "dralloc.dev/v1alpha1",
    Node: "v1",
    Pod: "v1",
}

impl Encode for Object {
    fn type_meta(&self) -> (&str, &str) {
        match self {
            Self::ResourceSlice(object) => object.type_meta(),
            Self::DeviceClass(object) => object.type_meta(),
            Self::ResourceClaim(object) => object.type_meta(),
            Self::ResourceClaimTemplate(object) => object.type_meta(),
            Self::DeviceTaintRule(object) => object.type_meta(),
            Self::Node(object) => object.type_meta(),
            Self::Pod(object) => object.type_meta(),
            Self::Topology(object) => object.type_meta(),
            Self::AttributeOverlay(object) => object.type_meta(),
            Self::DeviceHealth(object) => object.type_meta(),
            Self::DeviceHold(object) => object.type_meta(),
            Self::Ignored { api_version, kind } => (api_version, kind),
        }
    }
}

/// Writes what was read of an object; of an ignored one only what it was.
impl Serialize for Object {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::ResourceSlice(object) => object.serialize(serializer),
            Self::DeviceClass(object) => object.serialize(serializer),
            Self::ResourceClaim(object) => object.serialize(serializer),
            Self::ResourceClaimTemplate(object) => object.serialize(serializer),
            Self::DeviceTaintRule(object) => object.serialize(serializer),
            Self::Node(object) => object.serialize(serializer),
            Self::Pod(object) => object.serialize(serializer),
            Self::Topology(object) => object.serialize(serializer),
            Self::AttributeOverlay(object) => object.serialize(serializer),
            Self::DeviceHealth(object) => object.serialize(serializer),
            Self::DeviceHold(object) => object.serialize(serializer),
            Self::Ignored { .. } => {
                serde::ser::SerializeMap::end(serializer.serialize_map(Some(0))?)
            }
        }
    }
}

/// Puts `apiVersion` and `kind` before the fields of an object.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Typed<'a, T> {
    api_version: &'a str,
    kind: &'a str,
    #[serde(flatten)]
    object: &'a T,
}

impl<'a, T: Encode> Typed<'a, T> {
    fn new(object: &'a T) -> Self {
        let (api_version, kind) = object.type_meta();
        Self {
            api_version,
            kind,
            object,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct List<'a, T> {
    api_version: &'static str,
    kind: &'static str,
    items: Vec<Typed<'a, T>>,
}

/// Writes an object as one line of JSON, `apiVersion` and `kind` first.
///
/// Devices and claims are written as `resource.k8s.io/v1`.
///
/// # Errors
///
/// [`Code::Internal`] only.
///
/// # Examples
///
/// ```
/// use dralloc::model::Node;
///
/// let node = Node::new("node-1", [("zone", "a")]);
/// assert_eq!(
///     dralloc::wire::encode(&node)?,
///     r#"{"apiVersion":"v1","kind":"Node","metadata":{"name":"node-1","labels":{"zone":"a"}},"spec":{},"status":{}}"#,
/// );
/// # Ok::<(), dralloc::Error>(())
/// ```
pub fn encode<T: Encode>(object: &T) -> Result<String, Error> {
    to_text(&Typed::new(object))
}

/// Writes objects as the items of a `List`.
///
/// # Errors
///
/// [`Code::Internal`] only.
pub fn encode_list<'a, T: Encode + 'a>(
    items: impl IntoIterator<Item = &'a T>,
) -> Result<String, Error> {
    let items = items.into_iter().map(Typed::new).collect();
    to_text(&List {
        api_version: "v1",
        kind: "List",
        items,
    })
}

fn to_text<T: Serialize>(value: &T) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::new(Code::Internal, error.to_string()))
}
