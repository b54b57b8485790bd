//! From tokens to a syntax tree, by the grammar of cel-go 0.29.
//!
//! Operators are parsed by climbing their precedence. Rules are entered as
//! cel-go's generated parser enters them, since it limits how often.

mod balance;
mod literals;
mod members;
mod operators;

use std::ops::Range;

use super::lexer::Lexed;
use super::limits::{NESTING, Rules};
use super::token::{Token, TokenKind};
use super::tree::{Expr, ExprKind};
use crate::CompileError;
use crate::options::Language;

pub(super) type Parsed<T = Expr> = Result<T, CompileError>;

pub(super) struct Parser<'s> {
    source: &'s str,
    lexed: Lexed,
    position: usize,
    next_id: usize,
    rules: Rules,
    pub(super) language: Language,
}

impl<'s> Parser<'s> {
    pub(super) fn new(source: &'s str, lexed: Lexed, language: Language) -> Self {
        Self {
            source,
            lexed,
            position: 0,
            next_id: 0,
            rules: Rules::default(),
            language,
        }
    }

    /// Parses all tokens as one expression.
    pub(super) fn whole(mut self) -> Parsed {
        let tree = self.expression()?;
        if self.kind() == TokenKind::End {
            return Ok(tree);
        }
        Err(self.unexpected("an operator or the end of the expression"))
    }

    fn at(&self, position: usize) -> Token {
        let end = self.source.len();
        self.lexed.tokens.get(position).copied().unwrap_or(Token {
            kind: TokenKind::End,
            start: end,
            end,
        })
    }

    fn token(&self) -> Token {
        self.at(self.position)
    }

    fn kind(&self) -> TokenKind {
        self.token().kind
    }

    fn advance(&mut self) -> Token {
        let token = self.token();
        self.position += 1;
        token
    }

    /// Takes the token if it is of this kind.
    fn eat(&mut self, kind: TokenKind) -> bool {
        let is_found = self.kind() == kind;
        self.position += usize::from(is_found);
        is_found
    }

    /// Where the token that was taken last ends.
    fn end(&self) -> usize {
        self.at(self.position.saturating_sub(1)).end
    }

    fn text(&self, token: Token) -> &'s str {
        self.source.get(token.span()).unwrap_or_default()
    }

    pub(super) fn error(&self, span: Range<usize>, message: impl Into<String>) -> CompileError {
        CompileError::new(self.source, span, message)
    }

    /// The error of a token where only `expected` can be.
    fn unexpected(&mut self, expected: &str) -> CompileError {
        let token = self.token();
        if token.kind == TokenKind::Fault
            && let Some(fault) = self.lexed.fault.take()
        {
            return fault;
        }
        let found = token.describe(self.source);
        self.error(token.span(), format!("expected {expected}, found {found}"))
            .with_hints(self.operator_hint(token))
    }

    /// What to write in place of the words that other languages have.
    fn operator_hint(&self, token: Token) -> Option<String> {
        let operator = match (token.kind, self.text(token)) {
            (TokenKind::Ident, "and") => "&&",
            (TokenKind::Ident, "or") => "||",
            _ => {
                let before = self.at(self.position.checked_sub(1)?);
                if before.kind != TokenKind::Ident || self.text(before) != "not" {
                    return None;
                }
                "!"
            }
        };
        Some(format!("write `{operator}`"))
    }

    /// The source of an expression.
    pub(super) fn source_of(&self, expr: &Expr) -> &'s str {
        self.source.get(expr.span.clone()).unwrap_or_default()
    }

    fn too_deep(&self, span: Range<usize>) -> CompileError {
        let message = format!("expected at most {NESTING} levels of nesting, found more");
        self.error(span, message)
    }

    /// Checks the limits after a rule was entered once more.
    fn check_rules(&self) -> Parsed<()> {
        if self.rules.is_exceeded() {
            return Err(self.too_deep(self.token().span()));
        }
        Ok(())
    }

    /// Makes a node; `weight` is the nesting that cel-go counts for it.
    pub(super) fn node(&mut self, span: Range<usize>, weight: usize, kind: ExprKind) -> Parsed {
        let (mut depth, mut nesting) = (0, 0);
        kind.for_each_child(|child| {
            depth = depth.max(child.depth);
            nesting = nesting.max(child.nesting);
        });
        nesting += weight;
        if nesting > NESTING {
            return Err(self.too_deep(span));
        }
        self.next_id += 1;
        Ok(Expr {
            id: self.next_id - 1,
            span,
            kind,
            depth: depth + 1,
            nesting,
        })
    }

    /// Makes the node of an operator.
    #[inline(never)]
    fn operation(
        &mut self,
        span: Range<usize>,
        weight: usize,
        function: &str,
        operands: Vec<Expr>,
    ) -> Parsed {
        let kind = ExprKind::Call {
            function: function.to_owned(),
            target: None,
            arguments: operands,
        };
        self.node(span, weight, kind)
    }
}
