//! [`Evaluator`]: one expression, asked about devices one by one.

use std::sync::Arc;

use dralloc_cel::{Program, Scratch, Verdict};

use super::COST_OF_A_BRANCH;
use super::projection::Projections;
use super::row::{Place, Row};
use super::slice_verdicts::Judged;
use crate::claims::Expression;
use crate::error::{Code, Error};
use crate::store::{Rows, StoredSlice};

/// Is memory that evaluations reuse, and counts them.
#[derive(Debug, Default)]
pub(super) struct Effort {
    scratch: Scratch,
    /// Where the slots of the expression are, layout by layout.
    places: Vec<Place>,
    /// Where the part of each layout starts in `places`.
    starts: Vec<Option<usize>>,
    /// How often a device was evaluated.
    pub(super) evaluations: u64,
    /// How much memory was filled with projections, in words.
    pub(super) weight: usize,
}

/// Evaluates an expression on devices of one slice.
pub(super) struct Evaluator<'a> {
    program: &'a Result<Program, Error>,
    stored: &'a StoredSlice,
    rows: &'a Rows,
    projections: &'a mut Projections,
    effort: &'a mut Effort,
    /// Devices that fail in a row mostly do so for the same reason.
    last_error: Option<Arc<Error>>,
}

impl<'a> Evaluator<'a> {
    pub(super) fn new(
        expression: &'a Expression,
        stored: &'a StoredSlice,
        projections: &'a mut Projections,
        effort: &'a mut Effort,
    ) -> Self {
        let rows = stored.rows();
        effort.places.clear();
        effort.starts.clear();
        effort.starts.resize(rows.layouts(), None);
        Self {
            program: &expression.program,
            stored,
            rows,
            projections,
            effort,
            last_error: None,
        }
    }

    /// Returns what the expression says of a device.
    pub(super) fn judge(&mut self, device: usize) -> Judged {
        let program = match self.program {
            Ok(program) => program,
            Err(error) => return free(Err(shared(&mut self.last_error, error.clone()))),
        };
        let spec = &self.stored.slice.spec;
        let row = match Row::new(&spec.driver, &spec.devices[device], self.rows, device) {
            Ok(row) => row,
            Err(error) => {
                let error = Error::new(Code::Attribute, error.to_string());
                return free(Err(shared(&mut self.last_error, error)));
            }
        };
        let (effort, projections) = (&mut *self.effort, &mut *self.projections);
        let reads = program.reads();
        let start = &mut effort.starts[self.rows.layout_of(device)];
        let start = *start.get_or_insert_with(|| {
            let start = effort.places.len();
            row.resolve(reads, &mut effort.places);
            start
        });
        let places = &effort.places[start..start + reads.slots.len()];
        let row = row.with_places(places);
        if let Some(judged) = projections.find(reads, &row, places) {
            return judged.clone();
        }
        effort.evaluations += 1;
        let verdict = match program.matches(&row, &mut effort.scratch) {
            Verdict::Match => Ok(true),
            Verdict::NoMatch => Ok(false),
            Verdict::Error(error) => {
                let error = Error::new(Code::CelEvaluation, error.to_string());
                Err(shared(&mut self.last_error, error))
            }
        };
        let judged = Judged {
            verdict,
            branches: effort.scratch.work() / COST_OF_A_BRANCH,
        };
        let cost = effort.scratch.cost();
        effort.weight += projections.insert(reads, &row, places, (&judged, cost));
        judged
    }
}

/// Returns what is known without an evaluation.
fn free(verdict: Result<bool, Arc<Error>>) -> Judged {
    Judged {
        verdict,
        branches: 0,
    }
}

fn shared(last: &mut Option<Arc<Error>>, error: Error) -> Arc<Error> {
    let same = last.take().filter(|last| **last == error);
    let error = same.unwrap_or_else(|| Arc::new(error));
    *last = Some(Arc::clone(&error));
    error
}
