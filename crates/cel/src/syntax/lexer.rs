//! From text to tokens, by the lexical grammar of cel-go 0.29.

use super::literal;
use super::token::{Token, TokenKind};
use crate::CompileError;
use crate::library::CEL_GO_29;
use crate::options::Language;

/// The tokens of an expression; the last is the end or a fault.
pub(super) struct Lexed {
    pub(super) tokens: Vec<Token>,
    /// Why the lexer stopped before the end.
    pub(super) fault: Option<CompileError>,
    /// The most brackets of all kinds that are open at the same time.
    pub(super) nesting: usize,
    /// Whether there are messages or maps.
    pub(super) has_braces: bool,
}

pub(super) fn lex(source: &str, language: Language) -> Lexed {
    let mut lexer = Lexer {
        source,
        text: source.as_bytes(),
        position: 0,
        has_escapes: language.minor >= CEL_GO_29,
    };
    let mut found = Lexed {
        tokens: Vec::with_capacity(source.len() / 3 + 2),
        fault: None,
        nesting: 0,
        has_braces: false,
    };
    let mut open = 0usize;
    loop {
        lexer.skip_blanks();
        let start = lexer.position;
        let kind = lexer.kind().unwrap_or_else(|fault| {
            found.fault = Some(fault);
            TokenKind::Fault
        });
        match kind {
            TokenKind::OpenParen | TokenKind::OpenBracket => open += 1,
            TokenKind::OpenBrace => {
                open += 1;
                found.has_braces = true;
            }
            TokenKind::CloseParen | TokenKind::CloseBracket | TokenKind::CloseBrace => {
                open = open.saturating_sub(1);
            }
            _ => {}
        }
        found.nesting = found.nesting.max(open);
        found.tokens.push(Token {
            kind,
            start,
            end: lexer.position,
        });
        if matches!(kind, TokenKind::End | TokenKind::Fault) {
            return found;
        }
    }
}

struct Lexer<'s> {
    source: &'s str,
    text: &'s [u8],
    position: usize,
    /// Whether field names may stand between backticks.
    has_escapes: bool,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.get(self.position + ahead).copied()
    }

    /// Skips white space and comments.
    fn skip_blanks(&mut self) {
        while let Some(byte) = self.peek(0) {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' | b'\x0c' => self.position += 1,
                // Only a line feed ends a comment.
                b'/' if self.peek(1) == Some(b'/') => {
                    self.skip_while(|byte| byte != b'\n');
                }
                _ => return,
            }
        }
    }

    fn skip_while(&mut self, accept: impl Fn(u8) -> bool) -> usize {
        let rest = self.text.get(self.position..).unwrap_or_default();
        let count = rest.iter().take_while(|byte| accept(**byte)).count();
        self.position += count;
        count
    }

    /// Takes one token.
    fn kind(&mut self) -> Result<TokenKind, CompileError> {
        let Some(first) = self.peek(0) else {
            return Ok(TokenKind::End);
        };
        let second = self.peek(1);
        let (kind, length) = match first {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => return self.word(),
            b'0'..=b'9' => return Ok(self.number()),
            b'"' | b'\'' => return self.string(0),
            b'.' if second.is_some_and(|byte| byte.is_ascii_digit()) => return Ok(self.number()),
            b'`' => return self.escaped_ident(),
            b'.' => (TokenKind::Dot, 1),
            b'(' => (TokenKind::OpenParen, 1),
            b')' => (TokenKind::CloseParen, 1),
            b'[' => (TokenKind::OpenBracket, 1),
            b']' => (TokenKind::CloseBracket, 1),
            b'{' => (TokenKind::OpenBrace, 1),
            b'}' => (TokenKind::CloseBrace, 1),
            b',' => (TokenKind::Comma, 1),
            b'?' => (TokenKind::Question, 1),
            b':' => (TokenKind::Colon, 1),
            b'+' => (TokenKind::Plus, 1),
            b'-' => (TokenKind::Minus, 1),
            b'*' => (TokenKind::Star, 1),
            b'/' => (TokenKind::Slash, 1),
            b'%' => (TokenKind::Percent, 1),
            b'!' if second == Some(b'=') => (TokenKind::NotEqual, 2),
            b'!' => (TokenKind::Not, 1),
            b'<' if second == Some(b'=') => (TokenKind::LessEqual, 2),
            b'<' => (TokenKind::Less, 1),
            b'>' if second == Some(b'=') => (TokenKind::GreaterEqual, 2),
            b'>' => (TokenKind::Greater, 1),
            b'=' if second == Some(b'=') => (TokenKind::Equal, 2),
            b'&' if second == Some(b'&') => (TokenKind::And, 2),
            b'|' if second == Some(b'|') => (TokenKind::Or, 2),
            b'=' => return Err(self.unexpected("expected `==`")),
            b'&' => return Err(self.unexpected("expected `&&`")),
            b'|' => return Err(self.unexpected("expected `||`")),
            _ => {
                let is_quote = self.source[self.position..].starts_with(['“', '”', '‘', '’']);
                let error = self.unexpected("expected a symbol of CEL");
                return Err(if is_quote {
                    error.with_hint("write plain quotes, such as `\"a\"`")
                } else {
                    error
                });
            }
        };
        self.position += length;
        Ok(kind)
    }

    /// The error of a character that starts no token.
    fn unexpected(&mut self, expected: &str) -> CompileError {
        let start = self.position;
        let found = self.source[start..].chars().next().unwrap_or_default();
        self.position += found.len_utf8();
        let found = found.escape_debug();
        CompileError::new(
            self.source,
            start..self.position,
            format!("{expected}, found `{found}`"),
        )
    }

    /// A name, a keyword, or a string with a prefix.
    fn word(&mut self) -> Result<TokenKind, CompileError> {
        let start = self.position;
        let prefix = match self.text.get(start..start + 3) {
            Some([b'b' | b'B', b'r' | b'R', b'"' | b'\'']) => 2,
            Some([b'b' | b'B' | b'r' | b'R', b'"' | b'\'', _]) => 1,
            _ => 0,
        };
        if prefix > 0 {
            return self.string(prefix);
        }
        self.skip_while(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        Ok(match &self.text[start..self.position] {
            b"true" => TokenKind::True,
            b"false" => TokenKind::False,
            b"null" => TokenKind::Null,
            b"in" => TokenKind::In,
            _ => TokenKind::Ident,
        })
    }

    /// The longest number; what follows may touch it, as in `1in[1]`.
    fn number(&mut self) -> TokenKind {
        if self.peek(0) == Some(b'0')
            && self.peek(1) == Some(b'x')
            && self.peek(2).is_some_and(|byte| byte.is_ascii_hexdigit())
        {
            self.position += 2;
            self.skip_while(|byte| byte.is_ascii_hexdigit());
            return self.unsigned_suffix();
        }
        let digit = |byte: u8| byte.is_ascii_digit();
        self.skip_while(digit);
        let mut is_double = false;
        if self.peek(0) == Some(b'.') && self.peek(1).is_some_and(digit) {
            self.position += 1;
            self.skip_while(digit);
            is_double = true;
        }
        if matches!(self.peek(0), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(self.peek(1), Some(b'+' | b'-')));
            if self.peek(1 + sign).is_some_and(digit) {
                self.position += 1 + sign;
                self.skip_while(digit);
                is_double = true;
            }
        }
        if is_double {
            return TokenKind::Double;
        }
        self.unsigned_suffix()
    }

    fn unsigned_suffix(&mut self) -> TokenKind {
        if matches!(self.peek(0), Some(b'u' | b'U')) {
            self.position += 1;
            return TokenKind::Uint;
        }
        TokenKind::Int
    }

    /// A field name between backticks.
    fn escaped_ident(&mut self) -> Result<TokenKind, CompileError> {
        let start = self.position;
        self.position += 1;
        if !self.has_escapes {
            let message = format!("field names between backticks need Kubernetes 1.{CEL_GO_29}");
            return Err(CompileError::new(self.source, start..start + 1, message));
        }
        let count = self.skip_while(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'/' | b' ')
        });
        if count > 0 && self.peek(0) == Some(b'`') {
            self.position += 1;
            return Ok(TokenKind::EscapedIdent);
        }
        Err(CompileError::new(
            self.source,
            start..self.position,
            "expected letters, digits, spaces or any of `_.-/` and a closing backtick",
        ))
    }

    /// A string or bytes literal whose quote comes after `prefix` letters.
    fn string(&mut self, prefix: usize) -> Result<TokenKind, CompileError> {
        let start = self.position;
        let letters = &self.text[start..start + prefix];
        let is_bytes = letters
            .first()
            .is_some_and(|byte| matches!(byte, b'b' | b'B'));
        let is_raw = letters
            .last()
            .is_some_and(|byte| matches!(byte, b'r' | b'R'));
        self.position += prefix;
        let quote = self.text[self.position];
        let is_triple = self.peek(1) == Some(quote) && self.peek(2) == Some(quote);
        self.position += if is_triple { 3 } else { 1 };
        while let Some(byte) = self.peek(0) {
            if byte == quote {
                if !is_triple {
                    self.position += 1;
                    return Ok(kind(is_bytes));
                }
                if self.peek(1) == Some(quote) && self.peek(2) == Some(quote) {
                    self.position += 3;
                    return Ok(kind(is_bytes));
                }
            }
            match byte {
                b'\\' if !is_raw => self.escape(is_bytes)?,
                b'\n' | b'\r' if !is_triple => break,
                _ => self.position += 1,
            }
        }
        let closing = char::from(quote)
            .to_string()
            .repeat(if is_triple { 3 } else { 1 });
        let found = if is_triple || self.peek(0).is_none() {
            "the end of the expression"
        } else {
            "the end of the line"
        };
        Err(CompileError::new(
            self.source,
            start..self.position,
            format!("expected a closing `{closing}`, found {found}"),
        ))
    }

    fn escape(&mut self, is_bytes: bool) -> Result<(), CompileError> {
        let start = self.position;
        match literal::escape(&self.source[start..], is_bytes) {
            Ok((_, length)) => {
                self.position += length;
                Ok(())
            }
            Err(fault) => {
                let error =
                    CompileError::new(self.source, start..start + fault.length, fault.message);
                Err(error.with_hint(r"write `\\` for a backslash, or a raw string like `r'\d'`"))
            }
        }
    }
}

fn kind(is_bytes: bool) -> TokenKind {
    if is_bytes {
        TokenKind::Bytes
    } else {
        TokenKind::String
    }
}
