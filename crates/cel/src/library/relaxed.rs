//! Order of quantities and versions by operators, of [`Dialect::Relaxed`] only.
//!
//! [`Dialect::Relaxed`]: crate::Dialect::Relaxed

use std::cmp::Ordering;

use super::table::{Function, Overload, Pattern as P};
use crate::check::{QUANTITY, SEMVER};
use crate::runtime::{Context, Outcome, Value, compare, no_such_overload};

pub(super) static FUNCTIONS: &[Function] = &[
    Function::global("_<_", RELATION, less).relaxed(),
    Function::global("_<=_", RELATION, less_or_equal).relaxed(),
    Function::global("_>_", RELATION, greater).relaxed(),
    Function::global("_>=_", RELATION, greater_or_equal).relaxed(),
];

const RELATION: &[Overload] = &[
    Overload::new(&[P::Opaque(QUANTITY), P::Opaque(QUANTITY)], P::Bool),
    Overload::new(&[P::Opaque(SEMVER), P::Opaque(SEMVER)], P::Bool),
];

fn relation<'a>(arguments: &[Value<'a>], holds: fn(Ordering) -> bool) -> Outcome<'a> {
    let [left, right] = arguments else {
        return Err(no_such_overload());
    };
    let order = match (left, right) {
        (
            Value::Quantity { quantity: left, .. },
            Value::Quantity {
                quantity: right, ..
            },
        ) => left.cmp(right),
        (Value::Version(left), Value::Version(right)) => left.cmp(right),
        // Where types show at run time only, it may be what Kubernetes orders.
        _ => compare::order(left, right)?,
    };
    Ok(Value::Bool(holds(order)))
}

fn less<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    relation(arguments, Ordering::is_lt)
}

fn less_or_equal<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    relation(arguments, Ordering::is_le)
}

fn greater<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    relation(arguments, Ordering::is_gt)
}

fn greater_or_equal<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    relation(arguments, Ordering::is_ge)
}
