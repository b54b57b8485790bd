//! Evaluation of functions and operators.

use std::cmp::Ordering;

use super::Machine;
use super::failure::{Done, Failure, Outcome, absorbed, internal, no_such_overload};
use crate::library::cost::{self, CRASH};
use crate::library::{Cost, MAX_ARGUMENTS};
use crate::program::node::{Callee, Node, NodeId, OrderCost};
use crate::runtime::compare::Equality;
use crate::runtime::{self, Context, Value, compare};
use crate::{ErrorKind, EvaluationError};

impl<'a> Machine<'a, '_> {
    /// Evaluates two operands, both whatever fails, and compares them where they are.
    fn compare(
        &mut self,
        left: NodeId,
        right: NodeId,
        compare: impl FnOnce(
            &mut Context<'a>,
            Option<Failure>,
            &Value<'a>,
            &Value<'a>,
        ) -> Result<bool, Failure>,
    ) -> Result<bool, Failure> {
        let (mut first, mut second) = (Value::Null, Value::Null);
        let failure = absorbed(self.eval_to(left, &mut first))?;
        if let Node::Constant(constant) = &self.code.nodes[right] {
            let second = &self.code.constants[*constant];
            return compare(&mut self.context, failure, &first, second);
        }
        let failure = failure.or(absorbed(self.eval_to(right, &mut second))?);
        compare(&mut self.context, failure, &first, &second)
    }

    /// `==` and `!=`.
    pub(super) fn equal(
        &mut self,
        left: NodeId,
        right: NodeId,
        negated: bool,
    ) -> Result<bool, Failure> {
        self.compare(left, right, |context, failure, left, right| {
            let equality = match failure {
                None => compare::equality(left, right, context),
                Some(_) => Equality::Undefined,
            };
            let cost = if negated {
                cost::compared(context, left, right)
            } else {
                cost::equality(context, left, right)
            };
            context.charge(cost)?;
            match (failure, equality) {
                (Some(failure), _) => Err(failure),
                (None, Equality::Undefined) if !negated => Err(no_such_overload()),
                (None, equality) => Ok((equality == Equality::Same) != negated),
            }
        })
    }

    /// `<` and its kin.
    pub(super) fn order(
        &mut self,
        left: NodeId,
        right: NodeId,
        holds: fn(Ordering) -> bool,
        cost: OrderCost,
    ) -> Result<bool, Failure> {
        self.compare(left, right, |context, failure, left, right| {
            let order = match failure {
                None => compare::order(left, right).map_err(Failure::from),
                Some(failure) => Err(failure),
            };
            context.charge(match cost {
                OrderCost::One => 1,
                OrderCost::Traversal => cost::compared(context, left, right),
            })?;
            order.map(holds)
        })
    }

    /// Evaluates arguments and calls a function with them.
    ///
    /// Of one or two arguments all are evaluated, whatever fails.
    pub(super) fn call(
        &mut self,
        callee: &Callee,
        arguments: &[NodeId],
        cost: Cost,
        place: &mut Value<'a>,
    ) -> Done {
        match arguments {
            [only] => {
                let mut values = [Value::Null];
                let failure = absorbed(self.eval_to(*only, &mut values[0]))?;
                let result = match failure {
                    None => dispatch(callee, &mut self.context, &values),
                    Some(failure) => Err(failure.into()),
                };
                self.pay(&values, result, cost, place)
            }
            [left, right] => {
                let mut values = [Value::Null, Value::Null];
                let first = absorbed(self.eval_to(*left, &mut values[0]))?;
                let second = absorbed(self.eval_to(*right, &mut values[1]))?;
                let result = match first.or(second) {
                    None => dispatch(callee, &mut self.context, &values),
                    Some(failure) => Err(failure.into()),
                };
                self.pay(&values, result, cost, place)
            }
            many => {
                *place = self.call_in_order(many, cost, |context, values| {
                    dispatch(callee, context, values)
                })?;
                Ok(())
            }
        }
    }

    /// Evaluates arguments up to the first failure and applies a function to
    /// them; a call costs if all were evaluated.
    #[inline(never)]
    pub(super) fn call_in_order(
        &mut self,
        arguments: &[NodeId],
        cost: Cost,
        function: impl FnOnce(&mut Context<'a>, &[Value<'a>]) -> runtime::Outcome<'a>,
    ) -> Outcome<'a> {
        let mut values = [const { Value::Null }; MAX_ARGUMENTS];
        let mut result = Value::Null;
        for (index, argument) in arguments.iter().enumerate() {
            let Some(place) = values.get_mut(index) else {
                return Err(internal());
            };
            if let Some(failure) = absorbed(self.eval_to(*argument, place))? {
                if index + 1 < arguments.len() {
                    return Err(failure);
                }
                self.pay(&values[..=index], Err(failure.into()), cost, &mut result)?;
            }
        }
        let values = &values[..arguments.len()];
        let outcome = function(&mut self.context, values);
        self.pay(values, outcome, cost, &mut result)?;
        Ok(result)
    }

    /// Charges for a call, even if it has failed.
    fn pay(
        &mut self,
        values: &[Value<'a>],
        result: runtime::Outcome<'a>,
        cost: Cost,
        place: &mut Value<'a>,
    ) -> Done {
        match result {
            Ok(value) => {
                let units = cost(&self.context, values, &value);
                self.context.charge(units)?;
                *place = value;
                Ok(())
            }
            Err(error) => {
                let units = cost(&self.context, values, &Value::Null);
                if units == CRASH {
                    return Err(EvaluationError::new(ErrorKind::Internal, error.message).into());
                }
                if !error.is_final() {
                    self.context.charge(units)?;
                }
                Err(error.into())
            }
        }
    }
}

/// Calls the first of some functions of one name that takes the values.
pub(in crate::program) fn dispatch<'a>(
    callee: &Callee,
    context: &mut Context<'a>,
    values: &[Value<'a>],
) -> runtime::Outcome<'a> {
    if let Some(overload) = callee.only
        && !overload.takes(values)
    {
        return Err(runtime::no_such_overload());
    }
    if let [only] = &*callee.functions {
        return (only.call)(context, values);
    }
    let mut result = Err(runtime::no_such_overload());
    for function in &callee.functions {
        result = (function.call)(context, values);
        let fits = !matches!(&result, Err(error) if error.kind == ErrorKind::NoSuchOverload);
        if fits {
            break;
        }
    }
    result
}
