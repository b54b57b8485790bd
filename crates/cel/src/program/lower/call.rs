//! Lowering of calls and operators.

use std::cmp::Ordering;

use dralloc_quantity::Quantity;

use super::{Lowered, Lowering, Result};
use crate::check::Reference;
use crate::library::{self, CEL_GO_29, Cost, Function, Matcher, Overload, Pattern, Search};
use crate::program::machine::dispatch;
use crate::program::node::{
    Callee, Conditional, Key, Node, NodeId, OrderCost, Path, Qualifier, Root,
};
use crate::runtime::{Context, List, Value};
use crate::syntax::{Expr, ExprKind, Literal};
use crate::{Attribute, Kind, Row};

/// Functions of one argument that are computed at once on constants.
const CONVERSIONS: [&str; 10] = [
    "bool",
    "bytes",
    "double",
    "duration",
    "dyn",
    "int",
    "string",
    "timestamp",
    "type",
    "uint",
];

/// Functions that are computed beforehand on constants, if they succeed; that
/// they cost, and fail when they are evaluated, stays.
const KNOWN: [&str; 2] = ["quantity", "semver"];

/// Functions that look at the types of their arguments themselves.
const UNGUARDED: [&str; 6] = [
    "@sortByAssociatedKeys",
    "endsWith",
    "flatten",
    "size",
    "sort",
    "startsWith",
];

/// What the checker found out about a call.
struct Resolved {
    functions: Vec<&'static Function>,
    overload: Option<&'static Overload>,
    /// Whether the function has other signatures of as many arguments.
    has_others: bool,
}

impl Resolved {
    /// The cost of a known signature, else the one of the name.
    fn cost(&self) -> Cost {
        self.overload
            .and_then(|overload| overload.cost)
            .or_else(|| self.functions.first().and_then(|function| function.cost))
            .unwrap_or(library::cost::one)
    }

    /// cel-go finds the signature at run time once the arguments are there,
    /// except for operators and for functions named like them.
    fn is_in_order(&self) -> bool {
        self.overload.is_none()
            && self
                .functions
                .first()
                .is_some_and(|function| function.name.starts_with(char::is_alphabetic))
    }

    /// cel-go tries no other signature than the one that the checker found,
    /// even if the arguments turn out to be of other types; that of operators
    /// is of no account.
    fn callee(&self) -> Callee {
        let is_guarded = self.has_others
            && self.functions.iter().all(|function| {
                function.name.starts_with(char::is_alphabetic)
                    && !UNGUARDED.contains(&function.name)
            });
        Callee {
            functions: self.functions.clone().into(),
            only: self.overload.filter(|_| is_guarded),
        }
    }

    fn is_list_search(&self) -> bool {
        self.overload
            .is_some_and(|overload| matches!(overload.arguments.get(1), Some(Pattern::List(_))))
    }

    /// Whether a function of the relaxed dialect may be meant.
    fn is_relaxed(&self) -> bool {
        self.functions.iter().any(|function| function.is_relaxed())
    }
}

impl Lowering<'_> {
    pub(super) fn call(
        &mut self,
        expr: &Expr,
        function: &str,
        target: Option<&Expr>,
        arguments: &[Expr],
    ) -> Result<Lowered> {
        let function = function.strip_prefix('.').unwrap_or(function);
        if let ("_&&_" | "_||_", [left, right]) = (function, arguments) {
            let (left, right) = (self.node(left)?, self.node(right)?);
            return Ok(Lowered::Node(if function == "_&&_" {
                Node::And(left, right)
            } else {
                Node::Or(left, right)
            }));
        }
        let (resolved, is_namespaced) = match self.reference(expr) {
            Reference::Call {
                functions,
                overload,
                is_namespaced,
            } => (
                Resolved {
                    has_others: self.has_others(&functions, overload),
                    functions,
                    overload,
                },
                is_namespaced,
            ),
            _ => return Err(self.error(expr, format!("unresolved call of `{function}`"))),
        };
        let target = target.filter(|_| !is_namespaced);
        let all: Vec<&Expr> = target.into_iter().chain(arguments).collect();
        match (function, all.as_slice()) {
            ("_?_:_", [condition, truthy, falsy]) => self.conditional(condition, truthy, falsy),
            ("_==_" | "_!=_", [left, right]) => Ok(Lowered::Node(Node::Equal {
                left: self.node(left)?,
                right: self.node(right)?,
                negated: function == "_!=_",
            })),
            ("_[_]", [operand, key]) => self.index(operand, key, false),
            ("_[?_]", [operand, key]) => self.index(operand, key, true),
            ("or" | "orValue", [first, second]) if target.is_some() => {
                Ok(Lowered::Node(Node::Otherwise {
                    first: self.node(first)?,
                    second: self.node(second)?,
                    unwraps: function == "orValue",
                    passes: self.language.minor < CEL_GO_29,
                }))
            }
            // Quantities and versions are none of the instruction's business.
            ("_<_" | "_<=_" | "_>_" | "_>=_", _) if resolved.is_relaxed() => {
                self.plain_call(expr, function, &resolved, &all)
            }
            ("_<_", [left, right]) => self.order(&resolved, left, right, Ordering::is_lt),
            ("_<=_", [left, right]) => self.order(&resolved, left, right, Ordering::is_le),
            ("_>_", [left, right]) => self.order(&resolved, left, right, Ordering::is_gt),
            ("_>=_", [left, right]) => self.order(&resolved, left, right, Ordering::is_ge),
            ("@in", [value, container]) => self.contained(&resolved, value, container),
            ("matches", [subject, _]) if target.is_none() => {
                self.check_pattern(subject)?;
                self.plain_call(expr, function, &resolved, &all)
            }
            _ => self.plain_call(expr, function, &resolved, &all),
        }
    }

    /// Whether a function of this name has other signatures of as many
    /// arguments as the only one that fits.
    fn has_others(
        &self,
        functions: &[&'static Function],
        overload: Option<&'static Overload>,
    ) -> bool {
        let (Some(overload), Some(function)) = (overload, functions.first()) else {
            return false;
        };
        library::functions(function.name, self.language)
            .filter(|other| other.member == function.member)
            .flat_map(|other| other.overloads)
            .filter(|other| other.arguments.len() == overload.arguments.len())
            .nth(1)
            .is_some()
    }

    fn conditional(&mut self, condition: &Expr, truthy: &Expr, falsy: &Expr) -> Result<Lowered> {
        let condition = self.node(condition)?;
        let truthy = self.operand(truthy)?;
        let falsy = self.operand(falsy)?;
        let conditional = Conditional {
            condition,
            truthy,
            falsy,
        };
        Ok(Lowered::Path(Path::new(Root::Conditional(Box::new(
            conditional,
        )))))
    }

    fn order(
        &mut self,
        resolved: &Resolved,
        left: &Expr,
        right: &Expr,
        holds: fn(Ordering) -> bool,
    ) -> Result<Lowered> {
        let is_text = resolved
            .overload
            .is_some_and(|overload| overload.cost.is_some());
        Ok(Lowered::Node(Node::Order {
            left: self.node(left)?,
            right: self.node(right)?,
            holds,
            cost: if is_text {
                OrderCost::Traversal
            } else {
                OrderCost::One
            },
        }))
    }

    fn index(&mut self, operand: &Expr, key: &Expr, optional: bool) -> Result<Lowered> {
        let mut path = self.operand(operand)?;
        let key = match self.lower(key)? {
            Lowered::Constant(
                value @ (Value::Bool(_)
                | Value::Int(_)
                | Value::Uint(_)
                | Value::Double(_)
                | Value::String(_)),
            ) => Key::Constant(self.constant(value)),
            Lowered::Constant(value) => {
                let message = format!("invalid type of index: `{}`", value.type_name());
                return Err(self.error(key, message));
            }
            Lowered::Path(path) => Key::Path(self.settle(path)),
            Lowered::Node(node) => Key::Node(self.add(node)),
        };
        path.push(Qualifier { key, optional }, false);
        Ok(Lowered::Path(path))
    }

    fn contained(
        &mut self,
        resolved: &Resolved,
        value: &Expr,
        container: &Expr,
    ) -> Result<Lowered> {
        let value = self.lower(value)?;
        let container = self.lower(container)?;
        let container = match (&value, container) {
            (_, Lowered::Constant(Value::List(list))) if resolved.is_list_search() => {
                if list.len() == 0 {
                    return Ok(Lowered::Constant(Value::Bool(false)));
                }
                if is_set(&list) {
                    let value = self.seal(value);
                    let list = self.constant(Value::List(list));
                    return Ok(Lowered::Node(Node::Member { value, list }));
                }
                self.seal(Lowered::Constant(Value::List(list)))
            }
            (Lowered::Constant(Value::String(name)), Lowered::Path(path)) => {
                if let Some(domain) = self.domain(&path) {
                    let slot = self.slot(domain, name);
                    if matches!(path.root, Root::Device) {
                        return Ok(Lowered::Node(Node::HasName(slot)));
                    }
                    self.add(Node::Path(path))
                } else if let Some(kind) = self.domains(&path) {
                    let read = (kind, name.to_string());
                    if !self.code.reads.domains.contains(&read) {
                        self.code.reads.domains.push(read);
                    }
                    self.add(Node::Path(path))
                } else {
                    self.seal(Lowered::Path(path))
                }
            }
            (_, container) => self.seal(container),
        };
        let value = self.seal(value);
        Ok(call_node(resolved, vec![value, container]))
    }

    /// Kubernetes looks for a pattern in the first argument of `matches`, which
    /// is the text where nothing stands before the name.
    fn check_pattern(&self, expr: &Expr) -> Result<()> {
        if let ExprKind::Literal(Literal::String(text)) = &expr.kind {
            self.matcher(expr, Search::Matches, text)?;
        }
        Ok(())
    }

    fn matcher(&self, expr: &Expr, search: Search, pattern: &str) -> Result<Matcher> {
        Matcher::new(search, pattern)
            .map_err(|message| self.error(expr, format!("invalid regular expression: {message}")))
    }

    fn plain_call(
        &mut self,
        expr: &Expr,
        function: &str,
        resolved: &Resolved,
        arguments: &[&Expr],
    ) -> Result<Lowered> {
        let mut lowered = Vec::with_capacity(arguments.len());
        for argument in arguments {
            lowered.push(self.lower(argument)?);
        }
        if let [Lowered::Constant(value)] = lowered.as_slice()
            && CONVERSIONS.contains(&function)
        {
            let (value, _) = fold(resolved, std::slice::from_ref(value))
                .map_err(|error| self.error(expr, error.message))?;
            return Ok(Lowered::Constant(value));
        }
        if KNOWN.contains(&function)
            && let Some(constants) = constants(&lowered)
            && let Ok((value, cost)) = fold(resolved, &constants)
        {
            let constant = self.constant(value);
            return Ok(Lowered::Node(Node::Known { constant, cost }));
        }
        let pattern = match lowered.get(1) {
            Some(Lowered::Constant(Value::String(pattern))) => Some(pattern.to_string()),
            _ => None,
        };
        let ids: Vec<NodeId> = lowered.into_iter().map(|value| self.seal(value)).collect();
        if let (Some(search), Some(pattern)) = (Search::named(function), pattern) {
            let matcher = self.matcher(expr, search, &pattern)?;
            self.code.matchers.push(matcher);
            return Ok(Lowered::Node(Node::Search {
                search,
                matcher: self.code.matchers.len() - 1,
                cost: resolved.cost(),
                arguments: ids.into(),
            }));
        }
        Ok(call_node(resolved, ids))
    }
}

fn call_node(resolved: &Resolved, arguments: Vec<NodeId>) -> Lowered {
    Lowered::Node(Node::Call {
        callee: resolved.callee(),
        cost: resolved.cost(),
        arguments: arguments.into(),
        in_order: resolved.is_in_order(),
    })
}

/// Whether a constant list is looked up in as a set, at no cost.
fn is_set(list: &List<'_>) -> bool {
    list.iter().all(|element| {
        matches!(
            element,
            Value::Bool(_) | Value::Int(_) | Value::Uint(_) | Value::Double(_) | Value::String(_)
        )
    })
}

/// The arguments of a call, if all are constants.
fn constants(arguments: &[Lowered]) -> Option<Vec<Value<'static>>> {
    arguments
        .iter()
        .map(|argument| match argument {
            Lowered::Constant(value) => Some(value.clone()),
            _ => None,
        })
        .collect()
}

/// Computes a call on constants, and what it costs.
fn fold(
    resolved: &Resolved,
    arguments: &[Value<'static>],
) -> Result<(Value<'static>, u64), crate::EvaluationError> {
    let mut context: Context<'static> = Context::new(&NO_DEVICE, u64::MAX);
    let value = dispatch(&resolved.callee(), &mut context, arguments)?;
    let cost = (resolved.cost())(&context, arguments, &value);
    Ok((value, cost))
}

/// The device that constants are computed on.
static NO_DEVICE: NoDevice = NoDevice;

struct NoDevice;

impl Row for NoDevice {
    fn driver(&self) -> &'static str {
        ""
    }

    fn allow_multiple_allocations(&self) -> bool {
        false
    }

    fn attribute(&self, _: &str, _: &str) -> Option<Attribute<'_>> {
        None
    }

    fn capacity(&self, _: &str, _: &str) -> Option<&Quantity> {
        None
    }

    fn domains(&self, _: Kind) -> Vec<&str> {
        Vec::new()
    }

    fn names(&self, _: Kind, _: &str) -> Vec<&str> {
        Vec::new()
    }
}
