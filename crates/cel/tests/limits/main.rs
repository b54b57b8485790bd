//! What compilations and evaluations take: memory and cost, counted.

#![expect(clippy::expect_used, reason = "helpers of tests fail like tests")]

mod allocations;
mod hostile;

#[global_allocator]
static COUNTER: dralloc_testkit::heap::Counter = dralloc_testkit::heap::Counter;
