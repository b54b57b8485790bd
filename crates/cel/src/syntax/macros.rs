//! Macros: calls that are rewritten before anything is checked.

use std::ops::Range;

use cel::common::ast::{CallExpr, Expr as ParsedExpr, IdedExpr};

use super::convert::Converter;
use super::tree::{Expr, ExprKind, Loop, LoopKind};
use crate::CompileError;

pub(super) enum Expansion {
    Done(Expr),
    /// Not a macro: the call as it was written.
    Declined(CallExpr),
}

/// Expands a call whose name, style and number of arguments are those of a macro.
pub(super) fn expand(
    converter: &mut Converter<'_>,
    span: Range<usize>,
    mut call: CallExpr,
    depth: usize,
) -> Result<Expansion, CompileError> {
    let name = call.func_name.as_str();
    let count = call.args.len();
    let Some(target) = call.target.take() else {
        if name == "has" && count == 1 {
            return has(converter, span, call, depth).map(Expansion::Done);
        }
        return Ok(Expansion::Declined(call));
    };
    if let Some((kind, variables)) = loop_kind(name, count) {
        let shape = Shape {
            kind,
            variables,
            is_filter: name == "filter",
        };
        return expand_loop(converter, span, shape, *target, call.args, depth).map(Expansion::Done);
    }
    let done = match (name, count) {
        ("bind", 3) if matches!(&target.expr, ParsedExpr::Ident(name) if name == "cel") => {
            bind(converter, span, call.args, depth)
        }
        ("optMap" | "optFlatMap", 2) => {
            let flat = name == "optFlatMap";
            optional_map(converter, span, *target, call.args, flat, depth)
        }
        ("sortBy", 2) => sort_by(converter, span, *target, call.args, depth),
        _ => {
            call.target = Some(target);
            return Ok(Expansion::Declined(call));
        }
    };
    done.map(Expansion::Done)
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
    converter: &mut Converter<'_>,
    span: Range<usize>,
    shape: Shape,
    target: IdedExpr,
    arguments: Vec<IdedExpr>,
    depth: usize,
) -> Result<Expr, CompileError> {
    let mut arguments = arguments.into_iter();
    let variable = variable(converter, &span, arguments.next())?;
    let second = if shape.variables == 2 {
        let second = self::variable(converter, &span, arguments.next())?;
        if second == variable {
            return Err(converter.error(span, format!("variable `{second}` is named twice")));
        }
        Some(second)
    } else {
        None
    };
    let range = converter.expr(target, depth)?;
    let mut rest = arguments.collect::<Vec<_>>();
    let body = rest.pop();
    let filter = match rest.pop() {
        Some(filter) => Some(converter.expr(filter, depth)?),
        None => None,
    };
    let Some(body) = body else {
        return Err(converter.error(span, "expected an expression to evaluate"));
    };
    let body = converter.expr(body, depth)?;
    let (filter, body) = if shape.is_filter {
        let element = converter.node(span.clone(), ExprKind::Ident(variable.clone()));
        (Some(body), element)
    } else {
        (filter, body)
    };
    let kind = ExprKind::Loop(Box::new(Loop {
        kind: shape.kind,
        range,
        variable,
        second,
        filter,
        body,
    }));
    Ok(converter.node(span, kind))
}

fn has(
    converter: &mut Converter<'_>,
    span: Range<usize>,
    call: CallExpr,
    depth: usize,
) -> Result<Expr, CompileError> {
    match call.args.into_iter().next().map(|argument| argument.expr) {
        Some(ParsedExpr::Select(select)) => {
            let operand = converter.boxed(*select.operand, depth)?;
            let kind = ExprKind::Select {
                operand,
                field: select.field,
                test: true,
            };
            Ok(converter.node(span, kind))
        }
        _ => Err(converter.error(span, "expected a field selection in `has`, like `has(a.b)`")),
    }
}

fn bind(
    converter: &mut Converter<'_>,
    span: Range<usize>,
    arguments: Vec<IdedExpr>,
    depth: usize,
) -> Result<Expr, CompileError> {
    let mut arguments = arguments.into_iter();
    let variable = variable(converter, &span, arguments.next())?;
    let (Some(value), Some(body)) = (arguments.next(), arguments.next()) else {
        return Err(converter.error(span, "expected a variable, a value and an expression"));
    };
    let kind = ExprKind::Bind {
        variable,
        value: converter.boxed(value, depth)?,
        body: converter.boxed(body, depth)?,
    };
    Ok(converter.node(span, kind))
}

fn optional_map(
    converter: &mut Converter<'_>,
    span: Range<usize>,
    target: IdedExpr,
    arguments: Vec<IdedExpr>,
    flat: bool,
    depth: usize,
) -> Result<Expr, CompileError> {
    let mut arguments = arguments.into_iter();
    let variable = variable(converter, &span, arguments.next())?;
    let Some(body) = arguments.next() else {
        return Err(converter.error(span, "expected a variable and an expression"));
    };
    let kind = ExprKind::OptionalMap {
        target: converter.boxed(target, depth)?,
        variable,
        body: converter.boxed(body, depth)?,
        flat,
    };
    Ok(converter.node(span, kind))
}

/// `list.sortBy(x, key)`: binds the list, maps it to keys, sorts it by them.
fn sort_by(
    converter: &mut Converter<'_>,
    span: Range<usize>,
    target: IdedExpr,
    arguments: Vec<IdedExpr>,
    depth: usize,
) -> Result<Expr, CompileError> {
    // A name that no expression can contain.
    const INPUT: &str = "@sort_input";
    if !matches!(
        target.expr,
        ParsedExpr::List(_) | ParsedExpr::Select(_) | ParsedExpr::Ident(_) | ParsedExpr::Call(_)
    ) {
        return Err(converter.error(span, "expected a list before `sortBy`"));
    }
    let mut arguments = arguments.into_iter();
    let variable = variable(converter, &span, arguments.next())?;
    let Some(key) = arguments.next() else {
        return Err(converter.error(span, "expected a variable and a key"));
    };
    let value = converter.boxed(target, depth)?;
    let key = converter.expr(key, depth)?;
    let input = |converter: &mut Converter<'_>| {
        converter.node(span.clone(), ExprKind::Ident(INPUT.to_owned()))
    };
    let range = input(converter);
    let keys = ExprKind::Loop(Box::new(Loop {
        kind: LoopKind::List,
        range,
        variable,
        second: None,
        filter: None,
        body: key,
    }));
    let keys = converter.node(span.clone(), keys);
    let target = Some(Box::new(input(converter)));
    let sort = ExprKind::Call {
        function: "@sortByAssociatedKeys".to_owned(),
        target,
        arguments: vec![keys],
    };
    let body = Box::new(converter.node(span.clone(), sort));
    let bind = ExprKind::Bind {
        variable: INPUT.to_owned(),
        value,
        body,
    };
    Ok(converter.node(span, bind))
}

fn variable(
    converter: &Converter<'_>,
    span: &Range<usize>,
    argument: Option<IdedExpr>,
) -> Result<String, CompileError> {
    let Some(argument) = argument else {
        return Err(converter.error(span.clone(), "expected a variable name"));
    };
    match argument.expr {
        ParsedExpr::Ident(name) if name == "__result__" => Err(converter.error(
            converter.span(argument.id),
            "variable name `__result__` is reserved",
        )),
        ParsedExpr::Ident(name) => Ok(name),
        _ => Err(converter.error(
            converter.span(argument.id),
            "expected a simple variable name",
        )),
    }
}
