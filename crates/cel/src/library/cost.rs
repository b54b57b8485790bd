//! Rules for the runtime cost of calls.
//!
//! They are those of cel-go's cost tracker and of Kubernetes' estimator on top
//! of it, with their factors: a tenth of a unit per character, a quarter per
//! character of a regular expression.

use crate::runtime::compare::int_to_double;
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
    let units = size as f64 * factor;
    let whole = units as u64;
    whole.saturating_add(u64::from((whole as f64) < units))
}

pub(crate) const TRAVERSAL: f64 = 0.1;
pub(crate) const PATTERN: f64 = 0.25;

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
pub(crate) fn comparison<'a>(context: &Context<'a>, arguments: &[Value<'a>], _: &Value<'a>) -> u64 {
    match arguments {
        [left, right] => compared(context, left, right),
        _ => 1,
    }
}

/// One traversal of the smaller of two values.
pub(crate) fn compared(context: &Context<'_>, left: &Value<'_>, right: &Value<'_>) -> u64 {
    if let (Value::String(left), Value::String(right)) = (left, right) {
        // A text of 1 to 10 bytes has 1 to 10 characters, which cost one unit.
        let shorter = left.len().min(right.len());
        if shorter <= 10 {
            return u64::from(shorter > 0);
        }
    }
    let smaller = left
        .cost_size(context.row)
        .min(right.cost_size(context.row));
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
        Value::Bytes(raw) => bytes(raw.len()),
        Value::List(list) => list.iter().fold(0, |cost: u64, element| {
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

/// A call that builds a list of this many elements, times a factor.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes are small and not negative"
)]
fn list_made(size: u64, factor: f64) -> u64 {
    const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;
    let units = size as f64 * factor;
    // What an amd64 processor makes of what is too large.
    let units = if units >= TWO_TO_64 {
        1 << 63
    } else {
        units as u64
    };
    units.saturating_add(11)
}

/// A list of the size of the result is built.
pub(crate) fn list_result<'a>(context: &Context<'a>, _: &[Value<'a>], result: &Value<'a>) -> u64 {
    list_made(result.cost_size(context.row), 1.0)
}

/// A list is flattened to a depth, 1 or the second argument.
pub(crate) fn flattening<'a>(context: &Context<'a>, arguments: &[Value<'a>], _: &Value<'a>) -> u64 {
    let depth = match arguments.get(1) {
        Some(Value::Int(depth)) if *depth < 0 => 1.0,
        Some(Value::Int(depth)) => int_to_double(*depth),
        Some(_) => return CRASH,
        None => 1.0,
    };
    list_made(size(context, arguments, 0), depth)
}

/// [`flattening`] before cel-go 0.29, where a negative depth lowered the cost,
/// below zero even: such costs wrap around.
pub(crate) fn old_flattening<'a>(
    context: &Context<'a>,
    arguments: &[Value<'a>],
    result: &Value<'a>,
) -> u64 {
    match arguments.get(1) {
        Some(Value::Int(depth)) if *depth < 0 => {
            let size = size(context, arguments, 0);
            11_u64.wrapping_sub(size.saturating_mul(depth.unsigned_abs()))
        }
        _ => flattening(context, arguments, result),
    }
}

/// The cost of a call on which Kubernetes' cost tracker crashes: a failed
/// argument where a list is expected. That ends the evaluation. No call costs
/// as much.
pub(crate) const CRASH: u64 = 1 << 63;

fn self_comparison(context: &Context<'_>, list: Option<&Value<'_>>) -> u64 {
    let Some(value @ Value::List(list)) = list else {
        return CRASH;
    };
    let size = value.cost_size(context.row);
    let factor = match list.get(0) {
        Some(Value::String(_) | Value::Bytes(_)) => 2.0 + TRAVERSAL,
        _ => 2.0,
    };
    list_made(size.saturating_mul(size), factor)
}

/// Every element of the first argument is compared with every other.
pub(crate) fn first_with_itself<'a>(
    context: &Context<'a>,
    arguments: &[Value<'a>],
    _: &Value<'a>,
) -> u64 {
    self_comparison(context, arguments.first())
}

/// Every element of the second argument is compared with every other.
pub(crate) fn second_with_itself<'a>(
    context: &Context<'a>,
    arguments: &[Value<'a>],
    _: &Value<'a>,
) -> u64 {
    self_comparison(context, arguments.get(1))
}

/// Every element of the first argument is compared with every one of the second.
pub(crate) fn every_pair<'a>(context: &Context<'a>, arguments: &[Value<'a>], _: &Value<'a>) -> u64 {
    let pairs = size(context, arguments, 0).saturating_mul(size(context, arguments, 1));
    pairs.saturating_add(1)
}

/// [`every_pair`], in both directions.
pub(crate) fn every_pair_twice<'a>(
    context: &Context<'a>,
    arguments: &[Value<'a>],
    result: &Value<'a>,
) -> u64 {
    let once = every_pair(context, arguments, result) - 1;
    once.saturating_mul(2).saturating_add(1)
}

/// Two traversals of the first argument and one of the second.
pub(crate) fn first_twice_and_second<'a>(
    context: &Context<'a>,
    arguments: &[Value<'a>],
    result: &Value<'a>,
) -> u64 {
    first_twice(context, arguments, result) + second(context, arguments, result)
}

/// A network is compared with another one.
pub(crate) fn network<'a>(
    context: &Context<'a>,
    arguments: &[Value<'a>],
    result: &Value<'a>,
) -> u64 {
    first_twice(context, arguments, result) + first(context, arguments, result) + 1
}

/// A network is compared with one that is read from text.
pub(crate) fn network_and_text<'a>(
    context: &Context<'a>,
    arguments: &[Value<'a>],
    result: &Value<'a>,
) -> u64 {
    network(context, arguments, result) + second(context, arguments, result)
}

/// A test for equality; a value of Kubernetes' own types counts as one unit
/// whatever it is compared with.
pub(crate) fn equality(context: &Context<'_>, left: &Value<'_>, right: &Value<'_>) -> u64 {
    match left {
        Value::Quantity { .. }
        | Value::Version(_)
        | Value::Ip(_)
        | Value::Cidr(_)
        | Value::Url(_)
        | Value::Format(_) => 1,
        _ => compared(context, left, right),
    }
}
