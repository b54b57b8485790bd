//! Format strings that are known before evaluation.
//!
//! Where a literal is formatted with the elements of a list literal, what
//! `format` would complain about at run time is an error of compilation.

use std::ops::Range;

use super::Checker;
use super::types::Type;
use crate::CompileError;
use crate::library::{Piece, Pieces, Verb};
use crate::syntax::{Expr, ExprKind, Literal};

/// A format string with its arguments, to be looked at once types are known.
pub(super) struct FormatCall {
    text: String,
    span: Range<usize>,
    arguments: Vec<Argument>,
}

struct Argument {
    found: Type,
    span: Range<usize>,
    /// Elements, or keys and values, of a literal.
    parts: Vec<Argument>,
}

impl Checker<'_> {
    /// Remembers a call of `format` if its format string is known.
    pub(super) fn note_format(&mut self, expr: &Expr, target: &Expr, arguments: &[Expr]) {
        let ExprKind::Literal(Literal::String(text)) = &target.kind else {
            return;
        };
        let [list] = arguments else {
            return;
        };
        let ExprKind::List(_) = &list.kind else {
            return;
        };
        let call = FormatCall {
            text: text.clone(),
            span: expr.span.clone(),
            arguments: self.parts(list),
        };
        self.formats.push(call);
    }

    fn argument(&self, expr: &Expr) -> Argument {
        Argument {
            found: self.elements.get(&expr.id).cloned().unwrap_or(Type::Dyn),
            span: expr.span.clone(),
            parts: self.parts(expr),
        }
    }

    fn parts(&self, literal: &Expr) -> Vec<Argument> {
        match &literal.kind {
            ExprKind::List(elements) => elements
                .iter()
                .map(|element| self.argument(&element.value))
                .collect(),
            ExprKind::Map(entries) => entries
                .iter()
                .flat_map(|entry| [&entry.key, &entry.value])
                .map(|part| self.argument(part))
                .collect(),
            _ => Vec::new(),
        }
    }

    pub(super) fn check_formats(&self) -> Result<(), CompileError> {
        self.formats
            .iter()
            .try_for_each(|call| self.check_format(call))
    }

    fn check_format(&self, call: &FormatCall) -> Result<(), CompileError> {
        let error = |span: &Range<usize>, message: String| {
            CompileError::new(self.source, span.clone(), message)
        };
        let mut pieces = Pieces::new(&call.text, call.arguments.len());
        while let Some(piece) = pieces
            .next()
            .map_err(|message| error(&call.span, message))?
        {
            let Piece::Clause(verb, _) = piece else {
                continue;
            };
            let Some(argument) = call.arguments.get(pieces.used() - 1) else {
                continue;
            };
            if let Some(wrong) = self.unsuitable(verb, argument) {
                let found = self.substitution.finish(&wrong.found);
                let message = format!("{}, not `{found}`", verb.expectation());
                return Err(error(&wrong.span, message));
            }
        }
        let (used, given) = (pieces.used(), call.arguments.len());
        if given > used {
            let message = format!("too many arguments of `format`: expected {used}, not {given}");
            return Err(error(&call.span, message));
        }
        Ok(())
    }

    /// Returns the part of an argument that a clause cannot write.
    fn unsuitable<'t>(&self, verb: Verb, argument: &'t Argument) -> Option<&'t Argument> {
        let found = self.substitution.finish(&argument.found);
        let found = found.unwrapped();
        let suits = match verb {
            Verb::String => matches!(
                found,
                Type::Dyn
                    | Type::List(_)
                    | Type::Map(..)
                    | Type::Int
                    | Type::Uint
                    | Type::Double
                    | Type::Bool
                    | Type::String
                    | Type::Timestamp
                    | Type::Bytes
                    | Type::Duration
                    | Type::Meta(_)
                    | Type::Null
            ),
            Verb::Decimal | Verb::Octal => matches!(found, Type::Dyn | Type::Int | Type::Uint),
            Verb::Fixed | Verb::Scientific => {
                matches!(found, Type::Dyn | Type::Double | Type::String)
            }
            Verb::Binary => matches!(found, Type::Dyn | Type::Int | Type::Uint | Type::Bool),
            Verb::Hexadecimal | Verb::UpperHexadecimal => matches!(
                found,
                Type::Dyn | Type::Int | Type::Uint | Type::String | Type::Bytes
            ),
        };
        if !suits {
            return Some(argument);
        }
        match verb {
            Verb::String => argument
                .parts
                .iter()
                .find_map(|part| self.unsuitable(verb, part)),
            _ => None,
        }
    }
}
