//! Order of quantities and versions by operators, of [`Dialect::Relaxed`] only.
//!
//! [`Dialect::Relaxed`]: crate::Dialect::Relaxed

use std::cmp::Ordering;

use super::operators::related;
use super::table::{Function, Overload, Pattern as P};
use crate::EvaluationError;
use crate::check::{QUANTITY, SEMVER};
use crate::runtime::{Outcome, Value, no_such_overload};

pub(super) static FUNCTIONS: &[Function] = &[
    Function::global("_<_", RELATION, |_, arguments| {
        relation(arguments, Ordering::is_lt)
    })
    .relaxed(),
    Function::global("_<=_", RELATION, |_, arguments| {
        relation(arguments, Ordering::is_le)
    })
    .relaxed(),
    Function::global("_>_", RELATION, |_, arguments| {
        relation(arguments, Ordering::is_gt)
    })
    .relaxed(),
    Function::global("_>=_", RELATION, |_, arguments| {
        relation(arguments, Ordering::is_ge)
    })
    .relaxed(),
];

const RELATION: &[Overload] = &[
    Overload::new(&[P::Opaque(QUANTITY), P::Opaque(QUANTITY)], P::Bool),
    Overload::new(&[P::Opaque(SEMVER), P::Opaque(SEMVER)], P::Bool),
];

fn relation<'a>(arguments: &[Value<'a>], holds: fn(Ordering) -> bool) -> Outcome<'a> {
    related(arguments, order, holds)
}

fn order(left: &Value<'_>, right: &Value<'_>) -> Result<Ordering, EvaluationError> {
    match (left, right) {
        (
            Value::Quantity { quantity: left, .. },
            Value::Quantity {
                quantity: right, ..
            },
        ) => Ok(left.cmp(right)),
        (Value::Version(left), Value::Version(right)) => Ok(left.cmp(right)),
        _ => Err(no_such_overload()),
    }
}
