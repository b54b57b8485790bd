//! [`Signature`]: how a function is called.

use super::text::Flavour;
use super::types::Type;
use crate::generate::Random;

/// A type in a signature.
pub(super) enum Pattern {
    Bool,
    Int,
    Uint,
    Double,
    Bytes,
    Duration,
    Timestamp,
    Quantity,
    Version,
    Address,
    Network,
    Url,
    Format,
    Kind,
    Dyn,
    /// A string, usually with text of this sort.
    Text(Flavour),
    /// A type parameter: any type.
    A,
    /// A type parameter whose values are compared or added.
    Ordered,
    List(&'static Pattern),
    Map(&'static Pattern, &'static Pattern),
    Optional(&'static Pattern),
}

/// A function with the types that it is called with.
pub(super) struct Signature {
    pub(super) name: &'static str,
    /// Whether the first argument stands before the name.
    pub(super) member: bool,
    pub(super) arguments: &'static [Pattern],
    pub(super) result: Pattern,
    /// The minor version of Kubernetes that brought it.
    pub(super) since: u32,
}

/// What the type parameters of a signature stand for.
#[derive(Default)]
pub(super) struct Bindings {
    any: Option<Type>,
    ordered: Option<Type>,
}

impl Bindings {
    /// Binds the parameters so that the pattern becomes the type, if it can.
    pub(super) fn fit(&mut self, pattern: &Pattern, wanted: &Type) -> bool {
        match (pattern, wanted) {
            (Pattern::A, _) => bind(&mut self.any, wanted),
            (Pattern::Ordered, _) => bind(&mut self.ordered, wanted),
            (Pattern::List(inner), Type::List(element)) => self.fit(inner, element),
            (Pattern::Optional(inner), Type::Optional(value)) => self.fit(inner, value),
            (Pattern::Map(key, value), Type::Map(keys, values)) => {
                self.fit(key, keys) && self.fit(value, values)
            }
            (Pattern::List(_) | Pattern::Optional(_) | Pattern::Map(..), _) => false,
            _ => simple(pattern).as_ref() == Some(wanted),
        }
    }

    /// Returns the type of a pattern; parameters still free become random types.
    pub(super) fn instantiate(&mut self, pattern: &Pattern, random: &mut Random) -> Type {
        match pattern {
            Pattern::A => self.any.get_or_insert_with(|| Type::any(1, random)).clone(),
            Pattern::Ordered => self
                .ordered
                .get_or_insert_with(|| Type::ordered(random))
                .clone(),
            Pattern::List(inner) => Type::list(self.instantiate(inner, random)),
            Pattern::Optional(inner) => Type::optional(self.instantiate(inner, random)),
            Pattern::Map(key, value) => {
                let key = self.instantiate(key, random);
                Type::map(key, self.instantiate(value, random))
            }
            _ => simple(pattern).unwrap_or(Type::Dyn),
        }
    }
}

fn bind(parameter: &mut Option<Type>, wanted: &Type) -> bool {
    parameter.get_or_insert_with(|| wanted.clone()) == wanted
}

/// Returns the type of a pattern without parts.
fn simple(pattern: &Pattern) -> Option<Type> {
    Some(match pattern {
        Pattern::Bool => Type::Bool,
        Pattern::Int => Type::Int,
        Pattern::Uint => Type::Uint,
        Pattern::Double => Type::Double,
        Pattern::Bytes => Type::Bytes,
        Pattern::Duration => Type::Duration,
        Pattern::Timestamp => Type::Timestamp,
        Pattern::Quantity => Type::Quantity,
        Pattern::Version => Type::Version,
        Pattern::Address => Type::Address,
        Pattern::Network => Type::Network,
        Pattern::Url => Type::Url,
        Pattern::Format => Type::Format,
        Pattern::Kind => Type::Kind,
        Pattern::Dyn => Type::Dyn,
        Pattern::Text(_) => Type::String,
        Pattern::A
        | Pattern::Ordered
        | Pattern::List(_)
        | Pattern::Map(..)
        | Pattern::Optional(_) => return None,
    })
}

/// A function called as `f(x)`.
pub(super) const fn global(
    name: &'static str,
    arguments: &'static [Pattern],
    result: Pattern,
) -> Signature {
    Signature {
        name,
        member: false,
        arguments,
        result,
        since: 0,
    }
}

/// A function called as `x.f()`.
pub(super) const fn member(
    name: &'static str,
    arguments: &'static [Pattern],
    result: Pattern,
) -> Signature {
    Signature {
        member: true,
        ..global(name, arguments, result)
    }
}

impl Signature {
    /// The same function from a minor version of Kubernetes on.
    pub(super) const fn since(mut self, minor: u32) -> Self {
        self.since = minor;
        self
    }
}
