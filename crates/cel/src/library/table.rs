//! The form of the function tables.

use crate::check::Type;
use crate::options::{Dialect, Language};
use crate::runtime::{Context, Outcome, Value};

/// A function as the checker, the evaluator and the cost rules know it.
///
/// Functions of one name and style may come from several libraries.
pub(crate) struct Function {
    pub(crate) name: &'static str,
    /// Whether it is called on a target, `x.f()`, which is its first argument.
    pub(crate) member: bool,
    pub(crate) overloads: &'static [Overload],
    pub(crate) call: Implementation,
    /// Cost by Kubernetes' rules, which go by the name of the function; a
    /// signature with a cost of its own comes first.
    pub(crate) cost: Option<Cost>,
    /// The minor version of Kubernetes that brought it.
    since: u32,
    /// The minor version of Kubernetes that removed or changed it.
    before: u32,
    /// The minor version of Kubernetes that introduced its library.
    introduced: u32,
    /// Whether it came with attributes that are lists.
    for_lists: bool,
    /// The least that a dialect must be to know it.
    dialect: Dialect,
}

/// One signature of a function.
pub(crate) struct Overload {
    pub(crate) arguments: &'static [Pattern],
    pub(crate) result: Pattern,
    /// Cost by cel-go's rules, which hold where the checker found that no
    /// other signature fits; 1 if absent.
    pub(crate) cost: Option<Cost>,
}

/// Computes a function. Arguments of wrong types are a matter of course: what
/// is `dyn` to the checker can be anything.
pub(crate) type Implementation = for<'a> fn(&mut Context<'a>, &[Value<'a>]) -> Outcome<'a>;

/// Computes what a call costs, from its arguments and its result. What failed
/// stands as null, which has the same size as a failure: 1.
pub(crate) type Cost = for<'a> fn(&Context<'a>, &[Value<'a>], &Value<'a>) -> u64;

/// A type in a signature.
pub(crate) enum Pattern {
    Dyn,
    Bool,
    Int,
    Uint,
    Double,
    String,
    Bytes,
    Duration,
    Timestamp,
    Opaque(&'static str),
    List(&'static Pattern),
    Map(&'static Pattern, &'static Pattern),
    Optional(&'static Pattern),
    Type(&'static Pattern),
    /// A type parameter of the signature.
    Parameter(usize),
}

/// The type parameters of signatures.
pub(crate) const A: Pattern = Pattern::Parameter(0);
pub(crate) const B: Pattern = Pattern::Parameter(1);

/// The minor version of Kubernetes that changed from cel-go 0.26 to 0.29.
pub(crate) const CEL_GO_29: u32 = 37;

/// The minor version of Kubernetes that introduced the library that builds lists.
pub(crate) const LISTS: u32 = 34;

/// Number of arguments that a call can have, the target included.
pub(crate) const MAX_ARGUMENTS: usize = 4;

/// Number of type parameters a signature can have.
pub(crate) const PARAMETERS: usize = 2;

impl Pattern {
    /// Returns the type with the given types for the parameters.
    pub(crate) fn instantiate(&self, parameters: &[Type]) -> Type {
        match self {
            Self::Dyn => Type::Dyn,
            Self::Bool => Type::Bool,
            Self::Int => Type::Int,
            Self::Uint => Type::Uint,
            Self::Double => Type::Double,
            Self::String => Type::String,
            Self::Bytes => Type::Bytes,
            Self::Duration => Type::Duration,
            Self::Timestamp => Type::Timestamp,
            Self::Opaque(name) => Type::Opaque(name),
            Self::List(element) => Type::list(element.instantiate(parameters)),
            Self::Map(key, value) => {
                Type::map(key.instantiate(parameters), value.instantiate(parameters))
            }
            Self::Optional(value) => Type::optional(value.instantiate(parameters)),
            Self::Type(value) => Type::type_of(value.instantiate(parameters)),
            Self::Parameter(index) => parameters.get(*index).cloned().unwrap_or(Type::Dyn),
        }
    }

    /// Whether a value may be of the type. Of lists and maps the first element
    /// counts, of other values with parts none, as in cel-go.
    fn takes(&self, value: &Value<'_>) -> bool {
        match (self, value) {
            (Self::Dyn | Self::Parameter(_), _)
            | (Self::Bool, Value::Bool(_))
            | (Self::Int, Value::Int(_))
            | (Self::Uint, Value::Uint(_))
            | (Self::Double, Value::Double(_))
            | (Self::String, Value::String(_))
            | (Self::Bytes, Value::Bytes(_))
            | (Self::Duration, Value::Duration(_))
            | (Self::Timestamp, Value::Timestamp(_))
            | (Self::Optional(_), Value::Optional(_))
            | (Self::Map(..), Value::Map(_))
            | (Self::Type(_), Value::Type(_)) => true,
            (Self::Opaque(name), value) => value.type_name() == *name,
            (Self::List(element), Value::List(list)) => {
                list.get(0).is_none_or(|first| element.takes(&first))
            }
            _ => false,
        }
    }

    fn is_generic(&self) -> bool {
        match self {
            Self::Parameter(_) => true,
            Self::List(inner) | Self::Optional(inner) | Self::Type(inner) => inner.is_generic(),
            Self::Map(key, value) => key.is_generic() || value.is_generic(),
            _ => false,
        }
    }
}

impl Overload {
    /// A signature whose call costs 1.
    pub(crate) const fn new(arguments: &'static [Pattern], result: Pattern) -> Self {
        Self {
            arguments,
            result,
            cost: None,
        }
    }

    /// A signature with a cost of its own.
    pub(crate) const fn costing(
        arguments: &'static [Pattern],
        result: Pattern,
        cost: Cost,
    ) -> Self {
        Self {
            arguments,
            result,
            cost: Some(cost),
        }
    }

    /// Whether the values may be the arguments.
    pub(crate) fn takes(&self, values: &[Value<'_>]) -> bool {
        let mut pairs = self.arguments.iter().zip(values);
        self.arguments.len() == values.len() && pairs.all(|(pattern, value)| pattern.takes(value))
    }

    /// Whether the signature has type parameters.
    pub(crate) fn is_generic(&self) -> bool {
        self.arguments.iter().any(Pattern::is_generic) || self.result.is_generic()
    }
}

impl Function {
    /// A function called as `f(x)`.
    pub(crate) const fn global(
        name: &'static str,
        overloads: &'static [Overload],
        call: Implementation,
    ) -> Self {
        Self {
            name,
            member: false,
            overloads,
            call,
            cost: None,
            since: 0,
            before: u32::MAX,
            introduced: 0,
            for_lists: false,
            dialect: Dialect::Kubernetes,
        }
    }

    /// A function called as `x.f()`.
    pub(crate) const fn member(
        name: &'static str,
        overloads: &'static [Overload],
        call: Implementation,
    ) -> Self {
        Self {
            name,
            member: true,
            overloads,
            call,
            cost: None,
            since: 0,
            before: u32::MAX,
            introduced: 0,
            for_lists: false,
            dialect: Dialect::Kubernetes,
        }
    }

    /// The same function with a cost by name.
    pub(crate) const fn costing(mut self, cost: Cost) -> Self {
        self.cost = Some(cost);
        self
    }

    /// The same function from a minor version of Kubernetes on.
    pub(crate) const fn since(mut self, minor: u32) -> Self {
        self.since = minor;
        self
    }

    /// The same function up to the version before a minor version of Kubernetes.
    pub(crate) const fn before(mut self, minor: u32) -> Self {
        self.before = minor;
        self
    }

    /// The same function in a library that a minor version of Kubernetes
    /// introduced; new expressions may use it one version later.
    pub(crate) const fn introduced(mut self, minor: u32) -> Self {
        self.introduced = minor;
        self
    }

    /// The same function as one that came with attributes that are lists.
    pub(crate) const fn for_list_attributes(mut self) -> Self {
        self.for_lists = true;
        self
    }

    /// The same function in the relaxed dialect only.
    pub(crate) const fn relaxed(mut self) -> Self {
        self.dialect = Dialect::Relaxed;
        self
    }

    /// Whether only the relaxed dialect has the function.
    pub(crate) fn is_relaxed(&self) -> bool {
        self.dialect == Dialect::Relaxed
    }

    /// Whether a language has the function.
    pub(crate) fn is_in(&self, language: Language) -> bool {
        (self.since..self.before).contains(&language.minor)
            && self.dialect <= language.dialect
            && language.has_library_of(self.introduced)
            && (!self.for_lists || language.has_list_attribute_functions())
    }
}
