//! CEL expressions of claims and classes, compiled once each.

use dralloc_cel::Program;

use crate::error::{Code, Error};
use crate::features::Features;
use crate::model::Str;

/// Is an expression, compiled if it can be.
#[derive(Debug)]
pub(crate) struct Expression {
    pub(crate) source: Str,
    pub(crate) output: Output,
    /// The error is one of the claims only where the search meets it.
    pub(crate) program: Result<Program, Error>,
}

/// Is what an expression is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Output {
    Selector,
    DerivedAttribute,
}

/// Is the place of an expression in its [`PreparedClaims`](super::PreparedClaims).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ExpressionId(u32);

impl ExpressionId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Collects expressions: equal ones are compiled once.
pub(crate) struct Expressions {
    features: Features,
    list: Vec<Expression>,
}

impl Expressions {
    pub(super) fn new(features: Features) -> Self {
        Self {
            features,
            list: Vec::new(),
        }
    }

    /// Compiles a list again, each in its place.
    pub(super) fn again(features: Features, list: &[Expression]) -> Self {
        let mut again = Self::new(features);
        for expression in list {
            again.add(&expression.source, expression.output);
        }
        again
    }

    pub(super) fn selector(&mut self, source: &Str) -> ExpressionId {
        self.add(source, Output::Selector)
    }

    pub(super) fn derived_attribute(&mut self, source: &Str) -> ExpressionId {
        self.add(source, Output::DerivedAttribute)
    }

    pub(super) fn into_list(self) -> Vec<Expression> {
        self.list
    }

    fn add(&mut self, source: &Str, output: Output) -> ExpressionId {
        let same = |known: &Expression| known.source == *source && known.output == output;
        let index = self.list.iter().position(same).unwrap_or_else(|| {
            let options = match output {
                Output::Selector => self.features.selector_options(),
                Output::DerivedAttribute => self.features.derived_attribute_options(),
            };
            let program = Program::compile(source, &options)
                .map_err(|error| Error::new(Code::CelCompile, error.to_string()));
            self.list.push(Expression {
                source: source.clone(),
                output,
                program,
            });
            self.list.len() - 1
        });
        // API limits keep the number of expressions far below 2^32.
        ExpressionId(u32::try_from(index).unwrap_or(u32::MAX))
    }
}
