//! What compilations and evaluations take: memory and cost, counted.

#![expect(clippy::expect_used, reason = "helpers of tests fail like tests")]

mod allocations;
mod counter;
mod hostile;
mod inputs;

#[global_allocator]
static COUNTER: counter::Counter = counter::Counter;
