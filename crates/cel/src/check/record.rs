//! What the checker finds out about every expression, for the estimate of costs.

use super::types::Type;
use super::unify::Substitution;
use crate::library::Overload;

/// A call as the checker understood it.
#[derive(Debug)]
pub(crate) struct Call {
    /// The name of the function, with its namespace.
    pub(crate) name: String,
    /// Whether the function is called on a target.
    pub(crate) member: bool,
    /// All fitting signatures, in the order of the tables.
    pub(crate) overloads: Vec<&'static Overload>,
}

/// Types and calls by the id of the expression.
#[derive(Debug, Default)]
pub(crate) struct Record {
    types: Vec<Option<Type>>,
    calls: Vec<Option<Call>>,
    pub(super) substitution: Substitution,
}

impl Record {
    pub(super) fn set_type(&mut self, id: usize, found: Type) {
        set(&mut self.types, id, found);
    }

    pub(super) fn set_call(&mut self, id: usize, call: Call) {
        set(&mut self.calls, id, call);
    }

    /// Returns the type of an expression, known to its outermost part.
    pub(crate) fn type_of(&self, id: usize) -> &Type {
        match self.types.get(id) {
            Some(Some(found)) => self.known(found),
            _ => &Type::Dyn,
        }
    }

    /// Returns what a type variable stands for, `dyn` if nothing is known.
    pub(crate) fn known<'a>(&'a self, found: &'a Type) -> &'a Type {
        self.substitution.outermost(found)
    }

    /// Returns the function that an expression calls.
    pub(crate) fn call(&self, id: usize) -> Option<&Call> {
        self.calls.get(id)?.as_ref()
    }
}

fn set<T>(slots: &mut Vec<Option<T>>, id: usize, value: T) {
    if slots.len() <= id {
        slots.resize_with(id + 1, || None);
    }
    if let Some(slot) = slots.get_mut(id) {
        *slot = Some(value);
    }
}
