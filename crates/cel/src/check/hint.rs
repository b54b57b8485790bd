//! What to write instead, for the slips that people make.

use std::ops::Range;

use super::environment::MULTIPLE_ALLOCATIONS;
use super::types::{QUANTITY, SEMVER, Type};
use crate::library::{self, functions};
use crate::nearest::nearest;
use crate::options::{Language, Options};
use crate::syntax::{Expr, ExprKind, Literal};
use crate::{Quantity, Semver};

const DEVICE_FIELDS: [&str; 4] = [MULTIPLE_ALLOCATIONS, "attributes", "capacity", "driver"];

/// What to do about elements of different types.
pub(super) const MIXED_LITERAL: &str =
    "the elements of a literal are of one type; `dyn(…)` around each makes them so";

/// Says how to write a call that no signature fits.
pub(super) fn for_types(source: &str, expr: &Expr, types: &[Type]) -> Option<String> {
    let ExprKind::Call {
        function,
        target,
        arguments,
    } = &expr.kind
    else {
        return None;
    };
    let operands: Vec<&Expr> = target.as_deref().into_iter().chain(arguments).collect();
    if let Some(hint) = operands.iter().find_map(|operand| missing_domain(operand)) {
        return Some(hint);
    }
    let ([left, right], [left_type, right_type]) = (operands.as_slice(), types) else {
        return None;
    };
    let operands = [(*left, left_type), (*right, right_type)];
    match function.as_str() {
        "_<_" => order(source, operands, "<"),
        "_<=_" => order(source, operands, "<="),
        "_>_" => order(source, operands, ">"),
        "_>=_" => order(source, operands, ">="),
        "_==_" => equality(source, operands, "=="),
        "_!=_" => equality(source, operands, "!="),
        "compareTo" | "isGreaterThan" | "isLessThan" => {
            let constructor = constructor(left_type)?;
            let right = as_opaque(source, operands[1], constructor)?;
            let left = primary(source, left);
            Some(format!("write `{left}.{function}({right})`"))
        }
        "_[_]" if *left_type == Type::Device => match &right.kind {
            ExprKind::Literal(Literal::String(field)) => Some(format!("write `device.{field}`")),
            _ => None,
        },
        _ => None,
    }
}

type Operands<'e> = [(&'e Expr, &'e Type); 2];

/// The function that makes values of a type without operators of its own.
fn constructor(found: &Type) -> Option<&'static str> {
    match found {
        Type::Opaque(QUANTITY) => Some("quantity"),
        Type::Opaque(SEMVER) => Some("semver"),
        _ => None,
    }
}

fn constructor_of_either(operands: Operands<'_>) -> Option<&'static str> {
    operands.iter().find_map(|(_, found)| constructor(found))
}

/// Quantities and versions have methods in place of the operators of order.
fn order(source: &str, operands: Operands<'_>, operator: &str) -> Option<String> {
    let constructor = constructor_of_either(operands)?;
    let attribute = operands.iter().find(|(expr, found)| {
        matches!(found, Type::Dyn | Type::Any) && is_attribute(source, &expr.span)
    });
    if constructor == "quantity"
        && let Some((expr, _)) = attribute
    {
        let capacity = text(source, expr).replacen("device.attributes", "device.capacity", 1);
        return Some(format!(
            "quantities are published as capacity, compared by `compareTo`: \
             `{capacity}.compareTo(…) {operator} 0`"
        ));
    }
    let [left, right] = operands.map(|operand| as_opaque(source, operand, constructor));
    let (left, right) = (left?, right?);
    Some(format!(
        "{} compared by `compareTo`, `isGreaterThan` and `isLessThan`: \
         `{left}.compareTo({right}) {operator} 0`",
        if constructor == "quantity" {
            "quantities such as capacity are"
        } else {
            "versions are"
        },
    ))
}

fn equality(source: &str, operands: Operands<'_>, operator: &str) -> Option<String> {
    if let Some(constructor) = constructor_of_either(operands) {
        let [left, right] = operands.map(|operand| as_opaque(source, operand, constructor));
        return Some(format!("write `{} {operator} {}`", left?, right?));
    }
    let is_number = |found: &Type| matches!(found, Type::Int | Type::Uint | Type::Double);
    if operands.iter().all(|(_, found)| is_number(found)) {
        let (expr, _) = operands.iter().find(|(_, found)| **found != Type::Double)?;
        return Some(format!(
            "numbers of different types are equal to nothing: convert one, such as by `double({})`",
            text(source, expr)
        ));
    }
    None
}

/// An operand, wrapped in the constructor if it is a literal of another type
/// that the constructor takes.
fn as_opaque(source: &str, operand: (&Expr, &Type), constructor: &str) -> Option<String> {
    let (expr, found) = operand;
    let is_valid = |text: &str| match constructor {
        "quantity" => Quantity::parse(text).is_ok(),
        _ => Semver::parse(text).is_ok(),
    };
    match (&expr.kind, found) {
        (ExprKind::Literal(Literal::String(text)), _) => {
            is_valid(text).then(|| format!("{constructor}({})", self::text(source, expr)))
        }
        (ExprKind::Literal(Literal::Int(_)), _) if constructor == "quantity" => {
            Some(format!("quantity(\"{}\")", text(source, expr)))
        }
        (_, Type::Opaque(_) | Type::Dyn | Type::Any) => Some(primary(source, expr)),
        _ => None,
    }
}

/// The text of an expression, in parentheses unless a selection may follow it.
fn primary(source: &str, expr: &Expr) -> String {
    let text = text(source, expr);
    let binds_loosely = match &expr.kind {
        ExprKind::Call { function, .. } => {
            function.starts_with(['_', '!', '-', '@'])
                && !matches!(function.as_str(), "_[_]" | "_[?_]")
        }
        _ => false,
    };
    if binds_loosely {
        format!("({text})")
    } else {
        text.to_owned()
    }
}

/// Says where the domain goes, if an expression is `device.attributes` or
/// `device.capacity` with a name in its place.
fn missing_domain(expr: &Expr) -> Option<String> {
    let (map, key) = match &expr.kind {
        ExprKind::Select {
            operand,
            field,
            test: false,
        } => (&**operand, field),
        ExprKind::Call {
            function,
            target: None,
            arguments,
        } if function == "_[_]" => match arguments.as_slice() {
            [map, key] => match &key.kind {
                ExprKind::Literal(Literal::String(key)) => (map, key),
                _ => return None,
            },
            _ => return None,
        },
        _ => return None,
    };
    let ExprKind::Select { operand, field, .. } = &map.kind else {
        return None;
    };
    let is_device = matches!(&operand.kind, ExprKind::Ident(name) if name == "device");
    if !is_device || !matches!(field.as_str(), "attributes" | "capacity") {
        return None;
    }
    Some(match key.rsplit_once('/') {
        Some((domain, name)) => {
            format!(
                "the domain and the name are two keys: `device.{field}[\"{domain}\"][\"{name}\"]`"
            )
        }
        None => format!(
            "names are in the domain of their driver, unless they have one of their own: \
             `device.{field}[\"<driver>\"][\"{key}\"]`"
        ),
    })
}

fn text<'s>(source: &'s str, expr: &Expr) -> &'s str {
    source.get(expr.span.clone()).unwrap_or_default()
}

fn is_attribute(source: &str, span: &Range<usize>) -> bool {
    source
        .get(span.clone())
        .is_some_and(|text| text.starts_with("device.attributes"))
}

/// Says what `device` has in place of a field that it does not have.
pub(super) fn for_field(field: &str, language: Language) -> String {
    if field == MULTIPLE_ALLOCATIONS {
        return "new expressions may use it where `DRAConsumableCapacity` is on".to_owned();
    }
    let fields = if language.has_multiple_allocations() {
        "`device` has `driver`, `attributes`, `capacity` and `allowMultipleAllocations`"
    } else {
        "`device` has `driver`, `attributes` and `capacity`"
    };
    if field == "name" {
        return format!("{fields}; selectors cannot ask for the name");
    }
    match nearest(field, DEVICE_FIELDS) {
        Some(near) => format!("did you mean `device.{near}`?"),
        None => fields.to_owned(),
    }
}

/// Says what may have been meant by a name that is not declared.
pub(super) fn for_name(name: &str) -> Option<String> {
    match nearest(name, DEVICE_FIELDS) {
        Some(field) => Some(format!("did you mean `device.{field}`?")),
        None => Some(name.to_ascii_lowercase())
            .filter(|lower| lower != name && matches!(lower.as_str(), "true" | "false" | "null"))
            .map(|lower| format!("did you mean `{lower}`?")),
    }
}

/// Says what may have been meant by a function that is not declared.
pub(super) fn for_function(name: &str, language: Language) -> Option<String> {
    if name == "not" {
        return Some("write `!`".to_owned());
    }
    let is_known = |language| functions(name, language).next().is_some();
    let since = |language: Language| {
        let mut newer = language.minor + 1..=Options::NEWEST_MINOR;
        newer.find(|minor| is_known(language.of_minor(*minor)))
    };
    if is_known(language.with_list_attributes()) {
        return Some("new expressions may use it where `DRAListTypeAttributes` is on".to_owned());
    }
    if is_known(language.stored()) {
        let minor = since(language)?;
        return Some(format!(
            "new expressions may use it since Kubernetes 1.{minor}"
        ));
    }
    if let Some(minor) = since(language.stored()) {
        return Some(format!("Kubernetes knows it since 1.{minor}"));
    }
    let near = nearest(name, library::names(language))?;
    Some(format!("did you mean `{near}`?"))
}

/// Says how a function is called that was called in the other style.
pub(super) fn for_style(name: &str, member: bool, language: Language) -> Option<String> {
    let mut candidates = functions(name, language);
    if candidates.any(|function| function.member == member) {
        return None;
    }
    Some(if member {
        format!("it is called as `{name}(x)`")
    } else {
        format!("it is called as `x.{name}()`")
    })
}
