//! From the tree of the `cel` crate to ours.

use std::ops::Range;

use cel::common::ast::{self, EntryExpr, IdedExpr, LiteralValue, SourceInfo, operators};

use super::macros;
use super::tree::{Element, Entry, Expr, ExprKind, Field, Literal};
use crate::CompileError;

/// Deepest tree that is compiled. Long chains of operators or selections are
/// deep trees; what the grammar's own limit lets through stays below, save
/// for chains inside parentheses inside chains.
const MAX_DEPTH: usize = 300;

/// Converts a tree, expanding macros on the way.
pub(crate) fn convert(
    source: &str,
    positions: &SourceInfo,
    tree: IdedExpr,
) -> Result<Expr, CompileError> {
    let mut characters: Vec<usize> = source.char_indices().map(|(index, _)| index).collect();
    characters.push(source.len());
    let mut converter = Converter {
        source,
        positions,
        characters,
        next: 0,
    };
    converter.expr(tree, 0)
}

pub(super) struct Converter<'a> {
    source: &'a str,
    positions: &'a SourceInfo,
    /// Byte offset of every character: the parser counts in characters.
    characters: Vec<usize>,
    next: usize,
}

impl Converter<'_> {
    /// Makes a node with an id of its own.
    pub(super) fn node(&mut self, span: Range<usize>, kind: ExprKind) -> Expr {
        self.next += 1;
        Expr {
            id: self.next - 1,
            span,
            kind,
        }
    }

    pub(super) fn error(&self, span: Range<usize>, message: impl Into<String>) -> CompileError {
        CompileError::new(self.source, span, message)
    }

    pub(super) fn span(&self, id: u64) -> Range<usize> {
        let (start, stop) = self.positions.offset_for(id).unwrap_or((0, 0));
        let byte = |index: usize| {
            let last = self.characters.len() - 1;
            self.characters[index.min(last)]
        };
        let start = usize::try_from(start).unwrap_or(0);
        let stop = usize::try_from(stop).unwrap_or(0);
        byte(start)..byte(stop + 1).max(byte(start))
    }

    pub(super) fn boxed(
        &mut self,
        tree: IdedExpr,
        depth: usize,
    ) -> Result<Box<Expr>, CompileError> {
        self.expr(tree, depth).map(Box::new)
    }

    pub(super) fn expr(&mut self, tree: IdedExpr, depth: usize) -> Result<Expr, CompileError> {
        let span = self.span(tree.id);
        if depth > MAX_DEPTH {
            return Err(self.error(
                span,
                format!("expression is nested deeper than {MAX_DEPTH}"),
            ));
        }
        let depth = depth + 1;
        let kind = match tree.expr {
            ast::Expr::Unspecified => return Err(self.error(span, "syntax error")),
            ast::Expr::Comprehension(_) => {
                return Err(self.error(span, "unexpected comprehension"));
            }
            ast::Expr::Ident(name) => ExprKind::Ident(name),
            ast::Expr::Literal(literal) => ExprKind::Literal(convert_literal(literal)),
            ast::Expr::Select(select) => ExprKind::Select {
                operand: self.boxed(*select.operand, depth)?,
                field: select.field,
                test: select.test,
            },
            ast::Expr::Struct(message) => {
                let mut fields = Vec::with_capacity(message.entries.len());
                for entry in message.entries {
                    let EntryExpr::StructField(field) = entry.expr else {
                        return Err(self.error(span, "expected a field of a message"));
                    };
                    fields.push(Field {
                        name: field.field,
                        value: self.expr(field.value, depth)?,
                        optional: field.optional,
                    });
                }
                ExprKind::Struct {
                    name: message.type_name,
                    fields,
                }
            }
            ast::Expr::List(list) => {
                let mut elements = Vec::with_capacity(list.elements.len());
                for (index, element) in list.elements.into_iter().enumerate() {
                    elements.push(Element {
                        value: self.expr(element, depth)?,
                        optional: list.optional_indices.contains(&index),
                    });
                }
                ExprKind::List(elements)
            }
            ast::Expr::Map(map) => {
                let mut entries = Vec::with_capacity(map.entries.len());
                for entry in map.entries {
                    let EntryExpr::MapEntry(entry) = entry.expr else {
                        return Err(self.error(span, "expected a map entry"));
                    };
                    entries.push(Entry {
                        key: self.expr(entry.key, depth)?,
                        value: self.expr(entry.value, depth)?,
                        optional: entry.optional,
                    });
                }
                ExprKind::Map(entries)
            }
            ast::Expr::Call(call) => return self.call(span, call, depth),
        };
        Ok(self.node(span, kind))
    }

    fn call(
        &mut self,
        span: Range<usize>,
        call: ast::CallExpr,
        depth: usize,
    ) -> Result<Expr, CompileError> {
        let call = match macros::expand(self, span.clone(), call, depth)? {
            macros::Expansion::Done(expr) => return Ok(expr),
            macros::Expansion::Declined(call) => call,
        };
        if call.func_name == operators::OPT_SELECT {
            return self.optional_select(span, call, depth);
        }
        let target = match call.target {
            Some(target) => Some(self.boxed(*target, depth)?),
            None => None,
        };
        let mut arguments = Vec::with_capacity(call.args.len());
        for argument in call.args {
            arguments.push(self.expr(argument, depth)?);
        }
        let kind = ExprKind::Call {
            function: call.func_name,
            target,
            arguments,
        };
        Ok(self.node(span, kind))
    }

    fn optional_select(
        &mut self,
        span: Range<usize>,
        call: ast::CallExpr,
        depth: usize,
    ) -> Result<Expr, CompileError> {
        let mut arguments = call.args.into_iter();
        let (Some(operand), Some(field)) = (arguments.next(), arguments.next()) else {
            return Err(self.error(span, "expected an operand and a field name"));
        };
        let ast::Expr::Literal(LiteralValue::String(field)) = field.expr else {
            return Err(self.error(span, "expected a field name after `.?`"));
        };
        let operand = self.boxed(operand, depth)?;
        let kind = ExprKind::OptionalSelect {
            operand,
            field: field.inner().to_owned(),
        };
        Ok(self.node(span, kind))
    }
}

fn convert_literal(literal: LiteralValue) -> Literal {
    match literal {
        LiteralValue::Null => Literal::Null,
        LiteralValue::Boolean(value) => Literal::Bool(*value.inner()),
        LiteralValue::Int(value) => Literal::Int(*value.inner()),
        LiteralValue::UInt(value) => Literal::Uint(*value.inner()),
        LiteralValue::Double(value) => Literal::Double(*value.inner()),
        LiteralValue::String(value) => Literal::String(value.inner().to_owned()),
        LiteralValue::Bytes(value) => Literal::Bytes(value.inner().to_vec()),
    }
}
