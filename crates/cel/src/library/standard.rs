//! Functions of the language itself.

use super::cost;
use super::table::{A, B, CEL_GO_29, Function, Overload, Pattern as P};
use crate::runtime::{Context, Outcome, Value, no_such_overload};

const SIZE: &[Overload] = &[
    Overload::new(&[P::Bytes], P::Int),
    Overload::new(&[P::List(&A)], P::Int),
    Overload::new(&[P::Map(&A, &B)], P::Int),
    Overload::new(&[P::String], P::Int),
];

const PREFIX: &[Overload] = &[Overload::costing(
    &[P::String, P::String],
    P::Bool,
    cost::second,
)];

/// The cost was that of a look at the whole text.
const PREFIX_BY_TEXT: &[Overload] = &[Overload::costing(
    &[P::String, P::String],
    P::Bool,
    cost::first,
)];

pub(super) static FUNCTIONS: &[Function] = &[
    Function::global("size", SIZE, size),
    Function::member("size", SIZE, size),
    Function::member(
        "contains",
        &[Overload::costing(
            &[P::String, P::String],
            P::Bool,
            cost::text_search,
        )],
        contains,
    ),
    Function::member("startsWith", PREFIX_BY_TEXT, starts_with).before(CEL_GO_29),
    Function::member("startsWith", PREFIX, starts_with).since(CEL_GO_29),
    Function::member("endsWith", PREFIX_BY_TEXT, ends_with).before(CEL_GO_29),
    Function::member("endsWith", PREFIX, ends_with).since(CEL_GO_29),
];

fn size<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let size = match arguments {
        [value] => value.size(context.row),
        _ => None,
    };
    size.and_then(|size| i64::try_from(size).ok())
        .map(Value::Int)
        .ok_or_else(no_such_overload)
}

fn texts<'a>(arguments: &[Value<'a>], holds: impl Fn(&str, &str) -> bool) -> Outcome<'a> {
    match arguments {
        [Value::String(text), Value::String(part)] => Ok(Value::Bool(holds(text, part))),
        _ => Err(no_such_overload()),
    }
}

fn contains<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    texts(arguments, |text, part| text.contains(part))
}

fn starts_with<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    texts(arguments, |text, part| text.starts_with(part))
}

fn ends_with<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    texts(arguments, |text, part| text.ends_with(part))
}
