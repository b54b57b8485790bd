//! [`Finding`]: what is found out about a selector.

use dralloc::Features;
use dralloc_cel::{CompileError, Kind, Options, Program, Slot};
use serde::Serialize;

use crate::cel::language::{Dialect, Language};

/// Is what is found out about a selector.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Finding {
    /// Whether it is accepted, by an API server unless the dialect is a relaxed one.
    pub(super) valid: bool,
    pub(super) dialect: Dialect,
    pub(super) kubernetes_version: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<Fault>,
    /// Cost of an evaluation, at most, as an API server estimates it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) estimated_cost: Option<u64>,
    /// What it reads by name.
    pub(super) reads: Vec<Read>,
    /// Reads that fail on devices without the name, the first of each name.
    pub(super) unguarded: Vec<Unguarded>,
}

/// Is what an API server would object to.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Fault {
    pub(super) message: String,
    pub(super) line: u32,
    pub(super) column: u32,
    /// The bytes that are wrong.
    pub(super) start: usize,
    pub(super) end: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) hint: Option<String>,
}

#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Read {
    /// `attribute` or `capacity`.
    pub(super) kind: &'static str,
    /// The name with its domain.
    pub(super) name: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Unguarded {
    #[serde(flatten)]
    pub(super) read: Read,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Finding {
    /// Checks a selector.
    pub(super) fn of(expression: &str, language: &Language, features: &Features) -> Self {
        let mut finding = Self {
            valid: false,
            dialect: language.dialect(),
            kubernetes_version: format!("1.{}", language.minor()),
            error: None,
            estimated_cost: None,
            reads: Vec::new(),
            unguarded: Vec::new(),
        };
        // What an API server says when the selector is written.
        let options = language
            .options()
            .new_expression()
            .consumable_capacity(features.consumable_capacity)
            .list_attributes(features.list_type_attributes);
        match finding.fill(expression, &options) {
            Ok(()) => finding.valid = finding.error.is_none(),
            Err(error) => finding.error = Some(error.into()),
        }
        finding
    }

    fn fill(&mut self, expression: &str, options: &Options) -> Result<(), CompileError> {
        let program = Program::compile(expression, options)?;
        self.reads = program.reads().slots.iter().map(Read::of).collect();
        for read in dralloc_cel::unguarded_reads(expression, options)? {
            let slot = Read::of(&read.slot);
            // Where a name is read again the same is to be said.
            if self.unguarded.iter().all(|known| known.read != slot) {
                self.unguarded.push(Unguarded {
                    read: slot,
                    start: read.span.start,
                    end: read.span.end,
                });
            }
        }
        let cost = dralloc_cel::estimate_cost(expression, options)?;
        self.estimated_cost = Some(cost);
        let limit = Options::COST_LIMIT;
        if cost > limit {
            self.error = Some(Fault {
                message: if cost == u64::MAX {
                    format!("the cost of the selector has no bound, expected at most {limit}")
                } else {
                    format!("the selector may cost up to {cost}, expected at most {limit}")
                },
                line: 1,
                column: 1,
                start: 0,
                end: expression.len(),
                hint: Some(
                    "what has its type at run time only may be of any size: loops over it, and \
                     comparisons with it as a whole, cost most"
                        .to_owned(),
                ),
            });
        }
        Ok(())
    }
}

impl Read {
    fn of(slot: &Slot) -> Self {
        Self {
            kind: match slot.kind {
                Kind::Attribute => "attribute",
                Kind::Capacity => "capacity",
            },
            name: format!("{}/{}", slot.domain, slot.name),
        }
    }
}

impl From<CompileError> for Fault {
    fn from(error: CompileError) -> Self {
        Self {
            message: error.message,
            line: error.line,
            column: error.column,
            start: error.span.start,
            end: error.span.end,
            hint: error.hint,
        }
    }
}
