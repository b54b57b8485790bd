//! From text to a syntax tree.
//!
//! The grammar, its limits and the macros are those of cel-go 0.29 as
//! Kubernetes configures it: with optional syntax and, since 1.37, escaped
//! field names.

mod lexer;
mod limits;
mod literal;
mod macros;
mod outline;
mod parser;
mod token;
mod tree;

use crate::options::Language;
use crate::{CompileError, stack};

pub use outline::{Outline, outline};
pub(crate) use tree::{Element, Entry, Expr, ExprKind, Field, Literal, Loop, LoopKind};

/// Parses an expression and expands its macros.
pub(crate) fn parse(source: &str, language: Language) -> Result<Expr, CompileError> {
    if source.len() > limits::LENGTH {
        let message = format!(
            "expected an expression of at most {} bytes, not {}",
            limits::LENGTH,
            source.len()
        );
        return Err(CompileError::new(source, 0..0, message));
    }
    let lexed = lexer::lex(source, language);
    let nesting = lexed.nesting;
    let parser = parser::Parser::new(source, lexed, language);
    // Only brackets make the parser recurse.
    stack::for_depth(nesting, || parser.whole())
}
