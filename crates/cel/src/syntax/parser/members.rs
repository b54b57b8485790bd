//! Names, calls, selections, and what stands in brackets.

use super::{Parsed, Parser};
use crate::syntax::macros::{self, Call};
use crate::syntax::token::TokenKind;
use crate::syntax::tree::{Element, Entry, Expr, ExprKind, Field};

/// Names of fields, methods and messages, but not of variables and functions.
const RESERVED: &[&str] = &[
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "let",
    "loop",
    "namespace",
    "package",
    "return",
    "var",
    "void",
    "while",
];

impl<'s> Parser<'s> {
    /// An operand and what is selected from it, indexed in it, called on it.
    pub(super) fn member(&mut self) -> Parsed {
        let start = self.token().start;
        let mut operand = self.primary()?;
        loop {
            operand = match self.kind() {
                TokenKind::Dot => self.selection(start, operand)?,
                TokenKind::OpenBracket => self.index(start, operand)?,
                _ => return Ok(operand),
            };
        }
    }

    fn selection(&mut self, start: usize, operand: Expr) -> Parsed {
        self.position += 1;
        let optional = self.eat(TokenKind::Question);
        let name = self.token();
        let field = self.field_name("a field name")?;
        if !optional && name.kind == TokenKind::Ident && self.kind() == TokenKind::OpenParen {
            return self.call(start, field, Some(operand));
        }
        let (operand, field) = (Box::new(operand), field.to_owned());
        let kind = if optional {
            ExprKind::OptionalSelect { operand, field }
        } else {
            ExprKind::Select {
                operand,
                field,
                test: false,
            }
        };
        self.node(start..self.end(), 1, kind)
    }

    /// The name of a field, without backticks.
    fn field_name(&mut self, expected: &str) -> Parsed<&'s str> {
        let token = self.token();
        let text = self.text(token);
        let name = match token.kind {
            TokenKind::Ident => text,
            TokenKind::EscapedIdent => text.trim_matches('`'),
            _ => return Err(self.unexpected(expected)),
        };
        self.position += 1;
        Ok(name)
    }

    fn index(&mut self, start: usize, operand: Expr) -> Parsed {
        self.position += 1;
        let function = if self.eat(TokenKind::Question) {
            "_[?_]"
        } else {
            "_[_]"
        };
        let index = self.expression()?;
        self.close(TokenKind::CloseBracket, "an operator or `]`")?;
        self.operation(start..self.end(), 1, function, [operand, index])
    }

    fn close(&mut self, kind: TokenKind, expected: &str) -> Parsed<()> {
        if self.eat(kind) {
            return Ok(());
        }
        Err(self.unexpected(expected))
    }

    fn primary(&mut self) -> Parsed {
        match self.kind() {
            TokenKind::Ident | TokenKind::Dot => self.name(),
            TokenKind::OpenParen => {
                self.position += 1;
                let inner = self.expression()?;
                self.close(TokenKind::CloseParen, "an operator or `)`")?;
                Ok(inner)
            }
            TokenKind::OpenBracket => self.list(),
            TokenKind::OpenBrace => self.map(),
            _ => self.literal(),
        }
    }

    /// A variable, a call of a function or a message literal.
    fn name(&mut self) -> Parsed {
        let start = self.token().start;
        let is_absolute = self.eat(TokenKind::Dot);
        let name = self.token();
        if name.kind != TokenKind::Ident {
            return Err(self.unexpected("a name"));
        }
        if self.lexed.has_braces
            && let Some(brace) = self.brace_after_name()
        {
            return self.message(start, brace);
        }
        self.position += 1;
        if RESERVED.contains(&self.text(name)) {
            let found = self.text(name);
            let message = format!("expected a name, found the reserved word `{found}`");
            return Err(self.error(name.span(), message));
        }
        // A leading dot stays part of the name.
        let full = if is_absolute {
            format!(".{}", self.text(name))
        } else {
            self.text(name).to_owned()
        };
        if self.kind() == TokenKind::OpenParen {
            return self.call(start, &full, None);
        }
        self.node(start..name.end, 0, ExprKind::Ident(full))
    }

    /// Where the `{` of a message is, if here is the dotted name of one.
    fn brace_after_name(&self) -> Option<usize> {
        let mut position = self.position;
        loop {
            if self.at(position).kind != TokenKind::Ident {
                return None;
            }
            match self.at(position + 1).kind {
                TokenKind::OpenBrace => return Some(position + 1),
                TokenKind::Dot => position += 2,
                _ => return None,
            }
        }
    }

    fn message(&mut self, start: usize, brace: usize) -> Parsed {
        let mut name = String::new();
        if self.at(self.position).start > start {
            name.push('.');
        }
        while self.position < brace {
            let token = self.advance();
            name.push_str(self.text(token));
        }
        let fields = self.braced(|parser| {
            let optional = parser.eat(TokenKind::Question);
            let name = parser.field_name("a field name or `}`")?.to_owned();
            parser.close(TokenKind::Colon, "`:`")?;
            let value = parser.expression()?;
            Ok(Field {
                name,
                value,
                optional,
            })
        })?;
        self.node(start..self.end(), 0, ExprKind::Struct { name, fields })
    }

    fn map(&mut self) -> Parsed {
        let start = self.token().start;
        let entries = self.braced(|parser| {
            let optional = parser.eat(TokenKind::Question);
            let key = parser.expression()?;
            parser.close(TokenKind::Colon, "an operator or `:`")?;
            let value = parser.expression()?;
            Ok(Entry {
                key,
                value,
                optional,
            })
        })?;
        self.node(start..self.end(), 0, ExprKind::Map(entries))
    }

    fn list(&mut self) -> Parsed {
        let start = self.token().start;
        let elements = self.bracketed(
            TokenKind::CloseBracket,
            "an operator, `,` or `]`",
            |parser| {
                let optional = parser.eat(TokenKind::Question);
                let value = parser.expression()?;
                Ok(Element { value, optional })
            },
        )?;
        self.node(start..self.end(), 0, ExprKind::List(elements))
    }

    fn braced<T>(&mut self, item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        self.bracketed(TokenKind::CloseBrace, "an operator, `,` or `}`", item)
    }

    /// Items between brackets, the last of which a comma may follow. A comma
    /// alone is no item.
    fn bracketed<T>(
        &mut self,
        closing: TokenKind,
        expected: &str,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
    ) -> Parsed<Vec<T>> {
        self.position += 1;
        let mut items = Vec::new();
        if self.eat(TokenKind::Comma) {
            self.close(closing, expected)?;
            return Ok(items);
        }
        while !self.eat(closing) {
            items.push(item(self)?);
            if !self.eat(TokenKind::Comma) {
                self.close(closing, expected)?;
                break;
            }
        }
        Ok(items)
    }

    /// A call, whose name is before the parenthesis that is next.
    fn call(&mut self, start: usize, function: &str, target: Option<Expr>) -> Parsed {
        let arguments = self.arguments()?;
        let call = Call {
            span: start..self.end(),
            function,
            target,
            arguments,
        };
        macros::expand(self, call)
    }

    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.position += 1;
        let mut arguments = Vec::new();
        if self.eat(TokenKind::CloseParen) {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.expression()?);
            if !self.eat(TokenKind::Comma) {
                self.close(TokenKind::CloseParen, "an operator, `,` or `)`")?;
                return Ok(arguments);
            }
        }
    }
}
