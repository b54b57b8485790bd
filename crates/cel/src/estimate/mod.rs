//! The estimate of what a selector costs at most.
//!
//! Kubernetes' API server rejects a selector whose estimate exceeds a limit,
//! so the estimate has to be the same to the last unit, quirks included. It
//! follows cel-go's `checker/cost.go` with Kubernetes' `library/cost.go` and
//! the declared sizes of `device` on top of it.
//!
//! cel-go estimates what macros expand to; our tree keeps macros, so here the
//! cost of the expansion is computed from that of its parts. Only the greatest
//! cost is kept: it never depends on the least one, unlike sizes.

mod calls;
mod kubernetes;
mod language;
mod lists;
mod loops;
mod path;
mod size;

use crate::check::{self, Record, Reference, Type};
use crate::program::Program;
use crate::syntax::{Element, Entry, Expr, ExprKind, Literal};
use crate::{CompileError, Options, stack, syntax};
use path::{Path, Segment};
use size::{EntrySize, Size};

/// Estimates the greatest cost of an expression on any device.
///
/// The unit is that of [`Scratch::cost`](crate::Scratch::cost). What is
/// unbounded counts as `u64::MAX`. Kubernetes 1.37 rejects selectors whose
/// estimate exceeds 1 000 000 (resource/v1 `CELSelectorExpressionMaxCost`).
///
/// # Errors
/// Fails on what [`Program::compile`](crate::Program::compile) rejects.
///
/// ```
/// use dralloc_cel::{Options, estimate_cost};
///
/// # fn main() -> Result<(), dralloc_cel::CompileError> {
/// let options = Options::selector();
/// assert_eq!(estimate_cost("device.driver.startsWith('nic')", &options)?, 3);
/// assert_eq!(
///     estimate_cost("device.attributes.all(domain, domain != 'a')", &options)?,
///     163
/// );
/// # Ok(())
/// # }
/// ```
pub fn estimate_cost(source: &str, options: &Options) -> Result<u64, CompileError> {
    stack::grown(|| {
        let tree = syntax::parse(source, options.language)?;
        let (references, record) = check::check_recording(source, &tree, options)?;
        let mut estimator = Estimator {
            minor: options.language.minor,
            references: &references,
            record: &record,
            nodes: Vec::new(),
            variables: Vec::new(),
        };
        let cost = estimator.cost(&tree);
        // What is wrong with constants shows when instructions are made.
        Program::assemble(source, options, &tree, references)?;
        Ok(cost)
    })
}

/// Cost of a name and of a selection.
const NAME: u64 = 1;

/// Cost of the construction of a list.
const LIST: u64 = 10;

/// Cost of the construction of a map.
const MAP: u64 = 30;

/// Cost of the construction of a message.
const MESSAGE: u64 = 40;

struct Estimator<'t> {
    /// Minor version of Kubernetes.
    minor: u32,
    references: &'t [Reference],
    record: &'t Record,
    /// What was found out so far, by the id of the expression.
    nodes: Vec<Facts<'t>>,
    /// Variables of macros, the innermost last.
    variables: Vec<Variable<'t>>,
}

/// What is known of the value of an expression.
#[derive(Clone)]
struct Facts<'t> {
    size: Option<Size>,
    entries: Option<EntrySize>,
    path: Path<'t>,
}

impl Facts<'_> {
    const NONE: Self = Self {
        size: None,
        entries: None,
        path: Path::None,
    };
}

/// A variable of a macro.
struct Variable<'t> {
    name: &'t str,
    facts: Facts<'t>,
}

impl<'t> Estimator<'t> {
    /// Estimates an expression, and notes what its value is like.
    fn cost(&mut self, expr: &'t Expr) -> u64 {
        match &expr.kind {
            ExprKind::Literal(_) => 0,
            ExprKind::Struct { fields, .. } => fields.iter().fold(MESSAGE, |cost, field| {
                cost.saturating_add(self.cost(&field.value))
            }),
            ExprKind::Ident(name) => self.name(expr, name),
            ExprKind::Select {
                operand,
                field,
                test,
            } => self.select(expr, operand, field, *test),
            ExprKind::OptionalSelect { operand, .. } => self.cost(operand).saturating_add(1),
            ExprKind::Call {
                function,
                target,
                arguments,
            } => self.call(expr, function, target.as_deref(), arguments),
            ExprKind::List(elements) => self.list(expr, elements),
            ExprKind::Map(entries) => self.map(expr, entries),
            ExprKind::Loop(parts) => self.loop_macro(expr, parts),
            ExprKind::Bind {
                variable,
                value,
                body,
            } => self.bind(expr, variable, value, body),
            ExprKind::OptionalMap {
                target,
                variable,
                body,
                flat,
            } => self.optional_map(expr, target, variable, body, *flat),
        }
    }

    fn facts(&mut self, expr: &Expr) -> &mut Facts<'t> {
        if self.nodes.len() <= expr.id {
            self.nodes.resize(expr.id + 1, Facts::NONE);
        }
        &mut self.nodes[expr.id]
    }

    fn set_size(&mut self, expr: &Expr, size: Option<Size>) {
        if size.is_some() {
            self.facts(expr).size = size;
        }
    }

    fn set_entries(&mut self, expr: &Expr, entries: Option<EntrySize>) {
        if entries.is_some() {
            self.facts(expr).entries = entries;
        }
    }

    fn variable(&self, expr: &Expr) -> Option<&Variable<'t>> {
        let ExprKind::Ident(name) = &expr.kind else {
            return None;
        };
        self.variables
            .iter()
            .rfind(|variable| variable.name == name)
    }

    /// Returns where the value of an expression comes from.
    fn path(&self, expr: &Expr) -> Path<'t> {
        if let Some(variable) = self.variable(expr) {
            return variable.facts.path.clone();
        }
        self.nodes
            .get(expr.id)
            .map_or(Path::None, |facts| facts.path.clone())
    }

    /// Returns what is known of the size of an expression.
    fn size(&mut self, expr: &Expr) -> Option<Size> {
        let known = self.nodes.get(expr.id).and_then(|facts| facts.size);
        if let Some(size) = known.or_else(|| literal_size(expr)) {
            return Some(size);
        }
        if let Some(size) = self.path(expr).size() {
            self.set_size(expr, Some(size));
            return Some(size);
        }
        if self.is_scalar(self.record.type_of(expr.id)) {
            return Some(Size::ONE);
        }
        self.variable(expr).and_then(|variable| variable.facts.size)
    }

    fn size_or_unknown(&mut self, expr: &Expr) -> Size {
        self.size(expr).unwrap_or(Size::UNKNOWN)
    }

    /// Returns what is known of the parts of a list or a map.
    fn entries(&self, expr: &Expr) -> Option<EntrySize> {
        let known = self.nodes.get(expr.id).and_then(|facts| facts.entries);
        known.or_else(|| self.variable(expr)?.facts.entries)
    }

    /// Whether all values of a type are of size 1.
    fn is_scalar(&self, found: &Type) -> bool {
        let mut found = self.record.known(found);
        while let Type::Optional(value) = found {
            found = self.record.known(value);
        }
        matches!(
            found,
            Type::Bool | Type::Int | Type::Uint | Type::Double | Type::Duration | Type::Timestamp
        )
    }

    fn name(&mut self, expr: &'t Expr, name: &'t str) -> u64 {
        let path = match self.variable(expr) {
            Some(variable) => variable.facts.path.clone(),
            None => Path::variable(self.global(name)),
        };
        self.facts(expr).path = path;
        NAME
    }

    /// The name of a variable of the environment: with a leading dot where a
    /// variable of a macro is in its way.
    fn global(&self, name: &'t str) -> &'t str {
        match name.strip_prefix('.') {
            Some(rest) if self.variables.iter().all(|other| other.name != rest) => rest,
            _ => name,
        }
    }

    fn select(&mut self, expr: &'t Expr, operand: &'t Expr, field: &'t str, test: bool) -> u64 {
        if let Some(Reference::Type(_)) = self.references.get(expr.id) {
            // The name of a type, spelled with dots.
            self.facts(expr).path = Path::Foreign;
            return NAME;
        }
        let cost = self.cost(operand);
        if test {
            return cost;
        }
        let path = self.path(operand).append(Segment::Name(field));
        self.facts(expr).path = path;
        match self.record.type_of(operand.id) {
            Type::Map(..) | Type::Device => cost.saturating_add(NAME),
            _ => cost,
        }
    }

    fn list(&mut self, expr: &'t Expr, elements: &'t [Element]) -> u64 {
        let mut cost = 0_u64;
        let mut sizes = Vec::with_capacity(elements.len());
        for Element { value, .. } in elements {
            cost = cost.saturating_add(self.cost(value));
            sizes.push(self.size_or_unknown(value));
        }
        let element = size::joined(sizes.into_iter());
        self.set_entries(expr, Some(EntrySize::list(element)));
        cost.saturating_add(LIST)
    }

    fn map(&mut self, expr: &'t Expr, entries: &'t [Entry]) -> u64 {
        let mut cost = 0_u64;
        let mut sizes = Vec::with_capacity(entries.len());
        for Entry { key, value, .. } in entries {
            cost = cost.saturating_add(self.cost(key));
            cost = cost.saturating_add(self.cost(value));
            sizes.push((self.size_or_unknown(key), self.size_or_unknown(value)));
        }
        let entries = EntrySize {
            container: size::Container::Map,
            key: size::joined(sizes.iter().map(|(key, _)| *key)),
            value: size::joined(sizes.iter().map(|(_, value)| *value)),
        };
        self.set_entries(expr, Some(entries));
        cost.saturating_add(MAP)
    }
}

/// The size of what a literal says.
fn literal_size(expr: &Expr) -> Option<Size> {
    let size = match &expr.kind {
        ExprKind::Literal(Literal::String(text)) => text.chars().count(),
        ExprKind::Literal(Literal::Bytes(bytes)) => bytes.len(),
        ExprKind::Literal(_) => 1,
        ExprKind::List(elements) => elements.len(),
        ExprKind::Map(entries) => entries.len(),
        _ => return None,
    };
    Some(Size::fixed(u64::try_from(size).unwrap_or(u64::MAX)))
}
