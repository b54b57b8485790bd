//! Which attributes an expression reads without asking whether they are there.
//!
//! A device that lacks such an attribute makes the selector fail, and in
//! Kubernetes that ends the allocation of the whole claim. The search is by
//! the form of the expression: `has(x) && f(x)`, `!has(x) || f(x)`,
//! `has(x) ? f(x) : y`, and `"name" in domain` for `has`, in any nesting.

mod facts;

use std::ops::Range;

use crate::syntax::{self, Expr, ExprKind};
use crate::{CompileError, Options, Program, Slot, check, stack};
use facts::{Denoted, Facts, Names};

/// One read of an attribute or a capacity that a device may lack.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnguardedRead {
    /// What is read.
    pub slot: Slot,
    /// The bytes of the expression that read it.
    pub span: Range<usize>,
}

/// Finds the reads that fail on devices without the name, in the order of the text.
///
/// Reads with keys computed at run time are not found, nor do optional
/// selections count, since they do not fail.
///
/// # Errors
/// Fails where [`Program::compile`](crate::Program::compile) does.
///
/// ```
/// use dralloc_cel::{Options, unguarded_reads};
///
/// # fn main() -> Result<(), dralloc_cel::CompileError> {
/// let selector = r#"device.attributes["gpu.example.com"].index > 2"#;
/// let reads = unguarded_reads(selector, &Options::selector())?;
/// assert_eq!(reads[0].slot.name, "index");
/// let guarded = format!(r#""index" in device.attributes["gpu.example.com"] && {selector}"#);
/// assert!(unguarded_reads(&guarded, &Options::selector())?.is_empty());
/// # Ok(())
/// # }
/// ```
pub fn unguarded_reads(
    source: &str,
    options: &Options,
) -> Result<Vec<UnguardedRead>, CompileError> {
    stack::grown(|| {
        let tree = syntax::parse(source, options.language)?;
        let references = check::check(source, &tree, options)?;
        // What is wrong with constants shows when instructions are made.
        Program::assemble(source, options, &tree, references)?;
        let mut search = Search::default();
        search.visit(&tree, &Facts::new());
        search.found.sort_by_key(|read| read.span.start);
        Ok(search.found)
    })
}

#[derive(Default)]
struct Search {
    names: Names,
    found: Vec<UnguardedRead>,
}

impl Search {
    /// Looks at an expression that is evaluated only where `facts` hold, or
    /// whose failure does not count elsewhere.
    fn visit(&mut self, expr: &Expr, facts: &Facts) {
        match self.names.denoted(expr) {
            Some(Denoted::Name(slot)) => {
                if !is_test(expr) && !facts.contains(&slot) {
                    self.found.push(UnguardedRead {
                        slot,
                        span: expr.span.clone(),
                    });
                }
                return;
            }
            Some(_) => return,
            None => {}
        }
        match &expr.kind {
            ExprKind::Call {
                function,
                target,
                arguments,
            } => self.call(function, target.as_deref(), arguments, facts),
            ExprKind::Loop(parts) => {
                self.visit(&parts.range, facts);
                let variables = std::iter::once(&parts.variable).chain(&parts.second);
                let count = variables.clone().count();
                for variable in variables {
                    self.names.push(variable, None);
                }
                for part in parts.filter.iter().chain([&parts.body]) {
                    self.visit(part, facts);
                }
                self.names.pop(count);
            }
            ExprKind::Bind {
                variable,
                value,
                body,
            } => {
                let denoted = self.names.denoted(value);
                self.visit(value, facts);
                self.names.push(variable, denoted);
                self.visit(body, facts);
                self.names.pop(1);
            }
            ExprKind::OptionalMap {
                target,
                variable,
                body,
                ..
            } => {
                self.visit(target, facts);
                self.names.push(variable, None);
                self.visit(body, facts);
                self.names.pop(1);
            }
            // No variables, and nothing that one part says of another.
            kind => kind.for_each_child(|part| self.visit(part, facts)),
        }
    }

    fn call(&mut self, function: &str, target: Option<&Expr>, arguments: &[Expr], facts: &Facts) {
        match (function, arguments) {
            // Either side saves the other: `false && error` is false both ways.
            ("_&&_" | "_||_", [left, right]) => {
                let holds = function == "_&&_";
                let left_facts = self.names.facts(left, holds);
                let right_facts = self.names.facts(right, holds);
                self.visit(left, &(facts | &right_facts));
                self.visit(right, &(facts | &left_facts));
            }
            ("_?_:_", [condition, truthy, falsy]) => {
                self.visit(condition, facts);
                let holds = self.names.facts(condition, true);
                self.visit(truthy, &(facts | &holds));
                let fails = self.names.facts(condition, false);
                self.visit(falsy, &(facts | &fails));
            }
            _ => {
                for argument in target.into_iter().chain(arguments) {
                    self.visit(argument, facts);
                }
            }
        }
    }
}

/// Whether the expression is `has(…)`.
fn is_test(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Select { test: true, .. })
}

#[cfg(test)]
mod tests;
