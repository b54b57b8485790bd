//! The syntax tree, macros expanded.

use std::ops::Range;

/// One expression, numbered in the order of creation.
pub(crate) struct Expr {
    pub(crate) id: usize,
    /// The bytes of the whole expression, without parentheses around it.
    pub(crate) span: Range<usize>,
    pub(crate) kind: ExprKind,
    /// How many expressions the longest way down to a leaf has.
    pub(crate) depth: usize,
    /// How deep cel-go says the expression is, which limits it.
    pub(super) nesting: usize,
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

impl ExprKind {
    /// Visits the expressions that this one is made of.
    pub(crate) fn for_each_child<'t>(&'t self, mut visit: impl FnMut(&'t Expr)) {
        match self {
            Self::Literal(_) | Self::Ident(_) => {}
            Self::Select { operand, .. } | Self::OptionalSelect { operand, .. } => visit(operand),
            Self::Call {
                target, arguments, ..
            } => target
                .as_deref()
                .into_iter()
                .chain(arguments)
                .for_each(visit),
            Self::List(elements) => elements.iter().for_each(|element| visit(&element.value)),
            Self::Map(entries) => entries.iter().for_each(|entry| {
                visit(&entry.key);
                visit(&entry.value);
            }),
            Self::Struct { fields, .. } => fields.iter().for_each(|field| visit(&field.value)),
            Self::Loop(parts) => {
                visit(&parts.range);
                parts.filter.iter().for_each(&mut visit);
                visit(&parts.body);
            }
            Self::Bind { value, body, .. } => {
                visit(value);
                visit(body);
            }
            Self::OptionalMap { target, body, .. } => {
                visit(target);
                visit(body);
            }
        }
    }
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
