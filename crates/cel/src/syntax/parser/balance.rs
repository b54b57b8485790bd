//! Chains of `&&` and `||` as trees of little depth.

use std::ops::Range;

use super::{Parsed, Parser};
use crate::syntax::tree::Expr;

/// An operand with its bytes, parentheses included.
pub(super) struct Term {
    pub(super) span: Range<usize>,
    pub(super) expr: Expr,
}

/// Makes the tree that cel-go makes, whose shape shows in costs.
pub(super) fn balanced(parser: &mut Parser<'_>, function: &str, terms: Vec<Term>) -> Parsed {
    let operators = terms.len().saturating_sub(1);
    let mut terms = terms.into_iter();
    if operators == 0 {
        return missing(parser, terms.next()).map(|term| term.expr);
    }
    subtree(parser, function, &mut terms, 0, operators - 1).map(|term| term.expr)
}

/// Joins the terms around the operators `low` to `high`. Terms are used up
/// from left to right, so the next one is always the right one.
fn subtree(
    parser: &mut Parser<'_>,
    function: &str,
    terms: &mut impl Iterator<Item = Term>,
    low: usize,
    high: usize,
) -> Parsed<Term> {
    let middle = (low + high).div_ceil(2);
    let left = if middle == low {
        missing(parser, terms.next())?
    } else {
        subtree(parser, function, terms, low, middle - 1)?
    };
    let right = if middle == high {
        missing(parser, terms.next())?
    } else {
        subtree(parser, function, terms, middle + 1, high)?
    };
    let span = left.span.start..right.span.end;
    let expr = parser.operation(span.clone(), 0, function, [left.expr, right.expr])?;
    Ok(Term { span, expr })
}

fn missing(parser: &Parser<'_>, term: Option<Term>) -> Parsed<Term> {
    term.ok_or_else(|| parser.error(0..0, "expected one more term than operators"))
}
