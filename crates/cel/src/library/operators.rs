//! Operators.

use std::cmp::Ordering;

use super::cost;
use super::table::{A, B, Function, Overload, Pattern as P};
use crate::EvaluationError;
use crate::runtime::{Context, List, Outcome, Timestamp, Value};
use crate::runtime::{Map, Shared, compare, invalid, no_such_overload, unhashable};

pub(super) static FUNCTIONS: &[Function] = &[
    // `&&`, `||`, `?:`, `==`, `!=`, `[]` and `[?]` have instructions of their
    // own; the tables serve the checker.
    Function::global(
        "_&&_",
        &[Overload::new(&[P::Bool, P::Bool], P::Bool)],
        instruction,
    ),
    Function::global(
        "_||_",
        &[Overload::new(&[P::Bool, P::Bool], P::Bool)],
        instruction,
    ),
    Function::global("_?_:_", &[Overload::new(&[P::Bool, A, A], A)], instruction),
    Function::global("_==_", &[Overload::new(&[A, A], P::Bool)], instruction),
    Function::global("_!=_", &[Overload::new(&[A, A], P::Bool)], instruction),
    Function::global("_[_]", INDEX, instruction),
    Function::global("_[?_]", OPTIONAL_INDEX, instruction),
    Function::global("@in", IN, contained),
    Function::global("!_", &[Overload::new(&[P::Bool], P::Bool)], not),
    Function::global(
        "-_",
        &[
            Overload::new(&[P::Double], P::Double),
            Overload::new(&[P::Int], P::Int),
        ],
        negate,
    ),
    Function::global("_+_", ADD, add),
    Function::global("_-_", SUBTRACT, subtract),
    Function::global("_*_", ARITHMETIC, multiply),
    Function::global("_/_", ARITHMETIC, divide),
    Function::global(
        "_%_",
        &[
            Overload::new(&[P::Int, P::Int], P::Int),
            Overload::new(&[P::Uint, P::Uint], P::Uint),
        ],
        modulo,
    ),
    Function::global("_<_", RELATION, |_, arguments| {
        relation(arguments, Ordering::is_lt)
    }),
    Function::global("_<=_", RELATION, |_, arguments| {
        relation(arguments, Ordering::is_le)
    }),
    Function::global("_>_", RELATION, |_, arguments| {
        relation(arguments, Ordering::is_gt)
    }),
    Function::global("_>=_", RELATION, |_, arguments| {
        relation(arguments, Ordering::is_ge)
    }),
];

const LIST_A: P = P::List(&A);
const MAP_AB: P = P::Map(&A, &B);

const INDEX: &[Overload] = &[
    Overload::new(&[LIST_A, P::Int], A),
    Overload::new(&[MAP_AB, A], B),
    Overload::new(&[P::Optional(&LIST_A), P::Int], P::Optional(&A)),
    Overload::new(&[P::Optional(&MAP_AB), A], P::Optional(&B)),
];

const OPTIONAL_INDEX: &[Overload] = &[
    Overload::new(&[LIST_A, P::Int], P::Optional(&A)),
    Overload::new(&[P::Optional(&LIST_A), P::Int], P::Optional(&A)),
    Overload::new(&[MAP_AB, A], P::Optional(&B)),
    Overload::new(&[P::Optional(&MAP_AB), A], P::Optional(&B)),
];

const IN: &[Overload] = &[
    Overload::costing(&[A, LIST_A], P::Bool, cost::list_search),
    Overload::new(&[A, MAP_AB], P::Bool),
];

const ARITHMETIC: &[Overload] = &[
    Overload::new(&[P::Double, P::Double], P::Double),
    Overload::new(&[P::Int, P::Int], P::Int),
    Overload::new(&[P::Uint, P::Uint], P::Uint),
];

const ADD: &[Overload] = &[
    Overload::costing(&[P::Bytes, P::Bytes], P::Bytes, cost::concatenation),
    Overload::new(&[P::Double, P::Double], P::Double),
    Overload::new(&[P::Duration, P::Duration], P::Duration),
    Overload::new(&[P::Duration, P::Timestamp], P::Timestamp),
    Overload::new(&[P::Timestamp, P::Duration], P::Timestamp),
    Overload::new(&[P::Int, P::Int], P::Int),
    Overload::new(&[LIST_A, LIST_A], LIST_A),
    Overload::costing(&[P::String, P::String], P::String, cost::concatenation),
    Overload::new(&[P::Uint, P::Uint], P::Uint),
];

const SUBTRACT: &[Overload] = &[
    Overload::new(&[P::Double, P::Double], P::Double),
    Overload::new(&[P::Duration, P::Duration], P::Duration),
    Overload::new(&[P::Int, P::Int], P::Int),
    Overload::new(&[P::Timestamp, P::Duration], P::Timestamp),
    Overload::new(&[P::Timestamp, P::Timestamp], P::Duration),
    Overload::new(&[P::Uint, P::Uint], P::Uint),
];

const RELATION: &[Overload] = &[
    Overload::new(&[P::Bool, P::Bool], P::Bool),
    Overload::new(&[P::Int, P::Int], P::Bool),
    Overload::new(&[P::Int, P::Double], P::Bool),
    Overload::new(&[P::Int, P::Uint], P::Bool),
    Overload::new(&[P::Uint, P::Uint], P::Bool),
    Overload::new(&[P::Uint, P::Double], P::Bool),
    Overload::new(&[P::Uint, P::Int], P::Bool),
    Overload::new(&[P::Double, P::Double], P::Bool),
    Overload::new(&[P::Double, P::Int], P::Bool),
    Overload::new(&[P::Double, P::Uint], P::Bool),
    Overload::costing(&[P::String, P::String], P::Bool, cost::comparison),
    Overload::costing(&[P::Bytes, P::Bytes], P::Bool, cost::comparison),
    Overload::new(&[P::Timestamp, P::Timestamp], P::Bool),
    Overload::new(&[P::Duration, P::Duration], P::Bool),
];

/// Never called: lowering replaces it.
fn instruction<'a>(_: &mut Context<'a>, _: &[Value<'a>]) -> Outcome<'a> {
    Err(no_such_overload())
}

fn not<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::Bool(value)] => Ok(Value::Bool(!value)),
        _ => Err(no_such_overload()),
    }
}

fn negate<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::Int(value)] => value.checked_neg().map(Value::Int).ok_or_else(overflow),
        [Value::Double(value)] => Ok(Value::Double(-value)),
        [Value::Duration(value)] => duration(value.checked_neg()),
        _ => Err(no_such_overload()),
    }
}

fn overflow() -> crate::EvaluationError {
    invalid("integer overflow")
}

fn unsigned_overflow() -> crate::EvaluationError {
    invalid("unsigned integer overflow")
}

fn int<'a>(value: Option<i64>) -> Outcome<'a> {
    value.map(Value::Int).ok_or_else(overflow)
}

fn uint<'a>(value: Option<u64>) -> Outcome<'a> {
    value.map(Value::Uint).ok_or_else(unsigned_overflow)
}

fn duration<'a>(value: Option<i64>) -> Outcome<'a> {
    value.map(Value::Duration).ok_or_else(overflow)
}

fn timestamp<'a>(value: Option<Timestamp>) -> Outcome<'a> {
    value
        .map(Value::Timestamp)
        .ok_or_else(|| invalid("timestamp overflow"))
}

fn add<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    let [left, right] = arguments else {
        return Err(no_such_overload());
    };
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => int(left.checked_add(*right)),
        (Value::Uint(left), Value::Uint(right)) => uint(left.checked_add(*right)),
        (Value::Double(left), Value::Double(right)) => Ok(Value::Double(left + right)),
        (Value::String(left), Value::String(right)) => {
            context.allocate(left.len() + right.len())?;
            Ok(Value::string([&**left, &**right].concat()))
        }
        (Value::Bytes(left), Value::Bytes(right)) => {
            context.allocate(left.len() + right.len())?;
            let joined = [&**left, &**right].concat();
            Ok(Value::Bytes(Shared::Owned(joined.into())))
        }
        (Value::List(left), Value::List(right)) => concatenate(context, left, right),
        (Value::Duration(left), Value::Duration(right)) => duration(left.checked_add(*right)),
        (Value::Timestamp(time), Value::Duration(nanos))
        | (Value::Duration(nanos), Value::Timestamp(time)) => timestamp(time.add(*nanos)),
        _ => Err(no_such_overload()),
    }
}

fn concatenate<'a>(context: &mut Context<'a>, left: &List<'a>, right: &List<'a>) -> Outcome<'a> {
    if left.len() == 0 {
        return Ok(Value::List(right.clone()));
    }
    if right.len() == 0 {
        return Ok(Value::List(left.clone()));
    }
    context.allocate_values(left.len().saturating_add(right.len()))?;
    Ok(Value::list(left.iter().chain(right.iter()).collect()))
}

fn subtract<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::Int(left), Value::Int(right)] => int(left.checked_sub(*right)),
        [Value::Uint(left), Value::Uint(right)] => uint(left.checked_sub(*right)),
        [Value::Double(left), Value::Double(right)] => Ok(Value::Double(left - right)),
        [Value::Duration(left), Value::Duration(right)] => duration(left.checked_sub(*right)),
        [Value::Timestamp(time), Value::Duration(nanos)] => {
            timestamp(nanos.checked_neg().and_then(|nanos| time.add(nanos)))
        }
        [Value::Timestamp(left), Value::Timestamp(right)] => duration(left.since(*right)),
        _ => Err(no_such_overload()),
    }
}

fn multiply<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::Int(left), Value::Int(right)] => int(left.checked_mul(*right)),
        [Value::Uint(left), Value::Uint(right)] => uint(left.checked_mul(*right)),
        [Value::Double(left), Value::Double(right)] => Ok(Value::Double(left * right)),
        _ => Err(no_such_overload()),
    }
}

fn divide<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::Int(_), Value::Int(0)] | [Value::Uint(_), Value::Uint(0)] => {
            Err(invalid("division by zero"))
        }
        [Value::Int(left), Value::Int(right)] => int(left.checked_div(*right)),
        [Value::Uint(left), Value::Uint(right)] => uint(left.checked_div(*right)),
        [Value::Double(left), Value::Double(right)] => Ok(Value::Double(left / right)),
        _ => Err(no_such_overload()),
    }
}

fn modulo<'a>(_: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [Value::Int(_), Value::Int(0)] | [Value::Uint(_), Value::Uint(0)] => {
            Err(invalid("modulus by zero"))
        }
        [Value::Int(left), Value::Int(right)] => int(left.checked_rem(*right)),
        [Value::Uint(left), Value::Uint(right)] => uint(left.checked_rem(*right)),
        _ => Err(no_such_overload()),
    }
}

/// The instruction of `<` and its kin knows what Kubernetes orders; the table
/// serves the relaxed dialect, where types may show at run time only.
fn relation<'a>(arguments: &[Value<'a>], holds: fn(Ordering) -> bool) -> Outcome<'a> {
    related(arguments, compare::order, holds)
}

/// Whether two values are in an order for which a relation holds.
pub(super) fn related<'a>(
    arguments: &[Value<'a>],
    order: fn(&Value<'a>, &Value<'a>) -> Result<Ordering, EvaluationError>,
    holds: fn(Ordering) -> bool,
) -> Outcome<'a> {
    let [left, right] = arguments else {
        return Err(no_such_overload());
    };
    Ok(Value::Bool(holds(order(left, right)?)))
}

fn contained<'a>(context: &mut Context<'a>, arguments: &[Value<'a>]) -> Outcome<'a> {
    match arguments {
        [value, Value::List(list)] => Ok(Value::Bool(list.iter().any(|element| {
            compare::strict_equality(value, &element, context) == compare::Equality::Same
        }))),
        [key, Value::Map(map @ Map::Entries(_))]
            if !key.is_hashable() && map.len(context.row) > 0 =>
        {
            Err(unhashable(key))
        }
        [key, Value::Map(map)] => {
            context.work(map.lookup_work(key))?;
            Ok(Value::Bool(map.contains(key, context.row)))
        }
        _ => Err(no_such_overload()),
    }
}
