//! What an evaluation may spend.

use std::cell::Cell;

use crate::{ErrorKind, EvaluationError, Row};

/// Bytes that one evaluation may build. Kubernetes has no such limit; it is
/// far beyond what reasonable expressions build. Growing and copying can take
/// three times as much for a moment.
const MAX_MEMORY: usize = 16 << 20;

/// Bytes that every piece of memory takes beside its content, about.
const OVERHEAD: usize = 32;

/// Values that one evaluation may visit while it compares and measures. Lists
/// share their parts, so comparing two can take far longer than building them.
const MAX_STEPS: u64 = 1_000_000;

/// The device under evaluation, and what has been spent on it.
pub(crate) struct Context<'a> {
    pub(crate) row: &'a dyn Row,
    cost: u64,
    limit: u64,
    memory: usize,
    steps: Cell<u64>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(row: &'a dyn Row, limit: u64) -> Self {
        Self {
            row,
            cost: 0,
            limit,
            memory: MAX_MEMORY,
            steps: Cell::new(0),
        }
    }

    pub(crate) fn cost(&self) -> u64 {
        self.cost
    }

    /// Adds to the runtime cost.
    #[inline]
    pub(crate) fn charge(&mut self, cost: u64) -> Result<(), EvaluationError> {
        let (total, is_less) = self.cost.overflowing_add(cost);
        self.cost = total;
        if is_less {
            // What makes an evaluation cheaper must not make it endless.
            self.work(cost.wrapping_neg())?;
        }
        if self.cost > self.limit || self.steps.get() > MAX_STEPS {
            return Err(self.exceeded());
        }
        Ok(())
    }

    /// Adds to the runtime cost unit by unit: a limit in between ends the
    /// evaluation at the cost at which it was exceeded.
    #[inline]
    pub(crate) fn charge_units(&mut self, units: u64) -> Result<(), EvaluationError> {
        let before = self.cost;
        self.charge(units).inspect_err(|error| {
            let passed = match error.kind {
                ErrorKind::CostLimit => before.max(self.limit),
                _ => before,
            };
            self.cost = passed.saturating_add(1);
        })
    }

    #[cold]
    fn exceeded(&self) -> EvaluationError {
        match self.check_steps() {
            Err(error) => error,
            Ok(()) => EvaluationError::new(
                ErrorKind::CostLimit,
                "operation cancelled: actual cost limit exceeded",
            ),
        }
    }

    /// Fails once too many values were visited.
    pub(crate) fn check_steps(&self) -> Result<(), EvaluationError> {
        if self.steps.get() <= MAX_STEPS {
            return Ok(());
        }
        Err(EvaluationError::new(
            ErrorKind::MemoryLimit,
            "the expression compares or searches too much",
        ))
    }

    pub(crate) fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// Counts a visit of a value; false when there were too many, in which
    /// case the next charge fails.
    pub(crate) fn step(&self) -> bool {
        self.steps.set(self.steps.get() + 1);
        self.steps.get() <= MAX_STEPS
    }

    /// Counts work that is worth this many visits.
    pub(crate) fn work(&self, steps: u64) -> Result<(), EvaluationError> {
        self.steps.set(self.steps.get().saturating_add(steps));
        self.check_steps()
    }

    /// Takes back a cost of 1 that was charged before.
    pub(crate) fn refund(&mut self) {
        self.cost = self.cost.saturating_sub(1);
    }

    /// Announces memory about to be taken.
    pub(crate) fn allocate(&mut self, bytes: usize) -> Result<(), EvaluationError> {
        match self.memory.checked_sub(bytes.saturating_add(OVERHEAD)) {
            Some(left) => {
                self.memory = left;
                Ok(())
            }
            None => Err(EvaluationError::new(
                ErrorKind::MemoryLimit,
                "strings and lists of the expression exceed the limit on memory",
            )),
        }
    }
}

impl Context<'_> {
    /// Announces a list of this many elements.
    pub(crate) fn allocate_values(&mut self, count: usize) -> Result<(), EvaluationError> {
        self.allocate(count.saturating_mul(std::mem::size_of::<super::Value<'_>>()))
    }
}

impl EvaluationError {
    /// Whether the error ends the evaluation whatever `&&` or `||` is around it.
    pub(crate) fn is_final(&self) -> bool {
        matches!(
            self.kind,
            ErrorKind::CostLimit | ErrorKind::MemoryLimit | ErrorKind::Internal
        )
    }
}
