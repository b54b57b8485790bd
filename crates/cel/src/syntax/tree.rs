//! The syntax tree, macros expanded.

use std::ops::Range;

/// One expression, numbered in the order of creation.
pub(crate) struct Expr {
    pub(crate) id: usize,
    pub(crate) span: Range<usize>,
    pub(crate) kind: ExprKind,
}

pub(crate) enum ExprKind {
    Literal(Literal),
    Ident(String),
    /// `operand.field`, or `has(operand.field)` with `test`.
    Select {
        operand: Box<Expr>,
        field: String,
        test: bool,
    },
    /// `operand.?field`.
    OptionalSelect {
        operand: Box<Expr>,
        field: String,
    },
    /// A function, or an operator under its name in the function tables.
    Call {
        function: String,
        target: Option<Box<Expr>>,
        arguments: Vec<Expr>,
    },
    List(Vec<Element>),
    Map(Vec<Entry>),
    /// A message literal like `a.b.Message{field: value}`.
    Struct {
        name: String,
        fields: Vec<Field>,
    },
    Loop(Box<Loop>),
    /// `cel.bind(variable, value, body)`.
    Bind {
        variable: String,
        value: Box<Expr>,
        body: Box<Expr>,
    },
    /// `target.optMap(variable, body)`; `flat` for `optFlatMap`.
    OptionalMap {
        target: Box<Expr>,
        variable: String,
        body: Box<Expr>,
        flat: bool,
    },
}

pub(crate) enum Literal {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    String(String),
    Bytes(Vec<u8>),
}

pub(crate) struct Element {
    pub(crate) value: Expr,
    pub(crate) optional: bool,
}

pub(crate) struct Entry {
    pub(crate) key: Expr,
    pub(crate) value: Expr,
    pub(crate) optional: bool,
}

/// A field of a message literal.
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) value: Expr,
    pub(crate) optional: bool,
}

/// A macro that loops over a list or a map.
pub(crate) struct Loop {
    pub(crate) kind: LoopKind,
    pub(crate) range: Expr,
    pub(crate) variable: String,
    /// The value where `variable` is the index or the key.
    pub(crate) second: Option<String>,
    pub(crate) filter: Option<Expr>,
    pub(crate) body: Expr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LoopKind {
    All,
    Exists,
    ExistsOne,
    /// `map`, `transformList`, and `filter`, whose body is its variable.
    List,
    /// `transformMap`: keys stay, values are transformed.
    Map,
    /// `transformMapEntry`: the body is a map that is merged into the result.
    Entries,
}
