//! Lists: Kubernetes' `kubernetes.lists`.

use std::cmp::Ordering;

mod building;

use super::cost;
use super::table::{A, Function, Overload, Pattern as P};
use crate::runtime::compare::{self, Equality};
use crate::runtime::{Context, List, Outcome, Value, invalid, no_such_overload};

const LIST_A: P = P::List(&A);

/// One signature per type of element.
macro_rules! per_type {
    ($result:expr; $($element:expr),*) => {
        &[$(Overload::new(&[P::List(&$element)], $result)),*]
    };
}

const SORTED: &[Overload] = per_type![
    P::Bool;
    P::Int, P::Uint, P::Double, P::Bool, P::Duration, P::Timestamp, P::String, P::Bytes
];

/// Signatures whose result is an element.
macro_rules! to_element {
    ($($element:expr),*) => {
        &[$(Overload::new(&[P::List(&$element)], $element)),*]
    };
}

const EXTREME: &[Overload] = to_element![
    P::Int,
    P::Uint,
    P::Double,
    P::Bool,
    P::Duration,
    P::Timestamp,
    P::String,
    P::Bytes
];

const INDEX: &[Overload] = &[Overload::new(&[LIST_A, A], P::Int)];

const INCLUDES: &[Overload] = &[Overload::new(&[P::Dyn, P::Dyn], P::Bool)];

pub(super) use building::FUNCTIONS as BUILDING;

pub(super) static FUNCTIONS: &[Function] = &[
    Function::member("isSorted", SORTED, is_sorted).costing(cost::elements),
    Function::member("sum", to_element![P::Int], sum_ints).costing(cost::elements),
    Function::member("sum", to_element![P::Uint], sum_uints).costing(cost::elements),
    Function::member("sum", to_element![P::Double], sum_doubles).costing(cost::elements),
    Function::member("sum", to_element![P::Duration], sum_durations).costing(cost::elements),
    Function::member("max", EXTREME, max).costing(cost::elements),
    Function::member("min", EXTREME, min).costing(cost::elements),
    Function::member("indexOf", INDEX, index_of).costing(cost::elements),
    Function::member("lastIndexOf", INDEX, last_index_of).costing(cost::elements),
    Function::member("includes", INCLUDES, includes)
        .costing(cost::one)
        .for_list_attributes()
        .since(36)
        .before(37),
    Function::member("includes", INCLUDES, includes)
        .costing(cost::elements)
        .for_list_attributes()
        .since(37),
];

fn is_sorted<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let [Value::List(list)] = arguments else {
        return Err(no_such_overload());
    };
    let mut previous: Option<Value<'a>> = None;
    for element in list.iter() {
        if let Some(previous) = &previous
            && matches!(compare::order(previous, &element), Ok(Ordering::Greater))
        {
            return Ok(Value::Bool(false));
        }
        if !is_comparable(&element) {
            return Err(no_such_overload());
        }
        previous = Some(element);
    }
    Ok(Value::Bool(true))
}

fn is_comparable(value: &Value<'_>) -> bool {
    matches!(
        value,
        Value::Bool(_)
            | Value::Int(_)
            | Value::Uint(_)
            | Value::Double(_)
            | Value::String(_)
            | Value::Bytes(_)
            | Value::Duration(_)
            | Value::Timestamp(_)
    )
}

/// The sum of a list without elements is the zero of the type it would have.
fn sum<'a>(arguments: &[Value<'a>], zero: Value<'a>) -> Outcome<'a> {
    let [Value::List(list)] = arguments else {
        return Err(no_such_overload());
    };
    let mut total = zero;
    for element in list.iter() {
        total = match (total, element) {
            (Value::Int(total), Value::Int(next)) => total
                .checked_add(next)
                .map(Value::Int)
                .ok_or_else(|| invalid("integer overflow"))?,
            (Value::Uint(total), Value::Uint(next)) => total
                .checked_add(next)
                .map(Value::Uint)
                .ok_or_else(|| invalid("unsigned integer overflow"))?,
            (Value::Double(total), Value::Double(next)) => Value::Double(total + next),
            (Value::Duration(total), Value::Duration(next)) => total
                .checked_add(next)
                .map(Value::Duration)
                .ok_or_else(|| invalid("integer overflow"))?,
            _ => return Err(no_such_overload()),
        };
    }
    Ok(total)
}

fn sum_ints<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    sum(arguments, Value::Int(0))
}

fn sum_uints<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    sum(arguments, Value::Uint(0))
}

fn sum_doubles<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    sum(arguments, Value::Double(0.0))
}

fn sum_durations<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    sum(arguments, Value::Duration(0))
}

fn max<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    extreme(arguments, "max", Ordering::Less)
}

fn min<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    extreme(arguments, "min", Ordering::Greater)
}

/// The element that no other replaces: an element replaces one that compares
/// as `worse` to it.
fn extreme<'a>(arguments: &[Value<'a>], name: &str, worse: Ordering) -> Outcome<'a> {
    let [Value::List(list)] = arguments else {
        return Err(no_such_overload());
    };
    let mut result: Option<Value<'a>> = None;
    for element in list.iter() {
        if !is_comparable(&element) {
            return Err(no_such_overload());
        }
        let replaces = match &result {
            None => true,
            Some(result) => compare::order(result, &element).is_ok_and(|order| order == worse),
        };
        if replaces {
            result = Some(element);
        }
    }
    result.ok_or_else(|| invalid(format!("{name} called on empty list")))
}

fn position<'a>(
    context: &Context<'a>,
    arguments: &[Value<'a>],
    search: impl Fn(&List<'a>, &mut dyn FnMut(usize) -> bool) -> Option<usize>,
) -> Outcome<'a> {
    let [Value::List(list), item] = arguments else {
        return Err(no_such_overload());
    };
    let mut is_item = |index: usize| {
        list.get(index).is_some_and(|element| {
            compare::strict_equality(&element, item, context) == Equality::Same
        })
    };
    let found = search(list, &mut is_item);
    let index = found.and_then(|index| i64::try_from(index).ok());
    Ok(Value::Int(index.unwrap_or(-1)))
}

fn index_of<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    position(context, arguments, |list, is_item| {
        (0..list.len()).find(|index| is_item(*index))
    })
}

fn last_index_of<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    position(context, arguments, |list, is_item| {
        (0..list.len()).rev().find(|index| is_item(*index))
    })
}

fn includes<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let [target, item] = arguments else {
        return Err(no_such_overload());
    };
    let same = |value: &Value<'a>| compare::strict_equality(value, item, context) == Equality::Same;
    Ok(Value::Bool(match target {
        Value::List(list) => list.iter().any(|element| same(&element)),
        single => same(single),
    }))
}
