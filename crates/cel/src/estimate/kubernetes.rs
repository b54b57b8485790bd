//! The rules of Kubernetes, which go by the name of the function
//! (`apiserver/pkg/cel/library/cost.go`).

use super::calls::{Argument, Call, Estimate};
use super::language::search;
use super::size::{self, Size};
use crate::check::{CIDR, IP, QUANTITY, SEMVER, Type};
use crate::library::Pattern as P;
use crate::library::cost::{PATTERN, TRAVERSAL, scaled};

/// The minor version of Kubernetes from which on `includes` goes by the size
/// of its target; before, it counts as a visit of the longest list attribute.
const INCLUDES: u32 = 37;
const LIST_ATTRIBUTE: u64 = 48;

/// Longest address in bytes.
const ADDRESS: Size = Size { min: 4, max: 16 };

/// Longest text of a format, and of the pattern behind it.
const FORMAT: u64 = 64;
const FORMAT_PATTERN: f64 = 128.0;

pub(super) fn estimate(call: &Call<'_, '_>) -> Option<Estimate> {
    let first = call.arguments.first();
    match call.name {
        "check" => Some(Estimate::cost(350_000)),
        "fieldSelector" | "labelSelector" => match call.arguments {
            [selector] => Some(requirements(selector)),
            _ => None,
        },
        "isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf" => {
            call.target.map(|target| elements(call, target))
        }
        "includes" if call.minor < INCLUDES => Some(Estimate::cost(LIST_ATTRIBUTE)),
        "includes" => call.target.map(|target| elements(call, target)),
        "url" => match call.arguments {
            [text] => Some(same_size(text)),
            _ => None,
        },
        "lowerAscii" | "upperAscii" | "substring" | "trim" => call.target.map(same_size),
        "replace" => replace(call),
        "split" => call.target.map(|target| split(call, target)),
        "join" => call.target.map(|target| join(call, target)),
        "find" | "findAll" => {
            let text = call.target?.library_size();
            let cost = search(text, first?.library_size());
            Some(Estimate::sized(cost, Size::up_to(text.max)))
        }
        "ip" if matches!(call.signature, [P::Opaque(CIDR)]) => Some(Estimate::ONE),
        "ip" | "cidr" | "isIP" | "isCIDR" | "quantity" | "isQuantity" | "semver" | "isSemver" => {
            Some(Estimate::cost(first?.library_size().scaled(TRAVERSAL)))
        }
        "ip.isCanonical" => {
            let factor = 2.0 * TRAVERSAL;
            Some(Estimate::cost(first?.library_size().scaled(factor)))
        }
        "containsIP" => Some(Estimate::cost(
            compared_addresses().saturating_add(parsed_text(call, first?)),
        )),
        "containsCIDR" => {
            let masked = ADDRESS.scaled(TRAVERSAL) + 1;
            let cost = compared_addresses() + masked;
            Some(Estimate::cost(
                cost.saturating_add(parsed_text(call, first?)),
            ))
        }
        "validate" => {
            let text = first?.library_size().scaled(TRAVERSAL);
            Some(Estimate::cost(scaled(text, FORMAT_PATTERN * PATTERN)))
        }
        "_==_" => equality(call),
        _ => None,
    }
}

/// One traversal; the result is as large as the argument.
fn same_size(text: &Argument<'_>) -> Estimate {
    let size = text.library_size();
    Estimate::sized(size.scaled(TRAVERSAL), size)
}

/// A visit of every element, with a traversal where it is text.
fn elements(call: &Call<'_, '_>, target: &Argument<'_>) -> Estimate {
    let size = target.library_size();
    match target.element(call.record) {
        Some((Type::String | Type::Bytes, element)) => {
            let each = element.scaled(TRAVERSAL).saturating_add(1);
            Estimate::cost(size.max.saturating_mul(each))
        }
        Some(_) => Estimate::cost(size.max),
        None if call.name == "includes" => Estimate::cost(size.max),
        None => Estimate::cost(size.scaled(TRAVERSAL)),
    }
}

fn replace(call: &Call<'_, '_>) -> Option<Estimate> {
    let text = call.target?.library_size();
    let [from, to, ..] = call.arguments else {
        return None;
    };
    let (from, to) = (from.library_size(), to.library_size());
    let mut count = Size::fixed(0);
    let mut retained = Size::fixed(0);
    // The longest result: an empty text is found around every character, else
    // the shortest one is replaced as often as it fits.
    if from.min == 0 {
        count.max = text.max.saturating_add(1);
        retained.max = text.max;
    } else if to.max <= from.min {
        retained.max = text.max;
    } else {
        count.max = size::quotient(text.max, from.min);
    }
    // The shortest result, likewise.
    if from.max == 0 {
        count.min = text.min.saturating_add(1);
        retained.min = text.min;
    } else if from.max <= to.min {
        retained.min = text.min;
    } else {
        count.min = size::quotient(text.min, from.max);
    }
    let result = count.multiply(to).add(retained);
    Some(Estimate::sized(text.scaled(2.0 * TRAVERSAL), result))
}

fn split(call: &Call<'_, '_>, target: &Argument<'_>) -> Estimate {
    let text = target.library_size();
    let limit = call.arguments.get(1).and_then(Argument::literal_int);
    // A negative limit counts as a huge one.
    let parts = limit.map_or(text.max, i64::cast_unsigned);
    Estimate::sized(text.scaled(2.0 * TRAVERSAL), Size::up_to(parts))
}

fn join(call: &Call<'_, '_>, target: &Argument<'_>) -> Estimate {
    let list = target.library_size();
    let mut size = match target.element(call.record) {
        Some((_, element)) => list.multiply(element),
        None => Size::fixed(0),
    };
    if let Some(separator) = call.arguments.first() {
        let separators = Size {
            min: list.min.saturating_sub(1),
            max: list.max.saturating_sub(1),
        };
        size = size.add(separator.library_size().multiply(separators));
    }
    Estimate::sized(size.scaled(TRAVERSAL), size)
}

/// A selector of labels or fields is parsed into requirements.
fn requirements(selector: &Argument<'_>) -> Estimate {
    let size = selector.library_size();
    let parsed = size.scaled(TRAVERSAL);
    let made = scaled(size.scaled(0.5), 50.0);
    Estimate::cost(super::LIST.saturating_add(parsed).saturating_add(made))
}

fn compared_addresses() -> u64 {
    ADDRESS.add(ADDRESS).scaled(TRAVERSAL)
}

/// The cost of an address or a network that is given as text.
fn parsed_text(call: &Call<'_, '_>, argument: &Argument<'_>) -> u64 {
    match call.signature {
        [_, P::String] => argument.library_size().scaled(TRAVERSAL),
        _ => 0,
    }
}

fn equality(call: &Call<'_, '_>) -> Option<Estimate> {
    let [left, right] = call.arguments else {
        return None;
    };
    let (Type::Opaque(name), Type::Opaque(other)) =
        (left.type_of(call.record), right.type_of(call.record))
    else {
        return None;
    };
    if name != other {
        return None;
    }
    match *name {
        IP | CIDR | QUANTITY | SEMVER => Some(Estimate::ONE),
        "kubernetes.NamedFormat" => Some(Estimate::cost(scaled(FORMAT, TRAVERSAL))),
        "kubernetes.URL" => {
            // Upstream takes the right side for both.
            let size = right.known_size().unwrap_or(Size::ONE);
            Some(Estimate::cost(size.scaled(TRAVERSAL)))
        }
        _ => None,
    }
}
