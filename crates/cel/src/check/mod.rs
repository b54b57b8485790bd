//! Type checking in the environment of device selectors.
//!
//! What is accepted and what is rejected is as in cel-go's checker with the
//! declarations of Kubernetes.

mod call;
mod environment;
mod format;
mod hint;
mod macros;
mod message;
mod record;
mod types;
mod unify;

use std::collections::BTreeMap;
use std::ops::Range;

use crate::CompileError;
use crate::library::{CEL_GO_29, Function, Overload};
use crate::options::{Language, Options, Output};
use crate::syntax::{Element, Entry, Expr, ExprKind, Literal};
use unify::Substitution;

pub(crate) use record::Record;
pub(crate) use types::{CIDR, IP, NAMED_FORMAT, QUANTITY, SEMVER, Type, URL};

/// What a name or a call turned out to be.
#[derive(Clone, Debug, Default)]
pub(crate) enum Reference {
    #[default]
    None,
    /// The variable `device`.
    Device,
    /// A variable of a macro: how many variables are around it.
    Local(usize),
    /// The name of a type.
    Type(&'static str),
    Call {
        /// One per library that has a fitting signature.
        functions: Vec<&'static Function>,
        /// The only fitting signature, if there is only one.
        overload: Option<&'static Overload>,
        /// Whether the target is part of the name of the function.
        is_namespaced: bool,
    },
}

impl std::fmt::Debug for Function {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name)
    }
}

impl std::fmt::Debug for Overload {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} arguments", self.arguments.len())
    }
}

/// Checks an expression; the references are by the id of the expression.
pub(crate) fn check(
    source: &str,
    tree: &Expr,
    options: &Options,
) -> Result<Vec<Reference>, CompileError> {
    let mut checker = Checker::new(source, options);
    checker.run(tree, options)?;
    Ok(checker.references)
}

/// Like [`check`], and keeps what was found out on the way.
pub(crate) fn check_recording(
    source: &str,
    tree: &Expr,
    options: &Options,
) -> Result<(Vec<Reference>, Record), CompileError> {
    let mut checker = Checker::new(source, options);
    checker.record = Some(Record::default());
    checker.run(tree, options)?;
    let mut record = checker.record.unwrap_or_default();
    record.substitution = checker.substitution;
    Ok((checker.references, record))
}

struct Checker<'a> {
    source: &'a str,
    language: Language,
    substitution: Substitution,
    references: Vec<Reference>,
    /// Variables of macros, the innermost last.
    scopes: Vec<(String, Type)>,
    /// Types that must be the same once everything is known, and where.
    literals: Vec<(Type, Type, Range<usize>)>,
    record: Option<Record>,
    /// How many calls of `format` are around; their literals may be mixed.
    formatted: usize,
    /// Types of elements of literals in calls of `format`, by the id of the element.
    elements: BTreeMap<usize, Type>,
    formats: Vec<format::FormatCall>,
}

type Checked = Result<Type, CompileError>;

impl<'a> Checker<'a> {
    fn new(source: &'a str, options: &Options) -> Self {
        Self {
            source,
            language: options.language,
            substitution: Substitution::default(),
            references: Vec::new(),
            scopes: Vec::new(),
            literals: Vec::new(),
            record: None,
            formatted: 0,
            elements: BTreeMap::new(),
            formats: Vec::new(),
        }
    }
}

impl Checker<'_> {
    fn run(&mut self, tree: &Expr, options: &Options) -> Result<(), CompileError> {
        let result = self.expr(tree)?;
        self.finish(tree, &result, options.output)
    }

    fn error(&self, expr: &Expr, message: impl Into<String>) -> CompileError {
        CompileError::new(self.source, expr.span.clone(), message)
    }

    fn mismatch(&self, expr: &Expr, expected: &Type, found: &Type) -> CompileError {
        let expected = self.substitution.finish(expected);
        let found = self.substitution.finish(found);
        self.error(expr, format!("expected type `{expected}`, not `{found}`"))
    }

    fn refer(&mut self, expr: &Expr, reference: Reference) {
        if self.references.len() <= expr.id {
            self.references.resize(expr.id + 1, Reference::None);
        }
        if let Some(slot) = self.references.get_mut(expr.id) {
            *slot = reference;
        }
    }

    fn expr(&mut self, expr: &Expr) -> Checked {
        let found = self.kind(expr)?;
        if let Some(record) = &mut self.record {
            record.set_type(expr.id, found.clone());
        }
        Ok(found)
    }

    fn kind(&mut self, expr: &Expr) -> Checked {
        if self.substitution.is_exhausted() {
            return Err(self.error(expr, "types of the expression are too large"));
        }
        match &expr.kind {
            ExprKind::Literal(literal) => Ok(match literal {
                Literal::Null => Type::Null,
                Literal::Bool(_) => Type::Bool,
                Literal::Int(_) => Type::Int,
                Literal::Uint(_) => Type::Uint,
                Literal::Double(_) => Type::Double,
                Literal::String(_) => Type::String,
                Literal::Bytes(_) => Type::Bytes,
            }),
            ExprKind::Ident(name) => self.ident(expr, name),
            ExprKind::Select {
                operand,
                field,
                test,
            } => {
                if !test && let Some(reference) = self.qualified_type(expr) {
                    self.refer(expr, reference.0);
                    return Ok(reference.1);
                }
                let selected = self.select(expr, operand, field, false)?;
                Ok(if *test { Type::Bool } else { selected })
            }
            ExprKind::OptionalSelect { operand, field } => self.select(expr, operand, field, true),
            ExprKind::Call {
                function,
                target,
                arguments,
            } => self.call(expr, function, target.as_deref(), arguments),
            ExprKind::List(elements) => self.list(elements),
            ExprKind::Map(entries) => self.map(entries),
            ExprKind::Struct { name, fields } => self.message(expr, name, fields),
            ExprKind::Loop(parts) => self.loop_macro(expr, parts),
            ExprKind::Bind {
                variable,
                value,
                body,
            } => {
                let bound = self.expr(value)?;
                let result = self.scoped(expr, variable, bound, body)?;
                Ok(self.substitution.apply(&result))
            }
            ExprKind::OptionalMap {
                target,
                variable,
                body,
                flat,
            } => self.optional_map(expr, target, variable, body, *flat),
        }
    }

    fn ident(&mut self, expr: &Expr, name: &str) -> Checked {
        let global = name.strip_prefix('.');
        // A leading dot skips the variables of macros; once it did not.
        let local = match global {
            Some(_) if self.language.minor >= CEL_GO_29 => None,
            _ => Some(global.unwrap_or(name)),
        };
        if let Some(local) = local
            && let Some(index) = self.scopes.iter().rposition(|(name, _)| name == local)
        {
            return self.local(expr, local, index);
        }
        let name = global.unwrap_or(name);
        if name == "device" {
            self.refer(expr, Reference::Device);
            return Ok(Type::Device);
        }
        if let Some((name, found)) = environment::type_named(name) {
            self.refer(expr, Reference::Type(name));
            return Ok(Type::type_of(found));
        }
        let error = self.error(expr, format!("undeclared reference to `{name}`"));
        Err(error.with_hints(hint::for_name(name)))
    }

    /// A variable of a macro. One that holds a type is taken for the type of
    /// its own name, as in cel-go.
    fn local(&mut self, expr: &Expr, name: &str, index: usize) -> Checked {
        let found = self.scopes[index].1.clone();
        let reference = match self.held_type(expr, name, &found)? {
            Some(name) => Reference::Type(name),
            None => Reference::Local(index),
        };
        self.refer(expr, reference);
        Ok(found)
    }

    /// The type that a variable of this type is taken for, if it holds one.
    fn held_type(
        &self,
        expr: &Expr,
        name: &str,
        found: &Type,
    ) -> Result<Option<&'static str>, CompileError> {
        let Type::Meta(_) = self.substitution.apply(found) else {
            return Ok(None);
        };
        if let Some((name, _)) = environment::type_named(name) {
            return Ok(Some(name));
        }
        let message = format!("variable `{name}` holds a type; name it like a type");
        Err(self.error(expr, message))
    }

    /// The type that a dotted name like `google.protobuf.Duration` stands for.
    fn qualified_type(&self, expr: &Expr) -> Option<(Reference, Type)> {
        let name = qualified_name(expr)?;
        let root = name.split('.').next()?;
        // Variables of macros come first; once they did not.
        if self.language.minor >= CEL_GO_29 && self.scopes.iter().any(|(local, _)| local == root) {
            return None;
        }
        let (name, found) = environment::type_named(name.strip_prefix('.').unwrap_or(&name))?;
        Some((Reference::Type(name), Type::type_of(found)))
    }

    fn select(&mut self, expr: &Expr, operand: &Expr, field: &str, optional: bool) -> Checked {
        let operand = self.expr(operand)?;
        let operand = self.substitution.apply(&operand);
        let (target, was_optional) = operand.unwrap_optional();
        let selected = match &target {
            Type::Map(_, value) => value.as_ref().clone(),
            Type::Device => {
                environment::device_field(field, self.language).ok_or_else(|| {
                    // The field alone: the selection ends with it.
                    let start = expr.span.end.saturating_sub(field.len());
                    let span = start.max(expr.span.start)..expr.span.end;
                    CompileError::new(self.source, span, format!("undefined field `{field}`"))
                        .with_hint(hint::for_field(field, self.language))
                })?
            }
            Type::Variable(_) => {
                self.substitution.assign(&Type::Dyn, &target);
                Type::Dyn
            }
            Type::Dyn | Type::Any => Type::Dyn,
            other => {
                let message = format!("type `{other}` does not support field selection");
                return Err(self.error(expr, message));
            }
        };
        let selected = if optional || was_optional {
            Type::optional(selected)
        } else {
            selected
        };
        Ok(self.substitution.apply(&selected))
    }

    /// The type of an element, a key or a value of a literal.
    fn part(&mut self, value: &Expr) -> Checked {
        let found = self.expr(value)?;
        if self.formatted > 0 {
            self.elements.insert(value.id, found.clone());
        }
        Ok(found)
    }

    /// The type of an element; optional ones are unwrapped.
    fn element(&mut self, value: &Expr, optional: bool) -> Checked {
        let found = self.part(value)?;
        if !optional {
            return Ok(found);
        }
        match found.unwrap_optional() {
            // Kubernetes crashes on `dyn` here, so it is rejected as well.
            (inner, true) => Ok(inner),
            (other, false) => Err(self.mismatch(value, &Type::optional(other.clone()), &other)),
        }
    }

    /// The more general of two element types, if they go together.
    fn join(&mut self, expr: &Expr, previous: Option<Type>, current: Type) -> Checked {
        let Some(previous) = previous else {
            return Ok(current);
        };
        if !self.substitution.assign(&previous, &current) {
            if self.formatted > 0 {
                return Ok(Type::Dyn);
            }
            let error = self.mismatch(expr, &previous, &current);
            return Err(error.with_hint(hint::MIXED_LITERAL));
        }
        Ok(unify::most_general(previous, current))
    }

    fn list(&mut self, elements: &[Element]) -> Checked {
        let mut joined = None;
        let mut first: Option<Type> = None;
        for Element { value, optional } in elements {
            let found = self.element(value, *optional)?;
            self.homogeneous(value, &mut first, &found);
            joined = Some(self.join(value, joined, found)?);
        }
        let element = joined.unwrap_or_else(|| self.substitution.fresh());
        Ok(Type::list(element))
    }

    fn map(&mut self, entries: &[Entry]) -> Checked {
        let (mut keys, mut values) = (None, None);
        let (mut first_key, mut first_value) = (None, None);
        for Entry {
            key,
            value,
            optional,
        } in entries
        {
            let found = self.part(key)?;
            self.homogeneous(key, &mut first_key, &found);
            keys = Some(self.join(key, keys, found)?);
            let found = self.element(value, *optional)?;
            self.homogeneous(value, &mut first_value, &found);
            values = Some(self.join(value, values, found)?);
        }
        let (Some(key), Some(value)) = (keys, values) else {
            return Ok(Type::map(
                self.substitution.fresh(),
                self.substitution.fresh(),
            ));
        };
        Ok(Type::map(key, value))
    }

    /// Kubernetes wants all elements of a literal to be of one type; whether
    /// they are is known only in the end.
    fn homogeneous(&mut self, expr: &Expr, first: &mut Option<Type>, found: &Type) {
        if self.formatted > 0 {
            return;
        }
        match first {
            Some(first) => {
                self.literals
                    .push((first.clone(), found.clone(), expr.span.clone()));
            }
            None => *first = Some(found.clone()),
        }
    }

    fn expect(&mut self, expr: &Expr, expected: &Type, found: &Type) -> Result<(), CompileError> {
        if self.substitution.assign(expected, found) {
            return Ok(());
        }
        Err(self.mismatch(expr, expected, found))
    }

    fn finish(&self, tree: &Expr, result: &Type, output: Output) -> Result<(), CompileError> {
        for (first, other, span) in &self.literals {
            let first = self.substitution.finish(first);
            let other = self.substitution.finish(other);
            if first.unwrapped() != other.unwrapped() {
                let message = format!("expected type `{first}`, not `{other}`");
                let error = CompileError::new(self.source, span.clone(), message);
                return Err(error.with_hint(hint::MIXED_LITERAL));
            }
        }
        self.check_formats()?;
        let result = self.substitution.finish(result);
        if self.substitution.is_exhausted() {
            return Err(self.error(tree, "types of the expression are too large"));
        }
        match output {
            Output::Selector if environment::is_verdict(&result, self.language) => Ok(()),
            Output::Selector => Err(self.error(
                tree,
                format!("a selector must evaluate to `bool`, not `{result}`"),
            )),
            Output::DerivedAttribute if environment::is_attribute(&result, self.language) => Ok(()),
            Output::DerivedAttribute => {
                let kinds = if self.language.has_derived_lists() {
                    "a string, an integer, a boolean, a version or a list of these"
                } else {
                    "a string, an integer, a boolean or a version"
                };
                let message =
                    format!("a derived attribute must evaluate to {kinds}, not `{result}`");
                Err(self.error(tree, message))
            }
        }
    }
}

/// The dotted name that an expression spells, if it is one.
fn qualified_name(expr: &Expr) -> Option<String> {
    let mut parts = Vec::new();
    let mut current = expr;
    loop {
        match &current.kind {
            ExprKind::Ident(name) => {
                parts.push(name.as_str());
                break;
            }
            ExprKind::Select {
                operand,
                field,
                test: false,
            } => {
                parts.push(field.as_str());
                current = operand;
            }
            _ => return None,
        }
    }
    parts.reverse();
    Some(parts.join("."))
}
