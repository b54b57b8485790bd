//! Lists: Kubernetes' `kubernetes.lists` and version 3 of cel-go's library.

use std::cmp::Ordering;

use super::cost;
use super::table::{A, Function, Overload, Pattern as P};
use crate::runtime::compare::{self, Equality};
use crate::runtime::{Context, List, Outcome, Value, invalid, no_such_overload};

const LIST_A: P = P::List(&A);
const DYNAMIC: P = P::List(&P::Dyn);

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

const INDEX: &[Overload] = &[Overload::new(&[LIST_A, A], P::Int)];

/// Longest list that `lists.range` makes (cel-go's limit).
const MAX_RANGE: usize = 1_000_000;

const INCLUDES: &[Overload] = &[Overload::new(&[P::Dyn, P::Dyn], P::Bool)];

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
        .since(36)
        .before(37),
    Function::member("includes", INCLUDES, includes)
        .costing(cost::elements)
        .since(37),
    Function::member(
        "slice",
        &[Overload::costing(
            &[LIST_A, P::Int, P::Int],
            LIST_A,
            cost::list_result,
        )],
        slice,
    ),
    Function::member(
        "flatten",
        &[
            Overload::costing(&[P::List(&LIST_A)], LIST_A, cost::flattening),
            Overload::costing(&[DYNAMIC, P::Int], DYNAMIC, cost::flattening),
        ],
        flatten,
    ),
    Function::member("sort", SORT, sort),
    Function::member("@sortByAssociatedKeys", SORT_BY, sort_by),
    Function::global(
        "lists.range",
        &[Overload::costing(
            &[P::Int],
            P::List(&P::Int),
            cost::list_result,
        )],
        range,
    ),
    Function::member(
        "reverse",
        &[Overload::costing(&[LIST_A], LIST_A, cost::list_result)],
        reverse,
    )
    .since(34),
    Function::member(
        "distinct",
        &[Overload::costing(
            &[LIST_A],
            LIST_A,
            cost::first_with_itself,
        )],
        distinct,
    )
    .since(34),
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
    context.allocate_values(length)?;
    Ok(Value::list((0..*size).map(Value::Int).collect()))
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
        let seen = unique
            .iter()
            .any(|other| compare::strict_equality(&element, other, context) == Equality::Same);
        if !seen {
            unique.push(element);
        }
    }
    Ok(Value::list(unique))
}
