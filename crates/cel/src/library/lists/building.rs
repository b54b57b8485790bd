//! Functions that build lists: version 3 of cel-go's library.

use std::cmp::Ordering;

use super::is_comparable;
use crate::library::cost;
use crate::library::table::{A, CEL_GO_29, Function, LISTS, Overload, Pattern as P};

use crate::runtime::compare::{self, Equality};
use crate::runtime::{Context, List, Outcome, Value, invalid, no_such_overload};

const LIST_A: P = P::List(&A);
const DYNAMIC: P = P::List(&P::Dyn);

/// Signatures whose result is a list of the same type.
macro_rules! to_list {
    ($($element:expr),*) => {
        &[$(Overload::costing(
            &[P::List(&$element)],
            P::List(&$element),
            cost::first_with_itself,
        )),*]
    };
}

const SORT: &[Overload] = to_list![
    P::Int,
    P::Uint,
    P::Double,
    P::Bool,
    P::Duration,
    P::Timestamp,
    P::String,
    P::Bytes
];

/// Signatures with a list of keys beside the list.
macro_rules! with_keys {
    ($($key:expr),*) => {
        &[$(Overload::costing(
            &[LIST_A, P::List(&$key)],
            LIST_A,
            cost::second_with_itself,
        )),*]
    };
}

const SORT_BY: &[Overload] = with_keys![
    P::Int,
    P::Uint,
    P::Double,
    P::Bool,
    P::Duration,
    P::Timestamp,
    P::String,
    P::Bytes
];

const FLATTEN: &[Overload] = &[
    Overload::costing(&[P::List(&LIST_A)], LIST_A, cost::flattening),
    Overload::costing(&[DYNAMIC, P::Int], DYNAMIC, cost::flattening),
];

const OLD_FLATTEN: &[Overload] = &[
    Overload::costing(&[P::List(&LIST_A)], LIST_A, cost::flattening),
    Overload::costing(&[DYNAMIC, P::Int], DYNAMIC, cost::old_flattening),
];

const RANGE: &[Overload] = &[Overload::costing(
    &[P::Int],
    P::List(&P::Int),
    cost::list_result,
)];

/// Longest list that `lists.range` makes (cel-go's limit).
const MAX_RANGE: usize = 1_000_000;

pub(in crate::library) static FUNCTIONS: &[Function] = &[
    Function::member(
        "slice",
        &[Overload::costing(
            &[LIST_A, P::Int, P::Int],
            LIST_A,
            cost::list_result,
        )],
        slice,
    )
    .introduced(LISTS),
    Function::member("flatten", OLD_FLATTEN, flatten)
        .introduced(LISTS)
        .before(CEL_GO_29),
    Function::member("flatten", FLATTEN, flatten)
        .introduced(LISTS)
        .since(CEL_GO_29),
    Function::member("sort", SORT, sort).introduced(LISTS),
    Function::member("@sortByAssociatedKeys", SORT_BY, sort_by).introduced(LISTS),
    Function::global("lists.range", RANGE, unbounded_range)
        .introduced(LISTS)
        .before(CEL_GO_29),
    Function::global("lists.range", RANGE, range)
        .introduced(LISTS)
        .since(CEL_GO_29),
    Function::member(
        "reverse",
        &[Overload::costing(&[LIST_A], LIST_A, cost::list_result)],
        reverse,
    )
    .introduced(LISTS),
    Function::member(
        "distinct",
        &[Overload::costing(
            &[LIST_A],
            LIST_A,
            cost::first_with_itself,
        )],
        distinct,
    )
    .introduced(LISTS),
];

fn slice<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let [Value::List(list), Value::Int(start), Value::Int(end)] = arguments else {
        return Err(no_such_overload());
    };
    let bounds = (usize::try_from(*start), usize::try_from(*end));
    let (Ok(from), Ok(to)) = bounds else {
        return Err(invalid(format!(
            "cannot slice({start}, {end}): negative indexes are not supported"
        )));
    };
    if from > to || to > list.len() {
        return Err(invalid(format!(
            "cannot slice({start}, {end}) a list of length {}",
            list.len()
        )));
    }
    context.allocate_values(to - from)?;
    Ok(Value::list(
        (from..to).filter_map(|index| list.get(index)).collect(),
    ))
}

fn flatten<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let (list, depth) = match arguments {
        [Value::List(list)] => (list, 1),
        [Value::List(list), Value::Int(depth)] => (list, *depth),
        _ => return Err(no_such_overload()),
    };
    if depth < 0 {
        return Err(invalid("flatten: level must not be negative"));
    }
    // Lists still to be visited, and how much deeper to go inside them.
    let mut open = vec![(list.clone(), 0, depth)];
    let mut flat = Vec::new();
    while let Some((list, index, depth)) = open.pop() {
        let Some(element) = list.get(index) else {
            continue;
        };
        open.push((list, index + 1, depth));
        match element {
            Value::List(inner) if depth > 0 => open.push((inner, 0, depth - 1)),
            other => {
                context.allocate_values(1)?;
                flat.push(other);
            }
        }
    }
    Ok(Value::list(flat))
}

fn sort<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::List(list)] => sort_with(context, list, list),
        _ => Err(no_such_overload()),
    }
}

fn sort_by<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::List(list), Value::List(keys)] => sort_with(context, list, keys),
        _ => Err(no_such_overload()),
    }
}

fn sort_with<'a>(context: &mut Context<'a>, list: &List<'a>, keys: &List<'a>) -> Outcome<'a> {
    if list.len() != keys.len() {
        return Err(invalid("expected as many keys as elements"));
    }
    context.allocate_values(list.len().saturating_mul(2))?;
    let mut pairs: Vec<_> = keys.iter().zip(list.iter()).collect();
    let Some((first, _)) = pairs.first() else {
        return Ok(Value::List(list.clone()));
    };
    if !is_comparable(first) {
        return Err(invalid("list elements must be comparable"));
    }
    if pairs.len() > 1
        && pairs
            .iter()
            .any(|(key, _)| key.type_name() != first.type_name())
    {
        return Err(invalid("list elements must have the same type"));
    }
    pairs.sort_by(|(left, _), (right, _)| compare::order(left, right).unwrap_or(Ordering::Equal));
    Ok(Value::list(
        pairs.into_iter().map(|(_, element)| element).collect(),
    ))
}

/// Once there was no limit, and fewer than no elements were none.
fn unbounded_range<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::Int(size)] => count(context, *size),
        _ => Err(no_such_overload()),
    }
}

fn count<'a>(context: &mut Context<'a>, size: i64) -> Outcome<'a> {
    context.allocate_values(usize::try_from(size).unwrap_or(0))?;
    Ok(Value::list((0..size).map(Value::Int).collect()))
}

fn range<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let [Value::Int(size)] = arguments else {
        return Err(no_such_overload());
    };
    let Ok(length) = usize::try_from(*size) else {
        return Err(invalid(format!(
            "lists.range: size must not be negative, got {size}"
        )));
    };
    if length > MAX_RANGE {
        return Err(invalid(format!(
            "lists.range: size {size} exceeds maximum allowed ({MAX_RANGE})"
        )));
    }
    count(context, *size)
}

fn reverse<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let [Value::List(list)] = arguments else {
        return Err(no_such_overload());
    };
    context.allocate_values(list.len())?;
    Ok(Value::list(list.iter().rev().collect()))
}

fn distinct<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let [Value::List(list)] = arguments else {
        return Err(no_such_overload());
    };
    context.allocate_values(list.len())?;
    let mut unique: Vec<Value<'a>> = Vec::new();
    for element in list.iter() {
        context.check_steps()?;
        let seen = unique
            .iter()
            .any(|other| compare::strict_equality(&element, other, context) == Equality::Same);
        if !seen {
            unique.push(element);
        }
    }
    Ok(Value::list(unique))
}
