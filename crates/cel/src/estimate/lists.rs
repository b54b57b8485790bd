//! The rules of cel-go's libraries for lists and sets (`ext/lists.go`, `ext/sets.go`).

use super::calls::{Call, Estimate};
use super::size::Size;
use crate::library::Pattern as P;
use crate::library::cost::{TRAVERSAL, scaled};

pub(super) fn estimate(call: &Call<'_, '_>) -> Option<Estimate> {
    match (call.name, call.target, call.arguments) {
        ("sets.contains" | "sets.intersects", None, [left, right]) => {
            let pairs = left.library_size().multiply(right.library_size());
            Some(Estimate::cost(pairs.scaled(1.0).saturating_add(1)))
        }
        ("sets.equivalent", None, [left, right]) => {
            let pairs = left.library_size().multiply(right.library_size());
            Some(Estimate::cost(pairs.scaled(2.0).saturating_add(1)))
        }
        ("slice", Some(target), [start, end]) => {
            let start = start.literal_int().map_or(0, not_negative);
            let end = end
                .literal_int()
                .map_or(target.library_size().max, not_negative);
            // Wraps where the end is before the start, as upstream.
            Some(list_made(Size::fixed(end.wrapping_sub(start)), 1.0))
        }
        ("lists.range", None, [count]) => {
            let count = count.literal_int().map_or(u64::MAX, not_negative);
            Some(list_made(Size::fixed(count), 1.0))
        }
        ("flatten", Some(target), depth) => {
            let depth = match depth {
                [] => 1,
                [depth, ..] => depth.literal_int().map_or(u64::MAX, not_negative),
            };
            Some(list_made(target.library_size(), as_factor(depth)))
        }
        ("reverse", Some(target), []) => match call.signature {
            [P::List(_)] => Some(list_made(target.library_size(), 1.0)),
            _ => None,
        },
        ("distinct", Some(target), []) => Some(pairs_made(target.library_size(), 2.0)),
        ("sort", Some(target), []) => {
            let factor = comparison_factor(call.signature.first());
            Some(pairs_made(target.library_size(), factor))
        }
        ("@sortByAssociatedKeys", Some(_), [keys]) => {
            let factor = comparison_factor(call.signature.get(1));
            Some(pairs_made(keys.library_size(), factor))
        }
        _ => None,
    }
}

fn not_negative(value: i64) -> u64 {
    u64::try_from(value).unwrap_or(0)
}

#[expect(clippy::cast_precision_loss, reason = "as upstream")]
fn as_factor(depth: u64) -> f64 {
    depth as f64
}

/// The cost of two comparisons of elements of a list.
fn comparison_factor(list: Option<&P>) -> f64 {
    match list {
        Some(P::List(P::String | P::Bytes)) => 2.0 + TRAVERSAL,
        _ => 2.0,
    }
}

/// A list of this size is built.
fn list_made(size: Size, factor: f64) -> Estimate {
    let cost = scaled(size.max, factor).saturating_add(1 + super::LIST);
    Estimate::sized(cost, size)
}

/// Every element is compared with every other; the result counts as that large.
fn pairs_made(size: Size, factor: f64) -> Estimate {
    list_made(size.multiply(size), factor)
}
