//! Conversions between types.

use super::table::{A, CEL_GO_29, Function, Overload, Pattern as P};
use super::time;
use super::{cost, double};
use crate::EvaluationError;
use crate::runtime::compare::{int_to_double, uint_to_double};
use crate::runtime::{Context, Outcome, Shared, Timestamp, Value, invalid, no_such_overload};

pub(super) static FUNCTIONS: &[Function] = &[
    Function::global("type", &[Overload::new(&[A], P::Type(&A))], type_of),
    Function::global("dyn", &[Overload::new(&[A], P::Dyn)], dynamic),
    Function::global(
        "bool",
        &[
            Overload::new(&[P::Bool], P::Bool),
            Overload::new(&[P::String], P::Bool),
        ],
        to_bool,
    ),
    Function::global(
        "bytes",
        &[
            Overload::new(&[P::Bytes], P::Bytes),
            Overload::costing(&[P::String], P::Bytes, cost::first),
        ],
        to_bytes,
    ),
    Function::global(
        "double",
        &[
            Overload::new(&[P::Double], P::Double),
            Overload::new(&[P::Int], P::Double),
            Overload::new(&[P::String], P::Double),
            Overload::new(&[P::Uint], P::Double),
        ],
        to_double,
    ),
    Function::global(
        "duration",
        &[
            Overload::new(&[P::Duration], P::Duration),
            Overload::new(&[P::String], P::Duration),
        ],
        to_duration,
    ),
    // Declared once, though no integer ever became a duration.
    Function::global(
        "duration",
        &[Overload::new(&[P::Int], P::Duration)],
        int_to_duration,
    )
    .before(CEL_GO_29),
    Function::global(
        "int",
        &[
            Overload::new(&[P::Int], P::Int),
            Overload::new(&[P::Double], P::Int),
            Overload::new(&[P::Duration], P::Int),
            Overload::new(&[P::String], P::Int),
            Overload::new(&[P::Timestamp], P::Int),
            Overload::new(&[P::Uint], P::Int),
        ],
        to_int,
    ),
    Function::global(
        "string",
        &[
            Overload::new(&[P::String], P::String),
            Overload::new(&[P::Bool], P::String),
            Overload::costing(&[P::Bytes], P::String, cost::first),
            Overload::new(&[P::Double], P::String),
            Overload::new(&[P::Duration], P::String),
            Overload::new(&[P::Int], P::String),
            Overload::new(&[P::Timestamp], P::String),
            Overload::new(&[P::Uint], P::String),
        ],
        to_string,
    ),
    Function::global(
        "timestamp",
        &[
            Overload::new(&[P::Timestamp], P::Timestamp),
            Overload::new(&[P::Int], P::Timestamp),
            Overload::new(&[P::String], P::Timestamp),
        ],
        to_timestamp,
    ),
    Function::global(
        "uint",
        &[
            Overload::new(&[P::Uint], P::Uint),
            Overload::new(&[P::Double], P::Uint),
            Overload::new(&[P::Int], P::Uint),
            Overload::new(&[P::String], P::Uint),
        ],
        to_uint,
    ),
];

fn type_of<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [value] => Ok(Value::Type(value.type_name())),
        _ => Err(no_such_overload()),
    }
}

fn dynamic<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [value] => Ok(value.clone()),
        _ => Err(no_such_overload()),
    }
}

fn unconvertible(to: &str) -> EvaluationError {
    invalid(format!("type conversion error from 'string' to '{to}'"))
}

fn to_bool<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::Bool(value)] => Ok(Value::Bool(*value)),
        [Value::String(text)] => match &**text {
            "1" | "t" | "T" | "true" | "TRUE" | "True" => Ok(Value::Bool(true)),
            "0" | "f" | "F" | "false" | "FALSE" | "False" => Ok(Value::Bool(false)),
            _ => Err(unconvertible("bool")),
        },
        _ => Err(no_such_overload()),
    }
}

fn to_bytes<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::Bytes(bytes)] => Ok(Value::Bytes(bytes.clone())),
        [Value::String(text)] => {
            context.allocate(text.len())?;
            Ok(Value::Bytes(Shared::Owned(text.as_bytes().into())))
        }
        _ => Err(no_such_overload()),
    }
}

fn to_double<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    Ok(Value::Double(match arguments {
        [Value::Double(value)] => *value,
        [Value::Int(value)] => int_to_double(*value),
        [Value::Uint(value)] => uint_to_double(*value),
        [Value::String(text)] => double::parse(text).ok_or_else(|| unconvertible("double"))?,
        _ => return Err(no_such_overload()),
    }))
}

fn to_duration<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::Duration(value)] => Ok(Value::Duration(*value)),
        [Value::String(text)] => time::parse_duration(text)
            .map(Value::Duration)
            .ok_or_else(|| unconvertible("google.protobuf.Duration")),
        _ => Err(no_such_overload()),
    }
}

fn int_to_duration<'a>(_: &mut Context<'a>, _: &[Value<'a>]) -> Outcome<'a> {
    Err(invalid(
        "type conversion error from 'int' to 'google.protobuf.Duration'",
    ))
}

fn to_timestamp<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::Timestamp(value)] => Ok(Value::Timestamp(*value)),
        [Value::Int(seconds)] => Timestamp::new(*seconds, 0)
            .map(Value::Timestamp)
            .ok_or_else(|| invalid("timestamp overflow")),
        [Value::String(text)] => time::parse_timestamp(text)
            .map(Value::Timestamp)
            .ok_or_else(|| unconvertible("google.protobuf.Timestamp")),
        _ => Err(no_such_overload()),
    }
}

/// 2^63 and 2^64: the first doubles beyond the integers.
const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;
const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;

#[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
fn double_to_int(value: f64) -> Option<i64> {
    (value > -TWO_TO_63 && value < TWO_TO_63).then_some(value as i64)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the range is checked"
)]
fn double_to_uint(value: f64) -> Option<u64> {
    (0.0..TWO_TO_64).contains(&value).then_some(value as u64)
}

fn to_int<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let overflow = || invalid("integer overflow");
    Ok(Value::Int(match arguments {
        [Value::Int(value) | Value::Duration(value)] => *value,
        [Value::Uint(value)] => i64::try_from(*value).map_err(|_| overflow())?,
        [Value::Double(value)] => double_to_int(*value).ok_or_else(overflow)?,
        [Value::Timestamp(time)] => time.seconds,
        [Value::String(text)] => text.parse().map_err(|_| unconvertible("int"))?,
        _ => return Err(no_such_overload()),
    }))
}

fn to_uint<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let overflow = || invalid("unsigned integer overflow");
    Ok(Value::Uint(match arguments {
        [Value::Uint(value)] => *value,
        [Value::Int(value)] => u64::try_from(*value).map_err(|_| overflow())?,
        [Value::Double(value)] => double_to_uint(*value).ok_or_else(overflow)?,
        [Value::String(text)] if !text.starts_with('+') => {
            text.parse().map_err(|_| unconvertible("uint"))?
        }
        [Value::String(_)] => return Err(unconvertible("uint")),
        _ => return Err(no_such_overload()),
    }))
}

fn to_string<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let text = match arguments {
        [Value::String(text)] => return Ok(Value::String(text.clone())),
        [value] => text(value)?,
        _ => return Err(no_such_overload()),
    };
    context.allocate(text.len())?;
    Ok(Value::string(text))
}

/// Returns what `string()` makes of a value that is no string.
pub(super) fn text(value: &Value<'_>) -> Result<String, EvaluationError> {
    Ok(match value {
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Uint(value) => value.to_string(),
        Value::Double(value) => double::format(*value),
        Value::Duration(nanos) => time::format_duration(*nanos),
        Value::Timestamp(time) => time::format_timestamp(*time),
        Value::Bytes(bytes) => String::from_utf8(bytes.to_vec())
            .map_err(|_| invalid("invalid UTF-8 in bytes, cannot convert to string"))?,
        _ => return Err(no_such_overload()),
    })
}
