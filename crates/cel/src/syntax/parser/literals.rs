//! Literals as nodes.

use super::{Parsed, Parser};
use crate::syntax::literal;
use crate::syntax::token::{Token, TokenKind, shorten};
use crate::syntax::tree::{ExprKind, Literal};

impl Parser<'_> {
    /// Whether here is a minus right before a number that may be negative.
    pub(super) fn is_negative_number(&self) -> bool {
        self.kind() == TokenKind::Minus
            && matches!(
                self.at(self.position + 1).kind,
                TokenKind::Int | TokenKind::Double
            )
    }

    /// A literal, whose number may have a minus.
    #[inline(never)]
    pub(super) fn literal(&mut self) -> Parsed {
        let start = self.token().start;
        let is_negative = self.is_negative_number();
        self.position += usize::from(is_negative);
        let token = self.token();
        let text = self.text(token);
        let literal = match token.kind {
            TokenKind::Int => literal::int(text, is_negative).map(Literal::Int),
            TokenKind::Uint => literal::uint(text).map(Literal::Uint),
            TokenKind::Double => literal::double(text, is_negative).map(Literal::Double),
            TokenKind::String => Some(Literal::String(literal::string(text))),
            TokenKind::Bytes => Some(Literal::Bytes(literal::bytes(text))),
            TokenKind::True => Some(Literal::Bool(true)),
            TokenKind::False => Some(Literal::Bool(false)),
            TokenKind::Null => Some(Literal::Null),
            _ => return Err(self.unexpected("an expression")),
        };
        let Some(literal) = literal else {
            return Err(self.out_of_range(start, token));
        };
        self.position += 1;
        self.node(start..token.end, 0, ExprKind::Literal(literal))
    }

    fn out_of_range(&self, start: usize, token: Token) -> crate::CompileError {
        let range = match token.kind {
            TokenKind::Uint => "an unsigned integer of 64 bits",
            TokenKind::Double => "a double of 64 bits",
            _ => "an integer of 64 bits",
        };
        // There may be lines between the minus and the number.
        let sign = if start < token.start { "-" } else { "" };
        let digits = shorten(self.text(token));
        let message = format!("expected {range}, found `{sign}{digits}`");
        self.error(start..token.end, message)
    }
}
