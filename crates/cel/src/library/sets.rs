//! Lists as sets, cel-go's library of that name.

use super::cost;
use super::table::{A, Function, Overload, Pattern as P};
use crate::runtime::compare::{self, Equality};
use crate::runtime::{Context, List, Outcome, Value, no_such_overload};

const LIST_A: P = P::List(&A);
const LISTS: &[P] = &[LIST_A, LIST_A];

pub(super) static FUNCTIONS: &[Function] = &[
    Function::global(
        "sets.contains",
        &[Overload::costing(LISTS, P::Bool, cost::every_pair)],
        contains,
    ),
    Function::global(
        "sets.equivalent",
        &[Overload::costing(LISTS, P::Bool, cost::every_pair_twice)],
        equivalent,
    ),
    Function::global(
        "sets.intersects",
        &[Overload::costing(LISTS, P::Bool, cost::every_pair)],
        intersects,
    ),
];

fn has<'a>(context: &Context<'a>, list: &List<'a>, value: &Value<'a>) -> bool {
    context.step()
        && list
            .iter()
            .any(|element| compare::strict_equality(value, &element, context) == Equality::Same)
}

fn has_all<'a>(context: &Context<'a>, list: &List<'a>, other: &List<'a>) -> bool {
    other.iter().all(|element| has(context, list, &element))
}

fn contains<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::List(list), Value::List(other)] => Ok(Value::Bool(has_all(context, list, other))),
        _ => Err(no_such_overload()),
    }
}

fn equivalent<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::List(list), Value::List(other)] => Ok(Value::Bool(
            has_all(context, list, other) && has_all(context, other, list),
        )),
        _ => Err(no_such_overload()),
    }
}

fn intersects<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::List(list), Value::List(other)] => Ok(Value::Bool(
            list.iter().any(|element| has(context, other, &element)),
        )),
        _ => Err(no_such_overload()),
    }
}
