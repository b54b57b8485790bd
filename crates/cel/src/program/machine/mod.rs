//! Evaluation.
//!
//! Costs are charged where cel-go's tracker charges them, for what was really
//! evaluated, failures included.

mod loops;
mod path;

use super::node::{Code, Node, NodeId};
use crate::library::cost::{self, CRASH};
use crate::library::{Cost, Function, MAX_ARGUMENTS};
use crate::runtime::compare::Equality;
use crate::runtime::{
    Context, List, Map, Outcome, Value, compare, invalid, no_such_overload, unhashable,
};
use crate::{ErrorKind, EvaluationError, Row};

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
    Failed(EvaluationError),
    /// Evaluated on first use.
    Lazy(NodeId),
    /// Evaluated already, but paid for on first use.
    Unpaid(Value<'a>, u64),
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

    pub(super) fn run(&mut self) -> Outcome<'a> {
        self.eval(self.code.root)
    }

    pub(super) fn cost(&self) -> u64 {
        self.context.cost()
    }

    fn constant(&self, index: usize) -> Value<'a> {
        self.code.constants[index].borrow()
    }

    fn eval(&mut self, id: NodeId) -> Outcome<'a> {
        match &self.code.nodes[id] {
            Node::Constant(index) => Ok(self.constant(*index)),
            Node::Known { constant, cost } => {
                self.context.charge(*cost)?;
                Ok(self.constant(*constant))
            }
            Node::Slot(slot) => self.whole_slot(*slot),
            Node::HasSlot(slot) => {
                self.context.charge_units(3)?;
                Ok(Value::Bool(self.slot(*slot).is_some()))
            }
            Node::BoundSlot { local, slot, test } => self.bound_slot(*local, *slot, *test),
            Node::Local(local) => {
                let value = self.local(*local);
                self.charged(value, 1)
            }
            Node::Driver => {
                self.context.charge_units(2)?;
                Ok(Value::text(self.context.row.driver()))
            }
            Node::And(left, right) => self.logical(*left, *right, false),
            Node::Or(left, right) => self.logical(*left, *right, true),
            Node::Equal {
                left,
                right,
                negated,
            } => self.equal(*left, *right, *negated),
            Node::Call {
                functions,
                cost,
                arguments,
                in_order: false,
            } => self.apply(functions, arguments, *cost),
            Node::Path(path) => self.path(path, true),
            other => self.eval_other(other),
        }
    }

    /// Evaluates what is rarer; apart, so that recursion takes little stack.
    #[inline(never)]
    fn eval_other(&mut self, node: &'a Node) -> Outcome<'a> {
        match node {
            Node::Call {
                functions,
                cost,
                arguments,
                ..
            } => self.apply_in_order(arguments, *cost, |context, values| {
                dispatch(functions, context, values)
            }),
            Node::Search {
                search,
                regex,
                cost,
                arguments,
            } => {
                let regex = &self.code.regexes[*regex];
                self.apply_in_order(arguments, *cost, |context, values| {
                    search.run(regex, context, values)
                })
            }
            Node::HasName(slot) => {
                self.context.charge(4)?;
                Ok(Value::Bool(self.slot(*slot).is_some()))
            }
            Node::Member { value, list } => {
                let value = self.eval(*value)?;
                if !value.is_hashable() {
                    return Err(unhashable(&value));
                }
                let Value::List(List::Values(list)) = &self.code.constants[*list] else {
                    return Err(no_such_overload());
                };
                let found = list
                    .iter()
                    .any(|element| compare::is_same_key(element, &value));
                Ok(Value::Bool(found))
            }
            Node::Otherwise {
                first,
                second,
                unwraps,
            } => match self.eval(*first)? {
                Value::Optional(Some(value)) if *unwraps => Ok(value.as_ref().clone()),
                Value::Optional(Some(value)) => Ok(Value::Optional(Some(value))),
                Value::Optional(None) => self.eval(*second),
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
            Node::Loop(parts) => self.run_loop(parts),
            Node::Bind { local, value, body } => {
                self.locals[*local] = Local::Lazy(*value);
                self.eval(*body)
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

    /// Charges for a result, even if it is a failure.
    fn charged(&mut self, result: Outcome<'a>, cost: u64) -> Outcome<'a> {
        if !matches!(&result, Err(error) if error.is_final()) {
            self.context.charge(cost)?;
        }
        result
    }

    /// `&&` and `||`: the operand `decides` settles it, whatever the other does.
    fn logical(&mut self, left: NodeId, right: NodeId, decides: bool) -> Outcome<'a> {
        let left = match self.eval(left) {
            Ok(Value::Bool(value)) if value == decides => return Ok(Value::Bool(decides)),
            // Nothing is settled, so the answer is that of the other side.
            Ok(Value::Bool(_)) => {
                return match self.eval(right) {
                    Ok(Value::Bool(value)) => Ok(Value::Bool(value)),
                    Ok(_) => Err(no_such_overload()),
                    Err(error) => Err(error),
                };
            }
            other => other,
        };
        let left = boolean(left)?;
        if left.as_ref().is_ok_and(|value| *value == decides) {
            return Ok(Value::Bool(decides));
        }
        let right = boolean(self.eval(right))?;
        if right.as_ref().is_ok_and(|value| *value == decides) {
            return Ok(Value::Bool(decides));
        }
        left.and(right).map(Value::Bool)
    }

    fn equal(&mut self, left: NodeId, right: NodeId, negated: bool) -> Outcome<'a> {
        let left = self.eval(left);
        if matches!(&left, Err(error) if error.is_final()) {
            return left;
        }
        match (left, self.eval(right)) {
            (Ok(left), Ok(right)) => {
                let equality = compare::equality(&left, &right, &self.context);
                let cost = equality_cost(&self.context, &left, &right, negated);
                self.context.charge(cost)?;
                match equality {
                    Equality::Undefined if !negated => Err(no_such_overload()),
                    other => Ok(Value::Bool((other == Equality::Same) != negated)),
                }
            }
            (left, right) => self.equal_failed(left, right, negated),
        }
    }

    /// Finishes a test for equality of which a side has failed.
    #[cold]
    fn equal_failed(
        &mut self,
        left: Outcome<'a>,
        right: Outcome<'a>,
        negated: bool,
    ) -> Outcome<'a> {
        let (left, first) = split(left)?;
        let (right, second) = split(right)?;
        let cost = equality_cost(&self.context, &left, &right, negated);
        self.context.charge(cost)?;
        first
            .or(second)
            .map_or_else(|| Err(no_such_overload()), Err)
    }

    /// Evaluates arguments and calls a function with them.
    ///
    /// Of one or two arguments all are evaluated, whatever fails.
    fn apply(
        &mut self,
        functions: &'a [&'static Function],
        arguments: &[NodeId],
        cost: Cost,
    ) -> Outcome<'a> {
        match arguments {
            [] => {
                let result = dispatch(functions, &mut self.context, &[]);
                self.pay(&[], result, cost)
            }
            [only] => {
                let (value, failure) = split(self.eval(*only))?;
                let values = [value];
                let result = match failure {
                    None => dispatch(functions, &mut self.context, &values),
                    Some(failure) => Err(failure),
                };
                self.pay(&values, result, cost)
            }
            [left, right] => {
                let (left, first) = split(self.eval(*left))?;
                let (right, second) = split(self.eval(*right))?;
                let values = [left, right];
                let result = match first.or(second) {
                    None => dispatch(functions, &mut self.context, &values),
                    Some(failure) => Err(failure),
                };
                self.pay(&values, result, cost)
            }
            many => self.apply_in_order(many, cost, |context, values| {
                dispatch(functions, context, values)
            }),
        }
    }

    /// Evaluates arguments up to the first failure and applies a function to
    /// them; a call costs if all were evaluated.
    #[inline(never)]
    fn apply_in_order(
        &mut self,
        arguments: &[NodeId],
        cost: Cost,
        function: impl FnOnce(&mut Context<'a>, &[Value<'a>]) -> Outcome<'a>,
    ) -> Outcome<'a> {
        let mut values = [const { Value::Null }; MAX_ARGUMENTS];
        for (index, argument) in arguments.iter().enumerate() {
            let (value, failure) = split(self.eval(*argument))?;
            if let Some(slot) = values.get_mut(index) {
                *slot = value;
            }
            if let Some(failure) = failure {
                if index + 1 < arguments.len() {
                    return Err(failure);
                }
                return self.pay(&values[..=index], Err(failure), cost);
            }
        }
        let values = &values[..arguments.len()];
        let result = function(&mut self.context, values);
        self.pay(values, result, cost)
    }

    /// Charges for a call.
    fn pay(&mut self, values: &[Value<'a>], result: Outcome<'a>, cost: Cost) -> Outcome<'a> {
        let units = match &result {
            Ok(value) => cost(&self.context, values, value),
            Err(_) => cost(&self.context, values, &Value::Null),
        };
        if units == CRASH
            && let Err(error) = result
        {
            return Err(EvaluationError::new(ErrorKind::Internal, error.message));
        }
        self.charged(result, units)
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
                return Err(unhashable(&key));
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
    /// is evaluated, and paid for, a second time when the variable is used.
    fn optional_map(
        &mut self,
        target: NodeId,
        local: usize,
        body: NodeId,
        flat: bool,
    ) -> Outcome<'a> {
        let before = self.context.cost();
        let target = self.eval(target);
        let cost = self.context.cost() - before;
        let target = self.charged(target, 1)?;
        match target {
            Value::Optional(Some(value)) => {
                let unpaid = cost.saturating_add(1);
                self.locals[local] = Local::Unpaid(value.as_ref().clone(), unpaid);
                let result = self.eval(body);
                if flat {
                    return result;
                }
                self.charged(result, 1).map(Value::some)
            }
            Value::Optional(None) => {
                self.context.charge(1)?;
                Ok(Value::none())
            }
            _ => Err(no_such_overload()),
        }
    }
}

/// What a test for equality costs.
fn equality_cost<'a>(
    context: &Context<'a>,
    left: &Value<'a>,
    right: &Value<'a>,
    negated: bool,
) -> u64 {
    if negated {
        cost::compared(context, left, right)
    } else {
        cost::equality(context, left, right)
    }
}

/// Calls the first of some functions of one name that takes the values.
fn dispatch<'a>(
    functions: &[&'static Function],
    context: &mut Context<'a>,
    values: &[Value<'a>],
) -> Outcome<'a> {
    if let [only] = functions {
        return (only.call)(context, values);
    }
    let mut result = Err(no_such_overload());
    for function in functions {
        result = (function.call)(context, values);
        let fits = !matches!(&result, Err(error) if error.kind == ErrorKind::NoSuchOverload);
        if fits {
            break;
        }
    }
    result
}

/// Separates a failure that an operator absorbs from one that ends everything.
fn split(outcome: Outcome<'_>) -> Result<(Value<'_>, Option<EvaluationError>), EvaluationError> {
    match outcome {
        Ok(value) => Ok((value, None)),
        Err(error) if error.is_final() => Err(error),
        Err(error) => Ok((Value::Null, Some(error))),
    }
}

/// Takes a result for a boolean.
fn boolean(outcome: Outcome<'_>) -> Result<Result<bool, EvaluationError>, EvaluationError> {
    match outcome {
        Ok(Value::Bool(value)) => Ok(Ok(value)),
        Ok(_) => Ok(Err(no_such_overload())),
        Err(error) if error.is_final() => Err(error),
        Err(error) => Ok(Err(error)),
    }
}

fn internal() -> EvaluationError {
    EvaluationError::new(ErrorKind::Internal, "internal error in evaluation")
}
