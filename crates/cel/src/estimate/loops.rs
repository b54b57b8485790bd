//! Macros, by what they expand to.

use super::path::{Path, Segment};
use super::size::{Container, EntrySize, Size};
use super::{Estimator, Facts, LIST, MAP, NAME, Variable};
use crate::check::Type;
use crate::syntax::{Expr, Loop, LoopKind};

/// What a loop costs beside its range and what it evaluates every time.
struct Frame {
    /// The accumulator before the first element.
    initial: u64,
    /// The condition to go on, for every element.
    condition: u64,
    /// What becomes of the accumulator in the end.
    result: u64,
}

impl Frame {
    fn new(kind: LoopKind) -> Self {
        let (initial, condition, result) = match kind {
            // `@not_strictly_false(@result)`
            LoopKind::All => (0, NAME + 1, NAME),
            // `@not_strictly_false(!@result)`
            LoopKind::Exists => (0, NAME + 2, NAME),
            // `@result == 1`
            LoopKind::ExistsOne => (0, 0, NAME + 1),
            LoopKind::List => (LIST, 0, NAME),
            LoopKind::Map | LoopKind::Entries => (MAP, 0, NAME),
        };
        Self {
            initial,
            condition,
            result,
        }
    }
}

impl<'t> Estimator<'t> {
    pub(super) fn loop_macro(&mut self, expr: &'t Expr, parts: &'t Loop) -> u64 {
        let range = self.cost(&parts.range);
        let depth = self.variables.len();
        self.push_loop_variables(parts);
        let step = self.step(parts);
        let entries = self.result_entries(parts);
        self.variables.truncate(depth);

        let frame = Frame::new(parts.kind);
        // Asked for only now: what the body reads can change it.
        let count = self.size_or_unknown(&parts.range);
        let loops = count
            .max
            .saturating_mul(step.saturating_add(frame.condition));
        match parts.kind {
            LoopKind::All | LoopKind::Exists | LoopKind::ExistsOne => {
                self.set_size(expr, Some(Size::ONE));
            }
            LoopKind::List | LoopKind::Map | LoopKind::Entries => {
                self.set_size(expr, Some(count));
                self.set_entries(expr, entries);
            }
        }
        range
            .saturating_add(frame.initial)
            .saturating_add(frame.result)
            .saturating_add(loops)
    }

    /// The cost of one round, the condition to go on apart.
    fn step(&mut self, parts: &'t Loop) -> u64 {
        let filter = parts.filter.as_ref().map(|filter| self.cost(filter));
        let body = self.cost(&parts.body);
        let step = match parts.kind {
            // `@result && body`
            LoopKind::All | LoopKind::Exists => body.saturating_add(NAME),
            // `body ? @result + 1 : @result`, `cel.@mapInsert(@result, body)`
            LoopKind::ExistsOne | LoopKind::Entries => body.saturating_add(NAME + 1),
            // `@result + [body]`
            LoopKind::List => body.saturating_add(NAME + 1 + LIST),
            // `cel.@mapInsert(@result, key, body)`
            LoopKind::Map => body.saturating_add(NAME + 1 + NAME),
        };
        // `filter ? step : @result`, of which the step costs more.
        step.saturating_add(filter.unwrap_or(0))
    }

    /// What is known of the elements of the list that a loop builds: they are
    /// like the body, or like those of the empty list that it begins with.
    fn result_entries(&mut self, parts: &'t Loop) -> Option<EntrySize> {
        if parts.kind != LoopKind::List {
            return None;
        }
        let body = self.size_or_unknown(&parts.body);
        Some(EntrySize::list(body.union(Size::fixed(0))))
    }

    fn push_loop_variables(&mut self, parts: &'t Loop) {
        let range = &parts.range;
        let Some(second) = &parts.second else {
            let entries = self.entries(range);
            let (segment, size) = match self.container(range) {
                Some(Container::List) => (Segment::Items, entries.map(|entries| entries.value)),
                _ => (Segment::Keys, entries.map(|entries| entries.key)),
            };
            self.push_part(&parts.variable, range, segment, size);
            return;
        };
        let key = self.entries(range).map(|entries| entries.key);
        let segment = match self.container(range) {
            Some(Container::List) => Segment::Indices,
            _ => Segment::Keys,
        };
        self.push_part(&parts.variable, range, segment, key);
        // The range is asked again: cel-go takes it for the first variable if
        // that has its name.
        let value = self.entries(range).map(|entries| entries.value);
        let segment = match self.container(range) {
            Some(Container::List) => Segment::Items,
            _ => Segment::Values,
        };
        self.push_part(second, range, segment, value);
    }

    fn container(&self, range: &Expr) -> Option<Container> {
        if let Some(entries) = self.entries(range) {
            return Some(entries.container);
        }
        match self.record.type_of(range.id) {
            Type::List(_) => Some(Container::List),
            Type::Map(..) => Some(Container::Map),
            _ => None,
        }
    }

    fn push_part(&mut self, name: &'t str, range: &Expr, segment: Segment<'t>, size: Option<Size>) {
        let facts = Facts {
            size,
            entries: None,
            path: self.path(range).append(segment),
        };
        self.variables.push(Variable { name, facts });
    }

    /// `cel.bind`: a loop over an empty list, whose accumulator is the variable.
    pub(super) fn bind(
        &mut self,
        expr: &'t Expr,
        variable: &'t str,
        value: &'t Expr,
        body: &'t Expr,
    ) -> u64 {
        let cost = self.cost(value).saturating_add(LIST);
        let facts = Facts {
            size: self.size(value),
            entries: self.entries(value),
            path: self.path(value),
        };
        let body_cost = self.scoped(variable, facts, body);
        let size = self.size(body);
        self.set_size(expr, size);
        let entries = self.entries(body);
        self.set_entries(expr, entries);
        cost.saturating_add(body_cost)
    }

    fn scoped(&mut self, name: &'t str, facts: Facts<'t>, body: &'t Expr) -> u64 {
        self.variables.push(Variable { name, facts });
        let cost = self.cost(body);
        self.variables.pop();
        cost
    }

    /// `target.hasValue() ? optional.of(cel.bind(variable, target.value(), body))
    /// : optional.none()`, without `optional.of` if `flat`.
    ///
    /// The target is there twice but estimated once: chains of these macros
    /// would double the work with every link.
    pub(super) fn optional_map(
        &mut self,
        expr: &'t Expr,
        target: &'t Expr,
        variable: &'t str,
        body: &'t Expr,
        flat: bool,
    ) -> u64 {
        let target_cost = self.cost(target).saturating_add(1);
        let scalar = match self.record.type_of(target.id) {
            Type::Optional(value) => self.is_scalar(value),
            _ => false,
        };
        let facts = Facts {
            size: scalar.then_some(Size::ONE),
            entries: None,
            path: Path::None,
        };
        let body_cost = self.scoped(variable, facts, body);
        let bind = body_cost.saturating_add(target_cost).saturating_add(LIST);
        let otherwise = if self.is_scalar(self.record.type_of(expr.id)) {
            Size::ONE
        } else {
            Size::UNKNOWN
        };
        let (some, size) = if flat {
            (bind, self.size_or_unknown(body))
        } else {
            (bind.saturating_add(1), otherwise)
        };
        self.set_size(expr, Some(size.union(otherwise)));
        target_cost.saturating_add(some)
    }
}
