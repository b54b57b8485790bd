//! Semantic versions, Kubernetes' `kubernetes.Semver` library.

use std::cmp::Ordering;

use super::cost;
use super::table::{Function, Overload, Pattern as P};
use crate::check::SEMVER;
use crate::runtime::{Context, Outcome, Value, invalid, no_such_overload};
use crate::{EvaluationError, Semver, SemverError};

const V: P = P::Opaque(SEMVER);

pub(super) static FUNCTIONS: &[Function] = &[
    Function::global(
        "semver",
        &[
            Overload::new(&[P::String], V),
            Overload::new(&[P::String, P::Bool], V),
        ],
        semver,
    )
    .costing(cost::first),
    Function::global(
        "isSemver",
        &[
            Overload::new(&[P::String], P::Bool),
            Overload::new(&[P::String, P::Bool], P::Bool),
        ],
        is_semver,
    )
    .costing(cost::first),
    Function::member(
        "isGreaterThan",
        &[Overload::new(&[V, V], P::Bool)],
        is_greater_than,
    ),
    Function::member(
        "isLessThan",
        &[Overload::new(&[V, V], P::Bool)],
        is_less_than,
    ),
    Function::member("compareTo", &[Overload::new(&[V, V], P::Int)], compare_to),
    Function::member("major", &[Overload::new(&[V], P::Int)], major),
    Function::member("minor", &[Overload::new(&[V], P::Int)], minor),
    Function::member("patch", &[Overload::new(&[V], P::Int)], patch),
];

fn parse(arguments: &[Value<'_>]) -> Result<Result<Semver, SemverError>, EvaluationError> {
    match arguments {
        [Value::String(text)] | [Value::String(text), Value::Bool(false)] => {
            Ok(Semver::parse(text))
        }
        [Value::String(text), Value::Bool(true)] => Ok(Semver::parse_tolerant(text)),
        _ => Err(no_such_overload()),
    }
}

fn semver<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let version = parse(arguments)?.map_err(|error| invalid(error.to_string()))?;
    context.allocate(version.as_str().len())?;
    Ok(Value::version(version))
}

fn is_semver<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    Ok(Value::Bool(parse(arguments)?.is_ok()))
}

fn order(arguments: &[Value<'_>]) -> Result<Ordering, EvaluationError> {
    match arguments {
        [Value::Version(left), Value::Version(right)] => Ok((**left).cmp(&**right)),
        _ => Err(no_such_overload()),
    }
}

fn is_greater_than<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    Ok(Value::Bool(order(arguments)?.is_gt()))
}

fn is_less_than<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    Ok(Value::Bool(order(arguments)?.is_lt()))
}

fn compare_to<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    Ok(Value::Int(i64::from(order(arguments)? as i8)))
}

/// Numbers beyond 63 bits wrap around, as they do in Kubernetes.
fn part<'a>(arguments: &[Value<'a>], part: fn(&Semver) -> u64) -> Outcome<'a> {
    match arguments {
        [Value::Version(version)] => Ok(Value::Int(part(version).cast_signed())),
        _ => Err(no_such_overload()),
    }
}

fn major<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    part(arguments, Semver::major)
}

fn minor<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    part(arguments, Semver::minor)
}

fn patch<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    part(arguments, Semver::patch)
}
