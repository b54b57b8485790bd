//! From a checked tree to instructions.
//!
//! Constants are folded where cel-go folds them, since that shows in costs:
//! literals of constants, conversions of constants, `in` a list of constants.

mod call;
mod reads;

use crate::check::Reference;
use crate::library::{self, CEL_GO_29};
use crate::options::Language;
use crate::runtime::{Map, Shared, Value};
use crate::syntax::{Element, Entry, Expr, ExprKind, Field, Literal, Loop};
use crate::{CompileError, Reads};

use super::node::{Callee, Code, DomainName, Key, LoopNode, Node, NodeId, Path, Qualifier, Root};

/// Lowers a checked expression; needs a grown stack.
pub(super) fn lower(
    source: &str,
    tree: &Expr,
    language: Language,
    references: Vec<Reference>,
) -> Result<Code, CompileError> {
    let mut lowering = Lowering {
        source,
        language,
        references,
        code: Code {
            nodes: Vec::new(),
            constants: Vec::new(),
            matchers: Vec::new(),
            root: 0,
            locals: 0,
            depth: 0,
            reads: Reads::default(),
            patterns: 0,
            restores: language.minor < CEL_GO_29,
        },
        scopes: Vec::new(),
        domains: Vec::new(),
        depth: 0,
        patterns: library::PATTERNS,
    };
    let root = lowering.node(tree)?;
    lowering.code.root = root;
    lowering.code.patterns = library::PATTERNS - lowering.patterns;
    Ok(lowering.code)
}

struct Lowering<'s> {
    source: &'s str,
    language: Language,
    references: Vec<Reference>,
    code: Code,
    /// The places of the variables in scope.
    scopes: Vec<usize>,
    /// For every place the domain that its variable is bound to, if it is one.
    domains: Vec<Option<DomainName>>,
    depth: usize,
    /// Bytes left for compiling patterns.
    patterns: usize,
}

/// An expression on its way to a node.
enum Lowered {
    Constant(Value<'static>),
    Path(Path),
    Node(Node),
}

type Result<T, E = CompileError> = std::result::Result<T, E>;

impl Lowering<'_> {
    fn error(&self, expr: &Expr, message: impl Into<String>) -> CompileError {
        CompileError::new(self.source, expr.span.clone(), message)
    }

    fn constant(&mut self, value: Value<'static>) -> usize {
        self.code.constants.push(value);
        self.code.constants.len() - 1
    }

    fn add(&mut self, node: Node) -> NodeId {
        self.code.nodes.push(node);
        self.code.nodes.len() - 1
    }

    /// Lowers an expression to a node of its own.
    fn node(&mut self, expr: &Expr) -> Result<NodeId> {
        let lowered = self.lower(expr)?;
        Ok(self.seal(lowered))
    }

    fn seal(&mut self, lowered: Lowered) -> NodeId {
        let node = match lowered {
            Lowered::Constant(value) => Node::Constant(self.constant(value)),
            Lowered::Path(path) => {
                let path = self.settle(path);
                self.path_node(path)
            }
            Lowered::Node(node) => node,
        };
        self.add(node)
    }

    fn lower(&mut self, expr: &Expr) -> Result<Lowered> {
        self.depth += 1;
        self.code.depth = self.code.depth.max(self.depth);
        let lowered = self.lower_kind(expr);
        self.depth -= 1;
        lowered
    }

    fn lower_kind(&mut self, expr: &Expr) -> Result<Lowered> {
        match &expr.kind {
            ExprKind::Literal(literal) => Ok(Lowered::Constant(literal_value(literal))),
            ExprKind::Ident(_) => self.name(expr),
            ExprKind::Select {
                operand,
                field,
                test,
            } => {
                if matches!(self.reference(expr), Reference::Type(_)) {
                    return self.name(expr);
                }
                let key = Value::string(field.as_str());
                let mut path = self.operand(operand)?;
                let key = Key::Constant(self.constant(key));
                path.push(
                    Qualifier {
                        key,
                        optional: false,
                    },
                    *test,
                );
                Ok(Lowered::Path(path))
            }
            ExprKind::OptionalSelect { operand, field } => {
                let key = Value::string(field.as_str());
                let mut path = self.operand(operand)?;
                let key = Key::Constant(self.constant(key));
                path.push(
                    Qualifier {
                        key,
                        optional: true,
                    },
                    false,
                );
                Ok(Lowered::Path(path))
            }
            ExprKind::Call {
                function,
                target,
                arguments,
            } => self.call(expr, function, target.as_deref(), arguments),
            ExprKind::List(elements) => self.list(elements),
            ExprKind::Map(entries) => self.map(entries),
            ExprKind::Struct { name, fields } => self.message(expr, name, fields),
            ExprKind::Loop(parts) => self.loop_macro(parts),
            ExprKind::Bind { value, body, .. } => self.bind(value, body),
            ExprKind::OptionalMap {
                target, body, flat, ..
            } => {
                let target = self.node(target)?;
                let local = self.enter(None);
                let body = self.node(body);
                self.scopes.pop();
                Ok(Lowered::Node(Node::OptionalMap {
                    target,
                    local,
                    body: body?,
                    flat: *flat,
                }))
            }
        }
    }

    fn reference(&self, expr: &Expr) -> Reference {
        self.references.get(expr.id).cloned().unwrap_or_default()
    }

    fn name(&mut self, expr: &Expr) -> Result<Lowered> {
        Ok(match self.reference(expr) {
            Reference::Device => Lowered::Path(Path::new(Root::Device)),
            Reference::Local(index) => match self.scopes.get(index) {
                Some(local) => Lowered::Path(Path::new(Root::Local(*local))),
                None => return Err(self.error(expr, "unresolved variable")),
            },
            Reference::Type(name) => Lowered::Constant(Value::Type(name)),
            _ => return Err(self.error(expr, "unresolved name")),
        })
    }

    /// Lowers what something is selected on.
    fn operand(&mut self, expr: &Expr) -> Result<Path> {
        match self.lower(expr)? {
            Lowered::Path(path) => Ok(path),
            Lowered::Node(node @ Node::OptionalMap { .. }) => {
                Ok(Path::new(Root::Mapped(self.add(node))))
            }
            other => Ok(Path::new(Root::Node(self.seal(other)))),
        }
    }

    /// Makes a variable; returns its place.
    ///
    /// No two variables share a place: what is bound is evaluated late, amid
    /// variables that came after it.
    fn enter(&mut self, domain: Option<DomainName>) -> usize {
        let local = self.code.locals;
        self.code.locals += 1;
        self.domains.push(domain);
        self.scopes.push(local);
        local
    }

    fn list(&mut self, elements: &[Element]) -> Result<Lowered> {
        let mut lowered = Vec::with_capacity(elements.len());
        for element in elements {
            lowered.push((self.lower(&element.value)?, element.optional));
        }
        let is_constant = |(value, optional): &(Lowered, bool)| {
            matches!(value, Lowered::Constant(_)) && !optional
        };
        if lowered.iter().all(is_constant) {
            let values = lowered.into_iter().filter_map(|(value, _)| match value {
                Lowered::Constant(value) => Some(value),
                _ => None,
            });
            return Ok(Lowered::Constant(Value::list(values.collect())));
        }
        let elements = lowered
            .into_iter()
            .map(|(value, optional)| (self.seal(value), optional))
            .collect();
        Ok(Lowered::Node(Node::List(elements)))
    }

    fn map(&mut self, entries: &[Entry]) -> Result<Lowered> {
        let mut lowered = Vec::with_capacity(entries.len());
        for entry in entries {
            let key = self.lower(&entry.key)?;
            let value = self.lower(&entry.value)?;
            lowered.push((key, value, entry.optional));
        }
        let is_constant = |(key, value, optional): &(Lowered, Lowered, bool)| {
            matches!(
                (key, value, optional),
                (Lowered::Constant(_), Lowered::Constant(_), false)
            )
        };
        if lowered.iter().all(is_constant) {
            let pairs = lowered
                .into_iter()
                .filter_map(|(key, value, _)| match (key, value) {
                    (Lowered::Constant(key), Lowered::Constant(value)) => Some((key, Some(value))),
                    _ => None,
                });
            let map = Map::from_pairs(pairs.collect());
            return Ok(Lowered::Constant(Value::Map(map)));
        }
        let entries = lowered
            .into_iter()
            .map(|(key, value, optional)| (self.seal(key), self.seal(value), optional))
            .collect();
        Ok(Lowered::Node(Node::Map(entries)))
    }

    /// A map of the fields, and a call that makes a value of it.
    fn message(&mut self, expr: &Expr, name: &str, fields: &[Field]) -> Result<Lowered> {
        let Some(message) = library::message(name.strip_prefix('.').unwrap_or(name)) else {
            return Err(self.error(expr, format!("undeclared reference to `{name}`")));
        };
        let mut entries = Vec::with_capacity(fields.len());
        for field in fields {
            let value = self.node(&field.value)?;
            let name = self.constant(Value::string(field.name.as_str()));
            entries.push((self.add(Node::Constant(name)), value, field.optional));
        }
        let map = self.add(Node::Map(entries.into()));
        Ok(Lowered::Node(Node::Call {
            callee: Callee {
                functions: [&message.function].into(),
                only: None,
            },
            cost: message.function.cost.unwrap_or(library::cost::one),
            arguments: [map].into(),
            in_order: false,
        }))
    }

    fn loop_macro(&mut self, parts: &Loop) -> Result<Lowered> {
        let range = self.node(&parts.range)?;
        let depth = self.scopes.len();
        let local = self.enter(None);
        let two = parts.second.is_some();
        if two {
            self.enter(None);
        }
        let result = self.loop_body(parts, range, local, two);
        self.scopes.truncate(depth);
        result
    }

    fn loop_body(
        &mut self,
        parts: &Loop,
        range: NodeId,
        local: usize,
        two: bool,
    ) -> Result<Lowered> {
        let filter = match &parts.filter {
            Some(filter) => Some(self.node(filter)?),
            None => None,
        };
        let body = self.lower(&parts.body)?;
        let constant_body = matches!(body, Lowered::Constant(_));
        let body = self.seal(body);
        Ok(Lowered::Node(Node::Loop(Box::new(LoopNode {
            kind: parts.kind,
            range,
            local,
            two,
            filter,
            body,
            constant_body,
        }))))
    }

    fn bind(&mut self, value: &Expr, body: &Expr) -> Result<Lowered> {
        let lowered = self.lower(value)?;
        let domain = match &lowered {
            Lowered::Path(path) => self.domain(path),
            _ => None,
        };
        let value = match (lowered, &domain) {
            // What is read of the domain shows where the variable is used.
            (Lowered::Path(path), Some(_)) => {
                let node = self.path_node(path);
                self.add(node)
            }
            (lowered, _) => self.seal(lowered),
        };
        let local = self.enter(domain);
        let body = self.node(body);
        self.scopes.pop();
        Ok(Lowered::Node(Node::Bind {
            local,
            value,
            body: body?,
        }))
    }
}

fn literal_value(literal: &Literal) -> Value<'static> {
    match literal {
        Literal::Null => Value::Null,
        Literal::Bool(value) => Value::Bool(*value),
        Literal::Int(value) => Value::Int(*value),
        Literal::Uint(value) => Value::Uint(*value),
        Literal::Double(value) => Value::Double(*value),
        Literal::String(value) => Value::string(value.as_str()),
        Literal::Bytes(value) => Value::Bytes(Shared::Owned(value.as_slice().into())),
    }
}
