//! The smallest parts of an expression.

use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// The end of the text.
    End,
    /// Text that is no token: the lexer stopped here and says why.
    Fault,
    Ident,
    /// A field name between backticks.
    EscapedIdent,
    Int,
    Uint,
    Double,
    String,
    Bytes,
    True,
    False,
    Null,
    In,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    And,
    Or,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    OpenParen,
    CloseParen,
    Dot,
    Comma,
    Minus,
    Not,
    Question,
    Colon,
    Plus,
    Star,
    Slash,
    Percent,
}

impl TokenKind {
    /// The name in the function tables of an operator between a sum and a sum.
    pub(super) fn relation(self) -> Option<&'static str> {
        Some(match self {
            Self::Less => "_<_",
            Self::LessEqual => "_<=_",
            Self::Greater => "_>_",
            Self::GreaterEqual => "_>=_",
            Self::Equal => "_==_",
            Self::NotEqual => "_!=_",
            Self::In => "@in",
            _ => return None,
        })
    }

    /// The name and the precedence of an operator of arithmetic.
    pub(super) fn arithmetic(self) -> Option<(&'static str, u8)> {
        Some(match self {
            Self::Plus => ("_+_", 1),
            Self::Minus => ("_-_", 1),
            Self::Star => ("_*_", 2),
            Self::Slash => ("_/_", 2),
            Self::Percent => ("_%_", 2),
            _ => return None,
        })
    }
}

/// A token and its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Longest piece of the source that is shown in a message, in characters.
const SHOWN: usize = 40;

impl Token {
    pub(super) fn span(self) -> Range<usize> {
        self.start..self.end
    }

    /// What was found, in the words of an error message.
    pub(super) fn describe(self, source: &str) -> String {
        match self.kind {
            TokenKind::End | TokenKind::Fault => "the end of the expression".to_owned(),
            // They may be long and of many lines.
            TokenKind::String => "a string".to_owned(),
            TokenKind::Bytes => "a bytes literal".to_owned(),
            _ => {
                let text = source.get(self.span()).unwrap_or_default();
                format!("`{}`", shorten(text))
            }
        }
    }
}

/// The start of a piece of source that may be long.
pub(super) fn shorten(text: &str) -> &str {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}
