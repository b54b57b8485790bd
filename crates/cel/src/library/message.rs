//! Literals of well-known messages: the wrappers of scalars, durations and
//! points in time.
//!
//! A literal is a map of its fields that is made into the value that it stands
//! for, which is none of messages.

use super::table::{Function, Pattern, Pattern as P};
use crate::EvaluationError;
use crate::runtime::{Context, Map, Outcome, Timestamp, Value, invalid};

/// A message that can be written as a literal.
pub(crate) struct Message {
    /// Makes the value from a map of fields; has the name of the message.
    pub(crate) function: Function,
    /// Names and types of the fields.
    pub(crate) fields: &'static [(&'static str, Pattern)],
    pub(crate) result: Pattern,
    /// Whether null can stand where the value is expected.
    pub(crate) wrapper: bool,
}

/// The messages with one field, `value`.
macro_rules! wrappers {
    ($($name:literal: $field:expr, $convert:expr;)*) => {
        &[$(Message {
            function: Function::global($name, &[], $convert).costing(rest),
            fields: &[("value", $field)],
            result: $field,
            wrapper: true,
        }),*]
    };
}

const PARTS: &[(&str, Pattern)] = &[("seconds", P::Int), ("nanos", P::Int)];

static WRAPPERS: &[Message] = wrappers! {
    "google.protobuf.BoolValue": P::Bool, boolean;
    "google.protobuf.BytesValue": P::Bytes, bytes;
    "google.protobuf.DoubleValue": P::Double, double;
    "google.protobuf.FloatValue": P::Double, float;
    "google.protobuf.Int32Value": P::Int, int32;
    "google.protobuf.Int64Value": P::Int, int64;
    "google.protobuf.StringValue": P::String, string;
    "google.protobuf.UInt32Value": P::Uint, uint32;
    "google.protobuf.UInt64Value": P::Uint, uint64;
};

static TIMES: &[Message] = &[
    Message {
        function: Function::global("google.protobuf.Duration", &[], duration).costing(rest),
        fields: PARTS,
        result: P::Duration,
        wrapper: false,
    },
    Message {
        function: Function::global("google.protobuf.Timestamp", &[], timestamp).costing(rest),
        fields: PARTS,
        result: P::Timestamp,
        wrapper: false,
    },
];

/// Returns the message of this name.
pub(crate) fn message(name: &str) -> Option<&'static Message> {
    WRAPPERS
        .iter()
        .chain(TIMES)
        .find(|message| message.function.name == name)
}

/// What a message costs beyond the map of its fields.
fn rest<'a>(_: &Context<'a>, _: &[Value<'a>], _: &Value<'a>) -> u64 {
    10
}

fn field<'a>(context: &Context<'a>, arguments: &[Value<'a>], name: &str) -> Option<Value<'a>> {
    match arguments {
        [Value::Map(map @ Map::Entries(_))] => map.find(&Value::string(name), context.row),
        _ => None,
    }
}

fn unconvertible(value: &Value<'_>) -> EvaluationError {
    let found = value.type_name();
    invalid(format!("a field of a message cannot be of type `{found}`"))
}

/// The value of a wrapper; what it wraps by default if it is not given.
fn wrapped<'a>(
    context: &Context<'a>,
    arguments: &[Value<'a>],
    default: Value<'a>,
    convert: impl Fn(Value<'a>) -> Option<Value<'a>>,
) -> Outcome<'a> {
    let value = field(context, arguments, "value").unwrap_or(default);
    let error = unconvertible(&value);
    convert(value).ok_or(error)
}

fn boolean<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    wrapped(context, arguments, Value::Bool(false), |value| {
        matches!(value, Value::Bool(_)).then_some(value)
    })
}

fn bytes<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let empty = Value::Bytes(crate::runtime::Shared::Borrowed(&[]));
    wrapped(context, arguments, empty, |value| {
        matches!(value, Value::Bytes(_)).then_some(value)
    })
}

fn double<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    wrapped(context, arguments, Value::Double(0.0), |value| {
        matches!(value, Value::Double(_)).then_some(value)
    })
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the nearest number of single precision is meant"
)]
fn float<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    wrapped(
        context,
        arguments,
        Value::Double(0.0),
        |value| match value {
            Value::Double(value) => Some(Value::Double(f64::from(value as f32))),
            _ => None,
        },
    )
}

fn int64<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    wrapped(context, arguments, Value::Int(0), |value| {
        matches!(value, Value::Int(_)).then_some(value)
    })
}

fn int32<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    wrapped(context, arguments, Value::Int(0), |value| match value {
        Value::Int(value) => i32::try_from(value).is_ok().then_some(Value::Int(value)),
        _ => None,
    })
}

fn uint64<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    wrapped(context, arguments, Value::Uint(0), |value| {
        matches!(value, Value::Uint(_)).then_some(value)
    })
}

fn uint32<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    wrapped(context, arguments, Value::Uint(0), |value| match value {
        Value::Uint(value) => u32::try_from(value).is_ok().then_some(Value::Uint(value)),
        _ => None,
    })
}

fn string<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    wrapped(context, arguments, Value::text(""), |value| {
        matches!(value, Value::String(_)).then_some(value)
    })
}

/// Seconds and nanoseconds, which have 32 bits.
fn parts<'a>(
    context: &Context<'a>,
    arguments: &[Value<'a>],
) -> Result<(i64, i32), EvaluationError> {
    let part = |name| match field(context, arguments, name) {
        None => Ok(0),
        Some(Value::Int(value)) => Ok(value),
        Some(other) => Err(unconvertible(&other)),
    };
    let nanos = part("nanos")?;
    let nanos = i32::try_from(nanos).map_err(|_| unconvertible(&Value::Int(nanos)))?;
    Ok((part("seconds")?, nanos))
}

/// A duration that is too long is the longest one.
fn duration<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let (seconds, nanos) = parts(context, arguments)?;
    let total = i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
    let longest = if total < 0 { i64::MIN } else { i64::MAX };
    Ok(Value::Duration(i64::try_from(total).unwrap_or(longest)))
}

/// Years that have not four digits are an error, other than in Kubernetes.
fn timestamp<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let (seconds, nanos) = parts(context, arguments)?;
    Timestamp::new(seconds, 0)
        .and_then(|time| time.add(i64::from(nanos)))
        .map(Value::Timestamp)
        .ok_or_else(|| invalid("timestamp overflow"))
}
