//! Rules for the runtime cost of calls.
//!
//! They are those of cel-go's cost tracker and of Kubernetes' estimator on top
//! of it, with their factors: a tenth of a unit per character, a quarter per
//! character of a regular expression.

use crate::runtime::{Context, Value};

/// Rounds a number of characters times a factor up to whole units, with the
/// floating point arithmetic of cel-go: its rounding errors are part of the cost.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes are small and not negative"
)]
pub(crate) fn scaled(size: u64, factor: f64) -> u64 {
    (size as f64 * factor).ceil() as u64
}

pub(crate) const TRAVERSAL: f64 = 0.1;
const PATTERN: f64 = 0.25;

fn size(context: &Context<'_>, arguments: &[Value<'_>], index: usize) -> u64 {
    arguments
        .get(index)
        .map_or(1, |argument| argument.cost_size(context.row))
}

/// 1.
pub(crate) fn one<'a>(_: &Context<'a>, _: &[Value<'a>], _: &Value<'a>) -> u64 {
    1
}

/// One traversal of the first argument.
pub(crate) fn first<'a>(context: &Context<'a>, arguments: &[Value<'a>], _: &Value<'a>) -> u64 {
    scaled(size(context, arguments, 0), TRAVERSAL)
}

/// Two traversals of the first argument.
pub(crate) fn first_twice<'a>(
    context: &Context<'a>,
    arguments: &[Value<'a>],
    _: &Value<'a>,
) -> u64 {
    scaled(size(context, arguments, 0) * 2, TRAVERSAL)
}

/// Two traversals of the result.
pub(crate) fn result_twice<'a>(context: &Context<'a>, _: &[Value<'a>], result: &Value<'a>) -> u64 {
    scaled(result.cost_size(context.row) * 2, TRAVERSAL)
}

/// One traversal of the second argument.
pub(crate) fn second<'a>(context: &Context<'a>, arguments: &[Value<'a>], _: &Value<'a>) -> u64 {
    scaled(size(context, arguments, 1), TRAVERSAL)
}

/// The size of the second argument: a search through a list.
pub(crate) fn list_search<'a>(
    context: &Context<'a>,
    arguments: &[Value<'a>],
    _: &Value<'a>,
) -> u64 {
    size(context, arguments, 1)
}

/// One traversal of the smaller of two arguments: a comparison.
pub(crate) fn comparison<'a>(
    context: &Context<'a>,
    arguments: &[Value<'a>],
    _: &Value<'a>,
) -> u64 {
    let smaller = size(context, arguments, 0).min(size(context, arguments, 1));
    scaled(smaller, TRAVERSAL)
}

/// One traversal of both arguments: a concatenation.
pub(crate) fn concatenation<'a>(
    context: &Context<'a>,
    arguments: &[Value<'a>],
    _: &Value<'a>,
) -> u64 {
    let both = size(context, arguments, 0) + size(context, arguments, 1);
    scaled(both, TRAVERSAL)
}

/// A traversal of the first for every traversal of the second: a text search.
pub(crate) fn text_search<'a>(
    context: &Context<'a>,
    arguments: &[Value<'a>],
    _: &Value<'a>,
) -> u64 {
    scaled(size(context, arguments, 0), TRAVERSAL)
        .saturating_mul(scaled(size(context, arguments, 1), TRAVERSAL))
}

/// A traversal of the text for every part of the pattern.
pub(crate) fn pattern_search<'a>(
    context: &Context<'a>,
    arguments: &[Value<'a>],
    _: &Value<'a>,
) -> u64 {
    scaled(size(context, arguments, 0) + 1, TRAVERSAL)
        .saturating_mul(scaled(size(context, arguments, 1), PATTERN))
}

/// One visit of every element of the first argument, at every depth.
pub(crate) fn elements<'a>(context: &Context<'a>, arguments: &[Value<'a>], _: &Value<'a>) -> u64 {
    arguments
        .first()
        .map_or(0, |argument| traversal(argument, context))
}

fn traversal<'a>(value: &Value<'a>, context: &Context<'a>) -> u64 {
    if !context.step() {
        return 0;
    }
    match value {
        Value::String(text) => bytes(text.len()),
        Value::Bytes(content) => bytes(content.len()),
        Value::List(list) => list
            .iter()
            .fold(0, |cost: u64, element| {
                cost.saturating_add(traversal(&element, context))
            }),
        Value::Map(map) => map.keys(context.row).iter().fold(0, |cost: u64, key| {
            let value = map.find(key, context.row).unwrap_or(Value::Null);
            cost.saturating_add(traversal(key, context))
                .saturating_add(traversal(&value, context))
        }),
        _ => 1,
    }
}

/// A tenth of a unit per byte, rounded down.
fn bytes(length: usize) -> u64 {
    u64::try_from(length / 10).unwrap_or(u64::MAX)
}
