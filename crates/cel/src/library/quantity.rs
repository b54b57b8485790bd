//! Quantities, Kubernetes' `kubernetes.quantity` library.

use std::cmp::Ordering;

use dralloc_quantity::Quantity;

use super::cost;
use super::table::{Function, Overload, Pattern as P};
use crate::check::QUANTITY;
use crate::runtime::{Context, Outcome, Shared, Value, invalid, no_such_overload};

const Q: P = P::Opaque(QUANTITY);

pub(super) static FUNCTIONS: &[Function] = &[
    Function::global("quantity", &[Overload::new(&[P::String], Q)], quantity).costing(cost::first),
    Function::global(
        "isQuantity",
        &[Overload::new(&[P::String], P::Bool)],
        is_quantity,
    )
    .costing(cost::first),
    Function::global("sign", &[Overload::new(&[Q], P::Int)], sign),
    Function::member(
        "isGreaterThan",
        &[Overload::new(&[Q, Q], P::Bool)],
        is_greater_than,
    ),
    Function::member(
        "isLessThan",
        &[Overload::new(&[Q, Q], P::Bool)],
        is_less_than,
    ),
    Function::member("compareTo", &[Overload::new(&[Q, Q], P::Int)], compare_to),
    Function::member(
        "asApproximateFloat",
        &[Overload::new(&[Q], P::Double)],
        as_approximate_float,
    ),
    Function::member("asInteger", &[Overload::new(&[Q], P::Int)], as_integer),
    Function::member("isInteger", &[Overload::new(&[Q], P::Bool)], is_integer),
    Function::member("add", ARITHMETIC, add),
    Function::member("sub", ARITHMETIC, sub),
];

const ARITHMETIC: &[Overload] = &[Overload::new(&[Q, Q], Q), Overload::new(&[Q, P::Int], Q)];

fn owned<'a>(quantity: Quantity, computed: bool) -> Value<'a> {
    Value::Quantity {
        quantity: Shared::Owned(quantity.into()),
        computed,
    }
}

fn one<'b>(arguments: &'b [Value<'_>]) -> Result<&'b Quantity, crate::EvaluationError> {
    match arguments {
        [Value::Quantity { quantity, .. }] => Ok(quantity),
        _ => Err(no_such_overload()),
    }
}

fn order(arguments: &[Value<'_>]) -> Result<Ordering, crate::EvaluationError> {
    match arguments {
        [
            Value::Quantity { quantity: left, .. },
            Value::Quantity {
                quantity: right, ..
            },
        ] => Ok((**left).cmp(&**right)),
        _ => Err(no_such_overload()),
    }
}

fn quantity<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let [Value::String(text)] = arguments else {
        return Err(no_such_overload());
    };
    context.allocate(text.len())?;
    match Quantity::parse(text) {
        Ok(quantity) => Ok(owned(quantity, false)),
        Err(error) => Err(invalid(error.to_string())),
    }
}

fn is_quantity<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::String(text)] => Ok(Value::Bool(Quantity::parse(text).is_ok())),
        _ => Err(no_such_overload()),
    }
}

fn sign<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    Ok(Value::Int(i64::from(one(arguments)?.sign())))
}

fn is_greater_than<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    Ok(Value::Bool(order(arguments)?.is_gt()))
}

fn is_less_than<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    Ok(Value::Bool(order(arguments)?.is_lt()))
}

fn compare_to<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    Ok(Value::Int(i64::from(order(arguments)? as i8)))
}

fn as_approximate_float<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    Ok(Value::Double(one(arguments)?.as_approximate_float()))
}

fn as_integer<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    one(arguments)?
        .as_integer()
        .map(Value::Int)
        .ok_or_else(|| invalid("cannot convert value to integer"))
}

fn is_integer<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    Ok(Value::Bool(one(arguments)?.is_integer()))
}

fn arithmetic<'a>(
    arguments: &[Value<'a>],
    combine: fn(&Quantity, &Quantity) -> Quantity,
) -> Outcome<'a> {
    match arguments {
        [
            Value::Quantity { quantity: left, .. },
            Value::Quantity {
                quantity: right, ..
            },
        ] => Ok(owned(combine(left, right), true)),
        [Value::Quantity { quantity, .. }, Value::Int(units)] => Ok(owned(
            combine(quantity, &Quantity::from_units(*units)),
            true,
        )),
        _ => Err(no_such_overload()),
    }
}

fn add<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    arithmetic(arguments, Quantity::add)
}

fn sub<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    arithmetic(arguments, Quantity::sub_wrapping)
}
