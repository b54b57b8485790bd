//! Compiled expressions.

mod lower;
mod machine;
mod node;

use crate::check::Reference;
use crate::runtime::{List, Value as RuntimeValue};
use crate::syntax::Expr;
use crate::{
    CompileError, ErrorKind, EvaluationError, Options, Output, Reads, Row, Value, check, stack,
    syntax,
};
use machine::{Local, Machine};
use node::{Code, Node};

/// What a selector says about a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The device satisfies the selector.
    Match,
    /// The device does not satisfy the selector.
    NoMatch,
    /// The selector failed on the device, which ends the allocation in Kubernetes.
    Error(EvaluationError),
}

/// What the last evaluation took.
#[derive(Debug, Default)]
pub struct Scratch {
    cost: u64,
    steps: u64,
}

/// Values that are visited while lists are compared, for the work of one unit
/// of cost.
const STEPS_PER_COST: u64 = 16;

impl Scratch {
    /// Creates empty scratch memory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the runtime cost of the last evaluation, by Kubernetes' rules.
    pub fn cost(&self) -> u64 {
        self.cost
    }

    /// Returns the work of the last evaluation for hosts that budget it: the
    /// cost, and beyond Kubernetes' rules what comparisons of lists took.
    pub fn work(&self) -> u64 {
        self.cost.saturating_add(self.steps / STEPS_PER_COST)
    }
}

/// A compiled expression: immutable, shared freely between threads.
///
/// ```
/// use dralloc_cel::{Device, Options, Program, Scratch, Verdict};
///
/// # fn main() -> Result<(), dralloc_cel::CompileError> {
/// let program = Program::compile("device.driver == 'nic.example.com'", &Options::selector())?;
/// let mut scratch = Scratch::new();
/// let verdict = program.matches(&Device::new("nic.example.com"), &mut scratch);
/// assert_eq!(verdict, Verdict::Match);
/// assert_eq!(scratch.cost(), 4);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Program {
    source: String,
    output: Output,
    cost_limit: u64,
    code: Code,
}

/// Number of variables for which evaluation takes no memory from the heap.
const FEW: usize = 4;

impl Program {
    /// Compiles an expression.
    ///
    /// # Errors
    /// Fails on what Kubernetes rejects when it compiles the expression: bad
    /// syntax, unknown names and functions, wrong types, invalid literals. An
    /// API server also refuses what may cost too much, which
    /// [`estimate_cost`](crate::estimate_cost) tells.
    pub fn compile(source: &str, options: &Options) -> Result<Self, CompileError> {
        let tree = syntax::parse(source, options.language)?;
        // The tree is dropped where it is walked.
        stack::for_depth(tree.depth, move || {
            let references = check::check(source, &tree, options)?;
            Self::assemble(source, options, &tree, references)
        })
    }

    /// Builds the program of a checked expression; needs a grown stack.
    pub(crate) fn assemble(
        source: &str,
        options: &Options,
        tree: &Expr,
        references: Vec<Reference>,
    ) -> Result<Self, CompileError> {
        let code = lower::lower(source, tree, options.language, references)?;
        Ok(Self {
            source: source.to_owned(),
            output: options.output,
            cost_limit: options.cost_limit,
            code,
        })
    }

    /// Returns the expression as it was written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns what the expression reads of a device.
    pub fn reads(&self) -> &Reads {
        &self.code.reads
    }

    /// Returns what the expression was compiled to produce.
    pub fn output(&self) -> Output {
        self.output
    }

    /// Returns how many bytes it takes from the heap, roughly and rather too many.
    pub fn memory(&self) -> usize {
        // Constants lie in the text; a node may point to a list of others.
        let nodes = self.code.nodes.len() * (size_of::<Node>() + 64);
        let constants = self.code.constants.len() * size_of::<RuntimeValue<'_>>();
        2 * self.source.len() + nodes + constants + self.code.patterns
    }

    /// Evaluates a selector on one device; [`Scratch::cost`] tells the cost.
    pub fn matches(&self, row: &dyn Row, scratch: &mut Scratch) -> Verdict {
        let verdict = self.run(row, scratch, |value| match content(value) {
            RuntimeValue::Bool(matches) => Ok(*matches),
            other => Err(EvaluationError::new(
                ErrorKind::ResultType,
                format!(
                    "result of type `{}` could not be converted to `bool`",
                    other.type_name()
                ),
            )),
        });
        match verdict {
            Ok(true) => Verdict::Match,
            Ok(false) => Verdict::NoMatch,
            Err(error) => Verdict::Error(error),
        }
    }

    /// Evaluates a derived attribute on one device; [`Scratch::cost`] tells the cost.
    ///
    /// A list without elements comes as [`Value::Strings`], as in Kubernetes.
    ///
    /// # Errors
    /// Fails where Kubernetes' evaluation fails on this device.
    pub fn evaluate(&self, row: &dyn Row, scratch: &mut Scratch) -> Result<Value, EvaluationError> {
        self.run(row, scratch, derived)
    }

    fn run<T>(
        &self,
        row: &dyn Row,
        scratch: &mut Scratch,
        convert: impl FnOnce(&RuntimeValue<'_>) -> Result<T, EvaluationError>,
    ) -> Result<T, EvaluationError> {
        let evaluate = || {
            let (mut few, mut many);
            let locals: &mut [Local<'_>] = match self.code.locals {
                0 => &mut [],
                count @ 1..=FEW => {
                    few = [const { Local::Empty }; FEW];
                    &mut few[..count]
                }
                count => {
                    many = vec![Local::Empty; count];
                    many.as_mut_slice()
                }
            };
            let mut machine = Machine::new(&self.code, row, self.cost_limit, locals);
            let mut value = RuntimeValue::Null;
            let result = match machine.run(&mut value) {
                Ok(()) => convert(&value),
                Err(failure) => Err(failure.into()),
            };
            scratch.cost = machine.cost();
            scratch.steps = machine.steps();
            result
        };
        stack::for_depth(self.code.depth, evaluate)
    }
}

/// Returns what is in optional values around it.
fn content<'v, 'a>(value: &'v RuntimeValue<'a>) -> &'v RuntimeValue<'a> {
    let mut value = value;
    while let RuntimeValue::Optional(Some(inner)) = value {
        value = inner;
    }
    value
}

fn unsupported(value: &RuntimeValue<'_>) -> EvaluationError {
    EvaluationError::new(
        ErrorKind::ResultType,
        format!("unsupported type of result: `{}`", value.type_name()),
    )
}

/// Converts a result to an attribute value.
fn derived(value: &RuntimeValue<'_>) -> Result<Value, EvaluationError> {
    Ok(match value {
        RuntimeValue::Bool(value) => Value::Bool(*value),
        RuntimeValue::Int(value) => Value::Int(*value),
        RuntimeValue::String(value) => Value::String(value.to_string()),
        RuntimeValue::Version(value) => Value::Version((**value).clone()),
        RuntimeValue::List(list) => return derived_list(list),
        other => return Err(unsupported(other)),
    })
}

/// Converts a list whose elements are all of the type of the first.
fn derived_list(list: &List<'_>) -> Result<Value, EvaluationError> {
    fn all<'a, T>(
        list: &List<'a>,
        convert: impl Fn(&RuntimeValue<'a>) -> Option<T>,
    ) -> Result<Vec<T>, EvaluationError> {
        list.iter()
            .map(|element| convert(&element).ok_or_else(|| unsupported(&element)))
            .collect()
    }
    let Some(first) = list.get(0) else {
        return Ok(Value::Strings(Vec::new()));
    };
    Ok(match first {
        RuntimeValue::Bool(_) => Value::Bools(all(list, |element| match element {
            RuntimeValue::Bool(value) => Some(*value),
            _ => None,
        })?),
        RuntimeValue::Int(_) => Value::Ints(all(list, |element| match element {
            RuntimeValue::Int(value) => Some(*value),
            _ => None,
        })?),
        RuntimeValue::String(_) => Value::Strings(all(list, |element| match element {
            RuntimeValue::String(value) => Some(value.to_string()),
            _ => None,
        })?),
        RuntimeValue::Version(_) => Value::Versions(all(list, |element| match element {
            RuntimeValue::Version(value) => Some((**value).clone()),
            _ => None,
        })?),
        other => return Err(unsupported(&other)),
    })
}
