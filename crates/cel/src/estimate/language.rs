//! The rules of cel-go for the functions of the language (`checker/cost.go`).

use super::calls::{Call, Estimate};
use super::size::Size;
use crate::library::cost::{PATTERN, TRAVERSAL};
use crate::library::{CEL_GO_29, Pattern as P};

pub(super) fn estimate(call: &Call<'_, '_>) -> Option<Estimate> {
    match (call.name, call.signature, call.target, call.arguments) {
        ("format", [P::String, ..], Some(target), _) => {
            Some(Estimate::cost(target.size().scaled(TRAVERSAL)))
        }
        ("bytes", [P::String], None, [text]) => {
            let size = text.size();
            let result = Size {
                min: size.min,
                max: size.max.wrapping_mul(4),
            };
            Some(Estimate::sized(size.scaled(TRAVERSAL), result))
        }
        ("string", [P::Bytes], None, [bytes]) => {
            let size = bytes.size();
            let result = Size {
                min: size.min / 4,
                max: size.max,
            };
            Some(Estimate::sized(size.scaled(TRAVERSAL), result))
        }
        ("strings.quote", _, None, [text]) => {
            let size = text.size();
            let result = Size {
                min: size.min.wrapping_add(2),
                max: size.max.wrapping_mul(2).wrapping_add(2),
            };
            Some(Estimate::sized(size.scaled(TRAVERSAL), result))
        }
        ("startsWith" | "endsWith", _, Some(_), [part]) => {
            Some(Estimate::cost(part.size().scaled(TRAVERSAL)))
        }
        ("@in", [_, P::List(_)], None, [_, list]) => Some(Estimate::cost(list.size().scaled(1.0))),
        ("matches", _, Some(text), [pattern]) => {
            Some(Estimate::cost(search(text.size(), pattern.size())))
        }
        ("matches", _, None, [text, pattern]) if call.minor >= CEL_GO_29 => {
            Some(Estimate::cost(search(text.size(), pattern.size())))
        }
        ("contains", [P::String, _], Some(text), [part]) => {
            let text = text.size().scaled(TRAVERSAL);
            let part = part.size().scaled(TRAVERSAL);
            Some(Estimate::cost(text.saturating_mul(part)))
        }
        ("_+_", [P::List(_), _], None, [left, right]) => {
            Some(Estimate::sized(1, left.size().add(right.size())))
        }
        ("_+_", [P::String | P::Bytes, _], None, [left, right]) => {
            let size = left.size().add(right.size());
            Some(Estimate::sized(size.scaled(TRAVERSAL), size))
        }
        ("_<_" | "_<=_" | "_>_" | "_>=_", [P::String | P::Bytes, _], None, [left, right])
        | ("_==_" | "_!=_", _, None, [left, right]) => {
            let smaller = Size::up_to(left.size().max.min(right.size().max));
            Some(Estimate::cost(smaller.scaled(TRAVERSAL)))
        }
        _ => None,
    }
}

/// A search for a pattern: one is added to the text, lest an empty one costs
/// nothing.
pub(super) fn search(text: Size, pattern: Size) -> u64 {
    let text = text.add(Size::ONE).scaled(TRAVERSAL);
    text.saturating_mul(pattern.scaled(PATTERN))
}
