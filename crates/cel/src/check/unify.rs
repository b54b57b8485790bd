//! Whether one type can stand where another is expected.
//!
//! The rules are those of cel-go's checker: `dyn` goes with everything, a
//! variable takes the first type it meets and becomes more general where
//! `dyn` asks for it, null goes with opaque types.

use std::cell::Cell;
use std::rc::Rc;

use super::types::Type;

/// What is known about type variables.
///
/// Types share their parts, and a short expression can build one whose tree is
/// exponentially large, so work is counted; see [`Self::is_exhausted`].
///
/// [`Self::is_exhausted`]: Substitution::is_exhausted
#[derive(Debug, Default)]
pub(crate) struct Substitution {
    variables: Vec<Option<Type>>,
    /// What bindings replaced, newest last, to undo them.
    trail: Vec<(usize, Option<Type>)>,
    steps: Cell<usize>,
}

const MAX_DEPTH: usize = 1000;

/// Types visited before the checker gives up; real expressions need hundreds.
const MAX_STEPS: usize = 4_000_000;

impl Substitution {
    /// Makes a variable of which nothing is known yet.
    pub(crate) fn fresh(&mut self) -> Type {
        self.variables.push(None);
        Type::Variable(self.variables.len() - 1)
    }

    fn find(&self, variable: &Type) -> Option<&Type> {
        match variable {
            Type::Variable(index) => self.variables.get(*index)?.as_ref(),
            _ => None,
        }
    }

    fn bind(&mut self, variable: &Type, to: Type) {
        if let Type::Variable(index) = variable
            && let Some(slot) = self.variables.get_mut(*index)
        {
            let before = slot.replace(to);
            self.trail.push((*index, before));
        }
    }

    /// Returns whether types became so large or deep that answers are wrong.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.steps.get() > MAX_STEPS
    }

    /// Counts a visit; false when there were too many.
    fn step(&self, depth: usize) -> bool {
        let taken = if depth > MAX_DEPTH { MAX_STEPS + 1 } else { 1 };
        self.steps.set(self.steps.get().saturating_add(taken));
        !self.is_exhausted()
    }

    /// Returns whether every type of `from` is assignable to its counterpart,
    /// and remembers what that says about variables; nothing changes if not.
    pub(crate) fn assign_all(&mut self, from: &[Type], to: &[Type]) -> bool {
        if from.len() != to.len() {
            return false;
        }
        let before = self.trail.len();
        let assignable = from
            .iter()
            .zip(to)
            .all(|(from, to)| self.assignable(from, to, 0));
        if !assignable {
            for (index, value) in self.trail.drain(before..).rev() {
                if let Some(slot) = self.variables.get_mut(index) {
                    *slot = value;
                }
            }
        }
        assignable
    }

    /// Like [`Self::assign_all`] for one type.
    pub(crate) fn assign(&mut self, from: &Type, to: &Type) -> bool {
        self.assign_all(std::slice::from_ref(from), std::slice::from_ref(to))
    }

    fn assignable(&mut self, from: &Type, to: &Type, depth: usize) -> bool {
        if !self.step(depth) {
            return false;
        }
        let depth = depth + 1;
        if let Type::Variable(_) = to {
            let (valid, known) = self.substitutes(from, to, depth);
            if valid || known {
                return valid;
            }
        }
        if let Type::Variable(_) = from {
            return self.substitutes(to, from, depth).0;
        }
        match (from, to) {
            (Type::Dyn | Type::Any, _)
            | (_, Type::Dyn | Type::Any)
            | (Type::Meta(_), Type::Meta(_)) => true,
            (Type::Null, other) | (other, Type::Null) => is_nullable(other),
            (Type::List(from), Type::List(to)) | (Type::Optional(from), Type::Optional(to)) => {
                self.assignable(from, to, depth)
            }
            (Type::Map(from_key, from_value), Type::Map(to_key, to_value)) => {
                self.assignable(from_key, to_key, depth)
                    && self.assignable(from_value, to_value, depth)
            }
            _ => from.unwrapped() == to.unwrapped(),
        }
    }

    /// Returns whether `other` can stand for the variable, and whether the
    /// variable had a meaning before.
    fn substitutes(&mut self, other: &Type, variable: &Type, depth: usize) -> (bool, bool) {
        if other == variable {
            return (true, true);
        }
        if let Some(known) = self.find(variable).cloned() {
            if other == &known {
                return (true, true);
            }
            if !self.assignable(other, &known, depth) {
                return (false, true);
            }
            let general = most_general(other.clone(), known);
            if !self.occurs(variable, &general, 0) {
                self.bind(variable, general);
            }
            return (true, true);
        }
        if self.occurs(variable, other, 0) {
            return (false, false);
        }
        self.bind(variable, other.clone());
        (true, false)
    }

    fn occurs(&self, variable: &Type, within: &Type, depth: usize) -> bool {
        if !self.step(depth) || variable == within {
            return true;
        }
        let depth = depth + 1;
        match within {
            Type::Variable(_) => self
                .find(within)
                .is_some_and(|known| self.occurs(variable, known, depth)),
            Type::List(inner) | Type::Optional(inner) | Type::Meta(inner) => {
                self.occurs(variable, inner, depth)
            }
            Type::Map(key, value) => {
                self.occurs(variable, key, depth) || self.occurs(variable, value, depth)
            }
            _ => false,
        }
    }

    /// Follows a variable to what is known of it, to `dyn` if that is nothing.
    pub(crate) fn outermost<'a>(&'a self, within: &'a Type) -> &'a Type {
        let mut current = within;
        for _ in 0..=self.variables.len() {
            match current {
                Type::Variable(_) => match self.find(current) {
                    Some(known) => current = known,
                    None => return &Type::Dyn,
                },
                other => return other,
            }
        }
        &Type::Dyn
    }

    /// Replaces variables by what is known of them.
    pub(crate) fn apply(&self, within: &Type) -> Type {
        self.replaced(within, false, 0)
    }

    /// Replaces variables by what is known of them, the others by `dyn`.
    pub(crate) fn finish(&self, within: &Type) -> Type {
        self.replaced(within, true, 0)
    }

    fn replaced(&self, within: &Type, finish: bool, depth: usize) -> Type {
        self.replace(within, finish, depth)
            .unwrap_or_else(|| within.clone())
    }

    /// Returns the type with variables replaced, or nothing where it has none.
    fn replace(&self, within: &Type, finish: bool, depth: usize) -> Option<Type> {
        if !self.step(depth) {
            return Some(Type::Dyn);
        }
        let depth = depth + 1;
        Some(match within {
            Type::Variable(_) => match self.find(within) {
                Some(known) => self.replaced(known, finish, depth),
                None if finish => Type::Dyn,
                None => return None,
            },
            Type::List(inner) => Type::list(self.replace(inner, finish, depth)?),
            Type::Optional(inner) => Type::optional(self.replace(inner, finish, depth)?),
            Type::Meta(inner) => Type::type_of(self.replace(inner, finish, depth)?),
            Type::Map(key, value) => match (
                self.replace(key, finish, depth),
                self.replace(value, finish, depth),
            ) {
                (None, None) => return None,
                (new_key, new_value) => Type::Map(
                    new_key.map_or_else(|| Rc::clone(key), Rc::new),
                    new_value.map_or_else(|| Rc::clone(value), Rc::new),
                ),
            },
            _ => return None,
        })
    }
}

fn is_nullable(other: &Type) -> bool {
    matches!(
        other,
        Type::Null
            | Type::Optional(_)
            | Type::Opaque(_)
            | Type::Wrapper(_)
            | Type::Device
            | Type::Duration
            | Type::Timestamp
    )
}

/// Of two types that go together, the one that says less.
pub(crate) fn most_general(left: Type, right: Type) -> Type {
    if is_less_specific(&left, &right) {
        left
    } else {
        right
    }
}

fn is_less_specific(left: &Type, right: &Type) -> bool {
    match (left, right) {
        (Type::Dyn | Type::Any | Type::Variable(_), _) | (Type::Meta(_), Type::Meta(_)) => true,
        (Type::List(left), Type::List(right)) | (Type::Optional(left), Type::Optional(right)) => {
            is_less_specific(left, right)
        }
        (Type::Map(left_key, left_value), Type::Map(right_key, right_value)) => {
            is_less_specific(left_key, right_key) && is_less_specific(left_value, right_value)
        }
        _ => left == right,
    }
}
