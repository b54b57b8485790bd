//! From text to a syntax tree.
//!
//! The grammar is that of the `cel` crate, whose parser is the only part of it
//! in use. It recurses deeply, so it runs on a stack of its own, and its tree
//! is converted and dropped there.

mod convert;
mod macros;
mod tree;

use crate::CompileError;

pub(crate) use tree::{Element, Entry, Expr, ExprKind, Field, Literal, Loop, LoopKind};

/// Longest expression that Kubernetes accepts, in bytes
/// (resource/v1 `CELSelectorExpressionMaxLength`).
const MAX_LENGTH: usize = 10 * 1024;

/// Deepest nesting that the grammar of cel-go accepts.
const MAX_RECURSION: u16 = 249;

/// Parses an expression and expands its macros; needs a grown stack.
pub(crate) fn parse(source: &str) -> Result<Expr, CompileError> {
    if source.len() > MAX_LENGTH {
        return Err(CompileError::new(
            source,
            0..0,
            format!(
                "expected an expression of at most {MAX_LENGTH} bytes, not {}",
                source.len()
            ),
        ));
    }
    let parser = cel::Env::default()
        .parser()
        .enable_ident_escape_syntax(true)
        .max_recursion_depth(MAX_RECURSION);
    match parser.parse_with_source_info(source) {
        Ok((tree, positions)) => convert::convert(source, &positions, tree),
        Err(errors) => Err(syntax_error(source, &errors)),
    }
}

fn syntax_error(source: &str, errors: &cel::ParseErrors) -> CompileError {
    let Some(first) = errors.errors.first() else {
        return CompileError::new(source, 0..0, "syntax error");
    };
    let message = first.msg.lines().next().unwrap_or_default();
    let message = message.trim_end_matches('.');
    let message = message.strip_prefix("Syntax error: ").unwrap_or(message);
    // The parser shows its insides where it has no words.
    let message = if message.contains("Recursion limit") {
        "expected less nesting"
    } else if message.is_empty() || message.contains('{') {
        "expected an expression of CEL"
    } else {
        message
    };
    let start = offset(source, first.pos);
    CompileError::new(source, start..start, format!("syntax error: {message}"))
}

/// The byte at a line and a column, both counted from 1.
fn offset(source: &str, (line, column): (isize, isize)) -> usize {
    let line = usize::try_from(line - 1).unwrap_or(0);
    let column = usize::try_from(column - 1).unwrap_or(0);
    let start: usize = source.split_inclusive('\n').take(line).map(str::len).sum();
    let rest = &source[start..];
    rest.char_indices()
        .nth(column)
        .map_or(source.len(), |(index, _)| start + index)
}
