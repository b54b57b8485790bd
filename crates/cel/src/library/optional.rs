//! Optional values.

use super::table::{A, Function, Overload, Pattern as P};
use crate::runtime::{Context, List, Outcome, Value, invalid, no_such_overload};

const OPTIONAL_A: P = P::Optional(&A);
const LIST_A: P = P::List(&A);
const OPTIONALS: P = P::List(&OPTIONAL_A);

pub(super) static FUNCTIONS: &[Function] = &[
    Function::global("optional.of", &[Overload::new(&[A], OPTIONAL_A)], of),
    Function::global(
        "optional.ofNonZeroValue",
        &[Overload::new(&[A], OPTIONAL_A)],
        of_non_zero_value,
    ),
    Function::global("optional.none", &[Overload::new(&[], OPTIONAL_A)], none),
    Function::global(
        "optional.unwrap",
        &[Overload::new(&[OPTIONALS], LIST_A)],
        unwrap,
    ),
    Function::member("unwrapOpt", &[Overload::new(&[OPTIONALS], LIST_A)], unwrap),
    Function::member("value", &[Overload::new(&[OPTIONAL_A], A)], value),
    Function::member(
        "hasValue",
        &[Overload::new(&[OPTIONAL_A], P::Bool)],
        has_value,
    ),
    // These two have instructions of their own, which skip the second argument.
    Function::member(
        "or",
        &[Overload::new(&[OPTIONAL_A, OPTIONAL_A], OPTIONAL_A)],
        instruction,
    ),
    Function::member(
        "orValue",
        &[Overload::new(&[OPTIONAL_A, A], A)],
        instruction,
    ),
    Function::member("first", &[Overload::new(&[LIST_A], OPTIONAL_A)], first),
    Function::member("last", &[Overload::new(&[LIST_A], OPTIONAL_A)], last),
];

/// Never called: lowering replaces it.
fn instruction<'a>(_: &mut Context<'a>, _: &[Value<'a>]) -> Outcome<'a> {
    Err(no_such_overload())
}

fn of<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [value] => Ok(Value::some(value.clone())),
        _ => Err(no_such_overload()),
    }
}

fn of_non_zero_value<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let [value] = arguments else {
        return Err(no_such_overload());
    };
    let zero = match value {
        Value::Null => true,
        Value::Bool(value) => !value,
        Value::Int(value) | Value::Duration(value) => *value == 0,
        Value::Uint(value) => *value == 0,
        Value::Double(value) => *value == 0.0,
        Value::String(_) | Value::Bytes(_) | Value::List(_) | Value::Map(_) => {
            value.size(context.row) == Some(0)
        }
        // The zero time of Go, not of Unix.
        Value::Timestamp(time) => time.is_go_zero(),
        _ => false,
    };
    Ok(if zero {
        Value::none()
    } else {
        Value::some(value.clone())
    })
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "all functions of the table have one form"
)]
fn none<'a>(_: &mut Context<'a>, _: &[Value<'a>]) -> Outcome<'a> {
    Ok(Value::none())
}

fn value<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::Optional(Some(value))] => value.content(),
        [Value::Optional(None)] => Err(invalid("optional.none() dereference")),
        _ => Err(no_such_overload()),
    }
}

fn has_value<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::Optional(value)] => Ok(Value::Bool(value.is_some())),
        _ => Err(no_such_overload()),
    }
}

fn unwrap<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let [Value::List(list)] = arguments else {
        return Err(no_such_overload());
    };
    context.allocate_values(list.len())?;
    let mut values = Vec::new();
    for element in list.iter() {
        match element {
            Value::Optional(Some(value)) => values.push(value.as_ref().clone()),
            Value::Optional(None) => {}
            _ => return Err(invalid("value is not optional")),
        }
    }
    Ok(Value::list(values))
}

fn first<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    element(arguments, |_| Some(0))
}

fn last<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    element(arguments, |list| list.len().checked_sub(1))
}

fn element<'a>(arguments: &[Value<'a>], index: impl Fn(&List<'a>) -> Option<usize>) -> Outcome<'a> {
    let [Value::List(list)] = arguments else {
        return Err(no_such_overload());
    };
    let found = index(list).and_then(|index| list.get(index));
    Ok(found.map_or_else(Value::none, Value::some))
}
