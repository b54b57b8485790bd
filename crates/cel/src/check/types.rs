//! Static types.

use std::fmt;
use std::rc::Rc;

/// The type of an expression, as far as it is known before evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// Known at run time only.
    Dyn,
    /// Like `dyn`, save that nothing can loop over it: attributes, before they
    /// could be lists.
    Any,
    Null,
    Bool,
    Int,
    Uint,
    Double,
    String,
    Bytes,
    Duration,
    Timestamp,
    /// The type of `device`.
    Device,
    /// A type without fields, by name.
    Opaque(&'static str),
    List(Rc<Type>),
    Map(Rc<Type>, Rc<Type>),
    Optional(Rc<Type>),
    /// A scalar or null.
    Wrapper(Rc<Type>),
    /// The type of a type.
    Meta(Rc<Type>),
    /// A type still to be found out.
    Variable(usize),
}

pub(crate) const QUANTITY: &str = "kubernetes.Quantity";
pub(crate) const IP: &str = "net.IP";
pub(crate) const CIDR: &str = "net.CIDR";
pub(crate) const SEMVER: &str = "kubernetes.Semver";
pub(crate) const URL: &str = "kubernetes.URL";
pub(crate) const NAMED_FORMAT: &str = "kubernetes.NamedFormat";

impl Type {
    pub(crate) fn list(element: Self) -> Self {
        Self::List(Rc::new(element))
    }

    pub(crate) fn map(key: Self, value: Self) -> Self {
        Self::Map(Rc::new(key), Rc::new(value))
    }

    pub(crate) fn optional(value: Self) -> Self {
        Self::Optional(Rc::new(value))
    }

    pub(crate) fn type_of(value: Self) -> Self {
        Self::Meta(Rc::new(value))
    }

    /// Returns the scalar of a wrapper, any other type as it is.
    pub(crate) fn unwrapped(&self) -> &Self {
        match self {
            Self::Wrapper(scalar) => scalar,
            other => other,
        }
    }

    /// Splits `optional_type(T)` into `T` and true.
    pub(crate) fn unwrap_optional(self) -> (Self, bool) {
        match self {
            Self::Optional(value) => (value.as_ref().clone(), true),
            other => (other, false),
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Dyn | Self::Variable(_) => "dyn",
            Self::Any => "any",
            Self::Null => "null",
            Self::Bool => "bool",
            Self::Int => "int",
            Self::Uint => "uint",
            Self::Double => "double",
            Self::String => "string",
            Self::Bytes => "bytes",
            Self::Duration => "google.protobuf.Duration",
            Self::Timestamp => "google.protobuf.Timestamp",
            Self::Device => "kubernetes.DRADevice",
            Self::Opaque(name) => name,
            Self::List(element) => return write!(formatter, "list({element})"),
            Self::Map(key, value) => return write!(formatter, "map({key}, {value})"),
            Self::Optional(value) => return write!(formatter, "optional_type({value})"),
            Self::Wrapper(scalar) => return write!(formatter, "wrapper({scalar})"),
            Self::Meta(value) => return write!(formatter, "type({value})"),
        })
    }
}
