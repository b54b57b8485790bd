//! What is declared beside functions: `device` and the names of types.

use crate::library::CEL_GO_29;
use crate::options::Language;

use super::types::{CIDR, IP, QUANTITY, SEMVER, Type};

/// Returns the type of an attribute.
pub(super) fn attribute(language: Language) -> Type {
    if language.has_list_attributes() {
        Type::Dyn
    } else {
        Type::Any
    }
}

/// Returns the type of a field of `device`.
pub(super) fn device_field(name: &str, language: Language) -> Option<Type> {
    let by_domain = |value| Type::map(Type::String, Type::map(Type::String, value));
    Some(match name {
        "driver" => Type::String,
        MULTIPLE_ALLOCATIONS if language.has_multiple_allocations() => Type::Bool,
        "attributes" => by_domain(attribute(language)),
        "capacity" => by_domain(Type::Opaque(QUANTITY)),
        _ => return None,
    })
}

/// The field that is not there in every environment.
pub(super) const MULTIPLE_ALLOCATIONS: &str = "allowMultipleAllocations";

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
pub(super) fn is_verdict(result: &Type, language: Language) -> bool {
    let is_wrapped = language.minor >= CEL_GO_29 && matches!(result, Type::Wrapper(_));
    is_wrapped && *result.unwrapped() == Type::Bool
        || *result == Type::Bool
        || *result == attribute(language)
}

/// Returns whether a derived attribute may be of this type.
pub(super) fn is_attribute(result: &Type, language: Language) -> bool {
    let scalar = |candidate: &Type| {
        matches!(
            candidate.unwrapped(),
            Type::Bool | Type::Int | Type::String | Type::Dyn | Type::Any | Type::Opaque(SEMVER)
        )
    };
    match result {
        Type::List(element) => language.has_derived_lists() && scalar(element),
        other => scalar(other),
    }
}
