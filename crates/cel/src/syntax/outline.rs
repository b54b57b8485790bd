//! Syntax trees as text, for tests and fuzzing.

use std::fmt::Write as _;
use std::ops::Range;

use super::tree::{Expr, ExprKind, Literal};
use crate::{CompileError, Options, stack};

/// What the parser makes of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// The tree in prefix notation, with macros expanded.
    pub text: String,
    /// The bytes of every node, parents after their children.
    pub spans: Vec<Range<usize>>,
}

/// Parses an expression and shows the tree.
///
/// # Errors
/// Fails on bad syntax.
pub fn outline(source: &str) -> Result<Outline, CompileError> {
    let tree = super::parse(source, Options::selector().language)?;
    Ok(stack::for_depth(tree.depth, move || {
        let mut text = String::new();
        write_expr(&mut text, &tree);
        let mut spans = Vec::new();
        collect_spans(&mut spans, &tree);
        Outline { text, spans }
    }))
}

fn collect_spans(spans: &mut Vec<Range<usize>>, expr: &Expr) {
    expr.kind
        .for_each_child(|child| collect_spans(spans, child));
    spans.push(expr.span.clone());
}

fn write_expr(text: &mut String, expr: &Expr) {
    match &expr.kind {
        ExprKind::Literal(literal) => write_literal(text, literal),
        ExprKind::Ident(name) => text.push_str(name),
        ExprKind::Select {
            operand,
            field,
            test,
        } => {
            let name = if *test { "has" } else { "select" };
            write_list(text, &[name], &[operand], &[field]);
        }
        ExprKind::OptionalSelect { operand, field } => {
            write_list(text, &["select?"], &[operand], &[field]);
        }
        ExprKind::Call {
            function,
            target,
            arguments,
        } => {
            let method = format!(".{function}");
            let name = if target.is_some() { &method } else { function };
            let operands: Vec<&Expr> = target.as_deref().into_iter().chain(arguments).collect();
            write_list(text, &[name], &operands, &[]);
        }
        ExprKind::List(elements) => {
            text.push('[');
            for (index, element) in elements.iter().enumerate() {
                separate(text, index, element.optional);
                write_expr(text, &element.value);
            }
            text.push(']');
        }
        ExprKind::Map(entries) => {
            text.push('{');
            for (index, entry) in entries.iter().enumerate() {
                separate(text, index, entry.optional);
                write_expr(text, &entry.key);
                text.push_str(": ");
                write_expr(text, &entry.value);
            }
            text.push('}');
        }
        ExprKind::Struct { name, fields } => {
            text.push_str(name);
            text.push('{');
            for (index, field) in fields.iter().enumerate() {
                separate(text, index, field.optional);
                text.push_str(&field.name);
                text.push_str(": ");
                write_expr(text, &field.value);
            }
            text.push('}');
        }
        ExprKind::Loop(parts) => {
            let kind = format!("loop {:?}", parts.kind);
            let mut names = vec![kind.as_str(), &parts.variable];
            names.extend(parts.second.as_deref());
            let mut operands = vec![&parts.range];
            operands.extend(&parts.filter);
            operands.push(&parts.body);
            write_list(text, &names, &operands, &[]);
        }
        ExprKind::Bind {
            variable,
            value,
            body,
        } => write_list(text, &["bind", variable], &[value, body], &[]),
        ExprKind::OptionalMap {
            target,
            variable,
            body,
            flat,
        } => {
            let name = if *flat { "optFlatMap" } else { "optMap" };
            write_list(text, &[name, variable], &[target, body], &[]);
        }
    }
}

fn separate(text: &mut String, index: usize, optional: bool) {
    if index > 0 {
        text.push_str(", ");
    }
    if optional {
        text.push('?');
    }
}

fn write_list(text: &mut String, names: &[&str], operands: &[&Expr], fields: &[&str]) {
    text.push('(');
    text.push_str(&names.join(" "));
    for operand in operands {
        text.push(' ');
        write_expr(text, operand);
    }
    for field in fields {
        text.push(' ');
        text.push_str(field);
    }
    text.push(')');
}

fn write_literal(text: &mut String, literal: &Literal) {
    // Writing to a string does not fail.
    let _ = match literal {
        Literal::Null => write!(text, "null"),
        Literal::Bool(value) => write!(text, "{value}"),
        Literal::Int(value) => write!(text, "{value}"),
        Literal::Uint(value) => write!(text, "{value}u"),
        Literal::Double(value) => write!(text, "{value:?}"),
        Literal::String(value) => write!(text, "{value:?}"),
        Literal::Bytes(value) => write!(text, "b\"{}\"", value.escape_ascii()),
    };
}
