//! Evaluation.
//!
//! Costs are charged where cel-go's tracker charges them, for what was really
//! evaluated, failures included.

mod calls;
mod failure;
mod loops;
mod path;

use super::node::{Code, Node, NodeId};
use crate::Row;
use crate::runtime::{self, Context, List, Map, Shared, Value, compare};
pub(super) use calls::dispatch;
use failure::{Done, Failure, Outcome, absorbed, internal, invalid, no_such_overload};

/// One evaluation on one device.
pub(super) struct Machine<'a, 'l> {
    code: &'a Code,
    context: Context<'a>,
    locals: &'l mut [Local<'a>],
}

/// What a variable of a macro holds.
#[derive(Clone, Default)]
pub(super) enum Local<'a> {
    #[default]
    Empty,
    Value(Value<'a>),
    Failed(Failure),
    /// Evaluated on first use.
    Lazy(NodeId),
    /// What is in an optional value, which is evaluated on first use.
    LazyContent(NodeId),
}

impl<'a, 'l> Machine<'a, 'l> {
    /// Prepares an evaluation; there must be as many locals as the code has.
    pub(super) fn new(
        code: &'a Code,
        row: &'a dyn Row,
        limit: u64,
        locals: &'l mut [Local<'a>],
    ) -> Self {
        Self {
            code,
            context: Context::new(row, limit),
            locals,
        }
    }

    /// Evaluates the whole expression to a place that holds null.
    pub(super) fn run(&mut self, place: &mut Value<'a>) -> Done {
        self.eval_to(self.code.root, place)
    }

    pub(super) fn cost(&self) -> u64 {
        self.context.cost()
    }

    pub(super) fn steps(&self) -> u64 {
        self.context.steps()
    }

    fn constant(&self, index: usize) -> Value<'a> {
        self.code.constants[index].borrow()
    }

    fn eval(&mut self, id: NodeId) -> Outcome<'a> {
        let mut value = Value::Null;
        self.eval_to(id, &mut value)?;
        Ok(value)
    }

    /// Evaluates to a place that holds null: moving values around takes longer
    /// than most instructions. After a failure it holds null still.
    fn eval_to(&mut self, id: NodeId, place: &mut Value<'a>) -> Done {
        match &self.code.nodes[id] {
            Node::Constant(constant) => self.code.constants[*constant].borrow_to(place),
            Node::Known { constant, cost } => {
                self.context.charge(*cost)?;
                self.code.constants[*constant].borrow_to(place);
            }
            Node::Slot(slot) => {
                self.context.charge_units(4)?;
                self.slot_to(*slot, place)?;
            }
            Node::HasSlot(slot) => {
                self.context.charge_units(3)?;
                *place = Value::Bool(self.slot(*slot).is_some());
            }
            Node::BoundSlot { local, slot, test } => {
                self.bound_slot(*local, *slot, *test, place)?;
            }
            Node::Local(local) => self.whole_local(*local, place)?,
            Node::Domain { kind, name } => {
                self.context.charge_units(3)?;
                if let Value::String(name) = &self.code.constants[*name] {
                    *place = Value::Map(Map::Names(*kind, Shared::Borrowed(name)));
                }
            }
            Node::Driver => {
                self.context.charge_units(2)?;
                *place = Value::text(self.context.row.driver());
            }
            Node::And(left, right) => self.logical(*left, *right, false, place)?,
            Node::Or(left, right) => self.logical(*left, *right, true, place)?,
            Node::Equal {
                left,
                right,
                negated,
            } => *place = Value::Bool(self.equal(*left, *right, *negated)?),
            Node::Order {
                left,
                right,
                holds,
                cost,
            } => *place = Value::Bool(self.order(*left, *right, *holds, *cost)?),
            Node::Call {
                callee,
                cost,
                arguments,
                in_order: false,
            } => self.call(callee, arguments, *cost, place)?,
            Node::Member { value, list } => *place = Value::Bool(self.member(*value, *list)?),
            Node::Bind { local, value, body } => {
                self.locals[*local] = Local::Lazy(*value);
                self.eval_to(*body, place)?;
            }
            Node::Loop(parts) => self.run_loop(parts, place)?,
            Node::Path(path) => *place = self.path(path, true)?,
            other => *place = self.eval_other(other)?,
        }
        Ok(())
    }

    /// Evaluates what is rarer; apart, so that recursion takes little stack.
    #[inline(never)]
    fn eval_other(&mut self, node: &'a Node) -> Outcome<'a> {
        match node {
            Node::Call {
                callee,
                cost,
                arguments,
                ..
            } => self.call_in_order(arguments, *cost, |context, values| {
                dispatch(callee, context, values)
            }),
            Node::Search {
                search,
                matcher,
                cost,
                arguments,
            } => {
                let matcher = &self.code.matchers[*matcher];
                self.call_in_order(arguments, *cost, |context, values| {
                    search.run(matcher, context, values)
                })
            }
            Node::HasName(slot) => {
                self.context.charge_units(4)?;
                Ok(Value::Bool(self.slot(*slot).is_some()))
            }
            Node::Otherwise {
                first,
                second,
                unwraps,
                passes,
            } => match self.eval(*first)? {
                Value::Optional(Some(value)) if *unwraps => Ok(value.content()?),
                Value::Optional(Some(value)) => Ok(Value::Optional(Some(value))),
                Value::Optional(None) => self.eval(*second),
                other if *passes => Ok(other),
                _ => Err(no_such_overload()),
            },
            Node::List(elements) => {
                let list = self.list(elements);
                self.charged(list, 10)
            }
            Node::Map(entries) => {
                let map = self.map(entries);
                self.charged(map, 30)
            }
            Node::OptionalMap {
                target,
                local,
                body,
                flat,
            } => self.optional_map(*target, *local, *body, *flat),
            _ => Err(internal()),
        }
    }

    /// `value in [constants]`.
    fn member(&mut self, value: NodeId, list: usize) -> Result<bool, Failure> {
        let mut found = Value::Null;
        self.eval_to(value, &mut found)?;
        if !found.is_hashable() {
            return Err(runtime::unhashable(&found).into());
        }
        let Value::List(List::Values(list)) = &self.code.constants[list] else {
            return Err(internal());
        };
        Ok(list
            .iter()
            .any(|element| compare::is_same_key(element, &found)))
    }

    /// An optional value as cel-go hands it on.
    fn restored(&self, value: Value<'a>) -> Value<'a> {
        match value {
            Value::Optional(Some(content)) if self.code.restores => Value::some(content.restored()),
            other => other,
        }
    }

    /// Charges for a result, even if it is a failure.
    fn charged(&mut self, result: Outcome<'a>, cost: u64) -> Outcome<'a> {
        if !matches!(&result, Err(error) if error.is_final()) {
            self.context.charge(cost)?;
        }
        result
    }

    /// `&&` and `||`: the operand `decides` settles it, whatever the other does.
    fn logical(
        &mut self,
        left: NodeId,
        right: NodeId,
        decides: bool,
        place: &mut Value<'a>,
    ) -> Done {
        let failure = match self.eval_to(left, place) {
            Ok(()) => match place {
                Value::Bool(value) if *value == decides => return Ok(()),
                Value::Bool(_) => None,
                _ => Some(no_such_overload()),
            },
            Err(error) if error.is_final() => return Err(error),
            Err(error) => Some(error),
        };
        let failure = match (absorbed(self.eval_to(right, place))?, failure) {
            (None, failure) => match place {
                Value::Bool(value) if failure.is_none() || *value == decides => return Ok(()),
                _ => failure.unwrap_or_else(no_such_overload),
            },
            (Some(second), first) => first.unwrap_or(second),
        };
        *place = Value::Null;
        Err(failure)
    }

    fn list(&mut self, elements: &[(NodeId, bool)]) -> Outcome<'a> {
        self.context.allocate_values(elements.len())?;
        let mut values = Vec::with_capacity(elements.len());
        for (element, optional) in elements {
            let value = self.eval(*element)?;
            match (optional, value) {
                (false, value) => values.push(value),
                (true, Value::Optional(Some(value))) => values.push(value.as_ref().clone()),
                (true, Value::Optional(None)) => {}
                (true, _) => {
                    return Err(invalid(
                        "cannot initialize optional list element from non-optional value",
                    ));
                }
            }
        }
        Ok(Value::list(values))
    }

    fn map(&mut self, entries: &[(NodeId, NodeId, bool)]) -> Outcome<'a> {
        self.context
            .allocate_values(entries.len().saturating_mul(2))?;
        let mut pairs: Vec<(Value<'a>, Option<Value<'a>>)> = Vec::with_capacity(entries.len());
        for (key, value, optional) in entries {
            let key = self.eval(*key)?;
            let value = self.eval(*value)?;
            if !key.is_hashable() {
                return Err(runtime::unhashable(&key).into());
            }
            match (optional, value) {
                (false, value) => pairs.push((key, Some(value))),
                (true, Value::Optional(value)) => {
                    pairs.push((key, value.map(|value| value.as_ref().clone())));
                }
                (true, _) => {
                    return Err(invalid(
                        "cannot initialize optional entry from non-optional value",
                    ));
                }
            }
        }
        Ok(Value::Map(Map::from_pairs(pairs)))
    }

    /// `optMap` and `optFlatMap`, which Kubernetes expands so that the target
    /// is evaluated a second time when the variable is used.
    fn optional_map(
        &mut self,
        target: NodeId,
        local: usize,
        body: NodeId,
        flat: bool,
    ) -> Outcome<'a> {
        let found = self.eval(target);
        match self.charged(found, 1)? {
            Value::Optional(Some(_)) => {
                self.locals[local] = Local::LazyContent(target);
                let result = self.eval(body);
                let result = if flat {
                    result?
                } else {
                    Value::some(self.charged(result, 1)?)
                };
                Ok(self.restored(result))
            }
            Value::Optional(None) => {
                self.context.charge(1)?;
                Ok(Value::none())
            }
            _ => Err(no_such_overload()),
        }
    }
}
