//! Equality and order of values.

use std::cmp::Ordering;
use std::sync::Arc;

use super::value::{List, Map, Value};
use super::{Context, invalid, no_such_overload};
use crate::EvaluationError;

/// What a comparison for equality says; some types cannot be compared with others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Equality {
    Same,
    Different,
    Undefined,
}

impl Equality {
    fn of(same: bool) -> Self {
        if same { Self::Same } else { Self::Different }
    }
}

/// Equality in which null is different from everything else.
pub(crate) fn equality<'a>(left: &Value<'a>, right: &Value<'a>, context: &Context<'a>) -> Equality {
    match (left, right) {
        (Value::Null, Value::Null) => Equality::Same,
        (Value::Null, _) | (_, Value::Null) => Equality::Different,
        _ => strict_equality(left, right, context),
    }
}

/// Equality as the type of `left` defines it.
pub(crate) fn strict_equality<'a>(
    left: &Value<'a>,
    right: &Value<'a>,
    context: &Context<'a>,
) -> Equality {
    if !context.step() {
        return Equality::Undefined;
    }
    let same = match (left, right) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::String(left), Value::String(right)) => **left == **right,
        (Value::Bytes(left), Value::Bytes(right)) => **left == **right,
        (Value::Duration(left), Value::Duration(right)) => left == right,
        (Value::Timestamp(left), Value::Timestamp(right)) => left == right,
        (Value::Type(left), Value::Type(right)) => left == right,
        (
            Value::Quantity { quantity, .. },
            Value::Quantity {
                quantity: other,
                computed: false,
            },
        ) => **quantity == **other,
        (Value::Version(left), Value::Version(right)) => **left == **right,
        (Value::Ip(left), Value::Ip(right)) => left == right,
        (Value::Cidr(left), Value::Cidr(right)) => left == right,
        (Value::Url(left), Value::Url(right)) => left.to_bytes() == right.to_bytes(),
        (Value::Format(left), Value::Format(right)) => left.name == right.name,
        (
            Value::Quantity { .. }
            | Value::Version(_)
            | Value::Ip(_)
            | Value::Cidr(_)
            | Value::Url(_)
            | Value::Format(_)
            | Value::Unconvertible,
            _,
        )
        | (_, Value::Unconvertible) => {
            return Equality::Undefined;
        }
        (Value::List(left), Value::List(right)) => same_lists(left, right, context),
        (Value::Map(left), Value::Map(right)) => same_maps(left, right, context),
        (Value::Optional(left), Value::Optional(right)) => match (left, right) {
            (Some(left), Some(right)) => return strict_equality(left, right, context),
            (left, right) => left.is_none() && right.is_none(),
        },
        _ => number_order(left, right) == Some(Ordering::Equal),
    };
    Equality::of(same)
}

/// Elements that cannot be compared count as the same, as in cel-go.
fn same_lists<'a>(left: &List<'a>, right: &List<'a>, context: &Context<'a>) -> bool {
    if let (List::Values(left), List::Values(right)) = (left, right) {
        return left.len() == right.len()
            && left
                .iter()
                .zip(right.iter())
                .all(|(left, right)| equality(left, right, context) != Equality::Different);
    }
    left.len() == right.len()
        && left
            .iter()
            .zip(right.iter())
            .all(|(left, right)| equality(&left, &right, context) != Equality::Different)
}

fn same_maps<'a>(left: &Map<'a>, right: &Map<'a>, context: &Context<'a>) -> bool {
    if let (Map::Entries(left), Map::Entries(right)) = (left, right) {
        return left.len() == right.len()
            && left.iter().all(|(key, left)| {
                entry(right, key)
                    .is_some_and(|right| equality(left, right, context) != Equality::Different)
            });
    }
    left.len(context.row) == right.len(context.row)
        && left.keys(context.row).iter().all(|key| {
            let (Some(left), Some(right)) =
                (left.find(key, context.row), right.find(key, context.row))
            else {
                return false;
            };
            equality(&left, &right, context) != Equality::Different
        })
}

/// Order as `<` and its kin see it.
pub(crate) fn order(left: &Value<'_>, right: &Value<'_>) -> Result<Ordering, EvaluationError> {
    match (left, right) {
        (Value::Bool(left), Value::Bool(right)) => Ok(left.cmp(right)),
        (Value::String(left), Value::String(right)) => Ok(left.as_bytes().cmp(right.as_bytes())),
        (Value::Bytes(left), Value::Bytes(right)) => Ok((**left).cmp(&**right)),
        (Value::Duration(left), Value::Duration(right)) => Ok(left.cmp(right)),
        (Value::Timestamp(left), Value::Timestamp(right)) => Ok(left.cmp(right)),
        _ if is_number(left) && is_number(right) => {
            number_order(left, right).ok_or_else(|| invalid("NaN values cannot be ordered"))
        }
        _ => Err(no_such_overload()),
    }
}

fn is_number(value: &Value<'_>) -> bool {
    matches!(value, Value::Int(_) | Value::Uint(_) | Value::Double(_))
}

/// Order of two numbers; none if one is no number or not a number.
fn number_order(left: &Value<'_>, right: &Value<'_>) -> Option<Ordering> {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => Some(left.cmp(right)),
        (Value::Uint(left), Value::Uint(right)) => Some(left.cmp(right)),
        (Value::Int(left), Value::Uint(right)) => Some(int_uint_order(*left, *right)),
        (Value::Uint(left), Value::Int(right)) => Some(int_uint_order(*right, *left).reverse()),
        (Value::Double(left), Value::Double(right)) => left.partial_cmp(right),
        (Value::Double(left), Value::Int(right)) => left.partial_cmp(&int_to_double(*right)),
        (Value::Double(left), Value::Uint(right)) => left.partial_cmp(&uint_to_double(*right)),
        (Value::Int(left), Value::Double(right)) => int_to_double(*left).partial_cmp(right),
        (Value::Uint(left), Value::Double(right)) => uint_to_double(*left).partial_cmp(right),
        _ => None,
    }
}

fn int_uint_order(left: i64, right: u64) -> Ordering {
    match u64::try_from(left) {
        Ok(left) => left.cmp(&right),
        Err(_) => Ordering::Less,
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "CEL converts to the nearest double"
)]
pub(crate) fn int_to_double(value: i64) -> f64 {
    value as f64
}

#[expect(
    clippy::cast_precision_loss,
    reason = "CEL converts to the nearest double"
)]
pub(crate) fn uint_to_double(value: u64) -> f64 {
    value as f64
}

/// Finds the value of a key among sorted entries. Integers of either sort are
/// one key where they are the same number.
pub(crate) fn entry<'e, 'a>(
    entries: &'e [(Value<'a>, Value<'a>)],
    key: &Value<'a>,
) -> Option<&'e Value<'a>> {
    if rank(key) == OBJECTS {
        let mut objects = entries.iter().rev();
        let found = objects.find(|(candidate, _)| is_same_key(candidate, key))?;
        return Some(&found.1);
    }
    let index = entries
        .binary_search_by(|(candidate, _)| key_order(candidate, key))
        .ok()?;
    entries
        .get(index)
        .filter(|(candidate, _)| is_same_key(candidate, key))
        .map(|(_, value)| value)
}

/// Whether two map keys are the same key: in Go, the same scalar or the same
/// object in memory.
pub(crate) fn is_same_key(left: &Value<'_>, right: &Value<'_>) -> bool {
    match (left, right) {
        (Value::Bool(left), Value::Bool(right)) => left == right,
        (Value::String(left), Value::String(right)) => **left == **right,
        (Value::Duration(left), Value::Duration(right)) => left == right,
        (Value::Timestamp(left), Value::Timestamp(right)) => {
            left == right && left.offset == right.offset && is_one_zone(left.offset)
        }
        (Value::Type(left), Value::Type(right)) => left == right,
        (Value::Ip(left), Value::Ip(right)) => left == right,
        (Value::Cidr(left), Value::Cidr(right)) => left == right,
        (Value::List(List::Values(left)), Value::List(List::Values(right))) => {
            left.is_same_object(right)
        }
        (Value::Map(Map::Entries(left)), Value::Map(Map::Entries(right))) => {
            left.is_same_object(right)
        }
        (
            Value::Quantity { quantity: left, .. },
            Value::Quantity {
                quantity: right, ..
            },
        ) => left.is_same_object(right),
        (Value::Optional(None), Value::Optional(None)) => true,
        (Value::Url(left), Value::Url(right)) => Arc::ptr_eq(left, right),
        _ => number_order(left, right) == Some(Ordering::Equal),
    }
}

/// Whether Go keeps one object for all zones with an offset.
fn is_one_zone(offset: i64) -> bool {
    const HOUR: i64 = 3600;
    offset % HOUR == 0 && offset.abs() <= 12 * HOUR
}

/// The order in which loops visit map keys: by type, then by value.
pub(crate) fn key_order(left: &Value<'_>, right: &Value<'_>) -> Ordering {
    rank(left).cmp(&rank(right)).then_with(|| {
        match (left, right) {
            (Value::Type(left), Value::Type(right)) => return left.cmp(right),
            (Value::Ip(left), Value::Ip(right)) => return left.cmp(right),
            (Value::Cidr(left), Value::Cidr(right)) => {
                return (left.address, left.bits).cmp(&(right.address, right.bits));
            }
            _ => {}
        }
        exact_order(left, right).unwrap_or_else(|| order(left, right).unwrap_or(Ordering::Equal))
    })
}

/// Whether a map key has an order among others in which equal ones are the
/// same: objects have none.
pub(crate) fn has_order(key: &Value<'_>) -> bool {
    rank(key) != OBJECTS && is_same_key(key, key)
}

/// The rank of keys that have no order among themselves.
const OBJECTS: u8 = 8;

fn rank(key: &Value<'_>) -> u8 {
    match key {
        Value::Bool(_) => 0,
        Value::Int(_) | Value::Uint(_) | Value::Double(_) => 1,
        Value::String(_) => 2,
        Value::Duration(_) => 3,
        Value::Timestamp(_) => 4,
        Value::Type(_) => 5,
        Value::Ip(_) => 6,
        Value::Cidr(_) => 7,
        _ => OBJECTS,
    }
}

/// Order of two numbers of which one is a double at least, without rounding;
/// what is not a number comes last. Sorting needs an order without cycles.
fn exact_order(left: &Value<'_>, right: &Value<'_>) -> Option<Ordering> {
    let whole = |value: &Value<'_>| match value {
        Value::Int(value) => Some(i128::from(*value)),
        Value::Uint(value) => Some(i128::from(*value)),
        _ => None,
    };
    match (left, right) {
        (Value::Double(left), Value::Double(right)) => Some(
            left.partial_cmp(right)
                .unwrap_or_else(|| left.is_nan().cmp(&right.is_nan())),
        ),
        (Value::Double(left), right) => Some(double_order(*left, whole(right)?)),
        (left, Value::Double(right)) => Some(double_order(*right, whole(left)?).reverse()),
        _ => None,
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "doubles beyond integers saturate on the right side of them"
)]
fn double_order(left: f64, right: i128) -> Ordering {
    if left.is_nan() {
        return Ordering::Greater;
    }
    (left.floor() as i128)
        .cmp(&right)
        .then(if left > left.floor() {
            Ordering::Greater
        } else {
            Ordering::Equal
        })
}
