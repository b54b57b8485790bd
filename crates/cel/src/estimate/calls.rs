//! Calls: what their arguments are like, and the rules for functions.

use super::path::{Path, Segment};
use super::size::Size;
use super::{Estimator, kubernetes, language, lists};
use crate::check::{Record, Type};
use crate::library::{Overload, Pattern};
use crate::syntax::{Expr, ExprKind, Literal};

/// What an argument is like when a call is estimated.
pub(super) struct Argument<'t> {
    expr: &'t Expr,
    path: Path<'t>,
    size: Option<Size>,
}

impl Argument<'_> {
    /// The size by cel-go's rules.
    pub(super) fn size(&self) -> Size {
        self.size.unwrap_or(Size::UNKNOWN)
    }

    /// The size by the rules of libraries, which look at the path once more.
    pub(super) fn library_size(&self) -> Size {
        self.size
            .or_else(|| self.path.size())
            .unwrap_or(Size::UNKNOWN)
    }

    pub(super) fn known_size(&self) -> Option<Size> {
        self.size
    }

    /// The integer that the argument is, if it is a literal.
    pub(super) fn literal_int(&self) -> Option<i64> {
        match &self.expr.kind {
            ExprKind::Literal(Literal::Int(value)) => Some(*value),
            _ => None,
        }
    }

    pub(super) fn type_of<'r>(&self, record: &'r Record) -> &'r Type {
        record.type_of(self.expr.id)
    }

    /// The type and the size of the first type parameter of the argument's
    /// type: the elements of a list, the keys of a map.
    pub(super) fn element<'r>(&self, record: &'r Record) -> Option<(&'r Type, Size)> {
        let element = match self.type_of(record) {
            Type::List(inner) | Type::Optional(inner) | Type::Meta(inner) => inner,
            Type::Map(key, _) => key,
            _ => return None,
        };
        let size = self.path.items().size().unwrap_or(Size::UNKNOWN);
        Some((record.known(element), size))
    }
}

/// A call with one of the signatures that fit it.
pub(super) struct Call<'a, 't> {
    pub(super) name: &'a str,
    pub(super) target: Option<&'a Argument<'t>>,
    pub(super) arguments: &'a [Argument<'t>],
    /// What the signature takes, the target first.
    pub(super) signature: &'static [Pattern],
    pub(super) record: &'a Record,
    /// Minor version of Kubernetes.
    pub(super) minor: u32,
}

/// What a call costs beside its arguments, and the size of its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Estimate {
    pub(super) cost: u64,
    pub(super) size: Option<Size>,
}

impl Estimate {
    pub(super) const ONE: Self = Self {
        cost: 1,
        size: None,
    };

    pub(super) const fn cost(cost: u64) -> Self {
        Self { cost, size: None }
    }

    pub(super) const fn sized(cost: u64, size: Size) -> Self {
        Self {
            cost,
            size: Some(size),
        }
    }
}

impl<'t> Estimator<'t> {
    pub(super) fn call(
        &mut self,
        expr: &'t Expr,
        function: &'t str,
        target: Option<&'t Expr>,
        arguments: &'t [Expr],
    ) -> u64 {
        if let ("_&&_" | "_||_", [left, right]) = (function, arguments) {
            let left = self.cost(left);
            return left.saturating_add(self.cost(right));
        }
        let record = self.record;
        let Some(call) = record.call(expr.id) else {
            return 0;
        };
        if let ("dyn", [argument]) = (call.name.as_str(), arguments) {
            return self.dynamic(expr, argument);
        }
        if let ("_?_:_", [condition, yes, no]) = (call.name.as_str(), arguments) {
            return self.conditional(expr, [condition, yes, no]);
        }
        let mut costs = 0_u64;
        let mut evaluated = Vec::with_capacity(arguments.len());
        for argument in arguments {
            costs = costs.saturating_add(self.cost(argument));
            evaluated.push(self.argument(argument));
        }
        let target = match target.filter(|_| call.member) {
            Some(target) => {
                costs = costs.saturating_add(self.cost(target));
                Some(self.argument(target))
            }
            None => None,
        };
        let mut cost = 0_u64;
        let mut size = None;
        for overload in &call.overloads {
            let estimate = rule(&Call {
                name: &call.name,
                target: target.as_ref(),
                arguments: &evaluated,
                signature: overload.arguments,
                record,
                minor: self.minor,
            });
            cost = cost.max(estimate.cost);
            size = match (size, estimate.size) {
                (Some(before), Some(found)) => Some(Size::union(before, found)),
                (before, found) => before.or(found),
            };
            self.note_parts(expr, &call.name, overload, arguments, &mut size);
            if size.is_none() {
                size = self.size(expr);
            }
        }
        self.set_size(expr, size);
        costs.saturating_add(cost)
    }

    fn argument(&mut self, expr: &'t Expr) -> Argument<'t> {
        let path = self.path(expr);
        let size = self.size(expr);
        Argument { expr, path, size }
    }

    /// `dyn(x)` is like `x`, save for the path.
    fn dynamic(&mut self, expr: &'t Expr, argument: &'t Expr) -> u64 {
        let cost = self.cost(argument);
        let size = self.size(argument);
        self.set_size(expr, size);
        let entries = self.entries(argument);
        self.set_entries(expr, entries);
        cost.saturating_add(1)
    }

    fn conditional(&mut self, expr: &'t Expr, [condition, yes, no]: [&'t Expr; 3]) -> u64 {
        let cost = self.cost(condition);
        let yes_cost = self.cost(yes);
        let yes_size = self.size_or_unknown(yes);
        let no_cost = self.cost(no);
        let no_size = self.size_or_unknown(no);
        let entries = super::EntrySize::union(self.entries(yes), self.entries(no));
        self.set_entries(expr, entries);
        self.set_size(expr, Some(yes_size.union(no_size)));
        cost.saturating_add(yes_cost.max(no_cost))
    }

    /// Notes where the value of an index or a concatenation comes from.
    fn note_parts(
        &mut self,
        expr: &'t Expr,
        name: &str,
        overload: &Overload,
        arguments: &'t [Expr],
        size: &mut Option<Size>,
    ) {
        let [left, right] = arguments else {
            return;
        };
        match (name, overload.arguments) {
            ("_[_]", [Pattern::List(_), _]) => {
                *size = self.entries(left).map(|entries| entries.value);
                let path = self.path(left).append(Segment::Items);
                self.facts(expr).path = path;
            }
            ("_[_]", [Pattern::Map(..), _]) => {
                *size = self.entries(left).map(|entries| entries.value);
                let path = self.path(left).append(Segment::Values);
                self.facts(expr).path = path;
            }
            ("_+_", [Pattern::String | Pattern::Bytes | Pattern::List(_), _]) => {
                let entries = super::EntrySize::union(self.entries(left), self.entries(right));
                self.set_entries(expr, entries);
            }
            _ => {}
        }
    }
}

/// The rules for one signature: those of extension libraries go first.
fn rule(call: &Call<'_, '_>) -> Estimate {
    lists::estimate(call)
        .or_else(|| kubernetes::estimate(call))
        .or_else(|| language::estimate(call))
        .unwrap_or(Estimate::ONE)
}
