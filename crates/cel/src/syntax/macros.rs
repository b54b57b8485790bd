//! Macros: calls that are rewritten as they are parsed.

use std::ops::Range;

use super::parser::{Parsed, Parser};
use super::tree::{Expr, ExprKind, Loop, LoopKind};
use crate::library::LISTS;

/// A call as it is written.
pub(super) struct Call<'c> {
    pub(super) span: Range<usize>,
    pub(super) function: &'c str,
    pub(super) target: Option<Expr>,
    pub(super) arguments: Vec<Expr>,
}

/// Expands a call whose name, style and number of arguments are those of a
/// macro; makes a node of any other call.
#[inline(never)]
pub(super) fn expand(parser: &mut Parser<'_>, call: Call<'_>) -> Parsed {
    let Call {
        span,
        function,
        target,
        arguments,
    } = call;
    let count = arguments.len();
    let Some(target) = target else {
        if function == "has" && count == 1 {
            return has(parser, span, arguments);
        }
        return plain(parser, span, function, None, arguments);
    };
    if let Some((kind, variables)) = loop_kind(function, count) {
        let shape = Shape {
            kind,
            variables,
            is_filter: function == "filter",
        };
        return expand_loop(parser, span, shape, target, arguments);
    }
    match (function, count) {
        ("bind", 3) if matches!(&target.kind, ExprKind::Ident(name) if name == "cel") => {
            bind(parser, span, arguments)
        }
        ("optMap" | "optFlatMap", 2) => {
            let flat = function == "optFlatMap";
            optional_map(parser, span, target, arguments, flat)
        }
        ("sortBy", 2) if parser.language.has_library_of(LISTS) => {
            sort_by(parser, span, target, arguments)
        }
        _ => plain(parser, span, function, Some(target), arguments),
    }
}

fn plain(
    parser: &mut Parser<'_>,
    span: Range<usize>,
    function: &str,
    target: Option<Expr>,
    arguments: Vec<Expr>,
) -> Parsed {
    // Only calls of methods nest for cel-go.
    let weight = usize::from(target.is_some());
    let kind = ExprKind::Call {
        function: function.to_owned(),
        target: target.map(Box::new),
        arguments,
    };
    parser.node(span, weight, kind)
}

/// The loop that a receiver macro stands for, and how many variables it binds.
fn loop_kind(name: &str, count: usize) -> Option<(LoopKind, usize)> {
    Some(match (name, count) {
        ("all", 2) => (LoopKind::All, 1),
        ("exists", 2) => (LoopKind::Exists, 1),
        ("exists_one", 2) => (LoopKind::ExistsOne, 1),
        ("map", 2 | 3) | ("filter", 2) => (LoopKind::List, 1),
        ("all", 3) => (LoopKind::All, 2),
        ("exists", 3) => (LoopKind::Exists, 2),
        ("exists_one" | "existsOne", 3) => (LoopKind::ExistsOne, 2),
        ("transformList", 3 | 4) => (LoopKind::List, 2),
        ("transformMap", 3 | 4) => (LoopKind::Map, 2),
        ("transformMapEntry", 3 | 4) => (LoopKind::Entries, 2),
        _ => return None,
    })
}

#[derive(Clone, Copy)]
struct Shape {
    kind: LoopKind,
    variables: usize,
    is_filter: bool,
}

fn expand_loop(
    parser: &mut Parser<'_>,
    span: Range<usize>,
    shape: Shape,
    range: Expr,
    arguments: Vec<Expr>,
) -> Parsed {
    let mut arguments = arguments.into_iter();
    let (variable, place) = loop_variable(parser, &span, arguments.next())?;
    let second = if shape.variables == 2 {
        let (second, place) = loop_variable(parser, &span, arguments.next())?;
        if second == variable {
            let message =
                format!("expected another name than that of the first variable, found `{second}`");
            return Err(parser.error(place, message));
        }
        Some(second)
    } else {
        None
    };
    let mut rest: Vec<Expr> = arguments.collect();
    let body = argument(parser, &span, rest.pop())?;
    let (filter, body) = if shape.is_filter {
        let element = parser.node(place, 0, ExprKind::Ident(variable.clone()))?;
        (Some(body), element)
    } else {
        (rest.pop(), body)
    };
    let kind = ExprKind::Loop(Box::new(Loop {
        kind: shape.kind,
        range,
        variable,
        second,
        filter,
        body,
    }));
    parser.node(span, 1, kind)
}

fn has(parser: &mut Parser<'_>, span: Range<usize>, arguments: Vec<Expr>) -> Parsed {
    let selection = argument(parser, &span, arguments.into_iter().next())?;
    // A test of a test is the same test.
    let ExprKind::Select { operand, field, .. } = selection.kind else {
        let message = "expected a selection of a field like `has(a.b)`";
        let hint = index_hint(parser, &selection);
        return Err(parser.error(selection.span, message).with_hints(hint));
    };
    let kind = ExprKind::Select {
        operand,
        field,
        test: true,
    };
    parser.node(span, 1, kind)
}

/// What to write in place of `has(map["key"])`.
fn index_hint(parser: &Parser<'_>, selection: &Expr) -> Option<String> {
    match &selection.kind {
        ExprKind::Call {
            function,
            target: None,
            arguments,
        } if function == "_[_]" => match arguments.as_slice() {
            [map, key] => {
                let (map, key) = (parser.source_of(map), parser.source_of(key));
                Some(format!("write `{key} in {map}`"))
            }
            _ => None,
        },
        _ => None,
    }
}

fn bind(parser: &mut Parser<'_>, span: Range<usize>, arguments: Vec<Expr>) -> Parsed {
    let mut arguments = arguments.into_iter();
    let (variable, _) = variable(parser, &span, arguments.next())?;
    let value = Box::new(argument(parser, &span, arguments.next())?);
    let body = Box::new(argument(parser, &span, arguments.next())?);
    let kind = ExprKind::Bind {
        variable,
        value,
        body,
    };
    parser.node(span, 1, kind)
}

fn optional_map(
    parser: &mut Parser<'_>,
    span: Range<usize>,
    target: Expr,
    arguments: Vec<Expr>,
    flat: bool,
) -> Parsed {
    let mut arguments = arguments.into_iter();
    let (variable, _) = variable(parser, &span, arguments.next())?;
    let body = Box::new(argument(parser, &span, arguments.next())?);
    let kind = ExprKind::OptionalMap {
        target: Box::new(target),
        variable,
        body,
        flat,
    };
    parser.node(span, 1, kind)
}

/// `list.sortBy(x, key)`: binds the list, maps it to keys, sorts it by them.
fn sort_by(
    parser: &mut Parser<'_>,
    span: Range<usize>,
    target: Expr,
    arguments: Vec<Expr>,
) -> Parsed {
    // A name that no expression can contain.
    const INPUT: &str = "@sort_input";
    if matches!(
        target.kind,
        ExprKind::Literal(_) | ExprKind::Map(_) | ExprKind::Struct { .. }
    ) {
        return Err(parser.error(target.span, "expected a list before `sortBy`"));
    }
    let place = target.span.clone();
    let mut arguments = arguments.into_iter();
    let (variable, _) = loop_variable(parser, &span, arguments.next())?;
    let key = argument(parser, &span, arguments.next())?;
    let range = parser.node(place.clone(), 0, ExprKind::Ident(INPUT.to_owned()))?;
    let keys = ExprKind::Loop(Box::new(Loop {
        kind: LoopKind::List,
        range,
        variable,
        second: None,
        filter: None,
        body: key,
    }));
    let keys = parser.node(span.clone(), 0, keys)?;
    let input = parser.node(place, 0, ExprKind::Ident(INPUT.to_owned()))?;
    let sort = ExprKind::Call {
        function: "@sortByAssociatedKeys".to_owned(),
        target: Some(Box::new(input)),
        arguments: vec![keys],
    };
    let body = Box::new(parser.node(span.clone(), 0, sort)?);
    let kind = ExprKind::Bind {
        variable: INPUT.to_owned(),
        value: Box::new(target),
        body,
    };
    parser.node(span, 1, kind)
}

/// The next argument, which the number of arguments promises.
fn argument(parser: &Parser<'_>, span: &Range<usize>, argument: Option<Expr>) -> Parsed {
    argument.ok_or_else(|| parser.error(span.clone(), "expected more arguments"))
}

/// The name that an argument declares, and where it does.
fn variable(
    parser: &Parser<'_>,
    span: &Range<usize>,
    name: Option<Expr>,
) -> Parsed<(String, Range<usize>)> {
    let name = argument(parser, span, name)?;
    match name.kind {
        ExprKind::Ident(variable) => Ok((variable, name.span)),
        _ => Err(parser.error(name.span, "expected the name of a variable")),
    }
}

/// The name of a variable of a loop; one name was cel-go's own once.
fn loop_variable(
    parser: &Parser<'_>,
    span: &Range<usize>,
    name: Option<Expr>,
) -> Parsed<(String, Range<usize>)> {
    let (variable, place) = variable(parser, span, name)?;
    if variable == "__result__" {
        let message = "expected the name of a variable, found the reserved name `__result__`";
        return Err(parser.error(place, message));
    }
    Ok((variable, place))
}
