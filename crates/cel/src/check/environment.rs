//! What is declared beside functions: `device` and the names of types.

use crate::library::CEL_GO_29;

use super::types::{CIDR, IP, QUANTITY, SEMVER, Type};

/// Minor version of Kubernetes that brought attributes that are lists.
const LIST_ATTRIBUTES: u32 = 36;

/// Returns the type of an attribute in a minor version of Kubernetes.
pub(super) fn attribute(minor: u32) -> Type {
    if minor < LIST_ATTRIBUTES {
        Type::Any
    } else {
        Type::Dyn
    }
}

/// Returns the type of a field of `device` in a minor version of Kubernetes.
pub(super) fn device_field(name: &str, minor: u32) -> Option<Type> {
    let by_domain = |value| Type::map(Type::String, Type::map(Type::String, value));
    Some(match name {
        "driver" => Type::String,
        "allowMultipleAllocations" => Type::Bool,
        "attributes" => by_domain(attribute(minor)),
        "capacity" => by_domain(Type::Opaque(QUANTITY)),
        _ => return None,
    })
}

/// Returns the type that a name denotes, with the name that `type()` gives.
pub(super) fn type_named(name: &str) -> Option<(&'static str, Type)> {
    Some(match name {
        "bool" => ("bool", Type::Bool),
        "bytes" => ("bytes", Type::Bytes),
        "double" => ("double", Type::Double),
        "google.protobuf.Duration" => ("google.protobuf.Duration", Type::Duration),
        "google.protobuf.Timestamp" => ("google.protobuf.Timestamp", Type::Timestamp),
        "int" => ("int", Type::Int),
        "list" => ("list", Type::list(Type::Dyn)),
        "map" => ("map", Type::map(Type::Dyn, Type::Dyn)),
        "net.CIDR" => (CIDR, Type::Opaque(CIDR)),
        "net.IP" => (IP, Type::Opaque(IP)),
        "null_type" => ("null_type", Type::Null),
        "optional_type" => ("optional_type", Type::optional(Type::Dyn)),
        "string" => ("string", Type::String),
        "type" => ("type", Type::type_of(Type::Dyn)),
        "uint" => ("uint", Type::Uint),
        _ => return None,
    })
}

/// Returns whether a selector may be of this type.
pub(super) fn is_verdict(result: &Type, minor: u32) -> bool {
    let is_wrapped = minor >= CEL_GO_29 && matches!(result, Type::Wrapper(_));
    is_wrapped && *result.unwrapped() == Type::Bool
        || *result == Type::Bool
        || *result == attribute(minor)
}

/// Returns whether a derived attribute may be of this type.
pub(super) fn is_attribute(result: &Type) -> bool {
    let scalar = |candidate: &Type| {
        matches!(
            candidate.unwrapped(),
            Type::Bool | Type::Int | Type::String | Type::Dyn | Type::Any | Type::Opaque(SEMVER)
        )
    };
    match result {
        Type::List(element) => scalar(element),
        other => scalar(other),
    }
}
